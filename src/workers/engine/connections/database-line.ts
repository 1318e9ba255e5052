/** Requests of a client to an embedded database, which control hands on to the process that has it open. */
import type { EmbeddedFailure } from "../../../shared/embedded.ts";

export interface DatabaseLine {
  /**
   * Sends a request, behind those that are not answered yet. Resolves with the answer; rejects with DatabaseFailed, and
   * with the reason of `signal` when that has ended the request. A request that has ended is over in the database, too.
   */
  ask(content: Uint8Array, signal?: AbortSignal): Promise<Uint8Array>;
  /** `lost` is called when the process has ended. */
  onLost(lost: (error: unknown) => void): void;
}

export class DatabaseFailed extends Error {
  readonly failure: EmbeddedFailure;

  constructor(failure: EmbeddedFailure) {
    super(failure.message);
    this.failure = failure;
  }
}
