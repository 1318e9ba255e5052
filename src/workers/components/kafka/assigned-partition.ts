/** A partition that the consumer has: the records that wait, what is under way, and how far all before is done. */
import type { TopicPartition } from "../../connectors/kafka/group.ts";
import type { InRecord } from "../../connectors/kafka/records.ts";
import type { KeyOrder } from "./key-order.ts";

/** A commit that was sent: its offset, and its number among the commits of the partition. */
export interface SentCommit {
  readonly offset: bigint;
  readonly number: number;
  /** The records of the partition that were done then. */
  readonly finished: number;
}

export interface PartitionBounds {
  /** The most messages that are under way. */
  readonly window: number;
  /** With so many commits, or records that are under way or done, without a confirmation the next record waits. */
  readonly unconfirmedCommits: number;
  readonly unconfirmedRecords: number;
}

export class AssignedPartition implements TopicPartition {
  readonly topic: string;
  readonly partition: number;
  /** The offset of the next record that is fetched; undefined: it is not known where to begin. */
  position: bigint | undefined;
  /** The offset behind the last record that the partition has; undefined: nothing was fetched yet. */
  end: bigint | undefined;
  /** The end when it was fetched first: records before were there when the consumer began. */
  firstEnd: bigint | undefined;
  /** What is committed: the offset of the lowest record that is not done. */
  committed: bigint | undefined;
  /** What was sent to be committed. */
  sent: bigint | undefined;
  /** true: it takes nothing more. */
  closed = false;
  /** true: it belongs to another consumer; nothing is committed. */
  fenced = false;
  #waiting: InRecord[] = [];
  /** The first offset of each message that is under way, in the order in which they were taken. */
  #underWay: bigint[] = [];
  /** true: records were put back, and all that is under way is, before any is taken again. */
  #isReturning = false;
  /** The offset behind the records that are done, without a gap. */
  #done: bigint | undefined;
  #idle: (() => void)[] = [];
  /** How many commits were sent, and the number of the last one that was confirmed. */
  #sends = 0;
  #confirmed = 0;
  /** Records that are done, and those of them whose position is confirmed. */
  #finished = 0;
  #secured = 0;
  /** Those that were done at the last commit that was sent. */
  #sentFinished = 0;
  /** What its runs wait in. */
  readonly consumer: object;
  /** Present: its runs wait for those of their group alone. */
  readonly order: KeyOrder | undefined;
  readonly #bounds: PartitionBounds;

  constructor({ topic, partition }: TopicPartition, consumer: object, bounds: PartitionBounds, order?: KeyOrder) {
    this.topic = topic;
    this.partition = partition;
    this.consumer = consumer;
    this.order = order;
    this.#bounds = bounds;
  }

  get done(): bigint | undefined {
    return this.#done;
  }

  get wantsRecords(): boolean {
    return !this.closed && this.position !== undefined && this.#waiting.length < this.#bounds.window;
  }

  /** Whether a run may begin with its next record. */
  get isReady(): boolean {
    const { window, unconfirmedCommits, unconfirmedRecords } = this.#bounds;
    if (this.closed || this.#waiting.length === 0 || this.#underWay.length >= window) return false;
    if (this.#isReturning && this.#underWay.length > 0) return false;
    const comeAgain = this.#underWay.length + this.#finished - this.#secured;
    return this.#sends - this.#confirmed < unconfirmedCommits && comeAgain < unconfirmedRecords;
  }

  /** true: none of its messages is under way. */
  get isIdle(): boolean {
    return this.#underWay.length === 0;
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  /** Whether all is through that was there when the consumer began. */
  get isPastBegin(): boolean {
    return this.firstEnd !== undefined && this.#done !== undefined && this.#done >= this.firstEnd;
  }

  /** How many records it has that are not done. */
  get lag(): number {
    if (this.end === undefined) return 0;
    const from = this.#done ?? this.position ?? this.end;
    return Number(this.end > from ? this.end - from : 0n);
  }

  /** What is to be committed; undefined: nothing new is done. */
  get uncommitted(): bigint | undefined {
    return this.fenced || this.#done === undefined || this.#done === this.sent ? undefined : this.#done;
  }

  /** How many records are done since something was sent to be committed. */
  get unsent(): number {
    return this.#finished - this.#sentFinished;
  }

  /** What is done is sent to be committed. */
  send(offset: bigint): SentCommit {
    this.sent = offset;
    this.#sentFinished = this.#finished;
    this.#sends += 1;
    return { offset, number: this.#sends, finished: this.#finished };
  }

  /** The broker has it, and with it all that was sent before. */
  confirm({ offset, number, finished }: SentCommit): void {
    if (number <= this.#confirmed) return;
    this.#confirmed = number;
    this.#secured = finished;
    this.committed = offset;
  }

  /** It has failed: what is done is to be sent again. */
  unsend({ offset }: SentCommit): void {
    if (this.sent === offset) this.sent = this.committed;
  }

  /** Begins, or begins anew, with the record at `offset`. */
  begin(offset: bigint): void {
    this.#waiting = [];
    this.position = offset;
    this.#done = offset;
  }

  receive(records: readonly InRecord[], next: bigint, end: bigint): void {
    if (this.closed) return;
    // Nothing but markers of transactions, and what compaction has left out.
    if (records.length === 0 && this.#underWay.length === 0 && this.#done === this.position) this.#done = next;
    this.#waiting.push(...records);
    this.position = next;
    this.end = end;
    this.firstEnd ??= end;
  }

  take(most: number): readonly InRecord[] {
    const taken = this.#waiting.splice(0, most);
    this.#isReturning = false;
    if (taken[0] !== undefined) this.#underWay.push(taken[0].offset);
    return taken;
  }

  /** Puts the records of a message back, since its run did not begin or has failed. Messages end in the order in which they were taken. */
  putBack(records: readonly InRecord[]): void {
    this.#underWay.shift();
    const first = records[0]?.offset;
    if (first !== undefined && this.closed) {
      if (this.position === undefined || first < this.position) this.position = first;
    } else if (first !== undefined) {
      this.#isReturning = true;
      const behind = this.#waiting.findIndex(({ offset }) => offset > first);
      this.#waiting.splice(behind < 0 ? this.#waiting.length : behind, 0, ...records);
    }
    this.#ended();
  }

  /** The run of the oldest message is over, which had these records. `counts`: what is committed moves on. */
  finish(records: readonly InRecord[], counts: boolean): void {
    this.#underWay.shift();
    const last = records.at(-1);
    if (counts && last !== undefined) {
      this.#finished += records.length;
      this.#done = this.#underWay[0] ?? this.#waiting[0]?.offset ?? this.position ?? last.offset + 1n;
    }
    this.#ended();
  }

  /** Takes nothing more, and forgets what waits. Resolves when nothing is under way. */
  async close(): Promise<void> {
    this.closed = true;
    // Records that have not begun are not behind it any more.
    this.position = this.#waiting[0]?.offset ?? this.position;
    this.#waiting = [];
    if (this.#underWay.length > 0) await new Promise<void>((resolve) => this.#idle.push(resolve));
  }

  #ended(): void {
    if (this.#underWay.length === 0) for (const resolve of this.#idle.splice(0)) resolve();
  }
}
