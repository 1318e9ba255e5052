/** Files that come into the workspace beside a flow, each only where there is none of its name. */
import { promises as fs } from "node:fs";
import { dirname, join, sep } from "node:path";
import { codeOf, Refused } from "../refused.ts";
import { type Draft, draft, sweep } from "./durable.ts";

/** Where they are: below the folder of the flows. */
const folders = ["documents/connections", "documents/value-mappings", "documents/message-mappings", "tests"];

export class NewFiles {
  readonly #drafts: ReadonlyMap<string, Draft>;
  readonly #kept: string[];

  private constructor(drafts: ReadonlyMap<string, Draft>, kept: string[]) {
    this.#drafts = drafts;
    this.#kept = kept;
  }

  /** Writes texts, by their paths from the directory, under temporary names. Throws Refused, and leaves none of them then. */
  static async draft(directory: string, files: ReadonlyMap<string, string>): Promise<NewFiles> {
    const drafts = new Map<string, Draft>();
    const kept: string[] = [];
    try {
      for (const [path, text] of files) {
        await makeFolder(directory, dirname(path));
        if (await isThere(join(directory, path))) kept.push(path);
        else drafts.set(path, await draft(join(directory, path), text));
      }
    } catch (error) {
      for (const one of drafts.values()) await one.discard();
      throw error;
    }
    return new NewFiles(drafts, kept);
  }

  /** Removes what an earlier process has left behind. */
  static async sweep(directory: string): Promise<void> {
    for (const folder of folders) await sweep(join(directory, folder)).catch(() => undefined);
  }

  /** Gives them their names. A file that another program has put there meanwhile stays, too. Returns the paths of both. */
  async create(): Promise<{ readonly written: readonly string[]; readonly kept: readonly string[] }> {
    const written: string[] = [];
    const kept = [...this.#kept];
    for (const [path, one] of this.#drafts)
      try {
        await one.create();
        written.push(path);
      } catch (error) {
        if (codeOf(error) !== "EEXIST") throw error;
        kept.push(path);
      }
    return { written, kept };
  }

  /** Removes what has no name yet. */
  async discard(): Promise<void> {
    for (const one of this.#drafts.values()) await one.discard();
  }
}

/** Throws Refused when a file is in the way, or a link that leads out of the directory. */
async function makeFolder(directory: string, folder: string): Promise<void> {
  const root = await fs.realpath(directory);
  let path = directory;
  // Each is looked at before something is made in it.
  for (const name of folder.split("/")) {
    path = join(path, name);
    await fs.mkdir(path).catch((error: unknown) => {
      if (codeOf(error) !== "EEXIST") throw error;
    });
    const real = await fs.realpath(path).catch(() => "");
    if (!real.startsWith(`${root}${sep}`))
      throw new Refused(
        422,
        `'${name}' is a symbolic link out of the workspace, or to nothing: put the folder itself there`,
      );
    if (!(await fs.stat(path)).isDirectory())
      throw new Refused(422, `there is a file where the folder '${name}' has to be: rename it`);
  }
}

/** Also a link that leads nowhere is in the way. */
async function isThere(path: string): Promise<boolean> {
  return fs.lstat(path).then(
    () => true,
    (error: unknown) => {
      if (codeOf(error) === "ENOENT") return false;
      throw error;
    },
  );
}
