/** A message of a queue, from its sending to the end of its run. */
import { FlowException } from "../../engine/exception.ts";
import type { Exchange } from "../../engine/exchange.ts";
import type { Held } from "../../engine/flow-scope.ts";

/** A message that is in the queue or being consumed. */
export class Queued {
  /** The exchange as it was sent. */
  readonly exchange: Exchange;
  /** The reserved places: one for each consumer's run, and one while there is no consumer. */
  held: readonly Held[];
  /** false: the sender waits for the outcome, so the message is not kept when its run fails. */
  readonly keeps: boolean;
  readonly settled = Promise.withResolvers<Exchange | undefined>();
  /** The exchange of its run, which has failed. */
  failed: Exchange | undefined;

  constructor(exchange: Exchange, held: readonly Held[], keeps: boolean) {
    this.exchange = exchange;
    this.held = held;
    this.keeps = keeps;
    this.settled.promise.catch(() => {});
  }

  /** Gives the places back: no run begins with the message. */
  withdraw(): void {
    for (const held of this.held) held.withdraw();
    this.held = [];
  }

  fail(exchange: Exchange | undefined, error: unknown): void {
    this.failed = exchange;
    this.settled.reject(error);
  }

  drop(why: string): void {
    this.withdraw();
    this.settled.reject(new FlowException("java.util.concurrent.RejectedExecutionException", why));
  }
}

/** A message that the queue has accepted. */
export interface Sent {
  /**
   * Resolves at the end of its run with the exchange, or with undefined when several consumers got a copy each. Rejects
   * with the run's failure. Need not be awaited.
   */
  readonly ended: Promise<Exchange | undefined>;
  /** The exchange of its run, when that has failed. */
  readonly failed?: Exchange | undefined;
  /** Removes it from the queue, if it is still there. */
  remove(): void;
}
