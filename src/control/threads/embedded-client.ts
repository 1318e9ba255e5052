/** A client of an embedded database, as threads of flows have it by way of control. */
import type { EmbeddedFailure } from "../../shared/embedded.ts";

/** What becomes of a request: called once, with its answer or with its failure. */
export type EmbeddedReply = (answer: Uint8Array<ArrayBuffer> | undefined, failure?: EmbeddedFailure) => void;

export interface EmbeddedClient {
  /** Sends a request, which has to end within `mostMs`. `content` must not change. Returns its number. */
  ask(content: Uint8Array<ArrayBuffer>, mostMs: number, reply: EmbeddedReply): number;
  /** Ends a request: one that has not begun does not begin, and the process of one that runs is killed if it does not end soon. */
  cancel(request: number): void;
  /** Closes it; a transaction is rolled back. */
  end(): void;
}
