/** The options of both ends of a kafka endpoint (Camel: kafka.json 4.22). Those of the login and of classes are in files of their own. */
import { consumerNames, consumerOptions, windowOption } from "../../engine/attended/consumer-options.ts";
import type { Slots, Z } from "../../engine/slots.ts";
import { refusedOptions } from "./refused-options.ts";
import { securityOptions } from "./security-options.ts";

/** Options that only the consumer reads, and those that only the producer reads. */
export const kafkaEnds = {
  consumer: names(
    "groupId groupInstanceId groupProtocol groupRemoteAssignor partitionAssignor autoOffsetReset seekTo topicIsPattern consumersCount " +
      "autoCommitEnable autoCommitIntervalMs allowManualCommit commitTimeoutMs breakOnFirstError batching batchingIntervalMs maxPollRecords " +
      "pollTimeoutMs maxPollIntervalMs sessionTimeoutMs heartbeatIntervalMs fetchMaxBytes fetchMinBytes fetchWaitMaxMs maxPartitionFetchBytes " +
      "isolationLevel keyDeserializer valueDeserializer headerDeserializer window orderedBy pollOnError consumerRequestTimeoutMs",
  ).concat(consumerNames),
  producer: names(
    "key partitionKey keySerializer valueSerializer useIterator compressionCodec requestRequiredAcks enableIdempotence retries deliveryTimeoutMs " +
      "requestTimeoutMs lingerMs maxRequestSize maxBlockMs partitionerIgnoreKeys recordMetadata batchWithIndividualHeaders",
  ),
};

function names(text: string): readonly string[] {
  return text.split(" ");
}

export function kafkaOptions(z: Z, slots: Slots) {
  const { text, flag, integer, duration, oneOf } = slots;
  const positive = (words: string) => integer(words).refine((value) => value > 0, "a number above 0 is expected");
  return z.object({
    topic: text(
      "The topic. A consumer may have several, with commas, or a pattern with `topicIsPattern`; a producer sends to one, or to that of the header CamelKafkaOverrideTopic.",
    ),
    brokers: text(
      "`#orders` is the named connection of this name; without it the default connection of the flow's group. `host:port,host:port` are brokers of the endpoint's own, which an EGRESS_ALLOW rule must name.",
    ).optional(),
    ...securityOptions(slots),
    clientId: text("With brokers of the endpoint's own: the name that they show in their logs.").optional(),
    metadataMaxAgeMs: duration("After how long topics and partitions are looked at again.").default(300_000),
    reconnectBackoffMaxMs: duration(
      "The longest pause between two attempts when a broker cannot be reached, or does not answer.",
    ).default(1000),
    retryBackoffMs: duration(
      "The pause after a first failure that may pass; it doubles with each further one.",
    ).default(100),
    retryBackoffMaxMs: duration("The longest of these pauses, after what a broker has answered.").default(1000),

    groupId: text(
      "The consumer group, whose members share the partitions; positions belong to it. Without one it is `bulkhead-<flow>-<route>`.",
    ).optional(),
    groupInstanceId: text(
      "An id of this member that it keeps when it comes again. Without one the runtime makes one for each route, so that a lost thread gets its partitions back at once.",
    ).optional(),
    groupProtocol: oneOf(
      ["classic", "consumer"],
      "`consumer` is the newer protocol of Kafka 4 (KIP-848), in which the broker shares out partitions, and only those that move are let go of.",
    ).default("classic"),
    groupRemoteAssignor: text(
      "With `groupProtocol: consumer`, how the broker shares out partitions: `uniform` or `range`.",
    ).optional(),
    partitionAssignor: oneOf(
      ["org.apache.kafka.clients.consumer.RangeAssignor", "org.apache.kafka.clients.consumer.RoundRobinAssignor"],
      "With `groupProtocol: classic`, how members share out partitions. All members of a group must have the same one.",
    ).default("org.apache.kafka.clients.consumer.RangeAssignor"),
    autoOffsetReset: oneOf(
      ["latest", "earliest", "none"],
      "Where the group begins in a partition without a position of its own: behind the last record, at the first, or `none`: it fails.",
    ).default("latest"),
    seekTo: oneOf(
      ["BEGINNING", "END"],
      "Begins there each time that the route starts, whatever position the group has.",
    ).optional(),
    topicIsPattern: flag("Reads `topic` as a regular expression, for topics that exist now or come later.").default(
      false,
    ),
    consumersCount: positive(
      "How many runs may be under way at once. Records of one partition always go one after another.",
    )
      .refine((count) => count <= 100, "consumersCount is at most 100")
      .default(1),
    autoCommitEnable: flag(
      "Commits positions of records whose runs have ended. With `false` they are committed by hand alone, with allowManualCommit, or not at all.",
    ).default(true),
    autoCommitIntervalMs: duration(
      "How long positions of finished records are collected before they are committed: those of records that come again after a loss. 0 commits after each run. Camel's is 5000.",
    ).default(0),
    allowManualCommit: flag(
      "Gives messages the header CamelKafkaManualCommit: `${header.CamelKafkaManualCommit.commit()}` commits the record's position when its run has ended.",
    ).default(false),
    commitTimeoutMs: duration(
      "How long a commit may take. Then it is sent again over another connection. After the third time the health report shows the failure, and the consumer joins its group anew.",
    ).default(5000),
    breakOnFirstError: flag(
      "Takes a record whose run has failed again, after a growing pause, and holds back its partition; with `false` the next record comes.",
    ).default(false),
    batching: flag(
      "Makes one message of up to `maxPollRecords` records: its body is a list of exchanges, for `split`.",
    ).default(false),
    batchingIntervalMs: duration(
      "With `batching`, how long the first record waits for others; without it `pollTimeoutMs`.",
    ).optional(),
    maxPollRecords: positive("With `batching`, the most records of a message.").default(500),
    pollTimeoutMs: duration("With `batching`, how long the first record of a message waits for others.").default(5000),
    maxPollIntervalMs: duration(
      "How long runs under way may take when partitions are let go of; then others get these, and the records come again there.",
    ).default(300_000),
    sessionTimeoutMs: duration(
      "After how long without a heartbeat the group takes the consumer for lost. With `groupProtocol: consumer` the brokers say when.",
    ).default(45_000),
    heartbeatIntervalMs: duration("The time between two heartbeats, at most a third of `sessionTimeoutMs`.").default(
      3000,
    ),
    fetchMaxBytes: positive("The most bytes of an answer; above 1048576 it is that, since it is in memory.").default(
      52_428_800,
    ),
    fetchMinBytes: positive("Brokers answer when they have as many bytes, or after `fetchWaitMaxMs`.").default(1),
    fetchWaitMaxMs: duration("How long brokers wait for `fetchMinBytes`.").default(500),
    maxPartitionFetchBytes: positive(
      "The most bytes of a partition in an answer. A record that is larger comes alone.",
    ).default(1_048_576),
    consumerRequestTimeoutMs: duration("How long brokers have for an answer, beside the wait for records.").default(
      30_000,
    ),
    isolationLevel: oneOf(
      ["read_uncommitted", "read_committed"],
      "With `read_committed` records of transactions come when these are committed, and others never.",
    ).default("read_uncommitted"),
    keyDeserializer: text(
      "What the key is: the class StringDeserializer, ByteArrayDeserializer, ByteBufferDeserializer, BytesDeserializer, IntegerDeserializer, LongDeserializer, ShortDeserializer, FloatDeserializer, DoubleDeserializer, BooleanDeserializer, UUIDDeserializer or VoidDeserializer of org.apache.kafka.common.serialization.",
    ).default("org.apache.kafka.common.serialization.StringDeserializer"),
    valueDeserializer: text("What the body is, as with `keyDeserializer`.").default(
      "org.apache.kafka.common.serialization.StringDeserializer",
    ),
    headerDeserializer: oneOf(
      ["bytes", "text", "#class:org.apache.camel.component.kafka.serde.DefaultKafkaHeaderDeserializer"],
      "What the headers of records are: `bytes`, as in Camel, of which texts are made where one is needed, or `text`.",
    ).default("bytes"),
    window: windowOption(
      slots,
      "a partition",
      ", as do `batching` and `breakOnFirstError`",
      "After a loss as many may be done twice, or 32 if that is more.",
    ),
    orderedBy: text(
      "Which records of a partition keep their order: `key` for records with the same key, `header.` and a name for records with the same value of this header. Others run at the same time, up to `window`. Positions move behind the oldest that is under way. Without it all records of a partition keep their order.",
    ).optional(),
    ...consumerOptions(slots),
    key: text("The key of all records; it goes before the header CamelKafkaKey.").optional(),
    partitionKey: integer("The partition of all records; it goes before the header CamelKafkaPartitionKey.").optional(),
    keySerializer: text(
      "What the key is sent as: the class StringSerializer, ByteArraySerializer and so on, as with `keyDeserializer`.",
    ).default("org.apache.kafka.common.serialization.StringSerializer"),
    valueSerializer: text("What the body is sent as, as with `keySerializer`.").default(
      "org.apache.kafka.common.serialization.StringSerializer",
    ),
    useIterator: flag(
      "Sends a record for each element of a body that is a list; with `false` one for the body.",
    ).default(true),
    compressionCodec: oneOf(
      ["none", "gzip", "snappy", "lz4", "zstd"],
      "How records that go together are compressed.",
    ).default("none"),
    requestRequiredAcks: oneOf(
      ["all", "-1", "1", "0"],
      "Who confirms a record: `all` replicas in sync (`-1` is the same), `1` the leader, `0` nobody; then a record can be lost unnoticed.",
    ).default("all"),
    enableIdempotence: flag(
      "Numbers records, so that one that is sent again is written once. With `requestRequiredAcks` 1 or 0 it is off.",
    ).default(true),
    retries: integer("How often a request is sent again; without it, until the time is over.").optional(),
    deliveryTimeoutMs: duration(
      "How long a record may take until it is confirmed, up to the limit outboundTotalMs; then the step fails.",
    ).default(120_000),
    requestTimeoutMs: duration(
      "How long brokers have to confirm a request, their replicas included, before it is sent again; without it, as the connection says.",
    ).optional(),
    lingerMs: duration(
      "How long a record waits for others that go with it. Those that come while a request is under way go together in any case. Camel's is 5.",
    ).default(0),
    maxRequestSize: positive("The most bytes of a request and of a record; a larger record fails.").default(1_048_576),
    maxBlockMs: duration(
      "How long a topic is looked for that does not exist, since brokers may make it with its first use. Camel's is 60000.",
    ).default(5000),
    partitionerIgnoreKeys: flag("Spreads records over partitions whatever their keys.").default(false),
    recordMetadata: flag(
      "Sets the header CamelKafkaRecordMeta to a list with topic, partition, offset and timestamp of each record.",
    ).default(false),
    batchWithIndividualHeaders: flag(
      "In a body that is a list, takes headers, key and topic of elements that are messages from these.",
    ).default(false),
    additionalProperties: text(
      "`additionalProperties.*` are properties of Kafka's Java client, which are refused: the message says which option to write in their place.",
    ).optional(),
    ...refusedOptions(slots),
  });
}

export type KafkaOptions = ReturnType<ReturnType<typeof kafkaOptions>["parse"]>;
