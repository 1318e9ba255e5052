/**
 * Defines pollers, by which `poll` and `pollEnrich` take one message from an endpoint (Camel: PollingConsumer). A poller
 * waits and takes; the step decides what becomes of the message, and reports how its exchange ended.
 */
import type { Egress } from "../../shared/egress.ts";
import type { EndpointContext } from "./endpoint-context.ts";
import type { Exchange } from "./exchange.ts";
import type { NewMessage } from "./source.ts";

export interface Poller {
  /**
   * Takes the next message. `waitMs`: how long it waits for one, in milliseconds: 0 not at all, below 0 until the run
   * ends. Resolves with undefined when none came. Rejects with the signal's reason as soon as the run of `asker` is
   * cancelled, and with a failure of the poll itself.
   */
  poll(waitMs: number, asker: Exchange): Promise<Polled | undefined>;
}

export interface Polled {
  /** An exchange is a message of this thread, with its properties and variables. */
  readonly message: NewMessage | Exchange;
  /**
   * Called once, when the exchange that got the message ends, or when no exchange got it: acknowledges the message, or
   * gives it back. Does not reject.
   */
  settle?(end: PolledEnd): Promise<void> | void;
}

export interface PolledEnd {
  /** The exchange that got the message. */
  readonly exchange: Exchange;
  readonly failed: boolean;
  readonly error?: unknown;
}

export interface PollerContext extends EndpointContext {
  readonly flowId: string;
  readonly routeId: string;
  /** The endpoint in normal form. */
  readonly uri: string;
  /** For a lenient component: the parameters that are not options. */
  readonly parameters: readonly (readonly [name: string, value: string])[];
  /**
   * The addresses that may be called; undefined in threads that only check flows, and in those without network access.
   */
  readonly egress: Egress | undefined;
}

/** A message that a step has polled, as an exchange of the step's run. */
export interface PolledExchange {
  readonly exchange: Exchange;
  readonly settle: Polled["settle"];
}

/** Polls one endpoint for an exchange. `waitMs` and the result as of `Poller.poll`. */
export type Poll = (asker: Exchange, waitMs: number) => Promise<PolledExchange | undefined>;
