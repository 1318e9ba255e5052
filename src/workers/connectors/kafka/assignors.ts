/** How the leader of a group of the older protocol shares out partitions (Java: RangeAssignor, RoundRobinAssignor). */
import { keyOf, type TopicPartition } from "./group.ts";

export interface Subscriber {
  readonly memberId: string;
  /** Members that come again have the same one. */
  readonly instanceId: string | null;
  readonly topics: readonly string[];
}

export type Shares = ReadonlyMap<string, readonly TopicPartition[]>;

/** `counts`: the number of partitions of each topic. */
export function shareOut(
  assignor: "range" | "roundrobin",
  subscribers: readonly Subscriber[],
  counts: ReadonlyMap<string, number>,
): Shares {
  const sorted = subscribers.toSorted(
    (a, b) =>
      Number(a.instanceId === null) - Number(b.instanceId === null) ||
      compare(a.instanceId ?? a.memberId, b.instanceId ?? b.memberId),
  );
  const shares = new Map<string, TopicPartition[]>(sorted.map(({ memberId }) => [memberId, []]));
  const topics = [...new Set(sorted.flatMap((one) => one.topics))].sort(compare);
  if (assignor === "range") for (const topic of topics) shareRange(topic, counts.get(topic) ?? 0, sorted, shares);
  else shareAround(topics, counts, sorted, shares);
  return shares;
}

/** Each member gets neighbouring partitions of each topic; the first ones get one more when they do not come out even. */
function shareRange(
  topic: string,
  count: number,
  sorted: readonly Subscriber[],
  shares: Map<string, TopicPartition[]>,
): void {
  const takers = sorted.filter(({ topics }) => topics.includes(topic));
  const each = Math.floor(count / takers.length);
  const more = count % takers.length;
  let partition = 0;
  for (const [index, { memberId }] of takers.entries())
    for (const end = partition + each + (index < more ? 1 : 0); partition < end; partition += 1)
      shares.get(memberId)?.push({ topic, partition });
}

/** All partitions of all topics go round. */
function shareAround(
  topics: readonly string[],
  counts: ReadonlyMap<string, number>,
  sorted: readonly Subscriber[],
  shares: Map<string, TopicPartition[]>,
): void {
  let next = 0;
  for (const topic of topics)
    for (let partition = 0; partition < (counts.get(topic) ?? 0); partition += 1) {
      while (sorted[next % sorted.length]?.topics.includes(topic) === false) next += 1;
      shares.get(sorted[next % sorted.length]?.memberId ?? "")?.push({ topic, partition });
      next += 1;
    }
}

/** By topic, as requests have it. */
export function byTopic(partitions: readonly TopicPartition[]): { topic: string; partitions: number[] }[] {
  const topics = new Map<string, number[]>();
  for (const { topic, partition } of partitions) {
    const known = topics.get(topic);
    if (known === undefined) topics.set(topic, [partition]);
    else known.push(partition);
  }
  return [...topics].map(([topic, list]) => ({ topic, partitions: list }));
}

export function without(partitions: readonly TopicPartition[], others: readonly TopicPartition[]): TopicPartition[] {
  const keys = new Set(others.map(keyOf));
  return partitions.filter((one) => !keys.has(keyOf(one)));
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
