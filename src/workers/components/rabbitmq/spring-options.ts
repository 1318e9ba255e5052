/** The options of a spring-rabbitmq endpoint (Camel: spring-rabbitmq.json 4.22), and those by which it names its own server. */
import { consumerNames, consumerOptions } from "../../engine/attended/consumer-options.ts";
import type { Slots, Z } from "../../engine/slots.ts";
import { exchangeTypes } from "./topology.ts";

const noBeans = "there are no beans of this kind: leave it out";

/** Options that only the consumer reads, and those that only the producer reads. */
export const springEnds = {
  consumer: names(
    "acknowledgeMode asyncConsumer autoDeclare exclusive maximumRetryAttempts rejectAndDontRequeue retryDelay " +
      "concurrentConsumers maxConcurrentConsumers messageListenerContainerType prefetchCount window",
  ).concat(consumerNames),
  producer: names(
    "autoDeclareProducer confirm confirmTimeout replyTimeout skipBindQueue skipDeclareExchange skipDeclareQueue usePublisherConnection mandatory",
  ),
};

function names(text: string): readonly string[] {
  return text.split(" ");
}

/** Options of the component of Camel 3, too, where some have another name. */
export function sharedOptions(slots: Slots) {
  const { text, flag, integer, duration, oneOf, refused } = slots;
  return {
    exchangeName: text(
      "The exchange that messages are sent to, or that the queue of a consumer is bound to. `default` is the default exchange, which hands a message to the queue of its routing key.",
    ).default("default"),
    connectionFactory: text(
      "The connection: `#shop` is the named connection or the connection factory bean of this name. Without it the default connection of the flow's group.",
    ).optional(),
    host: text(
      "The server, in place of a named connection, or several as `host:port` with commas; EGRESS_ALLOW rules must name them with their ports.",
    ).optional(),
    port: integer("The port of that server; 5672 by default, or 5671 for an encrypted connection.").optional(),
    virtualHost: text("The virtual host on that server; `/` by default.").optional(),
    username: text("The user at that server; `guest` by default.").optional(),
    password: text("The password of `username`. Write a secret: `{{secret:NAME}}`.").optional(),
    queues: text(
      "The queues that are consumed, or that the producer declares, with commas. A consumer without it gets a queue of its own, which ends with it.",
    ).optional(),
    routingKey: text("The routing key of messages that are sent, and of the binding of queues.").optional(),
    exchangeType: oneOf(exchangeTypes, "The type of the exchange when it is declared.").default("direct"),
    deadLetterExchange: text(
      "The exchange that gets messages which the consumer has rejected: it is declared, and the queues name it.",
    ).optional(),
    deadLetterExchangeType: oneOf(exchangeTypes, "The type of the dead letter exchange when it is declared.").default(
      "direct",
    ),
    deadLetterQueue: text("The queue that is declared and bound to the dead letter exchange.").optional(),
    deadLetterRoutingKey: text(
      "The routing key that dead letters get, and that binds their queue; without it they keep the one that they have.",
    ).optional(),
    args: text(
      "Arguments of what is declared, each as a parameter of its own: `arg.queue.x-message-ttl: 60000`, `arg.queue.durable: false`, and the same for `arg.exchange.`, `arg.binding.`, `arg.consumer.`, `arg.dlq.exchange.`, `arg.dlq.queue.` and `arg.dlq.binding.`.",
    ).optional(),
    skipDeclareExchange: flag("Does not declare the exchange.").default(false),
    skipDeclareQueue: flag("Neither declares nor binds the queues.").default(false),
    skipBindQueue: flag("Does not bind the queues to the exchange.").default(false),

    concurrentConsumers: integer(
      "How many consumers each queue has; with 1 its messages keep their order. At most 100.",
    )
      .refine((count) => count >= 1 && count <= 100, "it is from 1 to 100")
      .default(1),
    window: integer(
      "How many messages of a consumer may be under way at once: 32 unless you write another number, and 1 where a queue has several consumers. Their runs begin one after another, each when the last step of the one before has handed its message to the client of its server. 1 waits for the end of each run, as does a consumer that acknowledges first, or whose failed messages go back to the queue. After a loss as many may be done twice.",
    )
      .refine((count) => count >= 1 && count <= 1000, "window is from 1 to 1000")
      .optional(),
    exclusive: flag("Takes the queues for this consumer alone.").default(false),
    ...consumerOptions(slots),

    mandatory: flag(
      "Fails when no queue gets the message; otherwise the server drops it. Camel's spring-rabbitmq does not have it.",
    ).default(false),
    confirmTimeout: duration(
      "How long the server may take to confirm a message, up to the limit outboundTotalMs; 0: that limit.",
    ),
    replyTimeout: duration(
      "How long the reply to an InOut message may take, up to the limit outboundTotalMs; 0: that limit.",
    ),

    exchangePattern: oneOf(
      ["InOnly", "InOut"],
      "In `to`: `InOut` waits for a reply, `InOnly` does not; by default the message's own pattern. In `from`: `InOnly` sends no reply, also to a message that asks for one.",
    ).optional(),
    lazyStartProducer: refused("connections are opened by the first message: leave it out", "false"),
  };
}

export function springOptions(z: Z, slots: Slots) {
  const { flag, integer, duration, oneOf, only, idle, refused } = slots;
  const { confirmTimeout, replyTimeout, ...shared } = sharedOptions(slots);
  return z.object({
    ...shared,
    protocol: oneOf(
      ["amqp", "amqps"],
      "`amqps` encrypts the connection to `host`, and checks the server's certificate; `amqp`, the default, does not.",
    ).optional(),
    disableReplyTo: flag(
      "Sends no reply to messages that ask for one, and does not wait for the reply of one that is sent.",
    ).default(false),

    acknowledgeMode: oneOf(
      ["AUTO", "NONE", "MANUAL"],
      "`AUTO`: a message is acknowledged when its run has ended. `NONE`: before its run begins, so that it is lost with the thread.",
    )
      .refine(
        (mode) => mode !== "MANUAL",
        "a route cannot acknowledge by itself: leave it out, and each message is acknowledged when its run has ended",
      )
      .default("AUTO"),
    maxConcurrentConsumers: integer("As `concurrentConsumers`; the greater one counts.")
      .refine((count) => count >= 1 && count <= 100, "it is from 1 to 100")
      .optional(),
    asyncConsumer: flag(
      "Has up to `prefetchCount` messages of each queue under way at once, at most 16, and does not keep their order.",
    ).default(false),
    prefetchCount: integer(
      "How many messages are under way with `asyncConsumer`. Otherwise the server sends each consumer as many as `window` says.",
    )
      .refine((count) => count >= 1, "it is at least 1")
      .default(250),
    autoDeclare: flag("Declares the exchange, the queues and their bindings when the consumer begins.").default(true),
    maximumRetryAttempts: integer("How often a message is run before it has failed; 0 is as 1.").default(5),
    retryDelay: duration("The time between two runs of the same message.").default(1000),
    rejectAndDontRequeue: flag(
      "A message that has failed goes to the dead letter exchange of its queue, or is dropped; with `false` it goes back to the queue, and comes again.",
    ).default(true),
    autoDeclareProducer: flag(
      "Declares the exchange, and `queues` with their bindings, before the first message is sent.",
    ).default(false),
    allowNullBody: flag("Sends a message without a body as an empty one; otherwise it fails.").default(false),
    confirmTimeout: confirmTimeout.default(5000),
    replyTimeout: replyTimeout.default(30_000),

    confirm: idle(
      (words) => oneOf(["auto", "enabled", "disabled"], words),
      "the server's confirmation of a message is always waited for",
    ),
    usePublisherConnection: idle(flag, "messages are always sent on another connection than that of consumers"),
    messageListenerContainerType: idle(
      (words) => oneOf(["DMLC", "SMLC"], words),
      "each queue has its own consumers in any case: write concurrentConsumers",
    ),
    noLocal: only(false, "RabbitMQ does not have it, and would deliver a connection's own messages: use another queue"),
    testConnectionOnStartup: refused(
      "a flow starts without its servers, and what cannot be reached is reported in health: POST /_api/connections/NAME/test tries a connection",
      "false",
    ),
    autoStartup: refused("write autoStartup: false at the route", "true"),
    retry: refused("write maximumRetryAttempts and retryDelay"),
    messageConverter: refused(noBeans),
    messagePropertiesConverter: refused(noBeans),
    synchronous: only(false, "a run waits for the server in any case: leave it out"),
  });
}

export type SpringOptions = ReturnType<ReturnType<typeof springOptions>["parse"]>;
