/** The options of a rabbitmq endpoint, as Camel 3 had them (Camel: rabbitmq.json 3.22). */
import type { Slots, Z } from "../../engine/slots.ts";
import { exchangeTypes } from "./topology.ts";

const noBeans = "there are no beans of this kind: leave it out";
const spring = (what: string): string => `write spring-rabbitmq with ${what}`;
const reconnects = "lost connections are opened again, with growing pauses";
const ofDocument = "the document of a connection has it: name one with connectionFactory";

/** Options that only the consumer reads, and those that only the producer reads. */
export const oldEnds = {
  consumer: names("autoAck concurrentConsumers consumerTag exclusiveConsumer reQueue bridgeErrorHandler"),
  producer: names("allowNullHeaders bridgeEndpoint mandatory publisherAcknowledgementsTimeout requestTimeout"),
};

function names(text: string): readonly string[] {
  return text.split(" ");
}

export function oldOptions(z: Z, slots: Slots) {
  const { text, flag, integer, oneOf, only, idle, refused } = slots;
  return z.object({
    exchangeName: text(
      "The exchange that messages are sent to, or that the queue of a consumer is bound to; without it the default exchange.",
    ).optional(),
    connectionFactory: text(
      "The connection: `#shop` is the named connection or the ConnectionFactory bean of this name. Without it and a server the default connection of the flow's group.",
    ).optional(),
    addresses: text(
      "The servers as `host:port`, with commas, in place of a named connection; EGRESS_ALLOW rules must name them.",
    ).optional(),
    hostname: text(
      "The server, in place of a named connection; an EGRESS_ALLOW rule must name it with its port.",
    ).optional(),
    portNumber: integer("The port of the server; 5672, or 5671 with `sslProtocol`, by default.").optional(),
    username: text("The user at the server that the endpoint names; `guest` by default.").optional(),
    password: text("The password of `username`. Write a secret: `{{secret:NAME}}`.").optional(),
    vhost: text("The virtual host on the server that the endpoint names; `/` by default.").optional(),
    sslProtocol: text("`true` or `TLS` encrypts the connection, and checks the server's certificate.")
      .refine(
        (name) => /^(?:true|false|TLS(?:v1\.[23])?)$/i.test(name),
        "it is true or TLS: older protocols are not safe",
      )
      .optional(),
    queue: text("The queue that is consumed, or that the producer declares.").optional(),
    routingKey: text("The routing key of messages that are sent, and of the binding of the queue.").optional(),
    exchangeType: oneOf(exchangeTypes, "The type of the exchange when it is declared.").default("direct"),
    declare: flag("Declares the exchange, the queue and their binding.").default(true),
    passive: flag("Declares nothing, and fails when the exchange or the queue is not there.").default(false),
    durable: flag("Declares an exchange and a queue that survive a restart of the server.").default(true),
    autoDelete: flag(
      "Declares an exchange and a queue that the server deletes when nobody uses them any more.",
    ).default(true),
    exclusive: flag("Declares a queue that belongs to the connection, and is deleted with it.").default(false),
    skipExchangeDeclare: flag("Does not declare the exchange.").default(false),
    skipQueueDeclare: flag("Neither declares nor binds the queue.").default(false),
    skipQueueBind: flag("Does not bind the queue to the exchange.").default(false),
    skipDlqDeclare: flag("Does not declare the exchange and the queue of dead letters.").default(false),
    deadLetterExchange: text("The exchange that gets messages which the consumer has rejected.").optional(),
    deadLetterExchangeType: oneOf(exchangeTypes, "The type of the dead letter exchange when it is declared.").default(
      "direct",
    ),
    deadLetterQueue: text("The queue that is declared and bound to the dead letter exchange.").optional(),
    deadLetterRoutingKey: text("The routing key that dead letters get, and that binds their queue.").optional(),
    args: text(
      "Arguments of what is declared, each as a parameter of its own: `arg.queue.x-message-ttl: 60000`, and the same for `arg.exchange.`, `arg.binding.`, `arg.dlq.queue.` and `arg.dlq.binding.`.",
    ).optional(),

    autoAck: flag(
      "Acknowledges a message when its run has ended, also when it has failed; with `false` one that has failed is rejected.",
    ).default(true),
    reQueue: flag(
      "With `autoAck: false`, a message that has failed goes back to the queue in place of the dead letter exchange; the header CamelRabbitmqRequeue comes before it.",
    ).default(false),
    concurrentConsumers: integer("How many messages are under way at once; with 1 they keep their order. At most 100.")
      .refine((count) => count >= 1 && count <= 100, "it is from 1 to 100")
      .default(1),
    consumerTag: text("The name of the consumer at the server.").optional(),
    exclusiveConsumer: flag("Takes the queue for this consumer alone.").default(false),
    bridgeErrorHandler: flag("Runs the route's error handler when the consumer cannot get messages.").default(false),

    bridgeEndpoint: flag("Takes no notice of the headers that name another exchange and routing key.").default(false),
    mandatory: flag(
      "Fails when no queue gets the message; otherwise the server drops it. The header CamelRabbitmqMandatory comes before it.",
    ).default(false),
    allowNullHeaders: flag("Sends headers without a value, too.").default(false),
    publisherAcknowledgementsTimeout: integer(
      "Milliseconds that the server may take to confirm a message, up to the limit outboundTotalMs; 0: that limit.",
    ).default(0),
    requestTimeout: integer(
      "Milliseconds that the reply to an InOut message may take, up to the limit outboundTotalMs; the header CamelRabbitmqRequestTimeout comes before it.",
    ).default(20_000),

    guaranteedDeliveries: idle(
      flag,
      "messages are always confirmed, and those with mandatory fail when no queue gets them",
    ),
    publisherAcknowledgements: idle(flag, "the server's confirmation of a message is always waited for"),
    prefetchEnabled: idle(flag, "the server sends each consumer one message at a time: write concurrentConsumers"),
    prefetchCount: idle(integer, "the server sends each consumer one message at a time: write concurrentConsumers"),
    prefetchGlobal: idle(flag, "the server sends each consumer one message at a time"),
    prefetchSize: idle(integer, "RabbitMQ does not have it"),
    threadPoolSize: idle(integer, "write concurrentConsumers"),
    channelPoolMaxSize: idle(integer, "each message has a channel for itself"),
    channelPoolMaxWait: idle(integer, "each message has a channel for itself"),
    requestTimeoutCheckerInterval: idle(integer, "each request has its own time"),
    automaticRecoveryEnabled: idle(flag, reconnects),
    topologyRecoveryEnabled: idle(flag, "what is declared is declared again with each connection"),
    networkRecoveryInterval: idle(integer, reconnects),
    recoverFromDeclareException: only(true, "a consumer tries again, and reports what is wrong: leave it out"),
    connectionTimeout: refused("write the limit outboundConnectMs"),
    requestedChannelMax: refused("channels are opened as messages need them: leave it out", "2047"),
    requestedFrameMax: refused(ofDocument, "0"),
    requestedHeartbeat: refused(ofDocument, "60"),
    clientProperties: refused(ofDocument),
    connectionFactoryExceptionHandler: refused(noBeans),
    trustManager: refused(
      "the certificate of an authority of your own stands in the document of a connection: name one with connectionFactory",
    ),
    immediate: only(false, "RabbitMQ does not have it since version 3.0: leave it out"),
    transferException: only(false, "exceptions are classes of Java: send what the asker needs as text"),
    allowMessageBodySerialization: only(false, "serialized objects are Java's: send text, such as marshal: {json: {}}"),
    allowCustomHeaders: only(false, "it sends Camel's own headers, too: give those that are to be sent other names"),
    additionalHeaders: refused("write setHeader ahead of the step"),
    additionalProperties: refused("write setHeader ahead of the step, such as CamelRabbitmqPriority"),
    exceptionHandler: refused("failures are logged: leave it out, or write bridgeErrorHandler"),
    exchangePattern: oneOf(
      ["InOnly", "InOut"],
      "In `to`: `InOut` waits for a reply, `InOnly` does not; by default the message's own pattern. In `from`: `InOnly` sends no reply, also to a message that asks for one.",
    ).optional(),
    lazyStartProducer: refused("connections are opened by the first message: leave it out", "false"),
    queues: refused(spring("queues")),
    autoDeclare: refused(`write declare, or ${spring("autoDeclare").slice("write ".length)}`),
    maximumRetryAttempts: refused(spring("maximumRetryAttempts")),
    retryDelay: refused(spring("retryDelay")),
  });
}

export type OldOptions = ReturnType<ReturnType<typeof oldOptions>["parse"]>;
