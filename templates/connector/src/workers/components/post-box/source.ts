/** Takes the messages of a queue: connects, and connects again after pauses that grow. */
import { BackOff } from "../../../../../../src/workers/engine/connections/back-off.ts";
import { ConnectionChanged } from "../../../../../../src/workers/engine/connections/connection.ts";
import { Deliveries } from "../../../../../../src/workers/engine/deliveries.ts";
import type { Offer, Source, SourceContext } from "../../../../../../src/workers/engine/source.ts";
import { unlessAborted, wait, within } from "../../../../../../src/workers/engine/waiting.ts";
import type { QueueClient } from "../../connectors/post-box/client.ts";
import { connectionOf, type QueueConnection } from "./connection.ts";
import { Intake } from "./intake.ts";
import type { QueueOptions } from "./options.ts";

/** A connection that has lasted this long counts as one that works. */
const steadyMs = 5000;
/** How often the server is asked how many messages wait. */
const countMs = 5000;

export function queueSource(options: QueueOptions, context: SourceContext): Source {
  const consumer = new Consumer(options, context);
  return {
    credits: options.concurrentConsumers,
    start: (offer) => consumer.start(offer),
    pause: () => void consumer.stop(),
    stop: () => consumer.stop(),
  };
}

class Consumer {
  readonly #options: QueueOptions;
  readonly #context: SourceContext;
  readonly #connection: QueueConnection;
  readonly #deliveries: Deliveries;
  readonly #backOff: BackOff;
  #stopping: AbortController | undefined;
  #work: Promise<void> = Promise.resolve();

  constructor(options: QueueOptions, context: SourceContext) {
    this.#options = options;
    this.#context = context;
    this.#connection = connectionOf(options, context);
    this.#deliveries = new Deliveries(context, { scheme: "post-box", word: "message" });
    this.#backOff = new BackOff(context.limits.connectionRetryMs);
  }

  start(offer: Offer): void {
    if (this.#stopping !== undefined) return;
    const stopping = new AbortController();
    this.#stopping = stopping;
    // What was under way at a pause is settled first.
    this.#work = this.#work.then(() => this.#consume(offer, stopping.signal));
  }

  /** Resolves when all is settled and closed. */
  async stop(): Promise<void> {
    this.#stopping?.abort(new Error("the consumer is stopped"));
    this.#stopping = undefined;
    await this.#work;
  }

  /** Does not reject. */
  async #consume(offer: Offer, stopping: AbortSignal): Promise<void> {
    const { report } = this.#context;
    while (!stopping.aborted) {
      report.polls();
      const began = performance.now();
      try {
        await this.#session(offer, stopping);
      } catch (error) {
        if (stopping.aborted) break;
        if (performance.now() - began > steadyMs) this.#backOff.succeeded();
        this.#backOff.failed();
        const { waitMs } = this.#backOff;
        report.failed(error, waitMs);
        report.backlog(undefined);
        if (this.#options.bridgeErrorHandler) await offer({ body: null, failed: { error }, keeps: false });
        await wait(waitMs, stopping).catch(() => {});
      }
    }
    // Nothing was under way at the end, so nothing has to be counted.
    await this.#deliveries.calm().catch(() => {});
    await this.#deliveries.end();
  }

  /** Resolves when the consumer is stopped, or its connection has other settings. Rejects when the connection is lost. */
  async #session(offer: Offer, stopping: AbortSignal): Promise<void> {
    const { queue, concurrentConsumers } = this.#options;
    const { limits, report } = this.#context;
    const ms = limits.outboundTotalMs;
    const late = (): Error => new Error(`the server has not answered within ${ms} ms`);
    await this.#deliveries.begin();
    const lease = await this.#connection.lend(undefined, stopping);
    const over = AbortSignal.any([stopping, lease.ended]);
    const parts = { context: this.#context, deliveries: this.#deliveries, queue, offer, over };
    const intake = new Intake(lease.client, parts);
    let counting: NodeJS.Timeout | undefined;
    try {
      const taking = lease.client.take(queue, concurrentConsumers, (message) => intake.take(message));
      await within(ms, over, late, (signal) => unlessAborted(taking, signal));
      report.polled(undefined);
      counting = this.#count(lease.client);
      await ended(over);
      if (!stopping.aborted && !(lease.ended.reason instanceof ConnectionChanged)) throw lease.ended.reason;
    } finally {
      clearInterval(counting);
      await intake.settled();
      // The server sends messages to this client, and nobody else would take them.
      lease.release(true);
    }
  }

  #count(client: QueueClient): NodeJS.Timeout {
    const { report } = this.#context;
    const count = (): void => {
      client.count(this.#options.queue).then(
        (messages) => report.backlog(messages),
        () => report.backlog(undefined),
      );
    };
    count();
    return setInterval(count, countMs).unref();
  }
}

function ended(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
