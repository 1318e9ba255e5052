/** One message from its delivery to its acknowledgement: its runs, its retries in place, its reply. */
import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Delivered, RabbitChannel } from "../../connectors/rabbitmq/channel.ts";
import { type Deliveries, mostDeliveries } from "../../engine/deliveries.ts";
import { exceptionMessage } from "../../engine/exception.ts";
import type { NewMessage, Offer, Settled, SourceContext } from "../../engine/source.ts";
import { within } from "../../engine/waiting.ts";
import type { ConsumerPlan, Verdict } from "./consumer-plan.ts";
import { incoming } from "./incoming.ts";
import { sendReply } from "./reply.ts";

/** Pauses ahead of another attempt to begin a run, and ahead of the return of a failed message to its queue: they double. */
const firstPauseMs = 100;
const mostPauseMs = 30_000;

export interface DeliveryParts {
  readonly plan: ConsumerPlan;
  readonly context: SourceContext;
  readonly deliveries: Deliveries;
  readonly offer: Offer;
  /** Aborted when the source takes no more messages: those that wait go back to their queues. */
  readonly stopping: AbortSignal;
}

type Outcome = Verdict | "return";

export class MessageRuns {
  readonly #parts: DeliveryParts;
  /** Messages in a row that went back to their queues because they had failed. */
  #requeued = 0;

  constructor(parts: DeliveryParts) {
    this.#parts = parts;
  }

  /** Rejects when the message could not be counted; it is not acknowledged then. `giveBack`: ends the channel. */
  async run(message: Delivered, queue: string, channel: RabbitChannel, giveBack: () => void): Promise<void> {
    const { plan } = this.#parts;
    if (plan.acknowledgesFirst) channel.acknowledge(message);
    const outcome = await this.#counted(message, queue, giveBack);
    if (plan.acknowledgesFirst) return;
    if (outcome === "requeue") {
      this.#requeued += 1;
      await this.#pause(this.#requeued);
    } else if (outcome === "acknowledge") this.#requeued = 0;
    // Its channel is closed next, and the server gives it back to its place. Rejected, it would be the last of a quorum queue.
    if (outcome === "return") return;
    if (outcome === "acknowledge") channel.acknowledge(message);
    else channel.reject(message, outcome === "requeue");
  }

  /** A quorum queue counts itself how often a message came back; of others the server only says that it did. */
  async #counted(message: Delivered, queue: string, giveBack: () => void): Promise<Outcome> {
    const { plan, deliveries, context } = this.#parts;
    if (message.redelivered) context.report.redelivered();
    const key = keyOf(message, queue);
    const counted = message.headers?.["x-delivery-count"];
    if (plan.acknowledgesFirst || (plan.trustsCount && typeof counted === "number")) {
      const delivery = typeof counted === "number" && !plan.acknowledgesFirst ? counted + 1 : 1;
      return await this.#attempts(message, key, delivery >= mostDeliveries, giveBack);
    }
    const delivery = await deliveries.count(key, message.redelivered ? 1 : 0);
    try {
      return await this.#attempts(message, key, delivery >= mostDeliveries, giveBack);
    } finally {
      await deliveries.forget(key, delivery);
    }
  }

  async #attempts(message: Delivered, key: string, isPoison: boolean, giveBack: () => void): Promise<Outcome> {
    const { plan, deliveries, offer, stopping, context } = this.#parts;
    const read = incoming(message, plan, context.limits);
    const awaitsReply = plan.replies && message.replyTo !== undefined;
    const most = isPoison || read.unreadable !== undefined ? 1 : plan.attempts;
    let lost = 0;
    for (let attempt = 1; ; ) {
      const isLast = attempt >= most;
      const offered: NewMessage = {
        ...read,
        // A message that is run again, or that the server keeps elsewhere, need not be kept here.
        keeps: isPoison || (isLast && (plan.keepsFailed || read.unreadable !== undefined)),
        giveBack,
        ...(awaitsReply && { pattern: "InOut" }),
        ...(isPoison && { failed: { error: deliveries.tooOften(key) } }),
      };
      const settled = await this.#replied(message, await offer(offered));
      if (settled.outcome === "lost") {
        lost += 1;
        if (!(await this.#pause(lost))) return "return";
        continue;
      }
      if (settled.outcome === "done" || isPoison) return "acknowledge";
      // A message that cannot be read fails each time.
      if (read.unreadable !== undefined) return "reject";
      if (isLast) return plan.whenFailed(settled.exchange);
      attempt += 1;
      await sleep(plan.retryMs, undefined, { signal: stopping }).catch(() => {});
      if (stopping.aborted) return "return";
    }
  }

  /** A run whose reply could not be sent, or that was marked for rollback, has failed. */
  async #replied(message: Delivered, settled: Settled): Promise<Settled> {
    const { plan, context } = this.#parts;
    if (settled.outcome !== "done") return settled;
    const { exchange } = settled;
    if (exchange.rollback)
      return { outcome: "failed", exchange, error: new Error("the route was marked for rollback") };
    if (!plan.replies || message.replyTo === undefined || exchange.pattern !== "InOut") return settled;
    const { outboundTotalMs: ms, messageBodyBytes: maxBytes } = context.limits;
    const { connection, names, allowNullBody } = plan;
    const late = (): Error => new Error(`the reply was not sent within ${ms} ms`);
    try {
      // A source that stops still replies to what was under way.
      await within(ms, new AbortController().signal, late, (signal) =>
        sendReply(connection, message, exchange.message, { names, allowNullBody, nullHeaders: true, maxBytes }, signal),
      );
      return settled;
    } catch (error) {
      context.log("WARN", plan.scheme, `a reply of '${context.routeId}' could not be sent: ${exceptionMessage(error)}`);
      return { outcome: "failed", exchange, error };
    }
  }

  /** Resolves false when the source stops meanwhile. */
  async #pause(times: number): Promise<boolean> {
    const { stopping } = this.#parts;
    const most = Math.min(mostPauseMs, firstPauseMs * 2 ** Math.min(times - 1, 20));
    await sleep(most * (0.5 + Math.random() / 2), undefined, { signal: stopping }).catch(() => {});
    return !stopping.aborted;
  }
}

/** By what a message is known again: its id, or its content with where it was sent. */
function keyOf({ messageId, content, exchange, routingKey }: Delivered, queue: string): string {
  if (messageId !== undefined && messageId !== "" && messageId.length <= 200) return `${queue} ${messageId}`;
  const digest = createHash("sha256")
    .update(`${exchange}\n${routingKey}\n`)
    .update(content ?? "");
  return `${queue} ${digest.digest("base64url")}`;
}
