/** Files of the routes directory that cannot be loaded, as they were when it was last read. They are only told of, never touched. */
import type { FlowFile } from "../stores/stores.ts";
import type { ChangeQueue } from "./change-queue.ts";
import type { DeployerParts } from "./deployer.ts";
import { isOwnFile } from "./flow-file.ts";

export class FailedFiles {
  readonly #parts: DeployerParts;
  readonly #changes: ChangeQueue;
  #failed: readonly FlowFile[] = [];

  constructor(parts: DeployerParts, changes: ChangeQueue) {
    this.#parts = parts;
    this.#changes = changes;
  }

  get all(): readonly FlowFile[] {
    return this.#failed;
  }

  /** Reads the directory: all of its files, good and bad. */
  async look(): Promise<readonly FlowFile[]> {
    const { store, register } = this.#parts;
    const files = await store.list();
    this.#failed = files.filter(({ problem }) => problem !== undefined);
    const present = new Set(files.filter(isOwnFile).map(({ id }) => id));
    for (const { id, state } of register.all()) {
      if (state === "Failed" && !present.has(id)) void this.#forgetGone(id).catch(() => undefined);
    }
    return files;
  }

  /** To be called after a change, which may be what mended a file. */
  async lookAgain(): Promise<void> {
    if (this.#failed.length > 0) await this.look().catch(() => undefined);
  }

  /** Of a flow that does not run, nothing is left when its file is gone. */
  #forgetGone(id: string): Promise<void> {
    const { store, register, claims } = this.#parts;
    return this.#changes.change(id, async () => {
      if (register.get(id)?.state !== "Failed" || (await store.read(id)) !== undefined) return;
      claims.free(id);
      register.delete(id);
    });
  }
}
