/** What one flow has used, by minute and by hour. A flow without traffic has nothing here. */
import { usageCounters, usageWidth } from "./usage-counters.ts";
import { UsageRing } from "./usage-ring.ts";

export const minuteMs = 60_000;
export const hourMs = 3_600_000;
/** What is kept by minute, and by hour. */
export const minutesMs = 60 * minuteMs;
export const hoursMs = 7 * 24 * hourMs;

/** Of a flow's threads together. */
export interface Memory {
  readonly heapBytes: number;
  readonly externalBytes: number;
}

const heapAt = usageCounters.length;
const externalAt = heapAt + 1;

export class FlowPeriods {
  #minutes: UsageRing | undefined;
  #hours: UsageRing | undefined;
  /** The counters as they were when they were last put into periods. */
  readonly #seen = new Float64Array(usageCounters.length);
  #heapPeak = 0;
  #externalPeak = 0;

  /** It has so much memory at the moment. */
  reached({ heapBytes, externalBytes }: Memory): void {
    if (heapBytes > this.#heapPeak) this.#heapPeak = heapBytes;
    if (externalBytes > this.#externalPeak) this.#externalPeak = externalBytes;
  }

  /** Puts what the counters have gained into the minute and the hour of `at` (epoch ms). */
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

  /** Adds what was used from `from` to `to` (epoch ms, both rounded to whole steps) to `into`. */
  sum(byMinute: boolean, from: number, to: number, into: Float64Array): void {
    (byMinute ? this.#minutes : this.#hours)?.sum(from, to, into);
  }

  /** Gives back what is older than what is kept; true: nothing is left. */
  forget(now: number): boolean {
    if (this.#minutes?.forget(now - minutesMs) === true) this.#minutes = undefined;
    if (this.#hours?.forget(now - hoursMs) === true) this.#hours = undefined;
    return this.#hours === undefined;
  }
}
