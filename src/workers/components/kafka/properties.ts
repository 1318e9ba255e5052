/** `additionalProperties.*`: properties of Kafka's Java client, each with the option to write in its place. */
import { prefixedPairs } from "../../engine/prefixed.ts";

const registry = /schema|registry|avro|apicurio/i;
/** Those whose option is not their own name in another spelling. */
const options: Readonly<Record<string, string>> = {
  "bootstrap.servers": "brokers",
  acks: "requestRequiredAcks",
  "compression.type": "compressionCodec",
  "max.poll.interval.ms": "maxPollIntervalMs",
  "partition.assignment.strategy": "partitionAssignor",
  "key.serializer": "keySerializer",
  "value.serializer": "valueSerializer",
  "key.deserializer": "keyDeserializer",
  "value.deserializer": "valueDeserializer",
  "fetch.max.wait.ms": "fetchWaitMaxMs",
  "auto.commit.interval.ms": "autoCommitIntervalMs",
  "enable.auto.commit": "autoCommitEnable",
  "group.protocol": "groupProtocol",
  "group.remote.assignor": "groupRemoteAssignor",
  "client.rack": "clientRack in the document of the connection",
  "transactional.id": "",
};

const spelled: ReadonlySet<string> = new Set(
  "autoOffsetReset isolationLevel sessionTimeoutMs heartbeatIntervalMs groupInstanceId groupId clientId metadataMaxAgeMs enableIdempotence retries deliveryTimeoutMs lingerMs maxRequestSize maxBlockMs fetchMaxBytes fetchMinBytes maxPartitionFetchBytes maxPollRecords securityProtocol saslMechanism saslJaasConfig".split(
    " ",
  ),
);

/** Throws an Error that names the first property and what to write. */
export function refuseProperties(text: string | undefined): void {
  const [first] = prefixedPairs(text);
  if (first === undefined) return;
  const [name] = first;
  throw new Error(`additionalProperties.${name} ${insteadOf(name)}`);
}

function insteadOf(name: string): string {
  if (registry.test(name))
    return "is for a schema registry, of which there is no client: write valueDeserializer or valueSerializer ByteArray..., and unmarshal or marshal in the route";
  const camelCase = name.replaceAll(/\.(\w)/g, (_, letter: string) => letter.toUpperCase());
  const option = options[name] ?? (spelled.has(camelCase) ? camelCase : "");
  if (option !== "") return `is not read: write ${option}`;
  return "is a property of Kafka's Java client, which is not there: leave it out";
}
