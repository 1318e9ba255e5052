/** The options of both ends of a JMS endpoint (Camel: jms.json, activemq.json, activemq6.json and amqp.json 4.22), and those by which it names its own broker. */
import {
  consumerNames,
  consumerOptions,
  failuresAreLogged,
  windowOption,
} from "../../engine/attended/consumer-options.ts";
import type { Slots, Z } from "../../engine/slots.ts";

const noBeans = "there are no beans of this kind: leave it out";
const noObjects = "objects of Java are not read and not written: send text, bytes, a map or a list";
const noTasks = "consumers are no threads here: leave it out";
const noWaiting = "nothing polls for it here: leave it out";
/** The default in Camel. */
const poisonBody = ["Poison JMS message due to $", "{exception.message}"].join("");
const credits = "a consumer asks for as many messages as it can begin: leave it out";

/** Options that only the consumer reads, and those that only the producer reads. */
export const jmsEnds = {
  consumer: names(
    "acknowledgementModeName artemisConsumerPriority asyncConsumer concurrentConsumers maxConcurrentConsumers " +
      "replyToDeliveryPersistent selector subscriptionDurable subscriptionName subscriptionShared durableSubscriptionName " +
      "replyToSameDestinationAllowed pubSubNoLocal recoveryInterval window",
  ).concat(consumerNames),
  producer: names(
    "deliveryDelay deliveryMode deliveryPersistent explicitQosEnabled preserveMessageQos priority replyToOverride replyToType " +
      "requestTimeout timeToLive allowNullBody correlationProperty disableTimeToLive includeSentJMSMessageID replyCorrelationProperty " +
      "replyToDestinationSelectorName",
  ),
};

function names(text: string): readonly string[] {
  return text.split(" ");
}

export function jmsOptions(z: Z, slots: Slots) {
  const { text, flag, integer, duration, oneOf, only, idle, refused } = slots;
  const atLeast = (least: number, words: string) =>
    integer(words).refine((value) => value >= least, `${least} or more is expected`);
  return z.object({
    destinationName: text(
      "The queue or topic: `orders`, `queue:orders` or `topic:prices`. A text without a type is a queue.",
    ),
    destinationType: oneOf(
      ["queue", "topic", "temp-queue", "temp-topic"],
      "What `destinationName` is the name of, where that does not say it itself; a queue by default.",
    ).optional(),
    connectionFactory: text(
      "The connection to the broker: `#orders` is the named connection or the ConnectionFactory bean of this name. Without it the default connection of the flow's group.",
    ).optional(),
    brokerURL: text(
      "The broker, in place of a named connection: `amqp://mq.example.org:5672`, or `amqps://...` for an encrypted connection; an EGRESS_ALLOW rule must name it.",
    ).optional(),
    username: text("The user at the broker that `brokerURL` or a ConnectionFactory bean names.").optional(),
    password: text("The password of `username`. Write a secret: `{{secret:NAME}}`.").optional(),
    clientId: text(
      "By what the broker recognises this client, for a durable subscription of its own; only one connection at a time may have it.",
    ).optional(),
    replyTo: text(
      "In `to`, the queue that replies are awaited at, in place of a temporary one; in `from`, where replies go, whatever the message says.",
    ).optional(),
    disableReplyTo: flag("Sends without waiting for a reply, and consumes without sending one.").default(false),
    exchangePattern: oneOf(
      ["InOnly", "InOut"],
      "`InOut` waits for a reply, or sends one; by default a message's own pattern in `to`, and whether a message has a JMSReplyTo in `from`.",
    ).optional(),
    jmsMessageType: oneOf(
      ["Bytes", "Map", "Object", "Stream", "Text"],
      "The kind of message that is sent; by default that of the body: text, bytes, a map, or a stream for a list.",
    )
      .refine((type) => type !== "Object", noObjects)
      .optional(),
    jmsKeyFormatStrategy: oneOf(
      ["default", "passthrough"],
      "How names of headers become names of properties: `default` writes `_DOT_` and `_HYPHEN_` for dots and hyphens, `passthrough` leaves them.",
    ).default("default"),
    includeAllJMSXProperties: flag(
      "Sends headers such as JMSXUserID and JMSXAppID, too, which brokers usually set themselves.",
    ).default(false),
    formatDateHeadersToIso8601: flag("Sends dates in headers as `2026-01-31T10:00:00Z`.").default(false),
    allowAdditionalHeaders: text(
      "Names of headers that are sent although their values are bytes, with commas, and `*` at the end for any rest.",
    ).optional(),
    messageIdEnabled: flag("Gives each message an id; with `false` it is left to the broker.").default(true),
    messageTimestampEnabled: flag("Gives each message the time at which it was sent.").default(true),
    useMessageIDAsCorrelationID: flag(
      "Recognises a reply by the id of its request, and answers requests with theirs, whatever JMSCorrelationID says.",
    ).default(false),

    acknowledgementModeName: oneOf(
      ["SESSION_TRANSACTED", "CLIENT_ACKNOWLEDGE", "AUTO_ACKNOWLEDGE", "DUPS_OK_ACKNOWLEDGE"],
      "`SESSION_TRANSACTED` is `transacted: true`. The others acknowledge a message when its run has ended.",
    ).default("AUTO_ACKNOWLEDGE"),
    artemisConsumerPriority: integer(
      "Which consumers Artemis prefers: messages go to those with the highest number that can take them.",
    ).optional(),
    asyncConsumer: flag(
      "Takes the next messages while one is under way, 16 for each consumer; they may then overtake each other.",
    ).default(false),
    ...consumerOptions(slots, " Camel has it for other components."),
    window: windowOption(
      slots,
      "a consumer",
      ", as does `transacted`; `asyncConsumer` has 16 without an order",
      "After a loss as many may be done twice. While messages are large, or runs take longer than 5 ms, the consumer requests fewer.",
    ),
    concurrentConsumers: atLeast(1, "How many messages are under way at once; more than one may overtake each other.")
      .refine((count) => count <= 200, "concurrentConsumers is from 1 to 200")
      .default(1),
    maxConcurrentConsumers: atLeast(
      1,
      "As `concurrentConsumers`: the larger of the two counts, since idle consumers cost nothing.",
    )
      .refine((count) => count <= 200, "maxConcurrentConsumers is from 1 to 200")
      .optional(),
    replyToDeliveryPersistent: flag("Sends replies so that they outlast the broker's end.").default(true),
    selector: text(
      "Takes only messages that fulfil the condition, such as `country = 'DE' AND amount > 100`.",
    ).optional(),
    subscriptionDurable: flag(
      "Keeps the subscription of a topic, so that messages wait while the flow is away; needs `clientId` unless it is shared.",
    ).default(false),
    subscriptionName: text("The name of a durable or shared subscription; by default the route's id.").optional(),
    durableSubscriptionName: text(
      "An older name of `subscriptionName` with `subscriptionDurable`; needs `clientId`.",
    ).optional(),
    subscriptionShared: flag(
      "Divides the messages of a topic among all consumers with the same `subscriptionName`.",
    ).default(false),
    replyToSameDestinationAllowed: flag("Sends a reply also to the queue that the route consumes.").default(false),
    pubSubNoLocal: flag("Leaves out messages of a topic that the consumer's own connection has sent.").default(false),
    recoveryInterval: duration(
      "The longest time between two attempts to reach the broker again; the first ones follow faster.",
    )
      .refine((ms) => ms >= 100, "recoveryInterval is at least 100 ms")
      .default(5000),
    transacted: flag(
      "In `from`, what the route sends to the same broker is committed together with the acknowledgement, and a failed run gives the message back to the broker.",
    ).default(false),

    deliveryDelay: integer("Milliseconds that the broker keeps the message back; -1: none.").default(-1),
    deliveryMode: oneOf(["1", "2"], "`1` may be lost with the broker, `2` outlasts its end.").optional(),
    deliveryPersistent: flag("Sends messages so that they outlast the broker's end.").default(true),
    explicitQosEnabled: flag(
      "With `false`, priority, timeToLive and the delivery mode of the endpoint mean nothing.",
    ).optional(),
    preserveMessageQos: flag(
      "Takes JMSPriority, JMSDeliveryMode and JMSExpiration of the message, and sends its JMSReplyTo along without waiting.",
    ).default(false),
    priority: integer("From 0 to 9; the broker delivers higher ones first.")
      .refine((value) => value >= 0 && value <= 9, "priority is from 0 to 9")
      .optional(),
    replyToOverride: text("The JMSReplyTo that is sent, while the reply is awaited at `replyTo`.").optional(),
    replyToType: oneOf(
      ["Temporary", "Shared", "Exclusive"],
      "How replies are awaited: at a temporary queue, or at `replyTo`, where each thread takes only its own replies.",
    ).optional(),
    requestTimeout: duration(
      "How long a reply is awaited; the header CamelJmsRequestTimeout has it for one message.",
    ).default(20_000),
    timeToLive: integer(
      "Milliseconds after which the broker drops a message that nobody has taken; -1: never.",
    ).default(-1),
    allowNullBody: flag("Sends a message without a body, too; with `false` it fails.").default(true),
    correlationProperty: text(
      "The property that carries the correlation id of requests, in place of JMSCorrelationID.",
    ).optional(),
    disableTimeToLive: flag("Sends requests without a time to live; otherwise it is `requestTimeout`.").default(false),
    includeSentJMSMessageID: flag("Sets the header JMSMessageID to the id of the message that was sent.").default(
      false,
    ),
    replyCorrelationProperty: text(
      "The property of replies that carries the correlation id, in place of JMSCorrelationID.",
    ).optional(),
    replyToDestinationSelectorName: text(
      "The property by which replies at a shared `replyTo` are chosen: requests carry it, and replies must bring it back.",
    ).optional(),

    acceptMessagesWhileStopping: only(false, "a consumer that stops takes no more messages: leave it out"),
    allowReplyManagerQuickStop: only(false, "a run that waits for a reply ends within its limits: leave it out"),
    allowSerializedHeaders: only(false, noObjects),
    alwaysCopyMessage: idle(flag, "each message is written anew"),
    artemisStreamingEnabled: idle(flag, "messages are read whole, within the limit messageBodyBytes"),
    asyncStartListener: idle(flag, "a deployment never waits for the broker"),
    asyncStopListener: idle(flag, "a deployment waits for messages under way, and for nothing else"),
    autoStartup: refused("write autoStartup: false at the route", "true"),
    browseLimit: idle(integer, "the designer's view of a queue has its own limit"),
    cacheLevel: idle(integer, "links to the broker stay open while the connection is"),
    cacheLevelName: idle(text, "links to the broker stay open while the connection is"),
    consumerType: refused(noTasks, "Default"),
    defaultTaskExecutorType: idle(text, "consumers are no threads here"),
    deserializationFilter: refused(noObjects),
    destinationOptions: refused(credits),
    "destination.consumer.prefetchSize": idle(integer, "a consumer asks for as many messages as it can begin"),
    destinationResolver: refused(noBeans),
    eagerLoadingOfProperties: idle(flag, "messages are read whole as they arrive"),
    eagerPoisonBody: refused(
      "a message that cannot be read is a failed run, and the broker gets it back as rejected: leave it out",
      poisonBody,
    ),
    errorHandler: refused("failed runs are logged and kept: leave it out, or write an errorHandler of the route"),
    errorHandlerLogStackTrace: idle(flag, "failed runs are logged with their step and reason"),
    errorHandlerLoggingLevel: refused("failed runs are logged as errors: leave it out", "WARN"),
    exceptionListener: refused(failuresAreLogged),
    exposeListenerSession: idle(flag, "what the route sends in a transaction uses the consumer's connection"),
    forceSendOriginalMessage: only(false, "each message is written anew: leave it out"),
    headerFilterStrategy: refused(
      "headers that begin with Camel are not sent and not taken: remove others with removeHeaders",
    ),
    idleConsumerLimit: idle(integer, noTasks),
    idleReceivesPerTaskLimit: idle(integer, noTasks),
    idleTaskExecutionLimit: idle(integer, noTasks),
    lazyCreateTransactionManager: idle(flag, "a transaction is the broker's own"),
    lazyStartProducer: refused("connections are opened by the first message: leave it out", "false"),
    mapJmsMessage: only(true, "bodies are texts, bytes, maps and lists: leave it out"),
    maxMessagesPerTask: idle(integer, noTasks),
    messageConverter: refused("write a transform or a mapping behind the endpoint"),
    messageCreatedStrategy: refused("set headers ahead of the step"),
    messageListenerContainerFactory: refused(noBeans),
    objectMessageEnabled: only(false, noObjects),
    receiveTimeout: idle(duration, noWaiting),
    replyToCacheLevelName: idle(text, "links to the broker stay open while the connection is"),
    replyToConcurrentConsumers: idle(integer, "replies are taken as they come"),
    replyToConsumerType: refused(noTasks, "Default"),
    replyToMaxConcurrentConsumers: idle(integer, "replies are taken as they come"),
    replyToOnTimeoutMaxConcurrentConsumers: idle(integer, "replies are taken as they come"),
    requestTimeoutCheckerInterval: idle(duration, "each request has a timer of its own"),
    streamMessageTypeEnabled: only(false, "what is read from files and streams is sent as bytes: leave it out"),
    synchronous: idle(flag, "runs that wait for the broker hold up no thread"),
    taskExecutor: refused(noTasks),
    temporaryQueueResolver: refused(noBeans),
    testConnectionOnStartup: only(
      false,
      "a deployment does not wait for the broker: POST /_api/connections/<name>/test tries the connection",
    ),
    transactedInOut: only(
      false,
      "a request leaves ahead of the commit, since nobody could answer it otherwise: leave it out",
    ),
    transactionManager: refused("transactions are the broker's own: write transacted: true"),
    transactionName: idle(text, "transactions have no names here"),
    transactionTimeout: refused("a run's time is limited by the flow's limits: leave it out", "-1"),
    transferException: only(
      false,
      "exceptions of Java are not sent: answer with a text or a header in onException, and check it behind the step",
    ),
    transferExchange: only(false, noObjects),
    waitForProvisionCorrelationToBeUpdatedCounter: idle(integer, noWaiting),
    waitForProvisionCorrelationToBeUpdatedThreadSleepingTime: idle(duration, noWaiting),
    waitForTemporaryReplyToToBeUpdatedCounter: idle(integer, noWaiting),
    waitForTemporaryReplyToToBeUpdatedThreadSleepingTime: idle(duration, noWaiting),
  });
}

export type JmsOptions = ReturnType<ReturnType<typeof jmsOptions>["parse"]>;
