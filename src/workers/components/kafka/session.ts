/** A consumer between its joining and its leaving: members, fetches, runs and commits, until one of them fails or it is stopped. */
import type { KafkaClient } from "../../connectors/kafka/client.ts";
import type { Fetched, Fetcher, FetchTarget } from "../../connectors/kafka/fetcher.ts";
import { type GroupListener, keyOf, type Member, rest, type TopicPartition } from "../../connectors/kafka/group.ts";
import { AssignedPartition } from "./assigned-partition.ts";
import { Committer, mostUnconfirmedOf } from "./committer.ts";
import { Dispatcher, type DispatchParts } from "./dispatcher.ts";
import type { KafkaOptions } from "./options.ts";
import { fetchOf, groupOf } from "./session-options.ts";

/** How far a partition was done when the consumer lost it. */
export interface Carried {
  readonly done: bigint;
  readonly committed: bigint | undefined;
}

export interface SessionParts extends Omit<DispatchParts, "next" | "finished" | "partitions"> {
  readonly client: KafkaClient;
  readonly options: KafkaOptions;
  readonly groupId: string;
  readonly instanceId: string;
  readonly topics: () => Promise<readonly string[]>;
  /** Of sessions before, by their keys. */
  readonly carried: Map<string, Carried>;
  /** The partitions that have begun where seekTo says. */
  readonly sought: Set<string>;
  /** It is a member. */
  readonly joined: () => void;
  readonly backlog: (records: number | undefined) => void;
}

export class Session implements GroupListener {
  readonly #parts: SessionParts;
  readonly #partitions = new Map<string, AssignedPartition>();
  readonly #member: Member;
  readonly #fetcher: Fetcher;
  readonly #committer: Committer;
  readonly #dispatcher: Dispatcher;
  readonly #failed = Promise.withResolvers<never>();
  readonly #ending = new AbortController();
  readonly #leaving = new AbortController();

  constructor(parts: SessionParts) {
    const { client, options, groupId } = parts;
    this.#parts = parts;
    this.#failed.promise.catch(() => {});
    this.#member = client.member(options.groupProtocol, groupOf(parts), this);
    this.#fetcher = client.fetcher(fetchOf(options, client.clientRack), {
      wanting: () => this.#wanting(),
      count: () => this.#partitions.size,
      received: (target, fetched) => this.#receive(target, fetched),
      outOfRange: (target) => void this.#reset(target),
    });
    this.#committer = new Committer({
      ...{ client, member: this.#member, groupId },
      commits: options.autoCommitEnable || options.allowManualCommit,
      intervalMs: options.autoCommitIntervalMs,
      timeoutMs: options.commitTimeoutMs,
      partitions: () => this.#partitions.values(),
      confirmed: () => this.#dispatcher.wake(),
      failed: parts.commitFailed,
      gaveUp: (error) => this.#failed.reject(error),
    });
    this.#dispatcher = new Dispatcher({
      ...parts,
      partitions: this.#partitions,
      finished: () => this.#changed(),
      next: () => this.#fetcher.wake(),
    });
  }

  /** Resolves when it has left after `stop`. Rejects when it has failed, and nothing of it is under way. */
  async run(stop: AbortSignal): Promise<void> {
    const stopped = (): void => void this.#stop();
    stop.addEventListener("abort", stopped, { once: true });
    if (stop.aborted) stopped();
    const member = this.#member.run(this.#leaving.signal);
    const fails = (work: Promise<void>): void => void work.catch((error: unknown) => this.#failed.reject(error));
    fails(this.#fetcher.run(this.#ending.signal));
    fails(this.#dispatcher.run(this.#ending.signal));
    try {
      await Promise.race([member, this.#failed.promise]);
    } catch (error) {
      this.#ending.abort();
      await this.#end();
      throw error;
    } finally {
      stop.removeEventListener("abort", stopped);
      this.#leaving.abort();
      this.#committer.end();
      member.catch(() => {});
    }
  }

  /** Takes nothing more, ends what is under way, commits, and leaves. */
  async #stop(): Promise<void> {
    this.#ending.abort();
    await Promise.all([...this.#partitions.values()].map((partition) => partition.close()));
    await this.#committer.flush();
    this.#leaving.abort();
  }

  /** After a failure: what is done is carried into the next session. */
  async #end(): Promise<void> {
    const closed = Promise.all([...this.#partitions.values()].map((partition) => partition.close()));
    await Promise.race([closed, rest(this.#parts.options.maxPollIntervalMs, new AbortController().signal)]);
    for (const [key, { done, committed }] of this.#partitions)
      if (done !== undefined) this.#parts.carried.set(key, { done, committed });
    this.#partitions.clear();
    this.#parts.backlog(undefined);
  }

  assigned(partitions: readonly TopicPartition[]): void {
    const most = mostUnconfirmedOf(this.#parts.options);
    const added = partitions.map((one) => new AssignedPartition(one, most));
    for (const one of added) this.#partitions.set(keyOf(one), one);
    this.#parts.joined();
    if (added.length > 0) void this.#locate(added).catch((error: unknown) => this.#failed.reject(error));
    this.#changed();
  }

  async revoked(partitions: readonly TopicPartition[]): Promise<void> {
    const own = this.#own(partitions);
    await Promise.all(own.map((partition) => partition.close()));
    await this.#committer.flush();
    this.#forget(own);
  }

  lost(partitions: readonly TopicPartition[]): void {
    const own = this.#own(partitions);
    for (const partition of own) {
      const { done, committed } = partition;
      if (done !== undefined) this.#parts.carried.set(keyOf(partition), { done, committed });
      partition.fenced = true;
      void partition.close();
    }
    this.#forget(own);
  }

  #own(partitions: readonly TopicPartition[]): readonly AssignedPartition[] {
    return partitions.map((one) => this.#partitions.get(keyOf(one))).filter((one) => one !== undefined);
  }

  #forget(own: readonly AssignedPartition[]): void {
    for (const one of own) if (this.#partitions.get(keyOf(one)) === one) this.#partitions.delete(keyOf(one));
    this.#changed();
  }

  #wanting(): readonly FetchTarget[] {
    return [...this.#partitions.values()].flatMap(({ wantsRecords, topic, partition, position }) =>
      wantsRecords && position !== undefined ? [{ topic, partition, position }] : [],
    );
  }

  #receive(target: FetchTarget, { records, next, end }: Fetched): void {
    const partition = this.#partitions.get(keyOf(target));
    if (partition === undefined || partition.position !== target.position) return;
    partition.receive(records, next, end);
    this.#changed();
  }

  #changed(): void {
    const partitions = [...this.#partitions.values()];
    this.#parts.backlog(partitions.reduce((sum, { lag }) => sum + lag, 0));
    if (partitions.some(({ uncommitted }) => uncommitted !== undefined)) this.#committer.soon();
    this.#dispatcher.wake();
    this.#fetcher.wake();
  }

  /** Finds out where partitions begin. */
  async #locate(partitions: readonly AssignedPartition[]): Promise<void> {
    const { client, options, groupId, carried, sought } = this.#parts;
    const { identity } = this.#member;
    if (identity === undefined) return;
    const isNewer = options.groupProtocol === "consumer";
    const committed = await client.committed(groupId, identity, isNewer, partitions);
    for (const partition of partitions) {
      const key = keyOf(partition);
      const known = committed.get(key);
      const before = carried.get(key);
      carried.delete(key);
      const seeks = options.seekTo !== undefined && !sought.has(key);
      sought.add(key);
      if (seeks) {
        await this.#beginAt(partition, options.seekTo === "BEGINNING" ? "earliest" : "latest");
      } else if (known === undefined) {
        await this.#beginAt(partition, before?.done ?? this.#edge(partition));
      } else {
        partition.committed = known;
        partition.sent = known;
        // What was done here is not done again, whether it was confirmed or not, unless somebody has moved the position back.
        const isAhead = before !== undefined && before.done > known && known >= (before.committed ?? known);
        await this.#beginAt(partition, isAhead ? before.done : known);
      }
    }
    this.#changed();
  }

  #edge({ topic, partition }: TopicPartition): "earliest" | "latest" {
    const { autoOffsetReset } = this.#parts.options;
    if (autoOffsetReset !== "none") return autoOffsetReset;
    throw new Error(
      `the group '${this.#parts.groupId}' has no position in the partition ${partition} of '${topic}', and autoOffsetReset is none`,
    );
  }

  async #beginAt(partition: AssignedPartition, at: bigint | "earliest" | "latest"): Promise<void> {
    const { client, options } = this.#parts;
    const isolation = options.isolationLevel === "read_committed" ? 1 : 0;
    partition.begin(typeof at === "bigint" ? at : await client.edge(partition, at, isolation));
  }

  /** The records at the position have been deleted, or do not exist any more. */
  async #reset(target: FetchTarget): Promise<void> {
    const partition = this.#partitions.get(keyOf(target));
    if (partition === undefined || partition.closed || partition.position !== target.position) return;
    partition.position = undefined;
    try {
      await this.#beginAt(partition, this.#edge(partition));
      this.#changed();
    } catch (error) {
      this.#failed.reject(error);
    }
  }
}
