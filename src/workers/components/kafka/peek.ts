/** Looks at the next records of a group by their offsets: no member joins it, and nothing is committed. */
import type { KafkaClient } from "../../connectors/kafka/client.ts";
import type { FetchTarget } from "../../connectors/kafka/fetcher.ts";
import { keyOf, type TopicPartition } from "../../connectors/kafka/group.ts";
import type { InRecord } from "../../connectors/kafka/records.ts";
import type { PeekedMessage } from "../../engine/source.ts";
import type { ConsumedMessages } from "./consumed-message.ts";
import type { KafkaOptions } from "./options.ts";
import { fetchOf } from "./session-options.ts";

/** How long brokers have to answer. */
const patienceMs = 10_000;
const nobody = { memberId: "", epoch: -1, instanceId: null };

interface PeekParts {
  readonly options: KafkaOptions;
  readonly groupId: string;
  readonly topics: readonly string[];
  readonly messages: ConsumedMessages;
}

interface Seen {
  readonly from: TopicPartition;
  readonly record: InRecord;
}

/** Resolves with the oldest of what the partitions have behind the group's positions. */
export async function peekRecords(
  client: KafkaClient,
  { options, groupId, topics, messages }: PeekParts,
  limit: number,
): Promise<readonly PeekedMessage[]> {
  const targets = await targetsOf(client, { options, groupId, topics });
  const seen: Seen[] = [];
  const left = new Map(targets.map((target) => [keyOf(target), target]));
  const over = new AbortController();
  const done = (target: FetchTarget): void => {
    left.delete(keyOf(target));
    if (left.size === 0) over.abort();
  };
  const fetcher = client.fetcher(fetchOf(options, client.clientRack), {
    wanting: () => [...left.values()],
    count: () => targets.length,
    received(target, { records }) {
      for (const record of records.slice(0, limit)) seen.push({ from: target, record });
      done(target);
    },
    outOfRange: done,
  });
  if (targets.length > 0) await fetcher.run(AbortSignal.any([over.signal, AbortSignal.timeout(patienceMs)]));
  if (left.size > 0 && seen.length === 0) throw new Error(`the brokers did not answer within ${patienceMs} ms`);
  return seen
    .sort((a, b) => Number(a.record.timestamp - b.record.timestamp))
    .slice(0, limit)
    .map(({ from, record }) => {
      const { body, headers = [], unreadable } = messages.ofRecord({ from, record, isLast: false }, () => {});
      const shown = [...headers].filter(([name]) => name !== "CamelKafkaManualCommit" && name !== "CamelKafkaHeaders");
      const at = `${from.topic}/${from.partition}/${record.offset}`;
      return { body, headers: shown, at, unreadable: unreadable?.error };
    });
}

async function targetsOf(
  client: KafkaClient,
  { options, groupId, topics }: Omit<PeekParts, "messages">,
): Promise<readonly FetchTarget[]> {
  const metadata = await client.cluster.metadata(topics, { fresh: true });
  const partitions = topics.flatMap((topic) =>
    (metadata.topics.get(topic)?.partitions ?? []).map((_, partition) => ({ topic, partition })),
  );
  if (partitions.length === 0) return [];
  const committed = await client.committed(groupId, nobody, false, partitions);
  const isolation = options.isolationLevel === "read_committed" ? 1 : 0;
  const edge = options.autoOffsetReset === "earliest" ? "earliest" : "latest";
  return await Promise.all(
    partitions.map(async (one) => ({
      ...one,
      position: committed.get(keyOf(one)) ?? (await client.edge(one, edge, isolation)),
    })),
  );
}
