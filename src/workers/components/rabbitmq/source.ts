/** Consumes queues: opens a connection, keeps consumers on it, and opens another one when it is lost (Camel: SpringRabbitMQConsumer). */
import { setTimeout as sleep } from "node:timers/promises";
import type { RabbitClient } from "../../connectors/rabbitmq/client.ts";
import { BackOff } from "../../engine/connections/back-off.ts";
import type { Lease } from "../../engine/connections/connection.ts";
import { Deliveries } from "../../engine/deliveries.ts";
import type { Offer, Source, SourceContext } from "../../engine/source.ts";
import { unlessAborted, within } from "../../engine/waiting.ts";
import type { ConsumerPlan } from "./consumer-plan.ts";
import { MessageRuns } from "./delivery.ts";
import { Session } from "./session.ts";

/** A connection that has lasted this long counts as one that works. */
const steadyMs = 5000;
/** How often the queues are asked how many messages wait. */
const countMs = 5000;

/** Whether a consumer replies to messages that ask for it. Throws for a pattern that no message gets from its endpoint. */
export function repliesTo({ exchangePattern }: { readonly exchangePattern?: "InOnly" | "InOut" | undefined }): boolean {
  if (exchangePattern === "InOut")
    throw new Error(
      "a message that names where its reply goes is InOut, and others are InOnly: leave exchangePattern out",
    );
  return exchangePattern !== "InOnly";
}

export function rabbitSource(plan: ConsumerPlan, context: SourceContext): Source {
  const consumer = new QueueConsumer(plan, context);
  return {
    credits: plan.queues.length * plan.consumers,
    start: (offer) => consumer.start(offer),
    pause: () => void consumer.stop(),
    stop: () => consumer.stop(),
  };
}

class QueueConsumer {
  readonly #plan: ConsumerPlan;
  readonly #context: SourceContext;
  readonly #deliveries: Deliveries;
  readonly #backOff: BackOff;
  #stopping: AbortController | undefined;
  #work: Promise<void> = Promise.resolve();

  constructor(plan: ConsumerPlan, context: SourceContext) {
    this.#plan = plan;
    this.#context = context;
    this.#deliveries = new Deliveries(context, { scheme: plan.scheme, word: "message" });
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
        if (this.#plan.bridgesErrors) await offer({ body: null, failed: { error }, keeps: false });
        await sleep(waitMs, undefined, { signal: stopping }).catch(() => {});
      }
    }
    // Nothing was under way at the end, so nothing has to be counted.
    await this.#deliveries.calm().catch(() => {});
    await this.#deliveries.end();
  }

  /** Resolves when the consumer is stopped. Rejects when the connection is lost, or what is consumed. */
  async #session(offer: Offer, stopping: AbortSignal): Promise<void> {
    const { connection } = this.#plan;
    const context = this.#context;
    const ms = context.limits.outboundTotalMs;
    const late = (): Error => new Error(`the server has not answered within ${ms} ms`);
    await this.#deliveries.begin();
    const lease = await connection.lend(undefined, stopping);
    const runs = new MessageRuns({ plan: this.#plan, context, deliveries: this.#deliveries, offer, stopping });
    const session = new Session(lease.client, this.#plan, (...message) => runs.run(...message));
    let counting: NodeJS.Timeout | undefined;
    let isBroken = true;
    try {
      await within(ms, stopping, late, (signal) => unlessAborted(session.open(), signal));
      context.report.polled(undefined);
      counting = this.#count(session);
      await untilStopped(session, lease, stopping);
      isBroken = false;
    } finally {
      clearInterval(counting);
      await session.close();
      lease.release(isBroken && !stopping.aborted);
    }
  }

  #count(session: Session): NodeJS.Timeout {
    const count = (): void => {
      session.countMessages().then(
        (messages) => this.#context.report.backlog(messages),
        () => this.#context.report.backlog(undefined),
      );
    };
    count();
    return setInterval(count, countMs).unref();
  }
}

/** Resolves when the consumer is stopped. Rejects when its connection is lost, or has other settings. */
async function untilStopped(session: Session, lease: Lease<RabbitClient>, stopping: AbortSignal): Promise<void> {
  const over = Promise.withResolvers<void>();
  const stop = (): void => over.resolve();
  const lose = (): void => over.reject(lease.ended.reason);
  stopping.addEventListener("abort", stop, { once: true });
  lease.ended.addEventListener("abort", lose, { once: true });
  if (stopping.aborted) stop();
  if (lease.ended.aborted) lose();
  try {
    await Promise.race([session.failure, over.promise]);
  } finally {
    stopping.removeEventListener("abort", stop);
    lease.ended.removeEventListener("abort", lose);
  }
}
