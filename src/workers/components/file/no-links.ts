/** Paths lie in a flow's directory as text; here it is seen to that no link, which only a person can have put there, leads out of it. */
import { mkdir, realpath } from "node:fs/promises";
import { dirname, relative, sep } from "node:path";
import { codeOf, cut, refusal } from "./failure.ts";

export class NoLinks {
  readonly #root: string;

  /** `root` is a real path. */
  constructor(root: string) {
    this.#root = root;
  }

  /** Throws for a path whose directory is really elsewhere; one that is not there at all fails later. */
  async above(path: string): Promise<void> {
    if (path !== this.#root) await this.#isHere(dirname(path));
  }

  /** Makes a directory and those above it. */
  async make(path: string): Promise<void> {
    if (await this.#isHere(path)) return;
    if (path !== this.#root) await this.make(dirname(path));
    try {
      await mkdir(path);
    } catch (error) {
      if (codeOf(error) !== "EEXIST" || !(await this.#isHere(path))) throw error;
    }
  }

  /** false: it is not there. */
  async #isHere(directory: string): Promise<boolean> {
    let real: string;
    try {
      real = await realpath(directory);
    } catch (error) {
      if (codeOf(error) === "ENOENT") return false;
      throw error;
    }
    if (real === this.#root || real.startsWith(this.#root + sep)) return true;
    throw refusal(`a link leads out of the flow's directory: ${cut(relative(this.#root, directory))}`);
  }
}
