/** A channel: what is declared, consumed, acknowledged and published on it. */
import type { AsyncMessage, Channel, Envelope, ReturnedMessage } from "rabbitmq-client";
import { unlessAborted } from "../../engine/waiting.ts";
import { amqpFailure, channelFailure } from "./failure.ts";
import type { Content } from "./library.ts";

/** A message as the server has delivered it. */
export type Delivered = Omit<AsyncMessage, "body"> & Content & { readonly deliveryMode?: number };
export type Properties = Omit<Envelope, "exchange" | "routingKey" | "mandatory" | "immediate">;

export interface Outgoing {
  readonly exchange: string;
  readonly routingKey: string;
  /** true: it fails when no queue gets it. */
  readonly mandatory: boolean;
  readonly properties: Properties;
  readonly content: Uint8Array;
}

export type Arguments = Readonly<Record<string, unknown>>;

export interface ExchangeDeclaration {
  readonly exchange: string;
  readonly type: string;
  readonly durable: boolean;
  readonly autoDelete: boolean;
  readonly arguments: Arguments;
}

export interface QueueDeclaration {
  readonly queue: string;
  readonly durable: boolean;
  readonly autoDelete: boolean;
  readonly exclusive: boolean;
  readonly arguments: Arguments;
}

export interface Binding {
  readonly queue: string;
  readonly exchange: string;
  readonly routingKey: string;
  readonly arguments: Arguments;
}

export interface Consuming {
  readonly queue: string;
  /** The most messages that the server sends and that are not acknowledged. */
  readonly prefetch: number;
  readonly exclusive?: boolean;
  readonly arguments?: Arguments;
}

export class RabbitChannel {
  /** Resolves with the reason when the channel is closed. */
  readonly closed: Promise<Error>;
  /** Aborted with the reason when the channel is closed. */
  readonly #ended = new AbortController();
  readonly #channel: Channel;
  #replies: Promise<unknown> | undefined;
  /** Of its consumer. */
  #consumerTag: string | undefined;
  /** Requests that wait for their replies, by correlation id. */
  readonly #asked = new Map<string, (reply: Delivered) => void>();

  constructor(channel: Channel) {
    this.#channel = channel;
    this.closed = new Promise((resolve) => {
      channel.on("error", (error) => resolve(channelFailure(error)));
      channel.on("basic.cancel", () =>
        resolve(channelFailure(new Error("the server has ended the consumer: its queue was deleted"))),
      );
      // What has closed it is reported in the same turn.
      channel.once("close", () => setImmediate(resolve, channelFailure(new Error("the connection was lost"))));
    });
    void this.closed.then((why) => this.#ended.abort(why));
  }

  get isOpen(): boolean {
    return this.#channel.active;
  }

  async declareExchange({ arguments: own, ...declaration }: ExchangeDeclaration): Promise<void> {
    await translated(this.#channel.exchangeDeclare({ ...declaration, arguments: { ...own } }));
  }

  /** Resolves with the number of messages that are ready in it. */
  async declareQueue({ arguments: own, ...declaration }: QueueDeclaration): Promise<number> {
    return (await translated(this.#channel.queueDeclare({ ...declaration, arguments: { ...own } }))).messageCount;
  }

  /** Resolves with the number of messages that are ready in the queue. Fails, and closes the channel, when there is none. */
  async countMessages(queue: string): Promise<number> {
    return (await translated(this.#channel.queueDeclare({ queue, passive: true }))).messageCount;
  }

  async bind({ arguments: own, ...binding }: Binding): Promise<void> {
    await translated(this.#channel.queueBind({ ...binding, arguments: { ...own } }));
  }

  /** From here on the server confirms what is published. */
  async confirm(): Promise<void> {
    await translated(this.#channel.confirmSelect());
  }

  /**
   * Begins to consume. A consumer that the channel has is ended first; what it was sent can be acknowledged as before. `take` is called with each
   * message, in the order of the queue.
   */
  async consume(
    { arguments: own, prefetch, ...consuming }: Consuming,
    take: (message: Delivered) => void,
  ): Promise<void> {
    if (this.#consumerTag !== undefined) await translated(this.#channel.basicCancel(this.#consumerTag));
    // It holds for consumers that begin from here on.
    await translated(this.#channel.basicQos({ prefetchCount: prefetch }));
    const asked = this.#channel.basicConsume({ ...consuming, arguments: { ...own } }, (message) =>
      take(message as AsyncMessage & Content),
    );
    this.#consumerTag = (await translated(asked)).consumerTag;
  }

  /** Returns false when the channel is closed, and the message comes again. */
  acknowledge({ deliveryTag }: Delivered): boolean {
    return this.#settle(() => this.#channel.basicAck({ deliveryTag }));
  }

  /** As `acknowledge`. `requeue` false: the queue's dead letter exchange gets it, if it has one. */
  reject({ deliveryTag }: Delivered, requeue: boolean): boolean {
    return this.#settle(() => this.#channel.basicNack({ deliveryTag, requeue }));
  }

  /**
   * Resolves when the server has taken the message. The channel has to confirm. Several may be published at a time, in their order, unless one of
   * them is mandatory. When the channel is closed, all that are not confirmed fail.
   */
  async publish(outgoing: Outgoing): Promise<void> {
    if (!outgoing.mandatory) return await this.#publish(outgoing);
    let returned: ReturnedMessage | undefined;
    const note = (message: ReturnedMessage): void => {
      returned = message;
    };
    this.#channel.on("basic.return", note);
    try {
      await this.#publish(outgoing);
      // A message that is returned arrives ahead of its confirmation, and is reported behind it.
      await new Promise(setImmediate);
    } finally {
      this.#channel.off("basic.return", note);
    }
    if (returned === undefined) return;
    const { exchange, routingKey, replyText } = returned;
    throw amqpFailure(
      "core.AmqpMessageReturnedException",
      `no queue gets messages of the exchange '${exchange}' with the routing key '${routingKey}': ${replyText}`,
    );
  }

  /** Publishes a request, and resolves with its reply (direct reply-to). `correlationId`: no other request of the channel has it. */
  async request(outgoing: Outgoing, correlationId: string): Promise<Delivered> {
    const queue = "amq.rabbitmq.reply-to";
    this.#replies ??= translated(
      this.#channel.basicConsume({ queue, noAck: true }, (message) => {
        const reply = message as AsyncMessage & Content;
        this.#asked.get(reply.correlationId ?? "")?.(reply);
      }),
    );
    await this.#replies;
    const reply = new Promise<Delivered>((resolve) => this.#asked.set(correlationId, resolve));
    try {
      await this.publish({ ...outgoing, properties: { ...outgoing.properties, correlationId, replyTo: queue } });
      return await unlessAborted(reply, this.#ended.signal);
    } finally {
      this.#asked.delete(correlationId);
    }
  }

  /** Resolves when the server has closed it: all that was sent on it has arrived. */
  async close(): Promise<void> {
    await this.#channel.close();
  }

  #publish({ content, properties, ...target }: Outgoing): Promise<void> {
    // Without a timestamp the library sends one.
    const envelope = { timestamp: undefined, ...properties, ...target } as Envelope;
    const bytes = Buffer.from(content.buffer, content.byteOffset, content.length);
    return translated(this.#channel.basicPublish(envelope, bytes));
  }

  #settle(send: () => void): boolean {
    if (!this.isOpen) return false;
    send();
    return true;
  }
}

async function translated<T>(asked: Promise<T>): Promise<T> {
  try {
    return await asked;
  } catch (error) {
    throw channelFailure(error);
  }
}
