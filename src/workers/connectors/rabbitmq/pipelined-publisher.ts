/**
 * Publishes messages in their order on one channel, and waits for no confirmation in between. What the server refuses closes the channel, and
 * the server does not say which message it was. All that are not confirmed then are published again, each on a channel for itself: the refused
 * one fails by itself, and the others may be doubled.
 */
import { unlessAborted } from "../../engine/waiting.ts";
import type { Outgoing, RabbitChannel } from "./channel.ts";
import { isNack } from "./failure.ts";

export interface PipelineParts {
  openPublisher(): Promise<RabbitChannel>;
  /** As `RabbitClient.withPublisher`. */
  withPublisher<T>(signal: AbortSignal, use: (channel: RabbitChannel) => Promise<T>): Promise<T>;
  /** Whether the connection is gone. */
  isLost(): boolean;
}

export class PipelinedPublisher {
  readonly #client: PipelineParts;
  #channel: RabbitChannel | undefined;
  #opening: Promise<RabbitChannel> | undefined;
  /** Messages that were published, and whose fate is not known; they settle then. */
  readonly #unconfirmed = new Set<Promise<void>>();
  /** Settles when all that a closed channel has left were published again. */
  #again: Promise<void> = Promise.resolve();

  constructor(client: PipelineParts) {
    this.#client = client;
  }

  /**
   * Resolves when the server has taken the message, which must not be mandatory. `published`: called when it is behind all that was published
   * before, and ahead of all that comes later. Rejects with the failure of this message, and with the reason of `signal`: it may have arrived then.
   */
  async publish(message: Outgoing, signal: AbortSignal, published: () => void): Promise<void> {
    let channel = await unlessAborted(this.#open(), signal);
    while (!channel.isOpen) channel = await unlessAborted(this.#open(), signal);
    const fate = this.#send(channel, message, signal);
    this.#unconfirmed.add(fate);
    published();
    try {
      await fate;
    } finally {
      this.#unconfirmed.delete(fate);
    }
  }

  /** Resolves when the fate of all that was published before is known: what is sent on another channel then comes behind it. */
  async known(): Promise<void> {
    await Promise.allSettled(this.#unconfirmed);
  }

  async close(): Promise<void> {
    await this.#channel?.close();
  }

  async #send(channel: RabbitChannel, message: Outgoing, signal: AbortSignal): Promise<void> {
    try {
      await unlessAborted(channel.publish(message), signal);
    } catch (error) {
      if (signal.aborted || this.#client.isLost() || isNack(error)) throw error;
      await this.#sendAgain(message, signal);
    }
  }

  /** Failures of a closed channel arrive in the order of its messages. */
  #sendAgain(message: Outgoing, signal: AbortSignal): Promise<void> {
    const sent = this.#again.then(() => this.#client.withPublisher(signal, (channel) => channel.publish(message)));
    this.#again = sent.catch(() => {});
    return sent;
  }

  /** What a closed channel has left goes first. */
  async #open(): Promise<RabbitChannel> {
    if (this.#channel?.isOpen === true) return this.#channel;
    this.#opening ??= this.#reopen().finally(() => {
      this.#opening = undefined;
    });
    return await this.#opening;
  }

  async #reopen(): Promise<RabbitChannel> {
    await this.known();
    this.#channel = await this.#client.openPublisher();
    return this.#channel;
  }
}
