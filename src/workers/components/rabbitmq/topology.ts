/** What an endpoint declares on the server before it uses it. */
import type {
  Arguments,
  Binding,
  ExchangeDeclaration,
  QueueDeclaration,
  RabbitChannel,
} from "../../connectors/rabbitmq/channel.ts";
import type { RabbitClient } from "../../connectors/rabbitmq/client.ts";
import type { argumentsFor } from "./arguments.ts";

export interface Topology {
  readonly exchanges: readonly ExchangeDeclaration[];
  readonly queues: readonly QueueDeclaration[];
  readonly bindings: readonly Binding[];
}

export const noTopology: Topology = { exchanges: [], queues: [], bindings: [] };

export const exchangeTypes = ["direct", "fanout", "headers", "topic"] as const;

/** The name by which endpoints mean the default exchange, which has none on the server. */
export function exchangeNamed(name: string | undefined): string {
  return name === undefined || name === "" || name.toLowerCase() === "default" ? "" : name;
}

/** Rejects with the server's refusal, which closes the channel. */
export async function declareAll(channel: RabbitChannel, { exchanges, queues, bindings }: Topology): Promise<void> {
  // Each queue belongs to the default exchange by its name already.
  for (const exchange of exchanges) if (exchange.exchange !== "") await channel.declareExchange(exchange);
  for (const queue of queues) await channel.declareQueue(queue);
  for (const binding of bindings) if (binding.exchange !== "") await channel.bind(binding);
}

/** Declares a topology once for each connection. */
export class Declared {
  readonly #topology: Topology;
  readonly #done = new WeakMap<RabbitClient, Promise<void>>();

  constructor(topology: Topology) {
    this.#topology = topology;
  }

  /** Resolves when all is declared. Rejects with the server's refusal; the next call tries again. */
  async on(client: RabbitClient): Promise<void> {
    const { exchanges, queues, bindings } = this.#topology;
    if (exchanges.length + queues.length + bindings.length === 0) return;
    const done = this.#done.get(client) ?? this.#declare(client);
    this.#done.set(client, done);
    try {
      await done;
    } catch (error) {
      this.#done.delete(client);
      throw error;
    }
  }

  async #declare(client: RabbitClient): Promise<void> {
    const channel = await client.openChannel();
    try {
      await declareAll(channel, this.#topology);
    } finally {
      void channel.close();
    }
  }
}

interface DeadLetterOptions {
  readonly deadLetterExchange?: string | undefined;
  readonly deadLetterExchangeType: string;
  readonly deadLetterQueue?: string | undefined;
  readonly deadLetterRoutingKey?: string | undefined;
}

/** The exchange and the queue of dead letters. `keys`: routing keys of messages, which dead letters keep unless they get one. */
export function deadLetters(
  options: DeadLetterOptions,
  keys: readonly string[],
  own: ReturnType<typeof argumentsFor>,
): Topology {
  const {
    deadLetterExchange: exchange,
    deadLetterExchangeType,
    deadLetterQueue: queue,
    deadLetterRoutingKey,
  } = options;
  if (exchange === undefined) return noTopology;
  const lasting = { durable: true, autoDelete: false };
  const declared = { exchange, type: deadLetterExchangeType, ...lasting, arguments: own("dlq.exchange").arguments };
  if (queue === undefined) return { ...noTopology, exchanges: [declared] };
  return {
    exchanges: [declared],
    queues: [{ queue, ...lasting, exclusive: false, arguments: own("dlq.queue").arguments }],
    bindings: (deadLetterRoutingKey === undefined ? keys : [deadLetterRoutingKey]).map((routingKey) => ({
      queue,
      exchange,
      routingKey,
      arguments: own("dlq.binding").arguments,
    })),
  };
}

/** By what a queue names the exchange of its dead letters. */
export function deadLetterArguments({ deadLetterExchange, deadLetterRoutingKey }: DeadLetterOptions): Arguments {
  if (deadLetterExchange === undefined) return {};
  return {
    "x-dead-letter-exchange": deadLetterExchange,
    ...(deadLetterRoutingKey !== undefined && { "x-dead-letter-routing-key": deadLetterRoutingKey }),
  };
}
