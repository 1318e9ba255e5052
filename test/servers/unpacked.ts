/**
 * Programs of Debian's unstable distribution, unpacked with their libraries into a folder of their own, where nothing of the system is changed:
 * for servers that the system's own distribution does not have. They are started with the loader that is unpacked beside them.
 */
import { spawnSync } from "node:child_process";
import { existsSync, globSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { Unavailable } from "./server-process.ts";

const cache = resolve(import.meta.dirname, "..", "..", "node_modules", ".cache", "servers");
const keyring = "/usr/share/keyrings/debian-archive-keyring.gpg";

export interface Unpacked {
  readonly root: string;
  /** The loader and its arguments, in front of the program's path. */
  readonly loader: readonly string[];
}

/** Downloads and unpacks a package with all that it depends on, unless that was done before. Throws Unavailable. */
export function unpack(name: string): Unpacked {
  const folder = join(cache, name);
  if (!existsSync(folder)) {
    const making = `${folder}.${process.pid}`;
    try {
      fetchInto(making, name);
      renameSync(join(making, "root"), folder);
    } finally {
      rmSync(making, { recursive: true, force: true });
    }
  }
  const libraries = join(folder, "usr/lib/x86_64-linux-gnu");
  return { root: folder, loader: [join(libraries, "ld-linux-x86-64.so.2"), "--library-path", libraries] };
}

function fetchInto(folder: string, name: string): void {
  const [archive] = run("apt-get", ["indextargets", "--format", "$(REPO_URI) $(ORIGIN)", "Created-By: Packages"])
    .split("\n")
    .filter((line) => line.endsWith(" Debian"));
  if (archive === undefined || process.arch !== "x64" || !existsSync(keyring))
    throw new Unavailable(`${name} comes from Debian's unstable distribution, for x86-64: this machine has none`);
  for (const part of ["lists/partial", "cache/archives/partial", "root"])
    mkdirSync(join(folder, part), { recursive: true });
  writeFileSync(join(folder, "status"), "");
  writeFileSync(
    join(folder, "sources.list"),
    `deb [arch=amd64 signed-by=${keyring}] ${archive.split(" ")[0]} unstable main\n`,
  );
  const options = {
    "Dir::Etc::sourcelist": join(folder, "sources.list"),
    "Dir::Etc::sourceparts": "/nonexistent",
    "Dir::State::lists": join(folder, "lists"),
    // As if nothing were installed: the libraries of the system are older.
    "Dir::State::status": join(folder, "status"),
    "Dir::Cache": join(folder, "cache"),
    "Acquire::Languages": "none",
    "APT::Install-Recommends": "false",
    "APT::Sandbox::User": "root",
    "Debug::NoLocking": "true",
  };
  const apt = (...words: readonly string[]): string =>
    run("apt-get", [
      "-q",
      "-y",
      ...Object.entries(options).flatMap(([key, value]) => ["-o", `${key}=${value}`]),
      ...words,
    ]);
  apt("update");
  apt("install", "--download-only", name);
  for (const file of globSync(join(folder, "cache/archives/*.deb")))
    run("dpkg-deb", ["-x", file, join(folder, "root")]);
}

function run(command: string, args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(command, args, { encoding: "utf8" });
  if (status !== 0)
    throw new Unavailable(
      `${command} ${args.at(-1)} has failed: ${`${stdout ?? ""}${stderr ?? ""}`.trim().slice(-300)}`,
    );
  return stdout;
}
