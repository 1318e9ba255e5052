/** What the options of both components mean (Camel: SpringRabbitMQEndpoint). */
import { randomHex } from "../../../shared/ids.ts";
import { bridging } from "../../engine/attended/consumer-options.ts";
import type { ProducerContext } from "../../engine/component.ts";
import type { OwnConnection } from "../../engine/connections/connection.ts";
import { serversIn } from "../../engine/connections/servers-in.ts";
import { truthy } from "../../engine/convert.ts";
import type { Message } from "../../engine/message.ts";
import type { Processor } from "../../engine/processor.ts";
import type { Source, SourceContext } from "../../engine/source.ts";
import { argumentsFor } from "./arguments.ts";
import { rabbitConnection } from "./connection.ts";
import { headerNames } from "./names.ts";
import type { RabbitOptions } from "./old-options.ts";
import { rabbitProducer } from "./producer.ts";
import { rabbitSource, repliesTo } from "./source.ts";
import { deadLetterArguments, deadLetters, exchangeNamed, noTopology, type Topology } from "./topology.ts";

/** Only producers of spring-rabbitmq leave parts of what they declare out. */
const nothingSkipped = { skipDeclareExchange: false, skipDeclareQueue: false, skipBindQueue: false };
/** The most messages of a queue that are under way with asyncConsumer. */
const mostAsync = 16;
/** The most messages of a queue that are under way, when it has one consumer. */
const usualWindow = 32;

/** Throws an Error for options that contradict each other. */
export function rabbitmqSource(options: RabbitOptions, context: SourceContext): Source {
  const { autoDeclare, exclusive, asyncConsumer, prefetchCount, concurrentConsumers, maxConcurrentConsumers } = options;
  const { scheme = "spring-rabbitmq", autoAck = false, rejectAndDontRequeue } = options;
  const names = headerNames[scheme];
  const named = listOf(options.queues);
  const exchange = exchangeNamed(options.exchangeName);
  if (named.length === 0 && (!autoDeclare || exchange === ""))
    throw new Error(
      "a queue is missing: one of the consumer's own gets messages of an exchange that is named, and that the consumer may declare",
    );
  const wanted = Math.max(
    concurrentConsumers,
    maxConcurrentConsumers ?? 1,
    asyncConsumer ? Math.min(prefetchCount, mostAsync) : 1,
  );
  if (exclusive && wanted > 1)
    throw new Error("an exclusive consumer is the only one of its queue: leave concurrentConsumers out");
  const { routingKey } = options;
  if (exchange === "" && autoDeclare && routingKey !== undefined && named.some((queue) => queue !== routingKey))
    throw new Error(
      "the default exchange hands a message to the queue of its routing key: leave routingKey out, or name an exchange",
    );
  const skipped = scheme === "rabbitmq" ? {} : nothingSkipped;
  const mayReject = rejectAndDontRequeue || names.requeue !== undefined;
  const queues = named.length > 0 ? named : [`bulkhead.${randomHex(16)}`];
  const own = argumentsFor(options.args);
  const acknowledgesFirst = options.acknowledgeMode === "NONE";
  // A message that goes back to its queue comes again ahead of those behind it.
  const returnsFailed = !autoAck && (!rejectAndDontRequeue || names.requeue !== undefined);
  const most = options.window ?? (wanted > 1 ? 1 : usualWindow);
  const window = acknowledgesFirst || returnsFailed ? 1 : most;
  return rabbitSource(
    {
      scheme,
      connection: rabbitConnection(options.connectionFactory, ownServer(options), context),
      names,
      queues,
      topology: autoDeclare ? topologyOf({ ...options, ...skipped }, queues, named.length === 0) : noTopology,
      consumers: wanted,
      window,
      exclusive,
      arguments: own("consumer").arguments,
      acknowledgesFirst,
      attempts: Math.max(1, options.maximumRetryAttempts),
      retryMs: options.retryDelay,
      whenFailed: ({ message }) => {
        if (autoAck) return "acknowledge";
        return headerOr(message, names.requeue, !rejectAndDontRequeue, truthy) ? "requeue" : "reject";
      },
      keepsFailed: autoAck || (mayReject && options.deadLetterExchange === undefined),
      trustsCount: !returnsFailed && window === 1,
      replies: !options.disableReplyTo && repliesTo(options),
      allowNullBody: options.allowNullBody,
      ...bridging(options),
    },
    context,
  );
}

/** Throws an Error for options that contradict each other. */
export function rabbitmqProducer(options: RabbitOptions, context: ProducerContext): Processor {
  const { scheme = "spring-rabbitmq", confirmTimeout, replyTimeout, mandatory } = options;
  const names = headerNames[scheme];
  return rabbitProducer(
    {
      connection: rabbitConnection(options.connectionFactory, ownServer(options), context),
      names,
      exchange: exchangeNamed(options.exchangeName),
      routingKey: options.routingKey ?? "",
      redirects: options.bridgeEndpoint !== true,
      topology: options.autoDeclareProducer ? topologyOf(options, listOf(options.queues), false) : noTopology,
      allowNullBody: options.allowNullBody,
      nullHeaders: options.allowNullHeaders ?? true,
      mandatory: (message) => headerOr(message, names.mandatory, mandatory, truthy),
      replies: !options.disableReplyTo,
      pattern: options.exchangePattern,
      confirmMs: confirmTimeout,
      replyMs: (message) => headerOr(message, names.replyTimeout, replyTimeout, Number) || replyTimeout,
    },
    context,
  );
}

/** `name` undefined: the component has no such header. */
function headerOr<T>({ headers }: Message, name: string | undefined, otherwise: T, read: (value: unknown) => T): T {
  const value = name === undefined ? undefined : headers.get(name);
  return value === undefined || value === null ? otherwise : read(value);
}

function listOf(queues: string | undefined): readonly string[] {
  return (queues ?? "")
    .split(",")
    .map((queue) => queue.trim())
    .filter((queue) => queue !== "");
}

/** `isOwn`: the queue is the consumer's own, and ends with it. */
function topologyOf(options: RabbitOptions, queues: readonly string[], isOwn: boolean): Topology {
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
}: RabbitOptions): OwnConnection | undefined {
  if (host === undefined) {
    if ([port, virtualHost, username, password, protocol].every((value) => value === undefined)) return undefined;
    throw new Error(
      "a port, a user, a virtual host or a protocol is for a server of the endpoint's own: name that server, too, or write connectionFactory in its place",
    );
  }
  const isEncrypted = protocol === "amqps";
  return {
    kind: "rabbitmq",
    servers: serversIn(host, "mq.example.org:5672", port ?? (isEncrypted ? 5671 : 5672)),
    database: virtualHost,
    username: username ?? "guest",
    password: password ?? (username === undefined ? "guest" : undefined),
    ...(isEncrypted && { tls: {} }),
  };
}
