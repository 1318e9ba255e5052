/** What is counted of one flow's runs: plain fields, since a run's end must cost next to nothing. */
import type { RunStatus } from "./run-record.ts";

/** Upper bounds in seconds of the buckets of run durations; above the last one is +Inf. */
export const durationBounds: readonly number[] = [
  0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300,
];

export class FlowStats {
  readonly runs: Record<Exclude<RunStatus, "running">, number> = {
    completed: 0,
    failed: 0,
    timeout: 0,
    killed: 0,
    shed: 0,
    cancelled: 0,
  };
  /** Runs per bucket, not cumulated; one more than there are bounds. */
  readonly buckets: number[] = new Array<number>(durationBounds.length + 1).fill(0);
  seconds = 0;
  readonly kills = new Map<string, number>();
  /** Ticks of its timers that found the run before them still under way, or the flow in quarantine. */
  skippedTicks = 0;

  runEnded(status: RunStatus, durationMs: number): void {
    if (status === "running") return;
    this.runs[status] += 1;
    const seconds = durationMs / 1000;
    this.seconds += seconds;
    let bucket = 0;
    while (bucket < durationBounds.length && seconds > (durationBounds[bucket] ?? 0)) bucket += 1;
    this.buckets[bucket] = (this.buckets[bucket] ?? 0) + 1;
  }
}
