/** One flow's usage by minute and by hour. A flow without traffic takes no memory here. */
import { usageCounters, usageWidth } from "./usage-counters.ts";
import { UsageRing } from "./usage-ring.ts";

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
