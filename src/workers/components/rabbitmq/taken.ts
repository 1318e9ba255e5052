/** A message that the server has delivered, with what becomes of it. */
import { createHash } from "node:crypto";
import type { Delivered, RabbitChannel } from "../../connectors/rabbitmq/channel.ts";
import type { Ended, Taken } from "../../engine/attended/attended.ts";
import type { Exchange } from "../../engine/exchange.ts";
import type { NewMessage, SourceContext } from "../../engine/source.ts";
import { within } from "../../engine/waiting.ts";
import type { ConsumerPlan, Verdict } from "./consumer-plan.ts";
import { type Incoming, incoming } from "./incoming.ts";
import { sendReply } from "./reply.ts";

export interface Delivery {
  readonly message: Delivered;
  readonly queue: string;
  readonly channel: RabbitChannel;
}

export class RabbitTaken implements Taken {
  readonly lane: RabbitChannel;
  readonly #delivery: Delivery;
  readonly #plan: ConsumerPlan;
  readonly #context: SourceContext;
  readonly #read: Incoming;

  constructor(delivery: Delivery, plan: ConsumerPlan, context: SourceContext) {
    this.lane = delivery.channel;
    this.#delivery = delivery;
    this.#plan = plan;
    this.#context = context;
    this.#read = incoming(delivery.message, plan, context.limits);
  }

  message(): NewMessage {
    return { ...this.#read, ...(this.#awaitsReply && { pattern: "InOut" }) };
  }

  /** By what the message is known again: its id, or its content with where it was sent. */
  key(): string {
    const { queue, message } = this.#delivery;
    const { messageId, content, exchange, routingKey } = message;
    if (messageId !== undefined && messageId !== "" && messageId.length <= 200) return `${queue} ${messageId}`;
    const digest = createHash("sha256")
      .update(`${exchange}\n${routingKey}\n`)
      .update(content ?? "");
    return `${queue} ${digest.digest("base64url")}`;
  }

  get bytes(): number {
    return this.#delivery.message.content?.length ?? 0;
  }

  get redelivered(): boolean {
    return this.#delivery.message.redelivered;
  }

  /** A quorum queue counts itself how often a message came back; of others the server only says that it did. */
  get deliveries(): number | undefined {
    const counted = this.#delivery.message.headers?.["x-delivery-count"];
    return this.#plan.trustsCount && typeof counted === "number" ? counted : undefined;
  }

  get keeps(): boolean {
    return this.#plan.keepsFailed || this.#read.unreadable !== undefined;
  }

  comesBack(exchange: Exchange): boolean {
    return this.#verdict(exchange) === "requeue";
  }

  async reply(exchange: Exchange): Promise<void> {
    if (!this.#awaitsReply || exchange.pattern !== "InOut") return;
    const { connection, names, allowNullBody } = this.#plan;
    const { outboundTotalMs: ms, messageBodyBytes: maxBytes } = this.#context.limits;
    const form = { names, allowNullBody, nullHeaders: true, maxBytes, traceparent: exchange.run.traceparent };
    const late = (): Error => new Error(`the reply was not sent within ${ms} ms`);
    // A source that stops still replies to what was under way.
    await within(ms, new AbortController().signal, late, (signal) =>
      sendReply(connection, this.#delivery.message, exchange.message, form, signal),
    );
  }

  /** Called when it is taken, for a plan that acknowledges first. */
  acknowledge(): void {
    this.lane.acknowledge(this.#delivery.message);
  }

  /**
   * A message that was lost is left to the end of its channel: the server gives it back to its place. Rejected, it would be the last one of
   * a quorum queue.
   */
  settle({ outcome, exchange }: Ended<RabbitTaken>): void {
    const { message } = this.#delivery;
    if (this.#plan.acknowledgesFirst || outcome === "lost") return;
    const verdict = outcome === "failed" ? this.#verdict(exchange) : "acknowledge";
    if (verdict === "acknowledge") this.acknowledge();
    else this.lane.reject(message, verdict === "requeue");
  }

  /** What cannot be read fails each time. */
  #verdict(exchange: Exchange): Verdict {
    return this.#read.unreadable === undefined ? this.#plan.whenFailed(exchange) : "reject";
  }

  get #awaitsReply(): boolean {
    return this.#plan.replies && this.#delivery.message.replyTo !== undefined;
  }
}
