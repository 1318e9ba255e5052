/** A directory of the flow's own area, and the paths in it: `/` stands for the area, and `..` leads out of nothing. */
import { lstat, mkdir, rename } from "node:fs/promises";
import { dirname, join, posix, relative, sep } from "node:path";
import { FlowException } from "../../engine/exception.ts";

export class FileArea {
  /** The flow's area, a path of the machine. */
  readonly #root: string;
  /** The endpoint's directory, from the area on, with `/`. */
  readonly name: string;
  readonly path: string;

  constructor(root: string, directory: string) {
    this.#root = root;
    this.name = normal(directory);
    this.path = join(root, this.name);
  }

  /** The path of a file named from the directory on; throws for one outside of it. */
  inside(name: string): string {
    return join(this.path, this.#within(name, "the endpoint's directory"));
  }

  /** The path of a file named from the directory on, or with a `/` at the front from the area on; throws for one outside of the area. */
  anywhere(name: string): string {
    const whole = name.startsWith("/") ? normal(name) : normal(posix.join(`/${this.name}`, name.replaceAll("\\", "/")));
    if (climbs(name.startsWith("/") ? name : posix.join(this.name, name))) throw outside(name, "the flow's directory");
    return join(this.#root, whole);
  }

  /** A path of the machine as flows see it: from the area on. */
  shown(path: string): string {
    return relative(this.#root, path).split(sep).join("/");
  }

  #within(name: string, what: string): string {
    const plain = name.replaceAll("\\", "/").replace(/^\/+/, "");
    if (plain === "" || plain.includes("\0") || climbs(plain)) throw outside(name, what);
    return posix.normalize(plain);
  }
}

/** Makes the directories of a path; refuses to go through a link, which only a person can have put there. */
export async function makeRoom(path: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
}

export async function moveTo(from: string, to: string): Promise<void> {
  await makeRoom(to);
  await rename(from, to);
}

/** What there is under a path; undefined for nothing. Links are not followed. */
export async function statOf(path: string) {
  try {
    return await lstat(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

/** `./a/../b/` and `/b` are `b`. */
function normal(path: string): string {
  return posix
    .normalize(`/${path.replaceAll("\\", "/")}`)
    .replace(/^\/+/, "")
    .replace(/\/$/, "");
}

function climbs(path: string): boolean {
  const plain = posix.normalize(path.replaceAll("\\", "/"));
  return plain === ".." || plain.startsWith("../");
}

function outside(name: string, what: string): FlowException {
  const shown = name.slice(0, 200);
  return new FlowException("java.lang.IllegalArgumentException", `the file name '${shown}' leads out of ${what}`);
}
