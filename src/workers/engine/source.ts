/**
 * What a component that consumes writes: a source. It offers messages and hears what became of each. It opens no runs, and knows no
 * thread and no deployment: who opens a message's run, when a route may begin, and when the flow ends is the runtime's affair.
 */
import type { Egress } from "../../shared/egress.ts";
import type { EndpointContext } from "./endpoint-context.ts";
import type { Exchange } from "./exchange.ts";
import type { Held } from "./flow-scope.ts";

export interface Source {
  /** How many of its messages may be under way at once. The flow's thread may have room for fewer. */
  readonly credits: number;
  /** The route runs, and the flow serves: again after each `pause`. Nothing happens before. */
  start(offer: Offer): void;
  /**
   * The route is stopped or suspended: takes nothing more. What is under way goes on. A flow that is idle then gives its thread back,
   * which ends without `stop`.
   */
  pause(): void;
  /**
   * The flow ends, once: takes nothing more. Resolves when what is under way is settled and acknowledged and all connections are closed;
   * the thread ends then, or when the flow's time for its drain is over.
   */
  stop(): Promise<void> | void;
}

/** Begins a run for the message, as soon as there is a credit and room in the thread. Does not reject. */
export interface Offer {
  (message: SourceMessage): Promise<Settled>;
  /** Messages that may be offered now without waiting, as far as credits go. */
  readonly free: number;
  /** Resolves when a message may be offered without waiting; at once if so. Whoever reads on only then keeps nothing waiting. */
  ready(): Promise<void>;
}

export interface NewMessage {
  /** At most `limits.messageBodyBytes`: the source sees to it. */
  readonly body: unknown;
  readonly headers?: Iterable<readonly [name: string, value: unknown]>;
  /** Of the exchange. */
  readonly properties?: Iterable<readonly [name: string, value: unknown]>;
  /** Present: the message could not be read. Its run fails with this, which is where it is looked for. */
  readonly unreadable?: { readonly error: unknown };
}

/** A message that comes from another run of the same thread, with the place that was taken for its run when it was sent. */
export interface HandedMessage {
  readonly exchange: Exchange;
  readonly place: Held;
}

export type SourceMessage = NewMessage | HandedMessage;

/**
 * - done: its run is over and has not failed: acknowledge the message
 * - failed: its run is over and has failed
 * - lost: its run did not begin: the message is where it was, and may be offered again
 *
 * `exchange` is what expressions of the endpoint are evaluated over; a source reads nothing of it itself.
 */
export type Settled =
  | { readonly outcome: "done"; readonly exchange: Exchange }
  | { readonly outcome: "failed"; readonly exchange: Exchange; readonly error: unknown }
  | { readonly outcome: "lost"; readonly error: unknown };

export interface SourceContext extends Omit<EndpointContext, "announce" | "hold" | "begin" | "room"> {
  readonly flowId: string;
  readonly routeId: string;
  /** The endpoint in normal form. */
  readonly uri: string;
  /** What may be called; undefined where nothing can be: in threads that only check flows, and in those without the network. */
  readonly egress: Egress | undefined;
}
