/** Begins runs: one at a time for each partition, so that its records keep their order, and as many partitions at once as there are credits. */
import { keyOf, rest } from "../../connectors/kafka/group.ts";
import type { InRecord } from "../../connectors/kafka/records.ts";
import { type Deliveries, mostDeliveries } from "../../engine/deliveries.ts";
import type { NewMessage, Offer, Settled } from "../../engine/source.ts";
import type { AssignedPartition } from "./assigned-partition.ts";
import type { ConsumedMessages } from "./consumed-message.ts";
import type { KafkaOptions } from "./options.ts";

export interface DispatchParts {
  readonly options: KafkaOptions;
  readonly offer: Offer;
  readonly messages: ConsumedMessages;
  readonly deliveries: Deliveries;
  readonly partitions: ReadonlyMap<string, AssignedPartition>;
  /** A partition wants further records. */
  readonly next: () => void;
  /** A run is over. */
  readonly finished: () => void;
  readonly commitFailed: (error: unknown) => void;
}

/** Records of one partition that are under way together. */
interface Taken {
  readonly partition: AssignedPartition;
  readonly records: readonly InRecord[];
}

/** The pause before a record is offered again: it doubles with each failure in a row. */
const firstPauseMs = 100;
const mostPauseMs = 5000;

export class Dispatcher {
  readonly #parts: DispatchParts;
  readonly #failures = new WeakMap<AssignedPartition, number>();
  #woken = Promise.withResolvers<void>();
  /** Where the search for the next partition begins, so that all have their turn. */
  #turn = 0;
  /** Since when the first record of the next batch waits. */
  #since: number | undefined;

  constructor(parts: DispatchParts) {
    this.#parts = parts;
  }

  /** Records have come, or a partition is free. */
  wake(): void {
    this.#woken.resolve();
  }

  /** Ends with `signal`; runs under way go on. Rejects when the state store fails. */
  async run(signal: AbortSignal): Promise<void> {
    await this.#parts.deliveries.begin();
    signal.addEventListener("abort", () => this.wake(), { once: true });
    while (!signal.aborted) {
      this.#woken = Promise.withResolvers();
      if (!this.#mayTake()) {
        await this.#rest(signal);
        continue;
      }
      await this.#parts.offer.ready();
      // Meanwhile it may have been let go of.
      if (signal.aborted || !this.#mayTake()) continue;
      const taken = this.#take();
      this.#since = undefined;
      this.#parts.next();
      void this.#offer(taken);
    }
  }

  /** Sleeps until it is woken, and no longer than until a record may be taken again or a batch is complete. */
  async #rest(signal: AbortSignal): Promise<void> {
    const now = performance.now();
    const times = [...this.#parts.partitions.values()].flatMap(({ notBefore, waiting }) =>
      waiting > 0 && notBefore > now ? [notBefore - now] : [],
    );
    if (this.#since !== undefined) times.push(this.#since + this.#batchMs - now);
    if (times.length === 0) return await this.#woken.promise;
    const over = new AbortController();
    await Promise.race([
      this.#woken.promise,
      rest(Math.max(1, Math.min(...times)), AbortSignal.any([signal, over.signal])),
    ]);
    over.abort();
  }

  get #batchMs(): number {
    const { batchingIntervalMs, pollTimeoutMs } = this.#parts.options;
    return batchingIntervalMs ?? pollTimeoutMs;
  }

  #ready(): readonly AssignedPartition[] {
    return [...this.#parts.partitions.values()].filter(({ isReady }) => isReady);
  }

  #mayTake(): boolean {
    const ready = this.#ready();
    if (ready.length === 0) return false;
    const { batching, maxPollRecords } = this.#parts.options;
    if (!batching || this.#parts.deliveries.careful) return true;
    this.#since ??= performance.now();
    const count = ready.reduce((sum, { waiting }) => sum + waiting, 0);
    return count >= maxPollRecords || performance.now() - this.#since >= this.#batchMs;
  }

  #take(): readonly Taken[] {
    const { batching, maxPollRecords } = this.#parts.options;
    // A record that ends its thread is found when it is alone.
    const most = batching && !this.#parts.deliveries.careful ? maxPollRecords : 1;
    const ready = this.#ready();
    this.#turn = (this.#turn + 1) % ready.length;
    const taken: Taken[] = [];
    let left = most;
    for (const partition of [...ready.slice(this.#turn), ...ready.slice(0, this.#turn)]) {
      const records = partition.take(left);
      left -= records.length;
      taken.push({ partition, records });
      if (left === 0) break;
    }
    return taken;
  }

  async #offer(taken: readonly Taken[]): Promise<void> {
    const { deliveries, options, offer } = this.#parts;
    const [first] = taken;
    const key = first === undefined ? "" : `${keyOf(first.partition)}/${first.records[0]?.offset ?? 0n}`;
    let asked = !options.autoCommitEnable;
    let isCommitted = false;
    const commit = (): void => {
      isCommitted = true;
    };
    try {
      const delivery = await deliveries.count(key);
      const isPoison = delivery >= mostDeliveries;
      let settled: Settled;
      try {
        settled = await offer({
          ...this.#messageOf(taken, commit),
          // One that comes again is kept where it is.
          keeps: isPoison || !options.breakOnFirstError,
          ...(isPoison && { failed: { error: deliveries.tooOften(key) } }),
        });
      } finally {
        await deliveries.forget(key, delivery);
      }
      asked &&= !isPoison;
      this.#settle(taken, settled, isPoison, !asked || isCommitted);
    } catch (error) {
      // The state store has failed: the record was not offered, or it is not known how it was.
      this.#parts.commitFailed(error);
      this.#again(taken);
    }
    // Its position is sent before its partition has another turn.
    this.#parts.finished();
    await this.#calm();
  }

  #messageOf(taken: readonly Taken[], commit: () => void): NewMessage {
    const { options, messages } = this.#parts;
    const records = taken.flatMap(({ partition, records: some }) =>
      some.map((record, index) => ({
        ...{ from: partition, record },
        isLast: partition.waiting === 0 && index === some.length - 1,
      })),
    );
    const [first] = records;
    if (options.batching || first === undefined) return messages.ofBatch(records, commit);
    return messages.ofRecord(first, commit);
  }

  #settle(taken: readonly Taken[], settled: Settled, isPoison: boolean, counts: boolean): void {
    const comesAgain = settled.outcome === "failed" && this.#parts.options.breakOnFirstError && !isPoison;
    if (settled.outcome === "lost" || comesAgain) {
      this.#again(taken);
      return;
    }
    for (const { partition, records } of taken) {
      this.#failures.delete(partition);
      partition.finish(records, counts);
    }
  }

  #again(taken: readonly Taken[]): void {
    for (const { partition, records } of taken) {
      const failures = (this.#failures.get(partition) ?? 0) + 1;
      this.#failures.set(partition, failures);
      const most = Math.min(mostPauseMs, firstPauseMs * 2 ** Math.min(failures - 1, 20));
      partition.notBefore = performance.now() + most * (0.8 + Math.random() * 0.4);
      partition.putBack(records);
    }
  }

  /** All that was there when the consumer began is through, and so what was under way at a loss before. */
  async #calm(): Promise<void> {
    const { deliveries, partitions } = this.#parts;
    if (!deliveries.careful) return;
    const all = [...partitions.values()];
    if (all.length > 0 && all.every(({ isPastBegin }) => isPastBegin)) await deliveries.calm().catch(() => {});
  }
}
