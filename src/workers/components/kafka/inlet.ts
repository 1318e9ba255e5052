/** A consumer between its joining and its leaving: its membership, fetches and commits, until one of them fails or it is closed. */
import type { KafkaClient } from "../../connectors/kafka/client.ts";
import type { Fetched, Fetcher, FetchTarget } from "../../connectors/kafka/fetcher.ts";
import { type GroupListener, keyOf, type Member, type TopicPartition } from "../../connectors/kafka/group.ts";
import type { Ended, Inlet, InletOpening } from "../../engine/attended/attended.ts";
import { unlessAborted } from "../../engine/waiting.ts";
import { AssignedPartition } from "./assigned-partition.ts";
import { boundsOf, Committer } from "./committer.ts";
import type { ConsumedMessages } from "./consumed-message.ts";
import { KeyOrder } from "./key-order.ts";
import { NextRecords } from "./next-records.ts";
import type { KafkaOptions } from "./options.ts";
import { fetchOf, groupOf } from "./session-options.ts";
import { KafkaTaken } from "./taken.ts";

/** How far a partition was done when the consumer lost it. */
export interface Carried {
  readonly done: bigint;
  readonly committed: bigint | undefined;
}

export interface InletParts {
  readonly client: KafkaClient;
  readonly options: KafkaOptions;
  readonly messages: ConsumedMessages;
  readonly groupId: string;
  readonly instanceId: string;
  readonly topics: () => Promise<readonly string[]>;
  /** Of sessions before, by their keys. */
  readonly carried: Map<string, Carried>;
  /** The partitions that have begun where seekTo says. */
  readonly sought: Set<string>;
  readonly commitFailed: (error: unknown) => void;
}

export class KafkaInlet implements GroupListener, Inlet<KafkaTaken> {
  readonly #parts: InletParts;
  readonly #opening: InletOpening;
  readonly #partitions = new Map<string, AssignedPartition>();
  readonly #member: Member;
  readonly #fetcher: Fetcher;
  readonly #committer: Committer;
  readonly #next: NextRecords;
  readonly #joined = Promise.withResolvers<void>();
  /** Aborted with the failure of one of them. */
  readonly #failed = new AbortController();
  readonly #ending = new AbortController();
  readonly #leaving = new AbortController();
  readonly #consumers: readonly object[];
  #assigned = 0;
  /** Resolves when it is a member no more. */
  #membership: Promise<void> = Promise.resolve();

  private constructor(parts: InletParts, opening: InletOpening) {
    const { client, options, groupId } = parts;
    this.#parts = parts;
    this.#opening = opening;
    this.#consumers = Array.from({ length: options.consumersCount }, () => ({}));
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
      // After a loss of the thread, the next one may be near.
      gathers: () => boundsOf(options).window > 1 && !opening.careful,
      most: boundsOf(options).unconfirmedRecords,
      timeoutMs: options.commitTimeoutMs,
      partitions: () => this.#partitions.values(),
      confirmed: () => this.#next.wake(),
      failed: parts.commitFailed,
      gaveUp: (error) => this.#fail(error),
    });
    this.#next = new NextRecords({ options, partitions: this.#partitions, careful: () => opening.careful });
  }

  /** Resolves when it is a member of the group. */
  static async open(parts: InletParts, opening: InletOpening): Promise<KafkaInlet> {
    const inlet = new KafkaInlet(parts, opening);
    inlet.#begin();
    try {
      await unlessAborted(inlet.#joined.promise, AbortSignal.any([opening.signal, inlet.#failed.signal]));
      return inlet;
    } catch (error) {
      await inlet.close();
      throw error;
    }
  }

  async take(most: number, stop: AbortSignal): Promise<readonly KafkaTaken[]> {
    const { options, messages } = this.#parts;
    const next = await this.#next.take(most, stop);
    this.#fetcher.wake();
    return next.map((parts) => new KafkaTaken(parts, options, messages));
  }

  settle(ended: readonly Ended<KafkaTaken>[]): void {
    for (const { taken, outcome } of ended) taken.settle(outcome);
    // Positions are sent before their partitions have another turn.
    this.#changed();
  }

  /** Takes nothing more, commits, and leaves. After a failure what is done is carried into the next inlet. */
  async close(): Promise<void> {
    this.#ending.abort();
    const partitions = [...this.#partitions.values()];
    await Promise.all(partitions.map((partition) => partition.close()));
    if (this.#failed.signal.aborted) for (const partition of partitions) this.#carry(partition);
    else await this.#committer.flush();
    this.#leaving.abort();
    this.#committer.end();
    await this.#membership;
    this.#partitions.clear();
    this.#opening.backlog(undefined);
  }

  /** All that was there when the consumer began is through, and so what was under way at a loss before. */
  caughtUp(): boolean {
    const all = [...this.#partitions.values()];
    return all.length > 0 && all.every(({ isPastBegin }) => isPastBegin);
  }

  #begin(): void {
    const fails = (work: Promise<void>): Promise<void> => work.catch((error: unknown) => this.#fail(error));
    this.#membership = fails(this.#member.run(this.#leaving.signal));
    void fails(this.#fetcher.run(this.#ending.signal));
  }

  #fail(error: unknown): void {
    const failure = this.#parts.client.failure(error);
    this.#failed.abort(failure);
    this.#opening.fail(failure);
  }

  #carry(partition: AssignedPartition): void {
    const { done, committed } = partition;
    if (done !== undefined) this.#parts.carried.set(keyOf(partition), { done, committed });
  }

  assigned(partitions: readonly TopicPartition[]): void {
    const { options } = this.#parts;
    const bounds = boundsOf(options);
    const added = partitions.map((one) => {
      const order = options.orderedBy === undefined ? undefined : new KeyOrder(options.orderedBy);
      return new AssignedPartition(one, this.#nextConsumer(), bounds, order);
    });
    for (const one of added) this.#partitions.set(keyOf(one), one);
    this.#joined.resolve();
    if (added.length > 0) void this.#locate(added).catch((error: unknown) => this.#fail(error));
    this.#changed();
  }

  /** Partitions go to the consumers in turn. */
  #nextConsumer(): object {
    const consumers = this.#consumers;
    this.#assigned = (this.#assigned + 1) % consumers.length;
    return consumers[this.#assigned] as object;
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
      this.#carry(partition);
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
    this.#opening.backlog(partitions.reduce((sum, { lag }) => sum + lag, 0));
    if (partitions.some(({ uncommitted }) => uncommitted !== undefined)) this.#committer.soon();
    this.#next.wake();
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
      this.#fail(error);
    }
  }
}
