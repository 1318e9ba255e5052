/** The counters of a flow's usage, in their order in memory: one number each. */
export const usageCounters = [
  "cpuMs",
  /** One thread for one millisecond counts 1. */
  "threadMs",
  "bytesIn",
  "bytesOut",
  "calls",
  /** Threads that were killed. */
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
