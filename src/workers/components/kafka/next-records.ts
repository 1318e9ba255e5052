/** Which records come next: one of each partition at a time, so that they keep their order, and partitions in turn. */
import { inTime } from "../../engine/waiting.ts";
import type { AssignedPartition } from "./assigned-partition.ts";
import type { KafkaOptions } from "./options.ts";
import type { Part } from "./taken.ts";

export interface NextParts {
  readonly options: KafkaOptions;
  readonly partitions: ReadonlyMap<string, AssignedPartition>;
  /** true: records come alone, so that one that ends its thread is found. */
  readonly careful: () => boolean;
}

export class NextRecords {
  readonly #parts: NextParts;
  #woken = Promise.withResolvers<void>();
  /** Where the search for the next partition begins, so that all have their turn. */
  #turn = 0;
  /** Since when the first record of the next batch waits. */
  #since: number | undefined;

  constructor(parts: NextParts) {
    this.#parts = parts;
  }

  /** Records have come, or a partition is free. */
  wake(): void {
    this.#woken.resolve();
  }

  /** Resolves with the records of at most so many messages: of a batch with one message. Resolves with none when `stop` is aborted. */
  async take(most: number, stop: AbortSignal): Promise<readonly (readonly Part[])[]> {
    const wake = (): void => this.wake();
    stop.addEventListener("abort", wake, { once: true });
    try {
      while (!stop.aborted) {
        this.#woken = Promise.withResolvers();
        const ready = this.#ready();
        if (this.#mayTake(ready)) return this.#takeOf(ready, most);
        await this.#rest(stop);
      }
      return [];
    } finally {
      stop.removeEventListener("abort", wake);
    }
  }

  /** Sleeps until it is woken, and no longer than until a batch is complete. */
  async #rest(stop: AbortSignal): Promise<void> {
    if (this.#since === undefined) return await this.#woken.promise;
    const ms = Math.max(1, this.#since + this.#batchMs - performance.now());
    await inTime(this.#woken.promise, ms, stop).catch(() => {});
  }

  get #batchMs(): number {
    const { batchingIntervalMs, pollTimeoutMs } = this.#parts.options;
    return batchingIntervalMs ?? pollTimeoutMs;
  }

  get #isBatch(): boolean {
    return this.#parts.options.batching && !this.#parts.careful();
  }

  /** The partitions that may begin, from the next in turn on. */
  #ready(): readonly AssignedPartition[] {
    const ready = [...this.#parts.partitions.values()].filter(
      ({ isReady, isIdle }) => isReady && (isIdle || !this.#parts.careful()),
    );
    if (ready.length < 2) return ready;
    this.#turn = (this.#turn + 1) % ready.length;
    return [...ready.slice(this.#turn), ...ready.slice(0, this.#turn)];
  }

  #mayTake(ready: readonly AssignedPartition[]): boolean {
    if (ready.length === 0) return false;
    if (!this.#isBatch) return true;
    this.#since ??= performance.now();
    const count = ready.reduce((sum, { waiting }) => sum + waiting, 0);
    return count >= this.#parts.options.maxPollRecords || performance.now() - this.#since >= this.#batchMs;
  }

  #takeOf(ready: readonly AssignedPartition[], most: number): readonly (readonly Part[])[] {
    this.#since = undefined;
    if (!this.#isBatch) return ready.slice(0, most).map((partition) => [{ partition, records: partition.take(1) }]);
    const parts: Part[] = [];
    let left = this.#parts.options.maxPollRecords;
    for (const partition of ready) {
      const records = partition.take(left);
      left -= records.length;
      parts.push({ partition, records });
      if (left === 0) break;
    }
    return [parts];
  }
}
