/** One run, as control asks for it and as it is answered. */
import type { BodyKind, MessagePreview, Outcome, WireError } from "./protocol.ts";

export interface Invocation {
  readonly runId: string;
  readonly traceId: string;
  /** Index into the manifest's routes. */
  readonly routeIndex: number;
  /** Epoch milliseconds. */
  readonly deadline: number;
  /** Cross-flow calls above this run. */
  readonly hops: number;
  /** `name\nvalue\nname\nvalue`, already without hop-by-hop, control and secret headers. */
  readonly headers: string;
  readonly bodyKind: BodyKind;
  readonly body: string | Uint8Array | null;
  /** An InvokeExtra as JSON, a text all the way: control neither reads nor writes what flows hand to each other. */
  readonly extra?: string | undefined;
  /** true: a call from another flow, or of a test; it wants the whole exchange back, and it has a concurrency cap of its own. */
  readonly child: boolean;
  /** Of a child: its caller is one, too. */
  readonly nested?: boolean | undefined;
}

export interface InvocationResult {
  readonly outcome: Outcome;
  /** What a step set as CamelHttpResponseCode; 0: nothing. */
  readonly httpStatus: number;
  readonly bodyKind: BodyKind;
  readonly body: string | Uint8Array | null;
  /** Headers that steps set, as in Invocation. */
  readonly headers: string;
  readonly stepsExecuted: number;
  readonly cpuMs: number;
  /** Step index, start, duration; three numbers per step run. */
  readonly timings: readonly number[];
  /** Of these the step runs that failed, counted from 0 on. */
  readonly failedTimings: readonly number[];
  readonly error: WireError | null;
  /** The message as the failing step received it. */
  readonly preview: MessagePreview | null;
  /** Of a child run that succeeded: a ResultExtra as JSON, for its caller. */
  readonly reply: string;
}
