/**
 * The queues of a flow, and sending to one. A message waits for the reply if one is requested (Camel: SedaComponent,
 * SedaProducer).
 */

import { takeBranch } from "../../engine/branch.ts";
import type { ProducerContext } from "../../engine/component.ts";
import { FlowException } from "../../engine/exception.ts";
import type { Exchange } from "../../engine/exchange.ts";
import type { FlowScope } from "../../engine/flow-scope.ts";
import type { Processor } from "../../engine/processor.ts";
import { inTime, unlessAborted } from "../../engine/waiting.ts";
import { SedaQueue } from "./queue.ts";
import type { Sent } from "./queued.ts";

const defaultSize = 1000;
/** Messages may name queues: beyond this number, unused queues are dropped. */
const mostUnused = 1000;

/** Services of the flow for its queues. */
export type QueueScope = Pick<FlowScope, "limits" | "log" | "atHalt" | "atEnd" | "shared">;

/** The queues of one flow, by name. */
export class SedaQueues {
  readonly #byName = new Map<string, SedaQueue>();
  readonly #most: number;

  constructor(scope: QueueScope) {
    this.#most = scope.limits.announcedRuns;
    scope.atHalt(() => {
      for (const queue of this.#byName.values()) queue.halt(scope.log);
    });
    scope.atEnd(() => {
      for (const queue of this.#byName.values()) queue.end(scope.log);
    });
  }

  get(name: string): SedaQueue {
    const present = this.#byName.get(name);
    if (present !== undefined) return present;
    if (this.#byName.size >= mostUnused) {
      for (const [other, { unused }] of this.#byName) if (unused) this.#byName.delete(other);
    }
    const queue = new SedaQueue(name, Math.min(defaultSize, this.#most));
    this.#byName.set(name, queue);
    return queue;
  }

  /** Throws for a size that exceeds a thread's room. As in Camel, a size of 0 or less means the default. */
  resize(name: string, size: number | undefined): void {
    if (size === undefined || size <= 0 || size === defaultSize) return;
    if (size > this.#most) {
      throw new Error(
        `size=${size}: at most announcedRuns=${this.#most} messages wait in a thread; raise that limit of the flow`,
      );
    }
    this.get(name).resize(size);
  }
}

export interface SendOptions {
  readonly waitForTaskToComplete: "Always" | "Never" | "IfReplyExpected";
  /** Milliseconds; 0 or less: without end. */
  readonly timeout: number;
  readonly blockWhenFull: boolean;
  readonly discardWhenFull: boolean;
  /** Milliseconds; 0 or less: without end. */
  readonly offerTimeout: number;
  readonly failIfNoConsumers: boolean;
  readonly discardIfNoConsumers: boolean;
}

/** `queue` is called for each message: see SedaQueues. */
export function sedaSender(queue: () => SedaQueue, options: SendOptions, context: ProducerContext): Processor {
  return (exchange) => {
    const kept = exchange.copyApart();
    kept.properties.set("CamelCorrelationId", exchange.id);
    const waits = mustWait(exchange, options);
    const sent = put(queue(), kept, exchange, options, context);
    if (!waits) return sent instanceof Promise ? sent.then(() => {}) : undefined;
    return awaitReply(sent, exchange, options);
  };
}

/** In Camel the property CamelAsyncWait takes precedence over the option. */
function mustWait(exchange: Exchange, { waitForTaskToComplete }: SendOptions): boolean {
  const wanted = exchange.properties.get("CamelAsyncWait") ?? waitForTaskToComplete;
  return wanted === "Always" || (wanted === "IfReplyExpected" && exchange.pattern === "InOut");
}

/** Resolves undefined for a discarded message. */
function put(
  queue: SedaQueue,
  kept: Exchange,
  exchange: Exchange,
  options: SendOptions,
  context: ProducerContext,
): Sent | undefined | Promise<Sent | undefined> {
  if (!queue.consumed) {
    if (options.failIfNoConsumers) throw notConsumed(queue, exchange);
    if (options.discardIfNoConsumers) return undefined;
  }
  const offered = queue.offer(kept, exchange, context, mustWait(exchange, options));
  if (isSent(offered)) return offered;
  if (options.discardWhenFull) return undefined;
  if (options.blockWhenFull) return block(queue, kept, exchange, options, context);
  const why = offered === "full" ? "Queue full" : `Queue full: ${offered.message}`;
  throw new FlowException("java.lang.IllegalStateException", why);
}

async function block(
  queue: SedaQueue,
  kept: Exchange,
  exchange: Exchange,
  options: SendOptions,
  context: ProducerContext,
): Promise<Sent> {
  const { offerTimeout } = options;
  const until = offerTimeout > 0 ? performance.now() + offerTimeout : Number.POSITIVE_INFINITY;
  const { signal } = exchange.run;
  for (;;) {
    const offered = queue.offer(kept, exchange, context, mustWait(exchange, options));
    if (isSent(offered)) return offered;
    const left = until - performance.now();
    if (left <= 0) {
      const message = `Fails to insert element into queue, after timeout of ${offerTimeout} milliseconds`;
      throw new FlowException("java.lang.IllegalStateException", message);
    }
    const changed = offered === "full" ? queue.space() : context.room();
    if (left === Number.POSITIVE_INFINITY) await unlessAborted(changed, signal);
    else await inTime(changed, left, signal);
  }
}

/** The exchange takes the result of the consumer's route on its copy; a failure there is thrown here. */
async function awaitReply(
  sent: Sent | undefined | Promise<Sent | undefined>,
  exchange: Exchange,
  { timeout }: SendOptions,
): Promise<void> {
  const { signal } = exchange.run;
  const inQueue = await sent;
  // Camel also waits for a discarded message.
  const ended = inQueue?.ended.then((reply) => ({ reply })) ?? new Promise<never>(() => {});
  const over = await (timeout > 0 ? inTime(ended, timeout, signal) : unlessAborted(ended, signal)).catch(
    (error: unknown) => {
      if (signal.aborted) inQueue?.remove();
      // What its own error handler could not handle is no matter of the sender's.
      exchange.failureHandled ||= inQueue?.failed?.failureHandled === true;
      throw error;
    },
  );
  if (over === undefined) {
    inQueue?.remove();
    const message = `The OUT message was not received within: ${timeout} millis. Exchange[${exchange.id}]`;
    throw new FlowException("org.apache.camel.ExchangeTimedOutException", message);
  }
  if (over.reply !== undefined) takeBranch(exchange, over.reply);
}

function notConsumed({ name }: SedaQueue, exchange: Exchange): FlowException {
  const message = `No consumers available on endpoint: ${name}. Exchange[${exchange.id}]`;
  return new FlowException("org.apache.camel.component.seda.SedaConsumerNotAvailableException", message);
}

function isSent(offered: ReturnType<SedaQueue["offer"]>): offered is Sent {
  return typeof offered === "object" && "ended" in offered;
}
