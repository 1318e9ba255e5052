/** What the options of spring-rabbitmq mean (Camel: SpringRabbitMQEndpoint). */
import { randomHex } from "../../../shared/ids.ts";
import { bridging } from "../../engine/attended/consumer-options.ts";
import type { ProducerContext } from "../../engine/component.ts";
import type { OwnConnection } from "../../engine/connections/connection.ts";
import type { Processor } from "../../engine/processor.ts";
import type { Source, SourceContext } from "../../engine/source.ts";
import { argumentsFor } from "./arguments.ts";
import { rabbitConnection } from "./connection.ts";
import { springNames } from "./names.ts";
import { rabbitProducer } from "./producer.ts";
import { rabbitSource, repliesTo } from "./source.ts";
import type { SpringOptions } from "./spring-options.ts";
import { deadLetterArguments, deadLetters, exchangeNamed, noTopology, type Topology } from "./topology.ts";

/** Only producers leave parts of what they declare out. */
const nothingSkipped = { skipDeclareExchange: false, skipDeclareQueue: false, skipBindQueue: false };
/** The most messages of a queue that are under way with asyncConsumer. */
const mostAsync = 16;

/** Throws an Error for options that contradict each other. */
export function springSource(options: SpringOptions, context: SourceContext): Source {
  const { autoDeclare, exclusive, asyncConsumer, prefetchCount, concurrentConsumers, maxConcurrentConsumers } = options;
  const named = listOf(options.queues);
  const exchange = exchangeNamed(options.exchangeName);
  if (named.length === 0 && (!autoDeclare || exchange === ""))
    throw new Error(
      "queues is missing: a queue of the consumer's own gets messages of an exchange that is named and autoDeclare",
    );
  const wanted = Math.max(
    concurrentConsumers,
    maxConcurrentConsumers ?? 1,
    asyncConsumer ? Math.min(prefetchCount, mostAsync) : 1,
  );
  if (exclusive && wanted > 1)
    throw new Error("a queue with exclusive has one consumer: leave concurrentConsumers out");
  const { routingKey } = options;
  if (exchange === "" && autoDeclare && routingKey !== undefined && named.some((queue) => queue !== routingKey))
    throw new Error(
      "the default exchange hands a message to the queue of its routing key: leave routingKey out, or name an exchange",
    );
  const queues = named.length > 0 ? named : [`bulkhead.${randomHex(16)}`];
  const own = argumentsFor(options.args);
  return rabbitSource(
    {
      scheme: "spring-rabbitmq",
      connection: rabbitConnection(options.connectionFactory, ownServer(options), context),
      names: springNames,
      queues,
      topology: autoDeclare ? topologyOf({ ...options, ...nothingSkipped }, queues, named.length === 0) : noTopology,
      consumers: wanted,
      exclusive,
      consumerTag: undefined,
      arguments: own("consumer").arguments,
      acknowledgesFirst: options.acknowledgeMode === "NONE",
      attempts: Math.max(1, options.maximumRetryAttempts),
      retryMs: options.retryDelay,
      whenFailed: () => (options.rejectAndDontRequeue ? "reject" : "requeue"),
      keepsFailed: options.rejectAndDontRequeue && options.deadLetterExchange === undefined,
      trustsCount: options.rejectAndDontRequeue,
      replies: !options.disableReplyTo && repliesTo(options),
      allowNullBody: options.allowNullBody,
      texts: true,
      ...bridging(options),
    },
    context,
  );
}

/** Throws an Error for options that contradict each other. */
export function springProducer(options: SpringOptions, context: ProducerContext): Processor {
  const { confirmTimeout, replyTimeout, mandatory } = options;
  return rabbitProducer(
    {
      connection: rabbitConnection(options.connectionFactory, ownServer(options), context),
      names: springNames,
      exchange: exchangeNamed(options.exchangeName),
      routingKey: options.routingKey ?? "",
      redirects: true,
      removesTarget: true,
      topology: options.autoDeclareProducer ? topologyOf(options, listOf(options.queues), false) : noTopology,
      allowNullBody: options.allowNullBody,
      nullHeaders: true,
      mandatory: () => mandatory,
      replies: !options.disableReplyTo,
      pattern: options.exchangePattern,
      texts: true,
      confirmMs: confirmTimeout,
      replyMs: () => replyTimeout,
    },
    context,
  );
}

function listOf(queues: string | undefined): readonly string[] {
  return (queues ?? "")
    .split(",")
    .map((queue) => queue.trim())
    .filter((queue) => queue !== "");
}

/** `isOwn`: the queue is the consumer's own, and ends with it. */
function topologyOf(options: SpringOptions, queues: readonly string[], isOwn: boolean): Topology {
  const { exchangeType, routingKey = "", skipDeclareExchange, skipDeclareQueue, skipBindQueue } = options;
  const exchange = exchangeNamed(options.exchangeName);
  const own = argumentsFor(options.args);
  const dead = deadLetters(options, options.routingKey === undefined && exchange === "" ? queues : [routingKey], own);
  const ofExchange = own("exchange");
  const ofQueue = own("queue");
  const declared = {
    exchange,
    type: exchangeType,
    durable: ofExchange.flag("durable", true),
    autoDelete: ofExchange.flag("autoDelete", false),
    arguments: ofExchange.arguments,
  };
  return {
    exchanges: [...dead.exchanges, ...(skipDeclareExchange ? [] : [declared])],
    queues: [
      ...dead.queues,
      ...(skipDeclareQueue ? [] : queues).map((queue) => ({
        queue,
        durable: ofQueue.flag("durable", !isOwn),
        autoDelete: ofQueue.flag("autoDelete", isOwn),
        exclusive: ofQueue.flag("exclusive", false),
        arguments: { ...deadLetterArguments(options), ...ofQueue.arguments },
      })),
    ],
    bindings: [
      ...dead.bindings,
      ...(skipDeclareQueue || skipBindQueue ? [] : queues).map((queue) => ({
        queue,
        exchange,
        routingKey,
        arguments: own("binding").arguments,
      })),
    ],
  };
}

/** The server that the endpoint names itself. Throws an Error for a part of one. */
function ownServer({
  host,
  port,
  virtualHost,
  username,
  password,
  protocol,
}: SpringOptions): OwnConnection | undefined {
  if (host === undefined) {
    const given = Object.entries({ port, virtualHost, username, password }).find(([, value]) => value !== undefined);
    if (given === undefined) return undefined;
    throw new Error(
      `${given[0]} describes a server of the endpoint's own: write host, too, or connectionFactory in its place`,
    );
  }
  const isEncrypted = protocol === "amqps";
  return {
    kind: "rabbitmq",
    servers: [{ host, port: port ?? (isEncrypted ? 5671 : 5672) }],
    database: virtualHost,
    username: username ?? "guest",
    password: password ?? (username === undefined ? "guest" : undefined),
    ...(isEncrypted && { tls: {} }),
  };
}
