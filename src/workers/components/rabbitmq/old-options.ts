/** The options of a rabbitmq endpoint, as Camel 3 had them, and what they are as those of spring-rabbitmq (Camel: rabbitmq.json 3.22). */
import { consumerNames } from "../../engine/attended/consumer-options.ts";
import type { Slots, Z } from "../../engine/slots.ts";
import { type SpringOptions, sharedOptions } from "./spring-options.ts";

/** What spring-rabbitmq has under another name. */
const camel3 = {
  host: "hostname",
  port: "portNumber",
  virtualHost: "vhost",
  queues: "queue",
  exclusive: "exclusiveConsumer",
  skipDeclareExchange: "skipExchangeDeclare",
  skipDeclareQueue: "skipQueueDeclare",
  skipBindQueue: "skipQueueBind",
  confirmTimeout: "publisherAcknowledgementsTimeout",
  replyTimeout: "requestTimeout",
} as const;

type Names = typeof camel3;
type Named<O> = { readonly [Name in keyof O as Name extends keyof Names ? Names[Name] : Name]: O[Name] };

/** Options that only the consumer reads, and those that only the producer reads. */
export const oldEnds = {
  consumer: "autoAck concurrentConsumers window exclusiveConsumer reQueue".split(" ").concat(consumerNames),
  producer: "allowNullHeaders bridgeEndpoint mandatory publisherAcknowledgementsTimeout requestTimeout".split(" "),
};

const reconnects = "lost connections are opened again, with growing pauses";
const windowed = "the server sends each consumer as many messages as its window has: write window";
const ownChannel = "each message has a channel for itself";
const ofDocument = "the document of a connection has it: name one with connectionFactory";

export function oldOptions(z: Z, slots: Slots) {
  const { text, flag, integer, oneOf, only, idle, refused } = slots;
  const shared = sharedOptions(slots);
  return z.object({
    ...named({
      ...shared,
      confirmTimeout: shared.confirmTimeout.default(0),
      replyTimeout: shared.replyTimeout.default(20_000),
    }),
    addresses: text("As `hostname`, and in place of it.").optional(),
    sslProtocol: oneOf(
      ["true", "false", "TLS", "TLSv1.2", "TLSv1.3"],
      "`true` or `TLS` encrypts the connection to that server, and checks its certificate.",
    ).optional(),
    declare: flag("Declares the exchange, the queues and their bindings.").default(true),
    durable: flag("Declares an exchange and queues that survive a restart of the server.").default(true),
    autoDelete: flag(
      "Declares an exchange and queues that the server deletes when they have lost their last consumer or binding.",
    ).default(true),
    exclusive: flag("Declares queues that belong to the connection, and are deleted with it.").default(false),
    skipDlqDeclare: flag("Does not declare `deadLetterQueue`.").default(false),

    autoAck: flag(
      "Acknowledges a message when its run has ended, also when it has failed; with `false` one that has failed is rejected.",
    ).default(true),
    reQueue: flag(
      "With `autoAck: false`, a message that has failed goes back to the queue in place of the dead letter exchange; the header CamelRabbitmqRequeue comes before it.",
    ).default(false),
    bridgeEndpoint: flag("Takes no notice of the headers that name another exchange and routing key.").default(false),
    allowNullHeaders: flag("Sends headers without a value, too.").default(false),

    guaranteedDeliveries: idle(
      flag,
      "messages are always confirmed, and those with mandatory fail when no queue gets them",
    ),
    publisherAcknowledgements: idle(flag, "the server's confirmation of a message is always waited for"),
    prefetchEnabled: idle(flag, windowed),
    prefetchCount: idle(integer, windowed),
    prefetchGlobal: idle(flag, windowed),
    prefetchSize: idle(integer, "RabbitMQ does not have it"),
    threadPoolSize: idle(integer, "write concurrentConsumers"),
    channelPoolMaxSize: idle(integer, ownChannel),
    channelPoolMaxWait: idle(integer, ownChannel),
    requestTimeoutCheckerInterval: idle(integer, "each request has its own time"),
    automaticRecoveryEnabled: idle(flag, reconnects),
    topologyRecoveryEnabled: idle(flag, "what is declared is declared again with each connection"),
    networkRecoveryInterval: idle(integer, reconnects),
    recoverFromDeclareException: only(true, "a consumer tries again, and reports what is wrong: leave it out"),
    passive: only(false, "a queue or an exchange that is missing fails in any case: write declare: false"),
    consumerTag: refused("the server names its consumers: leave it out"),
    connectionTimeout: refused("write the limit outboundConnectMs"),
    requestedChannelMax: refused("channels are opened as messages need them: leave it out", "2047"),
    requestedFrameMax: refused(ofDocument, "0"),
    requestedHeartbeat: refused(ofDocument, "60"),
    clientProperties: refused(ofDocument),
    connectionFactoryExceptionHandler: refused("there are no beans of this kind: leave it out"),
    trustManager: refused(
      "the certificate of an authority of your own stands in the document of a connection: name one with connectionFactory",
    ),
    immediate: only(false, "RabbitMQ does not have it since version 3.0: leave it out"),
    transferException: only(false, "exceptions are classes of Java: send what the asker needs as text"),
    allowMessageBodySerialization: only(false, "serialized objects are Java's: send text, such as marshal: {json: {}}"),
    allowCustomHeaders: only(false, "it sends Camel's own headers, too: give those that are to be sent other names"),
    additionalHeaders: refused("write setHeader ahead of the step"),
    additionalProperties: refused("write setHeader ahead of the step, such as CamelRabbitmqPriority"),
  });
}

function named<O extends object>(options: O): Named<O> {
  const names: Readonly<Record<string, string>> = camel3;
  return Object.fromEntries(Object.entries(options).map(([name, option]) => [names[name] ?? name, option])) as Named<O>;
}

export type OldOptions = ReturnType<ReturnType<typeof oldOptions>["parse"]>;

/** The options of both components, as spring.ts reads them. */
export type RabbitOptions = SpringOptions &
  Partial<Pick<OldOptions, "autoAck" | "bridgeEndpoint" | "allowNullHeaders">> & {
    readonly scheme?: "rabbitmq";
  };

export function ofCamel3(options: OldOptions): RabbitOptions {
  const { addresses, sslProtocol, declare, durable, autoDelete, exclusive, skipDlqDeclare, reQueue, ...others } =
    options;
  const written: Readonly<Record<string, unknown>> = others;
  const renamed = Object.fromEntries(Object.entries(camel3).map(([name, old]) => [name, written[old]]));
  const declared = Object.entries({
    ...{ "exchange.durable": durable, "exchange.autoDelete": autoDelete },
    ...{ "queue.durable": durable, "queue.autoDelete": autoDelete, "queue.exclusive": exclusive },
  }).map(([name, value]) => `${name}=${value}`);
  return {
    ...others,
    ...(renamed as Pick<SpringOptions, keyof Names>),
    ...(addresses !== undefined && { host: addresses }),
    protocol: sslProtocol === undefined ? undefined : sslProtocol === "false" ? "amqp" : "amqps",
    autoDeclare: declare,
    autoDeclareProducer: declare,
    args: [...declared, others.args ?? ""].join("\n"),
    ...(skipDlqDeclare && { deadLetterQueue: undefined }),
    rejectAndDontRequeue: !reQueue,
    scheme: "rabbitmq",
    acknowledgeMode: "AUTO",
    asyncConsumer: false,
    prefetchCount: 1,
    maximumRetryAttempts: 1,
    retryDelay: 0,
    allowNullBody: true,
    disableReplyTo: false,
  };
}
