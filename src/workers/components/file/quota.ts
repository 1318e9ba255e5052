/** How much the files of a flow take, counted as it writes: the tree is walked at its first write, and when the sum has come to the limit. */
import type { Dirent } from "node:fs";
import { lstat, opendir } from "node:fs/promises";
import { join } from "node:path";
import { limitExceeded } from "../../engine/exception.ts";

/** A file or a directory counts for so much at least, so that the limit bounds their number, too. */
const least = 4096;
export class FileQuota {
  readonly #root: string;
  readonly #most: number;
  readonly #recountAfterMs: number;
  #used = 0;
  #countedAt = Number.NEGATIVE_INFINITY;
  #counting: Promise<void> | undefined;

  /** What others delete is noticed after `recountAfterMs`. */
  constructor(root: string, mostBytes: number, recountAfterMs = 10_000) {
    this.#root = root;
    this.#most = mostBytes;
    this.#recountAfterMs = recountAfterMs;
  }

  /** Counts what is about to be written. Throws LimitExceededException. */
  async take(bytes: number, isNew: boolean): Promise<void> {
    const cost = isNew ? Math.max(least, bytes) : bytes;
    if (this.#countedAt === Number.NEGATIVE_INFINITY) await this.#count();
    const recountable = performance.now() - this.#countedAt >= this.#recountAfterMs;
    if (this.#used + cost > this.#most && recountable) await this.#count();
    if (this.#used + cost > this.#most) {
      const bound = `the flow's files take ${this.#used} bytes and may take ${this.#most}, so ${cost} more do not fit`;
      throw limitExceeded("flowFilesBytes", bound);
    }
    this.#used += cost;
  }

  #count(): Promise<void> {
    this.#counting ??= this.#walk(this.#root).then((bytes) => {
      this.#used = bytes;
      this.#countedAt = performance.now();
      this.#counting = undefined;
    });
    return this.#counting;
  }

  /** Ends as soon as there is more than the limit. Directories that cannot be read count as empty. */
  async #walk(from: string): Promise<number> {
    let bytes = 0;
    const open = [from];
    for (let directory = open.pop(); directory !== undefined; directory = open.pop()) {
      for await (const entry of entriesOf(directory)) {
        const path = join(directory, entry.name);
        if (entry.isDirectory()) open.push(path);
        bytes += entry.isFile() ? Math.max(least, await sizeOf(path)) : least;
        if (bytes > this.#most) return bytes;
      }
    }
    return bytes;
  }
}

async function* entriesOf(directory: string): AsyncGenerator<Dirent> {
  try {
    yield* await opendir(directory);
  } catch {}
}

async function sizeOf(path: string): Promise<number> {
  try {
    return (await lstat(path)).size;
  } catch {
    return 0;
  }
}
