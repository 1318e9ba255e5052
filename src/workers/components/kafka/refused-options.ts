/** Options of Camel that have no effect here, or that name what a flow cannot have. */
import type { Slots } from "../../engine/slots.ts";

const noClasses = "it names a class of the JVM: leave it out";
const noRegistry =
  "there is no client of a schema registry: leave it out, write ByteArrayDeserializer, and read the bytes with unmarshal";
const noTransactions =
  "there are no transactions of Kafka: records are sent idempotently, and the consumer's position is committed after the run, so that records can come twice and are not lost";
const ofRuntime = "connections are the runtime's: leave it out";

export function refusedOptions({ flag, integer, duration, oneOf, only, idle, refused }: Slots) {
  return {
    checkCrcs: only(false, "records are not compared with their checksums: leave it out, or write false"),
    specificAvroReader: only(false, noRegistry),
    schemaRegistryURL: refused(noRegistry),
    transacted: only(false, noTransactions),
    transactionalId: refused(noTransactions),
    headerFilterStrategy: refused(
      "headers that begin with Camel or kafka. are not sent: remove others with removeHeaders",
    ),
    headerSerializer: refused("headers are sent as Camel's own serializer does it: leave it out"),
    interceptorClasses: refused(noClasses),
    partitioner: refused(
      "records go by the hash of their keys: write partitionKey, or set the header CamelKafkaPartitionKey",
    ),
    metricReporters: refused(noClasses),
    kafkaClientFactory: refused("write brokers: '#name', which names a connection"),
    kafkaManualCommitFactory: refused(
      "positions are committed in their order: leave it out, or write allowManualCommit",
    ),
    offsetRepository: refused("positions are committed to the group: leave it out, and give it a groupId"),
    exchangePattern: refused("nobody waits for the reply to a record: leave it out", "InOnly"),
    workerPool: refused("there is no pool of threads: leave it out"),
    workerPoolCoreSize: idle(integer, "there is no pool of threads"),
    workerPoolMaxSize: idle(integer, "there is no pool of threads"),
    synchronous: idle(flag, "a step waits until its records are confirmed; wireTap does not wait"),
    pollOnError: idle(
      (words) => oneOf(["ERROR_HANDLER", "RECONNECT", "RETRY"], words),
      "records that cannot be fetched are reported, and fetched again after a growing pause",
    ),
    lazyStartProducer: idle(flag, "connections are opened by the first message"),
    preValidateHostAndPort: idle(flag, "a broker that is not found is reported, and looked for again"),
    shutdownTimeout: idle(duration, "the limit drainMs ends a drain"),
    maxInFlightRequest: idle(integer, "a partition has one request under way, so that records keep their order"),
    bufferMemorySize: idle(integer, "a message waits for its records, so that there is nothing to bound"),
    queueBufferingMaxMessages: idle(integer, "a message waits for its records, so that there is nothing to bound"),
    producerBatchSize: idle(integer, "what waits goes together, up to maxRequestSize"),
    connectionMaxIdleMs: idle(duration, ofRuntime),
    reconnectBackoffMs: idle(duration, ofRuntime),
    receiveBufferBytes: idle(integer, ofRuntime),
    sendBufferBytes: idle(integer, ofRuntime),
    metricsSampleWindowMs: idle(duration, "the runtime has metrics of its own"),
    noOfMetricsSample: idle(integer, "the runtime has metrics of its own"),
  };
}
