/** Consumes a queue or a topic (Camel: JmsConsumer 4.22). Each message is acknowledged when its run has ended. */
import type { AmqpClient, AmqpNode, ReceiverNeed } from "../../connectors/amqp-client.ts";
import { BackOff } from "../../engine/connections/back-off.ts";
import type { Lease } from "../../engine/connections/connection.ts";
import { Deliveries } from "../../engine/deliveries.ts";
import type { Offer, Source, SourceContext } from "../../engine/source.ts";
import { wait } from "../../engine/waiting.ts";
import { connectionOf, type JmsConnection } from "./connection.ts";
import { Consumption } from "./consumption.ts";
import { readDestination } from "./destination.ts";
import type { MessageParts } from "./one-message.ts";
import type { JmsOptions } from "./options.ts";
import { JmsPeek } from "./peek.ts";
import { checkSubscription, subscriptionOf } from "./subscription.ts";

/** Messages that each consumer has under way with `asyncConsumer`. */
const asyncWindow = 16;
/** A connection that has lasted this long was no failure. */
const lastedMs = 10_000;

/** Throws an Error that names the fault of the endpoint. */
export function jmsSource(options: JmsOptions, context: SourceContext): Source {
  const consumer = new JmsConsumer(options, context);
  return {
    credits: consumer.links * consumer.window,
    start: (offer) => consumer.start(offer),
    pause: () => void consumer.stop(),
    stop: () => consumer.stop(),
    peek: (limit) => consumer.peek.messages(limit),
  };
}

class JmsConsumer {
  readonly links: number;
  readonly window: number;
  readonly peek: JmsPeek;
  readonly #options: JmsOptions;
  readonly #context: SourceContext;
  readonly #connection: JmsConnection;
  readonly #from: AmqpNode;
  readonly #parts: MessageParts;
  readonly #backOff: BackOff;
  #over = new AbortController();
  #running: Promise<void> = Promise.resolve();

  constructor(options: JmsOptions, context: SourceContext) {
    this.#options = options;
    this.#context = context;
    this.#from = readDestination(options.destinationName, options.destinationType);
    if (this.#from.type.startsWith("temp-"))
      throw new Error("a temporary queue belongs to who has made it: write queue or topic");
    checkSubscription(options, this.#from);
    if (options.replyTo !== undefined) readDestination(options.replyTo);
    this.#connection = connectionOf(options, context);
    this.peek = new JmsPeek(options, context, this.#from);
    this.links = Math.max(options.concurrentConsumers, options.maxConcurrentConsumers ?? 1);
    this.window = options.asyncConsumer ? asyncWindow : 1;
    const isTransacted = options.transacted || options.acknowledgementModeName === "SESSION_TRANSACTED";
    this.#parts = {
      ...{ options, context, connection: this.#connection, from: this.#from },
      isTransacted,
      deliveries: new Deliveries(context, { scheme: "jms", word: "message" }),
    };
    this.#backOff = new BackOff(options.recoveryInterval);
  }

  start(offer: Offer): void {
    const before = this.#running;
    this.#over = new AbortController();
    const { signal } = this.#over;
    this.#running = before.then(() => this.#run(offer, signal));
  }

  /** Resolves when no message is under way. */
  async stop(): Promise<void> {
    this.#over.abort();
    await this.#running;
    await this.#parts.deliveries.end();
  }

  /** Consumes, and connects again when the connection is lost, until the signal is aborted. Does not reject. */
  async #run(offer: Offer, over: AbortSignal): Promise<void> {
    while (!over.aborted) {
      this.#context.report.polls();
      const began = performance.now();
      const error = await this.#consume(offer, over);
      // Otherwise the connection has other settings now.
      if (over.aborted || error === undefined) continue;
      if (performance.now() - began > lastedMs) this.#backOff.succeeded();
      this.#backOff.failed();
      const { waitMs } = this.#backOff;
      this.#context.report.failed(error, waitMs);
      if (this.#options.bridgeErrorHandler) await offer({ body: null, failed: { error }, keeps: false });
      await wait(waitMs, over).catch(() => {});
    }
  }

  /** Resolves with why it has ended; undefined when the signal was aborted. */
  async #consume(offer: Offer, over: AbortSignal): Promise<unknown> {
    let lease: Lease<AmqpClient> | undefined;
    try {
      lease = await this.#connection.lend(undefined, over);
      const consumption = new Consumption(lease, this.#parts, offer, over);
      await consumption.open(this.#needOf.bind(this), this.links);
      this.peek.subscribed();
      await this.#parts.deliveries.begin();
      this.#context.report.polled(undefined);
      const error = await consumption.run(this.window);
      lease.release(error !== undefined);
      return error;
    } catch (error) {
      lease?.release(true);
      return error;
    }
  }

  #needOf(index: number): ReceiverNeed {
    const { selector, pubSubNoLocal, artemisConsumerPriority } = this.#options;
    const { messageBodyBytes, headerBytes } = this.#context.limits;
    return {
      node: this.#from,
      selector,
      noLocal: pubSubNoLocal,
      priority: artemisConsumerPriority,
      maxBytes: messageBodyBytes + headerBytes,
      ...subscriptionOf(this.#options, this.#from, this.#context.routeId, index),
    };
  }
}
