/** A run as control requests it, and its result. */
import type { BodyKind, MessagePreview, Outcome, WireError } from "./protocol.ts";

export interface Invocation {
  readonly runId: string;
  readonly traceId: string;
  /** Index into the manifest's routes. */
  readonly routeIndex: number;
  /** Epoch milliseconds. */
  readonly deadline: number;
  /** How many cross-flow calls are above this run. */
  readonly hops: number;
  /** Headers as `name\nvalue\nname\nvalue`, without hop-by-hop, control and secret headers. */
  readonly headers: string;
  readonly bodyKind: BodyKind;
  readonly body: string | Uint8Array | null;
  /** An InvokeExtra as JSON, which stays a text: control does not look into what flows pass to each other. */
  readonly extra?: string | undefined;
  /**
   * true: a call from another flow, or of a test; it wants the whole exchange back, and it has a concurrency cap of its
   * own.
   */
  readonly child: boolean;
  /** true: the caller of this child run is a child, too. */
  readonly nested?: boolean | undefined;
}

export interface InvocationResult {
  readonly outcome: Outcome;
  /** The CamelHttpResponseCode that a step set; 0: none. */
  readonly httpStatus: number;
  readonly bodyKind: BodyKind;
  readonly body: string | Uint8Array | null;
  /** Headers that steps set, in the form of Invocation. */
  readonly headers: string;
  readonly stepsExecuted: number;
  readonly cpuMs: number;
  /** Step index, start, duration: three numbers per step run. */
  readonly timings: readonly number[];
  /** The indexes of the step runs that failed, from 0 on. */
  readonly failedTimings: readonly number[];
  readonly error: WireError | null;
  /** The message as the failing step received it. */
  readonly preview: MessagePreview | null;
  /** For a child run that succeeded: a ResultExtra as JSON, for its caller. */
  readonly reply: string;
}
