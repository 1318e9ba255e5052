/**
 * Defines sources, which consuming components implement. A source offers messages and gets the outcome of each. It does
 * not know runs, threads and deployments: the runtime opens the runs, and decides when a route may start and when the
 * flow ends.
 */
import type { Egress } from "../../shared/egress.ts";
import type { Turn } from "./attended/turn.ts";
import type { EndpointContext } from "./endpoint-context.ts";
import type { Exchange } from "./exchange.ts";
import type { Held } from "./flow-scope.ts";
import type { RunTransaction } from "./run-transaction.ts";

export interface Source {
  /** The most of its messages that may be under way at once. The flow's thread may have room for fewer. */
  readonly credits: number;
  /** Called when the route may run, and again after each `pause`. The source must do nothing before. */
  start(offer: Offer): void;
  /**
   * Called when the route is stopped or suspended: the source must take no more messages. Messages under way continue.
   * An idle flow then releases its thread, which ends without `stop`.
   */
  pause(): void;
  /**
   * Called once, when the flow ends: the source must take no more messages. Resolves when all messages under way are
   * settled and acknowledged and all connections closed. The thread ends then, or when the time for the drain is over.
   */
  stop(): Promise<void> | void;
  /**
   * Looks at the next messages, at most `limit`, without taking them: they come to the route afterwards as if nobody had looked. What they have together in memory is bounded.
   * May be called at any time, also while it is paused. Absent: the protocol has no way to do so.
   */
  peek?(limit: number): Promise<readonly PeekedMessage[]>;
}

/** A message that stays where it is. */
export interface PeekedMessage extends Pick<NewMessage, "body" | "headers"> {
  /** Where it stands, as its server names it. */
  readonly at?: string;
  /** Why the route could not read it. */
  readonly unreadable?: unknown;
}

/** Begins a run for the message when there is a credit and room in the thread. Does not reject. */
export interface Offer {
  (message: SourceMessage): Promise<Settled>;
  /** How many messages may be offered now without waiting, as far as credits allow. */
  readonly free: number;
  /** Resolves when a message may be offered without waiting. A source that reads only then keeps no message waiting. */
  ready(): Promise<void>;
}

export interface NewMessage {
  /** At most `limits.messageBodyBytes`, which the source must ensure. */
  readonly body: unknown;
  readonly headers?: Iterable<readonly [name: string, value: unknown]>;
  /** Properties of the exchange. */
  readonly properties?: Iterable<readonly [name: string, value: unknown]>;
  /** The trace that the message belongs to (W3C Trace Context), valid: the run has its id, and producers send it on (trace-context.ts). */
  readonly traceparent?: string | undefined;
  /** Present: its sender waits for the reply, which the source makes of the exchange of the outcome. Absent: InOnly. */
  readonly pattern?: "InOut";
  /**
   * false: the message is not kept when its run fails, since the source offers it again. Otherwise `failed` settles when
   * it is kept; when that is not possible, its outcome is `lost`.
   */
  readonly keeps?: boolean;
  /** Present: the message could not be read. Its run fails with this error, so that run records show it. */
  readonly unreadable?: { readonly error: unknown };
  /**
   * Present: no step runs, and the route's error handler gets the message with this error, as if a step had failed with
   * it: the message was lost too often, or the source itself has failed (Camel: bridgeErrorHandler).
   */
  readonly failed?: { readonly error: unknown };
  /** Present: what the route does in the source's database is part of it. The source ends it. */
  readonly transaction?: RunTransaction;
  /** Present: its run begins and ends in the order of its turns. */
  readonly turn?: Turn | undefined;
  /**
   * Called once when the outcome is not there long after the run must have ended, which only a fault of the runtime can
   * cause: the source gives the message back to its server, so that others get it. The outcome may still come.
   */
  readonly giveBack?: () => void;
}

/** A message from another run of the same thread, with the place that was reserved for its run when it was sent. */
export interface HandedMessage {
  readonly exchange: Exchange;
  readonly place: Held;
  /** As of NewMessage; here since its sender waits for the outcome. */
  readonly keeps?: boolean;
}

export type SourceMessage = NewMessage | HandedMessage;

/**
 * - done: its run has ended without a failure: acknowledge the message
 * - failed: its run has failed
 * - lost: its run did not begin, or has failed and could not be kept: the message was not consumed and may be offered
 *   again
 *
 * `exchange` is for expressions of the endpoint; the source itself does not read it.
 */
export type Settled =
  | { readonly outcome: "done"; readonly exchange: Exchange }
  | { readonly outcome: "failed"; readonly exchange: Exchange; readonly error: unknown }
  | { readonly outcome: "lost"; readonly error: unknown };

/** What a source reports of itself, for the log, for health and for metrics. Figures cost next to nothing. */
export interface SourceReport {
  /** A poll begins, or another attempt to get messages. */
  polls(): void;
  /** It ended well. `nextInMs`: milliseconds until the next one; undefined: there is none. */
  polled(nextInMs: number | undefined): void;
  /** It failed. The failure is logged when it is not that of the poll before. */
  failed(error: unknown, nextInMs: number | undefined): void;
  /** How many messages wait where the source takes them, as far as it knows; undefined: it does not know. */
  backlog(messages: number | undefined): void;
  /** A message has come that its server had delivered before. */
  redelivered(): void;
}

export interface SourceContext extends Omit<EndpointContext, "announce" | "hold" | "begin" | "room"> {
  readonly flowId: string;
  readonly routeId: string;
  /** The endpoint in normal form. */
  readonly uri: string;
  /**
   * The addresses that may be called; undefined in threads that only check flows, and in those without network access.
   */
  readonly egress: Egress | undefined;
  readonly report: SourceReport;
}
