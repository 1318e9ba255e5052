/** What is counted of a flow's usage, in the order in which it stands in memory: one number each. */
export const usageCounters = [
  "cpuMs",
  /** One thread for one millisecond. */
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

/** The most that was seen, not a sum. */
export const usagePeaks = ["heapBytes", "externalBytes"] as const;

export type UsageCounter = (typeof usageCounters)[number];
export type UsagePeak = (typeof usagePeaks)[number];

/** Numbers of one period: counters, then peaks. */
export const usageWidth = usageCounters.length + usagePeaks.length;

/** Adds a period to another, of the same flow (`peaksAdd` false), or of another one. */
export function addPeriod(into: Float64Array, from: Float64Array, at: number, peaksAdd: boolean): void {
  const counters = peaksAdd ? usageWidth : usageCounters.length;
  for (let i = 0; i < counters; i += 1) into[i] = (into[i] as number) + (from[at + i] as number);
  for (let i = counters; i < usageWidth; i += 1) into[i] = Math.max(into[i] as number, from[at + i] as number);
}
