/**
 * Fetches records of the partitions that want some: one request at a time for each broker. A partition asks for more when it
 * has none left, so that no more is in memory than one answer for each, all of them together within the limit.
 */
import { rest, unlessAborted } from "../../engine/waiting.ts";
import type { Cluster } from "./cluster.ts";
import { keyOf, type TopicPartition } from "./group.ts";
import { type ClusterMetadata, errorName, inner, mayPass, type RecordsBatch } from "./library.ts";
import { type Pauses, pauseAfter } from "./pauses.ts";
import { type InRecord, readRecords } from "./records.ts";

export interface FetchOptions {
  /** The most bytes of an answer, and of all that is in memory. */
  readonly mostBytes: number;
  readonly mostPartitionBytes: number;
  readonly leastBytes: number;
  readonly waitMs: number;
  /** How long brokers have for an answer, beside that wait. */
  readonly answerMs: number;
  /** 1: only what transactions have committed. */
  readonly isolation: 0 | 1;
  readonly clientRack: string | undefined;
  readonly pauses: Pauses;
}

export interface FetchTarget extends TopicPartition {
  /** The next offset. */
  readonly position: bigint;
}

export interface Fetched {
  readonly records: readonly InRecord[];
  /** The next offset behind them. */
  readonly next: bigint;
  /** The offset behind the last record that the partition has. */
  readonly end: bigint;
}

export interface FetchListener {
  /** Those that have no records left. */
  wanting(): readonly FetchTarget[];
  /** How many partitions there are in all. */
  count(): number;
  received(target: FetchTarget, fetched: Fetched): void;
  /** The partition does not have that offset. */
  outOfRange(target: FetchTarget): void;
}

interface PartitionAnswer {
  readonly partitionIndex: number;
  readonly errorCode: number;
  readonly highWatermark: bigint;
  readonly lastStableOffset: bigint;
  readonly abortedTransactions: readonly { readonly producerId: bigint; readonly firstOffset: bigint }[] | null;
  readonly records: readonly RecordsBatch[] | null;
}

interface FetchAnswer {
  readonly responses: readonly { readonly topicId: string; readonly partitions: readonly PartitionAnswer[] }[];
}

const offsetOutOfRange = 1;
/** The wait for new records when other partitions may want some before: they would have to wait, too. */
const shortWaitMs = 25;
/** After this many failures of a broker in a row it is taken for gone. */
const mostFailures = 4;

export class Fetcher {
  readonly #cluster: Cluster;
  readonly #options: FetchOptions;
  readonly #listener: FetchListener;
  /** Brokers with a request under way. */
  readonly #asked = new Set<number>();
  readonly #failures = new Map<number, number>();
  readonly #failed = new AbortController();
  #woken = Promise.withResolvers<void>();
  #isStale = false;

  constructor(cluster: Cluster, options: FetchOptions, listener: FetchListener) {
    this.#cluster = cluster;
    this.#options = options;
    this.#listener = listener;
  }

  /** Partitions want records. */
  wake(): void {
    this.#woken.resolve();
  }

  /** Ends with `signal`. Rejects when brokers cannot be reached any more. */
  async run(signal: AbortSignal): Promise<void> {
    signal.addEventListener("abort", () => this.wake(), { once: true });
    while (!signal.aborted) {
      this.#woken = Promise.withResolvers();
      const wanting = this.#listener.wanting();
      if (wanting.length > 0) await this.#askAll(wanting, signal);
      await unlessAborted(this.#woken.promise, this.#failed.signal);
    }
  }

  async #askAll(wanting: readonly FetchTarget[], signal: AbortSignal): Promise<void> {
    const topics = [...new Set(wanting.map(({ topic }) => topic))];
    const isStale = this.#isStale;
    this.#isStale = false;
    const metadata = await this.#cluster.metadata(topics, { fresh: isStale, creates: true });
    const byLeader = new Map<number, FetchTarget[]>();
    for (const target of wanting) {
      const leader = metadata.topics.get(target.topic)?.partitions[target.partition]?.leader ?? -1;
      byLeader.set(leader, [...(byLeader.get(leader) ?? []), target]);
    }
    for (const [leader, targets] of byLeader) {
      if (leader < 0) this.#later(signal);
      else if (!this.#asked.has(leader)) void this.#ask(leader, targets, metadata, signal);
    }
  }

  /** Leaders are being elected. */
  #later(signal: AbortSignal): void {
    this.#isStale = true;
    void rest(this.#options.pauses.mostMs, signal).then(() => this.wake());
  }

  async #ask(
    node: number,
    targets: readonly FetchTarget[],
    metadata: ClusterMetadata,
    signal: AbortSignal,
  ): Promise<void> {
    this.#asked.add(node);
    try {
      await this.#fetch(node, targets, metadata, signal);
      this.#failures.delete(node);
    } catch (error) {
      if (signal.aborted) return;
      this.#isStale = true;
      const failures = (this.#failures.get(node) ?? 0) + 1;
      this.#failures.set(node, failures);
      if (failures >= mostFailures || !mayPass(error)) return this.#failed.abort(error);
      await rest(pauseAfter(error, failures, this.#options.pauses), signal);
    } finally {
      this.#asked.delete(node);
      this.wake();
    }
  }

  async #fetch(
    node: number,
    targets: readonly FetchTarget[],
    metadata: ClusterMetadata,
    signal: AbortSignal,
  ): Promise<void> {
    const { mostBytes, mostPartitionBytes, leastBytes, waitMs, isolation, clientRack } = this.#options;
    const each = Math.max(16_384, Math.floor(mostBytes / Math.max(1, this.#listener.count())));
    const isWhole = targets.length === this.#listener.count();
    const ids = new Map([...metadata.topics].map(([name, topic]) => [name, topic?.id ?? ""]));
    const topicsOf = (version: number): object[] =>
      [...Map.groupBy(targets, ({ topic }) => topic)].map(([topic, list]) => ({
        topicId: version <= 12 ? topic : ids.get(topic),
        partitions: list.map(({ partition, position }) => ({
          ...{ partition, currentLeaderEpoch: -1, fetchOffset: position, lastFetchedEpoch: -1 },
          partitionMaxBytes: Math.min(mostPartitionBytes, each),
        })),
      }));
    let isByName = false;
    const answer = await this.#cluster
      .askWith<FetchAnswer>("Fetch", node, (version) => {
        isByName = version <= 12;
        const wait = isWhole ? waitMs : Math.min(waitMs, shortWaitMs);
        return [wait, leastBytes, mostBytes, isolation, 0, -1, topicsOf(version), [], clientRack ?? ""];
      })
      .then(({ answer: whole }) => whole)
      .catch((error: unknown) => this.#partOf(error));
    if (signal.aborted) return;
    const names = new Map([...ids].map(([name, id]) => [isByName ? name : id, name]));
    for (const { topicId, partitions } of answer.responses)
      for (const one of partitions) this.#take(targets, names.get(topicId) ?? topicId, one);
  }

  /** Some partitions of the answer have failed. Throws what concerns all of them. */
  #partOf(error: unknown): FetchAnswer {
    const answer = (inner(error)[0] as { readonly response?: FetchAnswer } | undefined)?.response;
    if (answer?.responses === undefined) throw error;
    const name = errorName(error);
    if (name !== "OFFSET_OUT_OF_RANGE") {
      this.#isStale = true;
      const isAlone = answer.responses.every(({ partitions }) => partitions.every(({ errorCode }) => errorCode !== 0));
      if (isAlone) throw error;
    }
    return answer;
  }

  #take(targets: readonly FetchTarget[], topic: string, answer: PartitionAnswer): void {
    const { partitionIndex, errorCode, highWatermark, lastStableOffset, records, abortedTransactions } = answer;
    const key = keyOf({ topic, partition: partitionIndex });
    const target = targets.find((one) => keyOf(one) === key);
    if (target === undefined) return;
    if (errorCode === offsetOutOfRange) this.#listener.outOfRange(target);
    if (errorCode !== 0) return;
    const isCommitted = this.#options.isolation === 1;
    const end = isCommitted ? lastStableOffset : highWatermark;
    const aborted = isCommitted ? (abortedTransactions ?? []) : [];
    this.#listener.received(target, { ...readRecords(records ?? [], target.position, aborted), end });
  }
}
