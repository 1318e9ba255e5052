/** Records that wait for their request to one partition: one request at a time, with all that has come meanwhile. */
import { after } from "../../engine/waiting.ts";
import { bytesOf, type Confirmed, type OutRecord } from "./record.ts";

interface Producer {
  readonly producerId: bigint;
  readonly producerEpoch: number;
}

/** The records of one request. */
export interface Batch {
  readonly records: readonly {
    readonly key: Buffer | null;
    readonly value: Buffer | null;
    readonly headers: OutRecord["headers"];
    readonly timestamp: bigint | undefined;
  }[];
  /** Aborted when nobody waits for the records any more. */
  readonly signal: AbortSignal;
  /** Returns the sender's id and the number of the first record, the same for each attempt. */
  number(newProducer: () => Promise<Producer>): Promise<{ readonly producer: Producer; readonly sequence: number }>;
  /** The next attempt has a new id. */
  restart(): void;
}

interface QueueOptions {
  /** The most bytes of a request. */
  readonly requestBytes: number;
  /** How long the first record waits for others. */
  readonly lingerMs: number;
}

interface Item {
  readonly record: OutRecord;
  readonly bytes: number;
  readonly signal: AbortSignal;
  readonly resolve: (confirmed: Confirmed) => void;
  readonly reject: (error: unknown) => void;
}

const mostRecords = 10_000;
const largestSequence = 0x7fffffff;

export class PartitionQueue {
  readonly #options: QueueOptions;
  readonly #produce: (batch: Batch) => Promise<Confirmed>;
  #items: Item[] = [];
  #sending = false;
  #producer: Producer | undefined;
  #sequence = 0;

  constructor(options: QueueOptions, produce: (batch: Batch) => Promise<Confirmed>) {
    this.#options = options;
    this.#produce = produce;
  }

  /** Resolves when it is confirmed. */
  add(record: OutRecord, signal: AbortSignal): Promise<Confirmed> {
    return new Promise((resolve, reject) => {
      this.#items.push({ record, bytes: bytesOf(record), signal, resolve, reject });
      if (this.#sending) return;
      this.#sending = true;
      // What is added in the same turn goes together.
      if (this.#options.lingerMs > 0) after(this.#options.lingerMs, () => void this.#sendAll());
      else queueMicrotask(() => void this.#sendAll());
    });
  }

  async #sendAll(): Promise<void> {
    while (this.#items.length > 0) await this.#sendSome(this.#take());
    this.#sending = false;
  }

  #take(): readonly Item[] {
    let bytes = 0;
    let count = 0;
    for (const item of this.#items) {
      bytes += item.bytes;
      if (count > 0 && (bytes > this.#options.requestBytes || count >= mostRecords)) break;
      count += 1;
    }
    return this.#items.splice(0, count);
  }

  async #sendSome(items: readonly Item[]): Promise<void> {
    const waiting = items.filter(({ signal, reject }) => {
      if (signal.aborted) reject(signal.reason);
      return !signal.aborted;
    });
    if (waiting.length === 0) return;
    const over = new AbortController();
    let left = waiting.length;
    const leave = waiting.map(({ signal, reject }) => {
      const aborted = (): void => {
        reject(signal.reason);
        left -= 1;
        if (left === 0) over.abort(signal.reason);
      };
      signal.addEventListener("abort", aborted, { once: true });
      return () => signal.removeEventListener("abort", aborted);
    });
    try {
      const { offset, ...confirmed } = await this.#produce(this.#batchOf(waiting, over.signal));
      this.#sequence = (this.#sequence + waiting.length) & largestSequence;
      for (const [index, { resolve }] of waiting.entries())
        resolve({ ...confirmed, offset: offset < 0n ? offset : offset + BigInt(index) });
    } catch (error) {
      // Whether it was written is not known, so that its numbers cannot be used again.
      this.#producer = undefined;
      if (waiting.length > 1 && isOfOneRecord(error)) for (const item of waiting) await this.#sendSome([item]);
      else for (const { reject } of waiting) reject(error);
    } finally {
      for (const end of leave) end();
    }
  }

  #batchOf(items: readonly Item[], signal: AbortSignal): Batch {
    return {
      records: items.map(({ record: { key, value, headers, timestamp } }) => ({ key, value, headers, timestamp })),
      signal,
      number: async (newProducer) => {
        if (this.#producer === undefined) {
          this.#producer = await newProducer();
          this.#sequence = 0;
        }
        return { producer: this.#producer, sequence: this.#sequence };
      },
      restart: () => {
        this.#producer = undefined;
      },
    };
  }
}

/** Whether others of the same request would be accepted without it. */
function isOfOneRecord(error: unknown): boolean {
  return (
    error instanceof Error &&
    /RecordTooLarge|RecordBatchTooLarge|InvalidRecord|InvalidTimestamp/.test(String((error as { type?: unknown }).type))
  );
}
