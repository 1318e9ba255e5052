/**
 * Counts the bytes of a flow's files as it writes. The tree is walked at the first write, and again when the sum
 * reaches the limit.
 */
import type { Dirent } from "node:fs";
import { lstat, opendir } from "node:fs/promises";
import { join } from "node:path";
import { limitExceeded } from "../../engine/exception.ts";

/** The least bytes that a file or a directory counts, so that the limit also bounds their number. */
const least = 4096;
export class FileQuota {
  readonly #root: string;
  readonly #most: number;
  readonly #recountAfterMs: number;
  #used = 0;
  #countedAt = Number.NEGATIVE_INFINITY;
  #counting: Promise<void> | undefined;

  /** Deletions by others are noticed after `recountAfterMs`. */
  constructor(root: string, mostBytes: number, recountAfterMs = 10_000) {
    this.#root = root;
    this.#most = mostBytes;
    this.#recountAfterMs = recountAfterMs;
  }

  /** Counts bytes before they are written. Throws LimitExceededException. */
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

  /** Ends above the limit. Directories that cannot be read count as empty. */
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
