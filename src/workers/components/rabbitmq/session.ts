/** The consumers of a source on one open connection. Each has a channel of its own, and takes the next message when it has acknowledged the last. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Delivered, RabbitChannel } from "../../connectors/rabbitmq/channel.ts";
import type { RabbitClient } from "../../connectors/rabbitmq/client.ts";
import type { ConsumerPlan } from "./consumer-plan.ts";
import { declareAll } from "./topology.ts";

const closeMs = 5000;

/** Runs a message, and acknowledges it. `giveBack`: ends the channel, so that the message comes again. */
type Take = (message: Delivered, queue: string, channel: RabbitChannel, giveBack: () => void) => Promise<void>;

export class Session {
  readonly #client: RabbitClient;
  readonly #plan: ConsumerPlan;
  readonly #take: Take;
  /** The channels that consume, with the runs of their messages. */
  readonly #channels = new Map<RabbitChannel, Set<Promise<void>>>();
  /** Queues that have all their consumers. */
  readonly #widened = new Set<string>();
  readonly #failure = Promise.withResolvers<never>();
  #isClosing = false;

  constructor(client: RabbitClient, plan: ConsumerPlan, take: Take) {
    this.#client = client;
    this.#plan = plan;
    this.#take = take;
    // Nobody may be waiting yet.
    this.#failure.promise.catch(() => {});
  }

  /** Rejects when the consumers cannot go on; never resolves. */
  get failure(): Promise<never> {
    return this.#failure.promise;
  }

  /** Declares what the endpoint needs, and begins to consume. */
  async open(): Promise<void> {
    const channel = await this.#client.openChannel();
    await declareAll(channel, this.#plan.topology);
    void channel.close();
    for (const queue of this.#plan.queues) await this.#consume(queue, 0);
  }

  /** Resolves with the number of messages that are ready in all queues. */
  async countMessages(): Promise<number> {
    const channel = await this.#client.openChannel();
    let sum = 0;
    for (const queue of this.#plan.queues) sum += await channel.countMessages(queue);
    void channel.close();
    return sum;
  }

  /** Takes no more messages. Resolves when all under way are acknowledged. Does not reject. */
  async close(): Promise<void> {
    this.#isClosing = true;
    await Promise.all([...this.#channels].map((channel) => this.#leave(...channel)));
  }

  /**
   * Closes the channel behind its message. The server gives back to its place what it has sent and nobody has acknowledged.
   * When a consumer is cancelled or rejects its message, a quorum queue makes that the last one.
   */
  async #leave(channel: RabbitChannel, underWay: ReadonlySet<Promise<void>>): Promise<void> {
    while (underWay.size > 0) await Promise.allSettled(underWay);
    // A server that does not answer sends no message either.
    await Promise.race([channel.close(), sleep(closeMs, undefined, { ref: false })]);
  }

  async #consume(queue: string, index: number): Promise<void> {
    const { exclusive, consumerTag, arguments: own, queues, consumers } = this.#plan;
    const channel = await this.#client.openChannel();
    const isOnly = queues.length * consumers === 1;
    const tag = consumerTag === undefined || isOnly ? consumerTag : `${consumerTag}-${queues.indexOf(queue)}-${index}`;
    void channel.closed.then((why) => this.#fail(why));
    const underWay = new Set<Promise<void>>();
    await channel.consume({ queue, exclusive, consumerTag: tag, arguments: own }, (message) =>
      this.#receive(message, queue, channel, underWay),
    );
    // The session may have been closed meanwhile: nobody would take what comes.
    if (this.#isClosing) await this.#leave(channel, underWay);
    else this.#channels.set(channel, underWay);
  }

  #receive(message: Delivered, queue: string, channel: RabbitChannel, underWay: Set<Promise<void>>): void {
    if (this.#isClosing) return;
    this.#widen(message, queue);
    const giveBack = (): void => {
      // Nobody waits for its run any more.
      underWay.delete(taken);
      this.#fail(new Error("a message was not acknowledged within its time, and was given back"));
    };
    const taken = this.#take(message, queue, channel, giveBack)
      .catch((error: unknown) => this.#fail(error))
      .finally(() => underWay.delete(taken));
    underWay.add(taken);
  }

  /**
   * Messages that come again are first in their queue, and are run one by one: one of them may end the thread again, and
   * the others would be counted with it. The first other message shows that these are through.
   */
  #widen({ redelivered }: Delivered, queue: string): void {
    if (redelivered || this.#widened.has(queue)) return;
    this.#widened.add(queue);
    for (let index = 1; index < this.#plan.consumers; index++)
      this.#consume(queue, index).catch((error: unknown) => this.#fail(error));
  }

  #fail(error: unknown): void {
    if (!this.#isClosing) this.#failure.reject(error);
  }
}
