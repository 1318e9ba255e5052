/** Waits for changes of files. */
import { existsSync, type FSWatcher, readdirSync, watch } from "node:fs";
import { join } from "node:path";

/** Editors write a file in several steps. */
const settleMs = 100;

export class Changes {
  readonly #watchers = new Map<string, FSWatcher>();
  #changed = false;
  #wake: (() => void) | undefined;

  /** Watches directories; those that do not exist are left out. */
  follow(directories: Iterable<string>): void {
    for (const directory of directories) {
      if (this.#watchers.has(directory) || !existsSync(directory)) continue;
      const watcher = watch(directory, () => this.#note());
      // The directory is gone: reading its files will report that.
      watcher.on("error", () => this.#note());
      this.#watchers.set(directory, watcher);
    }
  }

  /** Resolves when something has changed since the last call. */
  async next(): Promise<void> {
    if (!this.#changed) await new Promise<void>((resolve) => (this.#wake = resolve));
    await new Promise((resolve) => setTimeout(resolve, settleMs));
    this.#changed = false;
    this.#wake = undefined;
  }

  /**
   * Stops watching: a directory that was removed and made again is another one for the operating system. Changes that
   * were noticed before still count.
   */
  forget(): void {
    for (const watcher of this.#watchers.values()) watcher.close();
    this.#watchers.clear();
  }

  #note(): void {
    this.#changed = true;
    this.#wake?.();
  }
}

/** Lists the directories that hold the flows and documents of a routes directory. */
export function directoriesOf(routes: string): readonly string[] {
  const documents = join(routes, "documents");
  const kinds = existsSync(documents) ? readdirSync(documents).map((kind) => join(documents, kind)) : [];
  return [routes, documents, ...kinds];
}
