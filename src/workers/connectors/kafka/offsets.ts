/** Positions of a group in its partitions: where they begin, and what is committed. */
import { byTopic } from "./assignors.ts";
import type { AnswerLimit, Cluster } from "./cluster.ts";
import { type Identity, keyOf, type TopicPartition } from "./group.ts";

export interface Position extends TopicPartition {
  readonly offset: bigint;
}

export type Edge = "earliest" | "latest";

interface FetchedOffsets {
  readonly topics?: readonly OffsetTopic[];
  readonly groups?: readonly { readonly topics: readonly OffsetTopic[] }[];
}

interface OffsetTopic {
  readonly name: string;
  readonly partitions: readonly { readonly partitionIndex: number; readonly committedOffset: bigint }[];
}

/** Resolves with what the group has committed; a partition without a position is not in it. */
export async function committedOf(
  cluster: Cluster,
  groupId: string,
  { memberId, epoch, isNewer }: { readonly memberId: string; readonly epoch: number; readonly isNewer: boolean },
  partitions: readonly TopicPartition[],
): Promise<ReadonlyMap<string, bigint>> {
  const topics = byTopic(partitions).map(({ topic, partitions: list }) => ({ name: topic, partitionIndexes: list }));
  const group = { groupId, memberId: isNewer ? memberId : null, memberEpoch: isNewer ? epoch : -1, topics };
  const answer = await cluster.askCoordinator<FetchedOffsets>(groupId, "OffsetFetch", () => [[group], true]);
  const found = answer.groups?.[0]?.topics ?? answer.topics ?? [];
  const offsets = found.flatMap(({ name, partitions: list }) =>
    list.map(
      ({ partitionIndex, committedOffset }) =>
        [keyOf({ topic: name, partition: partitionIndex }), committedOffset] as const,
    ),
  );
  return new Map(offsets.filter(([, offset]) => offset >= 0n));
}

/** Rejects when a position was not committed: then the partition may belong to another member. */
export async function commit(
  cluster: Cluster,
  groupId: string,
  { memberId, epoch, instanceId }: Identity,
  positions: readonly Position[],
  limit: AnswerLimit,
): Promise<void> {
  const topics = byTopic(positions).map(({ topic, partitions }) => ({
    name: topic,
    partitions: partitions.map((partitionIndex) => ({
      partitionIndex,
      committedOffset: positions.find((one) => one.topic === topic && one.partition === partitionIndex)?.offset ?? 0n,
      committedLeaderEpoch: -1,
      committedMetadata: null,
    })),
  }));
  await cluster.askCoordinator(groupId, "OffsetCommit", () => [groupId, epoch, memberId, instanceId, topics], limit);
}

interface ListedOffsets {
  readonly topics: readonly {
    readonly partitions: readonly { readonly offset: bigint }[];
  }[];
}

/** Resolves with the first offset of a partition, or with the one behind its last record. */
export async function edgeOf(
  cluster: Cluster,
  { topic, partition }: TopicPartition,
  edge: Edge,
  isolation: number,
): Promise<bigint> {
  const metadata = await cluster.metadata([topic], { creates: true });
  const leader = metadata.topics.get(topic)?.partitions[partition]?.leader ?? -1;
  if (leader < 0) throw new Error(`the partition ${partition} of '${topic}' has no leader now`);
  const asked = { partitionIndex: partition, currentLeaderEpoch: -1, timestamp: edge === "earliest" ? -2n : -1n };
  const answer = await cluster.ask<ListedOffsets>(
    "ListOffsets",
    leader,
    ...[-1, isolation, [{ name: topic, partitions: [asked] }]],
  );
  const offset = answer.topics[0]?.partitions[0]?.offset;
  if (offset === undefined) throw new Error(`the partition ${partition} of '${topic}' has no ${edge} offset`);
  return offset;
}
