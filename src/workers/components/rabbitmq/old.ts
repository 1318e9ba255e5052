/** What the options of rabbitmq mean, the component of Camel 3 (Camel: RabbitMQEndpoint, RabbitMQDeclareSupport 3.22). */
import { randomHex } from "../../../shared/ids.ts";
import type { ProducerContext } from "../../engine/component.ts";
import type { OwnConnection } from "../../engine/connections/connection.ts";
import { truthy } from "../../engine/convert.ts";
import type { Message } from "../../engine/message.ts";
import type { Processor } from "../../engine/processor.ts";
import type { Source, SourceContext } from "../../engine/source.ts";
import { argumentsFor } from "./arguments.ts";
import { rabbitConnection } from "./connection.ts";
import type { Verdict } from "./consumer-plan.ts";
import { oldNames } from "./names.ts";
import type { OldOptions } from "./old-options.ts";
import { rabbitProducer } from "./producer.ts";
import { serversOf } from "./servers.ts";
import { rabbitSource, repliesTo } from "./source.ts";
import { deadLetterArguments, deadLetters, exchangeNamed, noTopology, type Topology } from "./topology.ts";

/** Throws an Error for options that contradict each other. */
export function oldSource(options: OldOptions, context: SourceContext): Source {
  const { declare, autoAck, reQueue, concurrentConsumers, exclusiveConsumer } = options;
  if (options.queue === undefined && (!declare || exchangeNamed(options.exchangeName) === ""))
    throw new Error(
      "queue is missing: a queue of the consumer's own gets messages of an exchange that is named and declared",
    );
  if (exclusiveConsumer && concurrentConsumers > 1)
    throw new Error("a queue with exclusiveConsumer has one consumer: leave concurrentConsumers out");
  const queue = options.queue ?? `bulkhead.${randomHex(16)}`;
  return rabbitSource(
    {
      scheme: "rabbitmq",
      connection: rabbitConnection(options.connectionFactory, ownServer(options), context),
      names: oldNames,
      queues: [queue],
      topology: declare ? topologyOf(options, queue) : noTopology,
      consumers: concurrentConsumers,
      exclusive: exclusiveConsumer,
      consumerTag: options.consumerTag,
      arguments: {},
      acknowledgesFirst: false,
      attempts: 1,
      retryMs: 0,
      whenFailed: ({ message }): Verdict => {
        if (autoAck) return "acknowledge";
        const asked = message.headers.get("CamelRabbitmqRequeue");
        return (asked === undefined || asked === null ? reQueue : truthy(asked)) ? "requeue" : "reject";
      },
      keepsFailed: autoAck || options.deadLetterExchange === undefined,
      trustsCount: autoAck,
      replies: repliesTo(options),
      allowNullBody: true,
      texts: false,
      bridgesErrors: options.bridgeErrorHandler,
    },
    context,
  );
}

/** Throws an Error for options that contradict each other. */
export function oldProducer(options: OldOptions, context: ProducerContext): Processor {
  const { mandatory, bridgeEndpoint, requestTimeout, queue } = options;
  return rabbitProducer(
    {
      connection: rabbitConnection(options.connectionFactory, ownServer(options), context),
      names: oldNames,
      exchange: exchangeNamed(options.exchangeName),
      routingKey: options.routingKey ?? "",
      redirects: !bridgeEndpoint,
      removesTarget: false,
      topology: options.declare ? topologyOf(options, queue) : noTopology,
      allowNullBody: true,
      nullHeaders: options.allowNullHeaders,
      mandatory: (message) => headerOr(message, "CamelRabbitmqMandatory", mandatory, truthy),
      replies: true,
      pattern: options.exchangePattern,
      texts: false,
      confirmMs: options.publisherAcknowledgementsTimeout,
      replyMs: (message) => headerOr(message, "CamelRabbitmqRequestTimeout", requestTimeout, Number) || requestTimeout,
    },
    context,
  );
}

function headerOr<T>({ headers }: Message, name: string, otherwise: T, read: (value: unknown) => T): T {
  const value = headers.get(name);
  return value === undefined || value === null ? otherwise : read(value);
}

/** `queue` undefined: the producer declares the exchange alone. */
function topologyOf(options: OldOptions, queue: string | undefined): Topology {
  const { passive, durable, autoDelete, exclusive, routingKey = "" } = options;
  const exchange = exchangeNamed(options.exchangeName);
  const own = argumentsFor(options.args);
  const keys = exchange === "" && queue !== undefined ? [queue] : [routingKey];
  const dead = options.skipDlqDeclare ? noTopology : deadLetters(options, keys, own);
  const declared = { passive, durable, autoDelete };
  const { arguments: ofExchange } = own("exchange");
  return {
    exchanges: [
      ...dead.exchanges,
      ...(options.skipExchangeDeclare
        ? []
        : [{ exchange, type: options.exchangeType, ...declared, arguments: ofExchange }]),
    ],
    queues: [
      ...dead.queues,
      ...(queue === undefined || options.skipQueueDeclare
        ? []
        : [
            {
              queue,
              ...declared,
              exclusive,
              arguments: { ...deadLetterArguments(options), ...own("queue").arguments },
            },
          ]),
    ],
    bindings: [
      ...dead.bindings,
      ...(queue === undefined || options.skipQueueDeclare || options.skipQueueBind
        ? []
        : [{ queue, exchange, routingKey, arguments: own("binding").arguments }]),
    ],
  };
}

function ownServer(options: OldOptions): OwnConnection | undefined {
  const { addresses, hostname, portNumber, username, password, vhost, sslProtocol } = options;
  if (addresses === undefined && hostname === undefined) {
    const given = Object.entries({ portNumber, username, password, vhost, sslProtocol }).find(
      ([, value]) => value !== undefined,
    );
    if (given === undefined) return undefined;
    throw new Error(
      `${given[0]} describes a server of the endpoint's own: write hostname, too, or connectionFactory in its place`,
    );
  }
  const isEncrypted = sslProtocol !== undefined && sslProtocol.toLowerCase() !== "false";
  const port = portNumber ?? (isEncrypted ? 5671 : 5672);
  return {
    kind: "rabbitmq",
    servers: addresses === undefined ? [{ host: hostname ?? "", port }] : serversOf(addresses, port),
    database: vhost,
    username: username ?? "guest",
    password: password ?? (username === undefined ? "guest" : undefined),
    ...(isEncrypted && { tls: {} }),
  };
}
