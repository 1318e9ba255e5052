/** The consumers of a source on one open connection. Each has a channel of its own, and so many messages as its window has. */
import type { Delivered, RabbitChannel } from "../../connectors/rabbitmq/channel.ts";
import type { RabbitClient } from "../../connectors/rabbitmq/client.ts";
import { Arrivals } from "../../engine/attended/arrivals.ts";
import type { Ended, Inlet, InletOpening } from "../../engine/attended/attended.ts";
import type { SourceContext } from "../../engine/source.ts";
import { inTime } from "../../engine/waiting.ts";
import type { ConsumerPlan } from "./consumer-plan.ts";
import { InTurn } from "./in-turn.ts";
import { RabbitTaken } from "./taken.ts";
import { declareAll } from "./topology.ts";

const closeMs = 5000;
/** The server counts messages, and nothing bounds the bytes of those that it sends ahead. */
const mostBytes = 8 * 1024 * 1024;

/** Of a source, over its connections. */
export interface Sizes {
  /** true: messages have been large, and each comes alone. */
  areLarge: boolean;
}

export class RabbitInlet implements Inlet<RabbitTaken> {
  readonly #client: RabbitClient;
  readonly #plan: ConsumerPlan;
  readonly #context: SourceContext;
  readonly #fail: (error: unknown) => void;
  readonly #sizes: Sizes;
  /** Of messages that are not settled. */
  #bytes = 0;
  #isOverfull = false;
  readonly #arrivals = new Arrivals<RabbitTaken>((arrived) => this.#inTurn.order(arrived));
  readonly #inTurn = new InTurn();
  readonly #channels: RabbitChannel[] = [];
  /** Gives consumers that get one message at a time their window. */
  readonly #narrow: (() => Promise<void>)[] = [];
  /** Queues that have delivered a message for the first time. */
  readonly #fresh = new Set<string>();
  #isClosed = false;

  private constructor(
    client: RabbitClient,
    plan: ConsumerPlan,
    context: SourceContext,
    { fail, sizes }: InletOpening & { readonly sizes: Sizes },
  ) {
    this.#sizes = sizes;
    this.#client = client;
    this.#plan = plan;
    this.#context = context;
    this.#fail = fail;
  }

  /** Declares what the endpoint needs, and begins to consume each queue with one consumer. */
  static async open(
    client: RabbitClient,
    plan: ConsumerPlan,
    context: SourceContext,
    opening: InletOpening & { readonly sizes: Sizes },
  ): Promise<RabbitInlet> {
    const inlet = new RabbitInlet(client, plan, context, opening);
    try {
      const channel = await client.openChannel();
      await declareAll(channel, plan.topology);
      void channel.close();
      // After a loss of the thread, messages come one by one until `widen`.
      for (const queue of plan.queues) await inlet.#consume(queue, opening.careful ? 1 : inlet.#window);
      return inlet;
    } catch (error) {
      await inlet.close();
      throw error;
    }
  }

  async take(most: number, stop: AbortSignal): Promise<readonly RabbitTaken[]> {
    const taken = await this.#arrivals.take(most, stop);
    for (const one of taken) this.#inTurn.taken(one);
    if (this.#plan.acknowledgesFirst) for (const one of taken) one.acknowledge();
    return taken;
  }

  settle(ended: readonly Ended<RabbitTaken>[]): void {
    for (const one of ended) {
      one.taken.settle(one);
      this.#inTurn.settled(one.taken);
      this.#bytes -= one.taken.bytes;
    }
  }

  /**
   * Closes the channels. The server gives back to its place what it has sent and nobody has acknowledged: when a consumer is cancelled, a
   * quorum queue makes that the last one.
   */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all(this.#channels.map((channel) => this.#leave(channel)));
  }

  giveBack(): void {
    this.#fail(new Error("a message was not acknowledged within its time, and was given back"));
  }

  caughtUp(): boolean {
    return this.#fresh.size === this.#plan.queues.length;
  }

  /** Messages that come again are first in their queue. One consumer has them: the others would count as having had one, too. */
  widen(): void {
    const { queues, consumers } = this.#plan;
    for (const consume of this.#narrow.splice(0)) consume().catch(this.#fail);
    for (const queue of queues)
      for (let index = 1; index < consumers; index++) this.#consume(queue, this.#window).catch(this.#fail);
  }

  /** Resolves with the number of messages that are ready in all queues. */
  async count(): Promise<number> {
    const channel = await this.#client.openChannel();
    let sum = 0;
    for (const queue of this.#plan.queues) sum += await channel.countMessages(queue);
    void channel.close();
    return sum;
  }

  async #consume(queue: string, prefetch: number): Promise<void> {
    const { exclusive, arguments: own } = this.#plan;
    const window = this.#window;
    const channel = await this.#client.openChannel();
    void channel.closed.then((why) => {
      if (!this.#isClosed) this.#fail(why);
    });
    const consume = (most: number): Promise<void> =>
      channel.consume({ queue, exclusive, arguments: own, prefetch: most }, (message) => {
        if (this.#isClosed || this.#isTooMuch(message)) return;
        if (!message.redelivered) this.#fresh.add(queue);
        this.#arrivals.add(new RabbitTaken({ message, queue, channel }, this.#plan, this.#context));
      });
    await consume(prefetch);
    if (prefetch < window) this.#narrow.push(() => consume(window));
    // The source may have stopped meanwhile: nobody would take what comes.
    if (this.#isClosed) await this.#leave(channel);
    else this.#channels.push(channel);
  }

  get #window(): number {
    return this.#sizes.areLarge ? 1 : this.#plan.window;
  }

  /** Messages that are too much go back to their places with the channel, and come again one by one. */
  #isTooMuch({ content }: Delivered): boolean {
    if (this.#isOverfull) return true;
    this.#bytes += content?.length ?? 0;
    if (this.#window === 1 || this.#bytes <= mostBytes) return false;
    this.#isOverfull = true;
    this.#sizes.areLarge = true;
    this.#fail(new Error("the messages of its window have more than 8 MiB together: each comes alone from now on"));
    return true;
  }

  /** A server that does not answer sends no message either. */
  async #leave(channel: RabbitChannel): Promise<void> {
    await inTime(channel.close(), closeMs, new AbortController().signal).catch(() => {});
  }
}
