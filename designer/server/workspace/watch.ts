/** Reports changes of the workspace's files, whoever makes them. It looks at the files only while somebody listens. */
import { type FSWatcher, watch } from "node:fs";
import type { DesignerEvents } from "../../shared/wire.ts";
import { limits } from "../limits.ts";
import type { Workspace } from "./workspace.ts";

type Changes = DesignerEvents["flows"];

export class WorkspaceWatch {
  readonly #workspace: Workspace;
  readonly #listeners = new Set<(changes: Changes) => void>();
  /** Flow -> etag, as it was reported at last. */
  #reported = new Map<string, string>();
  #watcher: FSWatcher | undefined;
  #sample: NodeJS.Timeout | undefined;
  #gather: NodeJS.Timeout | undefined;
  /** The last look at the files; the next one waits for it. */
  #looked: Promise<void> = Promise.resolve();

  constructor(workspace: Workspace) {
    this.#workspace = workspace;
  }

  /** Resolves when changes are reported from now on, with the number of files and the function that ends it. */
  async listen(listener: (changes: Changes) => void): Promise<{ readonly flows: number; readonly end: () => void }> {
    const isFirst = this.#listeners.size === 0;
    this.#listeners.add(listener);
    const end = (): void => {
      this.#listeners.delete(listener);
      if (this.#listeners.size === 0) this.#stop();
    };
    if (isFirst) {
      this.#start();
      this.#reported = new Map();
    }
    await this.#look();
    return { flows: this.#reported.size, end };
  }

  #start(): void {
    this.#sample = setInterval(() => void this.#look(), limits.watchSampleMs);
    try {
      this.#watcher = watch(this.#workspace.directory, { persistent: false }, () => {
        this.#gather ??= setTimeout(() => {
          this.#gather = undefined;
          void this.#look();
        }, limits.watchGatherMs);
      });
      // The samples go on, for example on network file systems, or when the folder was made anew.
      this.#watcher.on("error", () => this.#watcher?.close());
    } catch {
      this.#watcher = undefined;
    }
  }

  #stop(): void {
    clearInterval(this.#sample);
    clearTimeout(this.#gather);
    this.#gather = undefined;
    this.#watcher?.close();
    this.#watcher = undefined;
  }

  #look(): Promise<void> {
    this.#looked = this.#looked.then(async () => {
      const found = await this.#workspace.facts().catch(() => undefined);
      // A folder that cannot be read has not lost its flows.
      if (found === undefined) return;
      const now = new Map(found.map(({ id, etag }) => [id, etag]));
      const changed = [...now].filter(([id, etag]) => this.#reported.get(id) !== etag);
      const gone = [...this.#reported.keys()].filter((id) => !now.has(id));
      this.#reported = now;
      const changes = [...changed.map(([id, etag]) => ({ id, etag })), ...gone.map((id) => ({ id, etag: null }))];
      if (changes.length > 0) for (const listener of this.#listeners) listener(changes);
    });
    return this.#looked;
  }
}
