/** The usage of one flow by minute and by hour. A flow without traffic takes no memory here. */

/** The counters of a flow's usage, in their order in memory: one number each. */
export const usageCounters = [
  "cpuMs",
  /** The lifetimes of threads: one thread for one millisecond counts 1. */
  "threadMs",
  "bytesIn",
  "bytesOut",
  "calls",
  /** How many threads were killed. */
  "killedThreads",
  "reruns",
  "demotions",
  "completed",
  "failed",
  "timeout",
  "killed",
  "shed",
  "cancelled",
] as const;

/** Peaks, not sums. */
export const usagePeaks = ["heapBytes", "externalBytes"] as const;

export type UsageCounter = (typeof usageCounters)[number];
export type UsagePeak = (typeof usagePeaks)[number];

/** How many numbers a period has: counters, then peaks. */
export const usageWidth = usageCounters.length + usagePeaks.length;

/** Adds a period to another, of the same flow (`peaksAdd` false) or of a different one. */
export function addPeriod(into: Float64Array, from: Float64Array, at: number, peaksAdd: boolean): void {
  const counters = peaksAdd ? usageWidth : usageCounters.length;
  for (let i = 0; i < counters; i += 1) into[i] = (into[i] as number) + (from[at + i] as number);
  for (let i = counters; i < usageWidth; i += 1) into[i] = Math.max(into[i] as number, from[at + i] as number);
}

export const minuteMs = 60_000;
export const hourMs = 3_600_000;
/** How long usage is kept by minute, and by hour. */
export const minutesMs = 60 * minuteMs;
export const hoursMs = 7 * 24 * hourMs;

/** The memory of a flow's threads together. */
export interface Memory {
  readonly heapBytes: number;
  readonly externalBytes: number;
}

const heapAt = usageCounters.length;
const externalAt = heapAt + 1;

export class FlowPeriods {
  #minutes: UsageRing | undefined;
  #hours: UsageRing | undefined;
  /** The counters when they were last added to periods. */
  readonly #seen = new Float64Array(usageCounters.length);
  #heapPeak = 0;
  #externalPeak = 0;

  /** Notes how much memory the flow has at the moment. */
  reached({ heapBytes, externalBytes }: Memory): void {
    if (heapBytes > this.#heapPeak) this.#heapPeak = heapBytes;
    if (externalBytes > this.#externalPeak) this.#externalPeak = externalBytes;
  }

  /** Adds what the counters have gained to the minute and the hour of `at` (epoch ms). */
  take(at: number, counters: Float64Array, memory: Memory): void {
    let period: Float64Array | undefined;
    for (let i = 0; i < usageCounters.length; i += 1) {
      const value = counters[i] ?? 0;
      const more = value - (this.#seen[i] ?? 0);
      if (more === 0) continue;
      period ??= new Float64Array(usageWidth);
      period[i] = more;
      this.#seen[i] = value;
    }
    if (period === undefined) return;
    this.reached(memory);
    period[heapAt] = this.#heapPeak;
    period[externalAt] = this.#externalPeak;
    this.#heapPeak = 0;
    this.#externalPeak = 0;
    this.#minutes ??= new UsageRing(minuteMs, 60, 15);
    this.#hours ??= new UsageRing(hourMs, 7 * 24, 24);
    this.#minutes.add(at, period);
    this.#hours.add(at, period);
  }

  /** Adds the usage from `from` to `to` (epoch ms, both rounded to whole steps) to `into`. */
  sum(byMinute: boolean, from: number, to: number, into: Float64Array): void {
    (byMinute ? this.#minutes : this.#hours)?.sum(from, to, into);
  }

  /** Frees what is too old; returns whether nothing is left. */
  forget(now: number): boolean {
    if (this.#minutes?.forget(now - minutesMs) === true) this.#minutes = undefined;
    if (this.#hours?.forget(now - hoursMs) === true) this.#hours = undefined;
    return this.#hours === undefined;
  }
}

interface Block {
  /** The block's number, counted from the epoch. */
  readonly number: number;
  readonly values: Float64Array;
}

/** Usage by steps of equal length, the last `steps` of them. Memory is allocated in blocks, for times with usage. */
export class UsageRing {
  readonly #stepMs: number;
  readonly #perBlock: number;
  readonly #blocks: (Block | undefined)[];

  /** `steps`: how many it covers, the current one included; `perBlock` of them are allocated together. */
  constructor(stepMs: number, steps: number, perBlock: number) {
    this.#stepMs = stepMs;
    this.#perBlock = perBlock;
    this.#blocks = new Array<Block | undefined>(Math.ceil(steps / perBlock) + 1).fill(undefined);
  }

  /** Adds a period to the step that `at` (epoch ms) is in. */
  add(at: number, period: Float64Array): void {
    const step = Math.floor(at / this.#stepMs);
    const number = Math.floor(step / this.#perBlock);
    const place = number % this.#blocks.length;
    let block = this.#blocks[place];
    // The clock was set back: newer blocks stay.
    if (block !== undefined && block.number > number) return;
    if (block?.number !== number) {
      block = { number, values: new Float64Array(this.#perBlock * usageWidth) };
      this.#blocks[place] = block;
    }
    const offset = (step - number * this.#perBlock) * usageWidth;
    const one = block.values.subarray(offset, offset + usageWidth);
    addPeriod(one, period, 0, false);
  }

  /** Adds the steps from the one that `from` is in to that of `to` (epoch ms) to `into`. */
  sum(from: number, to: number, into: Float64Array): void {
    const first = Math.floor(from / this.#stepMs);
    const last = Math.floor(to / this.#stepMs);
    for (const block of this.#blocks) {
      if (block === undefined) continue;
      const begin = block.number * this.#perBlock;
      for (let step = Math.max(first, begin); step <= Math.min(last, begin + this.#perBlock - 1); step += 1)
        addPeriod(into, block.values, (step - begin) * usageWidth, false);
    }
  }

  /** Frees blocks that end before `from` (epoch ms); returns whether none is left. */
  forget(from: number): boolean {
    const first = Math.floor(from / this.#stepMs / this.#perBlock);
    this.#blocks.forEach((block, place) => {
      if (block !== undefined && block.number < first) this.#blocks[place] = undefined;
    });
    return this.#blocks.every((block) => block === undefined);
  }
}
