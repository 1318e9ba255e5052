/**
 * The consumers of one connection, as long as it lasts. After a loss messages come one by one at first: one of them may end the thread, and
 * the others need not be under way with it.
 */
import type { AmqpClient, AmqpDelivery, ReceiverNeed } from "../../connectors/amqp-client.ts";
import { ConnectionChanged, type Lease } from "../../engine/connections/connection.ts";
import type { Offer } from "../../engine/source.ts";
import { wait } from "../../engine/waiting.ts";
import { ConsumerLink } from "./consumer-link.ts";
import { handleMessage, type MessageParts } from "./one-message.ts";

/** After a message whose run could not begin. */
const pauseMs = 200;
/** After a loss: how many messages come one by one at least, and after how long without one the queue is empty. */
const leastAlone = 100;
const quietMs = 5000;

export class Consumption {
  readonly #client: AmqpClient;
  readonly #parts: MessageParts;
  readonly #offer: Offer;
  readonly #over: AbortSignal;
  /** Aborted when the connection is lost, or has other settings. */
  readonly #ended: AbortSignal;
  readonly #links: ConsumerLink[] = [];
  readonly #working = new Set<Promise<void>>();
  #error: unknown;

  constructor({ client, ended }: Lease<AmqpClient>, parts: MessageParts, offer: Offer, over: AbortSignal) {
    this.#client = client;
    this.#ended = ended;
    this.#parts = parts;
    this.#offer = offer;
    this.#over = over;
  }

  async open(needOf: (index: number) => ReceiverNeed, count: number): Promise<void> {
    for (let index = 0; index < count; index++) {
      const ended = (error: Error): void => this.#fail(error);
      this.#links.push(await ConsumerLink.open(this.#client, needOf(index), ended));
    }
  }

  /** Resolves when all messages are settled: with the failure that has ended it, if one has. */
  async run(window: number): Promise<unknown> {
    const stop = (): void => void Promise.all(this.#links.map((link) => link.stop()));
    const end = (): void => {
      const { reason } = this.#ended;
      if (reason instanceof ConnectionChanged) stop();
      else this.#fail(reason);
    };
    const unless = [calling(this.#over, stop), calling(this.#ended, end)];
    const [first] = this.#links;
    if (first !== undefined && this.#parts.deliveries.careful) await this.#alone(first);
    for (const link of this.#links) for (let one = 0; one < window; one++) this.#begin(this.#work(link));
    while (this.#working.size > 0) await Promise.all(this.#working);
    for (const remove of unless) remove();
    if (this.#error === undefined) await Promise.all(this.#links.map((link) => link.close()));
    return this.#error;
  }

  #begin(working: Promise<void>): void {
    const work = working.finally(() => this.#working.delete(work));
    this.#working.add(work);
  }

  /**
   * Takes messages one by one, until those that were under way at the loss have come: they are the first ones, as far as the broker keeps
   * the order.
   */
  async #alone(link: ConsumerLink): Promise<void> {
    const { deliveries } = this.#parts;
    let pending: Promise<AmqpDelivery | undefined> | undefined;
    for (let left = Math.max(leastAlone, this.#offer.free * 4); left > 0; left--) {
      await this.#offer.ready();
      pending = link.next();
      const delivery = await inTime(pending, quietMs);
      if (delivery === "late") break;
      pending = undefined;
      if (delivery === undefined) return;
      await this.#handle(link, delivery);
    }
    await deliveries.calm();
    // The message that was asked for may still come.
    if (pending !== undefined)
      this.#begin(pending.then((delivery) => (delivery ? this.#handle(link, delivery) : undefined)));
  }

  async #work(link: ConsumerLink): Promise<void> {
    for (;;) {
      await this.#offer.ready();
      const delivery = await link.next();
      if (delivery === undefined) return;
      await this.#handle(link, delivery);
    }
  }

  async #handle(link: ConsumerLink, delivery: AmqpDelivery): Promise<void> {
    const taken = { client: this.#client, address: link.address, delivery };
    const isRun = await handleMessage(this.#parts, taken, this.#offer);
    if (!isRun && !this.#over.aborted) await wait(pauseMs, this.#over).catch(() => {});
  }

  #fail(error: unknown): void {
    if (this.#error !== undefined) return;
    this.#error = error;
    for (const link of this.#links) link.end();
  }
}

/** Calls the function when the signal is aborted. Returns what undoes that. */
function calling(signal: AbortSignal, call: () => void): () => void {
  if (signal.aborted) call();
  else signal.addEventListener("abort", call, { once: true });
  return () => signal.removeEventListener("abort", call);
}

async function inTime<T>(promise: Promise<T>, ms: number): Promise<T | "late"> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<"late">((resolve) => {
    timer = setTimeout(() => resolve("late"), ms);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
