/** A server of a package of the system, in a process and a folder of its own, on loopback. */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { existsSync, globSync, readFileSync } from "node:fs";
import { chown, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** The server cannot be had on this machine; the message is one line that says why. */
export class Unavailable extends Error {}

/** Returns the program's path, and installs the packages when it is missing. Throws Unavailable. */
export function program(pattern: string, packages: readonly string[]): string {
  const found = (): string | undefined => globSync(pattern).sort().at(-1);
  const present = found();
  if (present !== undefined) return present;
  const wanted = packages.join(" ");
  if (process.getuid?.() !== 0 || !existsSync("/usr/bin/apt-get"))
    throw new Unavailable(`${pattern} is missing: install it as root (Debian: apt-get install ${wanted})`);
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  const apt = (...words: string[]): boolean =>
    spawnSync("apt-get", ["-q", "-o", "DPkg::Lock::Timeout=300", ...words], { env, stdio: "inherit" }).status === 0;
  // A policy that forbids it keeps packages from starting servers of their own.
  const install = (): boolean => apt("install", "-y", "--no-install-recommends", ...packages);
  if (!install() && !(apt("update") && install())) throw new Unavailable(`apt-get install ${wanted} has failed`);
  const installed = found();
  if (installed === undefined) throw new Unavailable(`${pattern} is missing after apt-get install ${wanted}`);
  return installed;
}

export interface User {
  readonly uid: number;
  readonly gid: number;
}

/** Servers refuse to run as root: then the user of their package runs them, otherwise the present one. */
export function serverUser(name: string): User | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const line = readFileSync("/etc/passwd", "utf8")
    .split("\n")
    .find((entry) => entry.startsWith(`${name}:`));
  const [, , uid, gid] = line?.split(":") ?? [];
  if (uid === undefined || gid === undefined) throw new Unavailable(`there is no user '${name}'`);
  return { uid: Number(uid), gid: Number(gid) };
}

/** Makes a folder that belongs to the server's user. */
export async function serverFolder(name: string, user: User | undefined): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), `bulkhead-${name}-`));
  if (user !== undefined) await chown(folder, user.uid, user.gid);
  return folder;
}

/** Writes a file that only the server's user can read, as servers want it of keys. Returns its path. */
export async function serverFile(folder: string, user: User | undefined, name: string, text: string): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, `${text}\n`, { mode: 0o600 });
  if (user !== undefined) await chown(path, user.uid, user.gid);
  return path;
}

export interface Program {
  readonly command: string;
  readonly args: readonly string[];
  readonly user: User | undefined;
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Runs a program to its end. Throws Unavailable with the end of its output when it fails. */
export function runToEnd({ command, args, user, cwd, env }: Program): void {
  const { status, stderr, stdout } = spawnSync(command, args, {
    ...user,
    cwd,
    env: { ...process.env, ...env },
    encoding: "utf8",
  });
  if (status !== 0) throw new Unavailable(`${command} has failed: ${`${stdout}${stderr}`.trim().slice(-300)}`);
}

export class ServerProcess {
  readonly folder: string;
  readonly #program: Program;
  readonly #isReady: RegExp | undefined;
  #child: ChildProcess | undefined;
  #exited: Promise<unknown> = Promise.resolve();

  readonly #end: NodeJS.Signals;

  /** `isReady`: what the server writes when it takes connections; undefined: it writes nothing. `end`: the signal that ends it without delay. */
  constructor(program: Program, isReady: RegExp | undefined, end: NodeJS.Signals) {
    this.folder = program.cwd;
    this.#end = end;
    this.#program = program;
    this.#isReady = isReady;
  }

  /** Resolves when the server takes connections. Rejects with Unavailable when it ends before that. */
  async start(): Promise<void> {
    const { command, args, user, cwd, env } = this.#program;
    const child = spawn(command, args, {
      ...user,
      cwd,
      env: { ...process.env, ...env },
      stdio: ["ignore", "pipe", "pipe"],
    });
    this.#child = child;
    this.#exited = new Promise((resolve) => child.once("exit", resolve));
    let output = "";
    await new Promise<void>((resolve, reject) => {
      child.once("error", reject);
      if (this.#isReady === undefined) child.once("spawn", resolve);
      child.once("exit", () => reject(new Unavailable(`${command} has ended: ${output.trim().slice(-300)}`)));
      for (const stream of [child.stdout, child.stderr]) {
        stream.setEncoding("utf8").on("data", (text: string) => {
          output = `${output}${text}`.slice(-4000);
          if (this.#isReady?.test(output) === true) resolve();
        });
      }
    });
  }

  get pid(): number | undefined {
    return this.#child?.pid;
  }

  /** Whether it has ended by itself, or was ended. */
  get hasEnded(): boolean {
    return this.#child === undefined || this.#child.exitCode !== null || this.#child.signalCode !== null;
  }

  /** `signal`: SIGKILL is a crash. */
  async stop(signal: NodeJS.Signals = this.#end): Promise<void> {
    this.#child?.kill(signal);
    await this.#exited;
    this.#child = undefined;
  }

  /** Ends the server and removes its folder. */
  async remove(): Promise<void> {
    await this.stop("SIGKILL");
    await rm(this.folder, { recursive: true, force: true, maxRetries: 10 });
  }
}
