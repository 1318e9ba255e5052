/** RabbitMQ and what tests ask of it without a runtime. */
import { type Channel, Connection, type Publisher, type SyncMessage } from "rabbitmq-client";
import { type RabbitServer, startRabbitServer } from "./rabbitmq-server.ts";

export interface Sent {
  readonly exchange?: string;
  readonly routingKey: string;
  readonly body: string | Buffer;
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly [property: string]: unknown;
}

export interface Taken {
  readonly body: string;
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly [property: string]: unknown;
}

export class Broker {
  readonly server: RabbitServer;
  readonly #connection: Connection;
  readonly #publisher: Publisher;
  #channel: Channel | undefined;

  constructor(server: RabbitServer) {
    const { host, port, virtualHost, username, password } = server;
    this.server = server;
    this.#connection = new Connection({
      ...{ hostname: host, port, vhost: virtualHost, username, password },
      ...{ retryLow: 100, retryHigh: 300, acquireTimeout: 60_000, noDelay: true },
    });
    this.#connection.on("error", () => {});
    this.#publisher = this.#connection.createPublisher({ confirm: true });
  }

  async channel(): Promise<Channel> {
    if (this.#channel?.active !== true) {
      this.#channel = await this.#connection.acquire({ emitErrorsFromChannel: true });
      this.#channel.on("error", () => {});
    }
    return this.#channel;
  }

  async declare(queue: string, own: Readonly<Record<string, unknown>> = {}): Promise<void> {
    await (await this.channel()).queueDeclare({ queue, durable: true, arguments: { ...own } });
  }

  async remove(queue: string): Promise<void> {
    await (await this.channel()).queueDelete({ queue });
  }

  /** Resolves when the server has taken all of them. */
  async send(...messages: readonly Sent[]): Promise<void> {
    await Promise.all(
      messages.map(({ body, ...envelope }) => this.#publisher.send({ durable: true, ...envelope }, body)),
    );
  }

  /** How many messages are ready in the queue. */
  async ready(queue: string): Promise<number> {
    return (await (await this.channel()).queueDeclare({ queue, passive: true })).messageCount;
  }

  /** Takes the next message of the queue; undefined: it has none. */
  async take(queue: string): Promise<Taken | undefined> {
    const [first] = await this.takeAll(queue, 1);
    return first;
  }

  /** Takes those that are ready now, in their order. */
  async takeAll(queue: string, most = 5000): Promise<readonly Taken[]> {
    const channel = await this.#connection.acquire({ emitErrorsFromChannel: true });
    channel.on("error", () => {});
    try {
      const taken: SyncMessage[] = [];
      // The server answers each request: a consumer would wait for what a queue counts and does not deliver.
      while (taken.length < most) {
        const message = await channel.basicGet({ queue });
        if (message === undefined) break;
        taken.push(message);
      }
      const last = taken.at(-1);
      if (last !== undefined) channel.basicAck({ deliveryTag: last.deliveryTag, multiple: true });
      return taken.map((message) => ({ ...message, body: textOf(message.body) }));
    } finally {
      await channel.close();
    }
  }

  async close(): Promise<void> {
    await this.#publisher.close().catch(() => {});
    await this.#channel?.close().catch(() => {});
    this.#connection.unsafeDestroy();
    await this.server.close();
  }
}

function textOf(body: unknown): string {
  if (Buffer.isBuffer(body)) return body.toString();
  return typeof body === "string" ? body : JSON.stringify(body);
}

/** Throws Unavailable. */
export async function startBroker(): Promise<Broker> {
  return new Broker(await startRabbitServer());
}

/** The document of a connection to the server, whose password is the secret `_connections/MQ`. */
export function connectionTo(
  { server: { host, port, virtualHost, username } }: Broker,
  more: Readonly<Record<string, unknown>> = {},
): Record<string, unknown> {
  return {
    kind: "rabbitmq",
    servers: [`${host}:${port}`],
    database: virtualHost,
    username,
    passwordRef: "MQ",
    ...more,
  };
}
