/** Files of the routes directory: which ones belong to flows, which cannot be loaded, and the errors for those. */
import { AppError } from "../../shared/errors.ts";
import type { FlowFile, FlowText } from "../stores/stores.ts";
import type { ChangeQueue } from "./change-queue.ts";
import type { DeployerParts } from "./deployer.ts";
import type { FlowEntry } from "./flow-register.ts";

/** Files of the routes directory that cannot be loaded, as of the last time it was read. They are only reported, never changed. */
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

  /** Reads the directory and returns all of its files, good and bad. */
  async look(): Promise<readonly FlowFile[]> {
    const files = await this.#parts.store.list();
    this.take(files);
    return files;
  }

  /** `files`: all files that the directory has now. */
  take(files: readonly FlowFile[]): void {
    this.#failed = files.filter(({ problem }) => problem !== undefined);
    const present = new Set(files.filter(isOwnFile).map(({ id }) => id));
    for (const { id, state } of this.#parts.register.all()) {
      if (state === "Failed" && !present.has(id)) void this.#forgetGone(id).catch(() => undefined);
    }
  }

  /** Reads the directory again after a change, which may have repaired a file. */
  async lookAgain(): Promise<void> {
    if (this.#failed.length > 0) await this.look().catch(() => undefined);
  }

  /** Forgets a flow that does not run and whose file is gone. */
  #forgetGone(id: string): Promise<void> {
    const { store, register, claims } = this.#parts;
    return this.#changes.change(id, async () => {
      if (register.get(id)?.state !== "Failed" || (await store.read(id)) !== undefined) return;
      claims.free(id);
      register.delete(id);
    });
  }
}

/** Returns false for a file that cannot be a flow, such as `other.yml`, and that is listed under its whole name. */
export function isOwnFile({ id, file }: FlowFile): boolean {
  return file === `${id}.yaml`;
}

/** Throws id_taken when a file that cannot be a flow is listed under this id. */
export function refuseOtherFile(id: string, text: FlowText | undefined): void {
  if (text === undefined || isOwnFile(text)) return;
  const { file, problem } = text;
  throw new AppError("id_taken", `'${id}' is the file '${file}' of the routes directory, not a flow's id: ${problem}`);
}

/** Throws flow_invalid when the file cannot be loaded. */
export function refuseProblem({ file, problem }: FlowText): void {
  if (problem !== undefined) throw new AppError("flow_invalid", `${file}: ${problem}`);
}

/** Returns not_found; `entry`: the flow if it still runs although its file was removed by hand. */
export function missing(id: string, entry: FlowEntry | undefined): AppError {
  return new AppError("not_found", entry?.deployment === undefined ? `there is no flow '${id}'` : goneMessage(id));
}

/** Says that a flow runs although its file was removed by hand, and what ends it. */
export function goneMessage(id: string): string {
  return `${id}.yaml is gone, and the flow still runs. Put the file back, or end the flow with bulkhead delete flows ${id} (DELETE /_api/flows/${id})`;
}
