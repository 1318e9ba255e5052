/** Sending to a queue, and waiting for the reply where one is asked for (Camel: SedaProducer). */

import { takeBranch } from "../../engine/branch.ts";
import type { ProducerContext } from "../../engine/component.ts";
import { FlowException } from "../../engine/exception.ts";
import type { Exchange } from "../../engine/exchange.ts";
import type { Processor } from "../../engine/processor.ts";
import { inTime, unlessAborted } from "../../engine/waiting.ts";
import type { SedaQueue, Sent } from "./queue.ts";

export interface SendOptions {
  readonly waitForTaskToComplete: "Always" | "Never" | "IfReplyExpected";
  /** Milliseconds; 0 and less: as long as it takes. */
  readonly timeout: number;
  readonly blockWhenFull: boolean;
  readonly discardWhenFull: boolean;
  /** Milliseconds; 0 and less: as long as it takes. */
  readonly offerTimeout: number;
  readonly failIfNoConsumers: boolean;
  readonly discardIfNoConsumers: boolean;
}

/** `queue` is asked for at each message: see SedaQueues. */
export function sedaSender(queue: () => SedaQueue, options: SendOptions, context: ProducerContext): Processor {
  return (exchange) => {
    const kept = exchange.copy();
    kept.properties.set("CamelCorrelationId", exchange.id);
    const waits = mustWait(exchange, options);
    const sent = put(queue(), kept, exchange, options, context);
    if (!waits) return sent instanceof Promise ? sent.then(() => {}) : undefined;
    return awaitReply(sent, exchange, options);
  };
}

/** Camel: the property CamelAsyncWait goes before the option. */
function mustWait(exchange: Exchange, { waitForTaskToComplete }: SendOptions): boolean {
  const wanted = exchange.properties.get("CamelAsyncWait") ?? waitForTaskToComplete;
  return wanted === "Always" || (wanted === "IfReplyExpected" && exchange.pattern === "InOut");
}

/** undefined: the message is discarded. */
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
  const offered = queue.offer(kept, exchange, context);
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
  { offerTimeout }: SendOptions,
  context: ProducerContext,
): Promise<Sent> {
  const until = offerTimeout > 0 ? performance.now() + offerTimeout : Number.POSITIVE_INFINITY;
  const { signal } = exchange.run;
  for (;;) {
    const offered = queue.offer(kept, exchange, context);
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

/** The exchange becomes what the consumer's route has made of its copy; a failure there is a failure here. */
async function awaitReply(
  sent: Sent | undefined | Promise<Sent | undefined>,
  exchange: Exchange,
  { timeout }: SendOptions,
): Promise<void> {
  const { signal } = exchange.run;
  const inQueue = await sent;
  // Camel waits for a discarded message, too.
  const ended = inQueue?.ended.then((reply) => ({ reply })) ?? new Promise<never>(() => {});
  const over = await (timeout > 0 ? inTime(ended, timeout, signal) : unlessAborted(ended, signal)).catch(
    (error: unknown) => {
      if (signal.aborted) inQueue?.remove();
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
