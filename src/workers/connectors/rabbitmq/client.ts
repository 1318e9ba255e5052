/** A connection to RabbitMQ, which many messages use at the same time, each on a channel of its own. */
import type { Connection } from "rabbitmq-client";
import { after, unlessAborted } from "../../engine/waiting.ts";
import { RabbitChannel } from "./channel.ts";
import { channelFailure } from "./failure.ts";
import { collectContents } from "./library.ts";
import { PipelinedPublisher } from "./pipelined-publisher.ts";

/** Channels that stay open between messages. */
const mostIdle = 16;
const closeMs = 1500;

interface ClientParts {
  readonly connection: Connection;
  /** The most bytes of a message's content; a larger one is delivered without it. */
  readonly maxBytes: number;
  readonly serverVersion: string;
  readonly tls: string | null;
}

export class RabbitClient {
  readonly serverVersion: string;
  readonly tls: string | null;
  /** For messages whose order counts, and that do not wait for one another. */
  readonly pipeline: PipelinedPublisher;
  readonly #connection: Connection;
  readonly #maxBytes: number;
  #idle: RabbitChannel[] = [];
  #blocked: string | undefined;
  #isLost = false;

  constructor({ connection, maxBytes, serverVersion, tls }: ClientParts) {
    this.#connection = connection;
    this.#maxBytes = maxBytes;
    this.serverVersion = serverVersion;
    this.tls = tls;
    this.pipeline = new PipelinedPublisher({
      openPublisher: () => this.#openPublisher(),
      withPublisher: (signal, use) => this.withPublisher(signal, use),
      isLost: () => this.#isLost,
    });
    connection.on("connection.blocked", (reason) => {
      this.#blocked = reason;
    });
    connection.on("connection.unblocked", () => {
      this.#blocked = undefined;
    });
  }

  /** Why the server takes no messages at present; undefined: it does. */
  get blocked(): string | undefined {
    return this.#blocked;
  }

  async openChannel(): Promise<RabbitChannel> {
    try {
      const channel = await this.#connection.acquire({ emitErrorsFromChannel: true });
      collectContents(channel, this.#connection, this.#maxBytes);
      return new RabbitChannel(channel);
    } catch (error) {
      throw channelFailure(error);
    }
  }

  /**
   * Calls `use` with a channel that confirms, which nobody else uses meanwhile: what the server refuses closes a channel, and
   * concerns one message. Rejects with the reason of `signal`.
   */
  async withPublisher<T>(signal: AbortSignal, use: (channel: RabbitChannel) => Promise<T>): Promise<T> {
    signal.throwIfAborted();
    let channel: RabbitChannel | undefined;
    const work = async (): Promise<T> => {
      channel = this.#takeIdle() ?? (await this.#openPublisher());
      return await use(channel);
    };
    try {
      const result = await unlessAborted(work(), signal);
      if (channel !== undefined) this.#giveBack(channel);
      return result;
    } catch (error) {
      // It is not known what would still arrive on it.
      void channel?.close();
      throw error;
    }
  }

  /** The connection is gone, or nobody may use it any more. */
  lose(): void {
    this.#isLost = true;
    this.#connection.unsafeDestroy();
  }

  /** Resolves when the connection is closed. */
  async close(): Promise<void> {
    if (this.#isLost) return;
    this.#isLost = true;
    const late = after(closeMs, () => this.#connection.unsafeDestroy());
    await Promise.all([this.pipeline, ...this.#idle.splice(0)].map((open) => open.close()));
    await this.#connection.close();
    late();
  }

  #takeIdle(): RabbitChannel | undefined {
    this.#idle = this.#idle.filter(({ isOpen }) => isOpen);
    return this.#idle.pop();
  }

  async #openPublisher(): Promise<RabbitChannel> {
    const channel = await this.openChannel();
    await channel.confirm();
    return channel;
  }

  #giveBack(channel: RabbitChannel): void {
    if (!channel.isOpen) return;
    if (this.#idle.length < mostIdle && !this.#isLost) this.#idle.push(channel);
    else void channel.close();
  }
}
