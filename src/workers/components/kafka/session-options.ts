/** What a consumer's options are for its group and its fetches. */
import type { FetchOptions } from "../../connectors/kafka/fetcher.ts";
import type { GroupOptions } from "../../connectors/kafka/group.ts";
import type { Pauses } from "../../connectors/kafka/pauses.ts";
import type { KafkaOptions } from "./options.ts";

/** What is in memory of all partitions together. */
const mostBytes = 1_048_576;

interface Joining {
  readonly options: KafkaOptions;
  readonly groupId: string;
  readonly instanceId: string;
  readonly topics: () => Promise<readonly string[]>;
  readonly client: { readonly clientRack: string | undefined };
}

export function groupOf({ options, groupId, instanceId, topics, client }: Joining): GroupOptions {
  return {
    ...{ groupId, instanceId, topics },
    isGiven: options.groupInstanceId !== undefined,
    sessionMs: options.sessionTimeoutMs,
    heartbeatMs: options.heartbeatIntervalMs,
    rebalanceMs: options.maxPollIntervalMs,
    assignor: options.partitionAssignor.endsWith("RangeAssignor") ? "range" : "roundrobin",
    remoteAssignor: options.groupRemoteAssignor,
    clientRack: client.clientRack,
    refreshMs: options.metadataMaxAgeMs,
  };
}

export function pausesOf({ retryBackoffMs, retryBackoffMaxMs, reconnectBackoffMaxMs }: KafkaOptions): Pauses {
  return { firstMs: retryBackoffMs, mostMs: retryBackoffMaxMs, mostReconnectMs: reconnectBackoffMaxMs };
}

export function fetchOf(options: KafkaOptions, clientRack: string | undefined): FetchOptions {
  return {
    mostBytes: Math.min(options.fetchMaxBytes, mostBytes),
    mostPartitionBytes: options.maxPartitionFetchBytes,
    leastBytes: options.fetchMinBytes,
    waitMs: options.fetchWaitMaxMs,
    answerMs: options.consumerRequestTimeoutMs,
    isolation: options.isolationLevel === "read_committed" ? 1 : 0,
    clientRack,
    pauses: pausesOf(options),
  };
}
