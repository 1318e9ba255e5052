/** The counts of one flow, in plain fields, since the end of a run must cost next to nothing. */
import type { FlowManifest } from "../../shared/manifest.ts";
import type { Kill } from "../threads/kill.ts";
import type { MeteredThread, ThreadUse } from "../threads/metered-thread.ts";
import { FlowConsumers } from "./flow-consumers.ts";
import { FlowFigures } from "./flow-figures.ts";
import type { RunRecord, RunStatus } from "./run-record.ts";
import { FlowPeriods, type Memory } from "./usage/flow-periods.ts";

/** Upper bounds in seconds of the buckets of run durations; above the last one is +Inf. */
export const durationBounds: readonly number[] = [
  0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300,
];

/** A kill as the API shows it to operators. */
export interface LastKill extends Kill {
  /** Epoch ms. */
  readonly at: number;
}

export class FlowStats {
  /** true: the flow is installed, and has series. The usage of a deleted flow is kept as long as its periods. */
  installed = false;
  readonly runs: Record<Exclude<RunStatus, "running">, number> = {
    completed: 0,
    failed: 0,
    timeout: 0,
    killed: 0,
    shed: 0,
    cancelled: 0,
  };
  /** Runs per bucket, not cumulated; there is one bucket more than bounds. */
  readonly buckets: number[] = new Array<number>(durationBounds.length + 1).fill(0);
  seconds = 0;
  bytesIn = 0;
  bytesOut = 0;
  /** Runs that began anew. */
  reruns = 0;
  readonly kills = new Map<string, number>();
  lastKill: LastKill | undefined;
  /** Threads that lost their priority. */
  demotions = 0;
  /** Ticks of its timers that found the run before them still under way, or the flow in quarantine. */
  skippedTicks = 0;
  /** What became of failed messages. */
  readonly failedMessages = new Map<string, number>();
  /** Sums over its threads, including those that have ended: CPU time, calls of endpoints outside of the flow, and lifetimes in ms. */
  cpuMs = 0;
  calls = 0;
  threadMs = 0;
  /** The live threads of the flow, each with the time up to which its lifetime is in `threadMs`. */
  readonly threads = new Map<MeteredThread, number>();
  readonly periods = new FlowPeriods();
  readonly figures = new FlowFigures();
  readonly consumers = new FlowConsumers();
  #touched = true;

  runEnded({ routeId, status, durationMs, bytesIn, bytesOut, reruns }: RunRecord): void {
    if (status === "running") return;
    this.#touched = true;
    this.runs[status] += 1;
    this.figures.runEnded(routeId, status);
    this.bytesIn += bytesIn;
    this.bytesOut += bytesOut;
    this.reruns += reruns;
    const seconds = durationMs / 1000;
    this.seconds += seconds;
    let bucket = 0;
    while (bucket < durationBounds.length && seconds > (durationBounds[bucket] ?? 0)) bucket += 1;
    this.buckets[bucket] = (this.buckets[bucket] ?? 0) + 1;
  }

  killed(kill: Kill): void {
    this.#touched = true;
    this.kills.set(kill.reason, (this.kills.get(kill.reason) ?? 0) + 1);
    this.lastKill = { ...kill, at: Date.now() };
  }

  adopted(thread: MeteredThread): void {
    this.threads.set(thread, performance.now());
    void thread.ended.then(() => {
      this.#touched = true;
      this.live(performance.now());
      this.threads.delete(thread);
      this.figures.ended(thread);
      this.consumers.ended(thread);
    });
  }

  /** One of its threads has compiled the flow. */
  compiled(thread: MeteredThread, manifest: FlowManifest): void {
    if (!this.threads.has(thread)) return;
    this.figures.compiled(thread, manifest);
    this.consumers.compiled(thread, manifest);
  }

  used({ cpuMs, calls, demotions }: ThreadUse): void {
    this.#touched = true;
    this.cpuMs += cpuMs;
    this.calls += calls;
    this.demotions += demotions;
    this.periods.reached(this.memory);
  }

  /** The memory of the live threads, as of their last samples. */
  get memory(): Memory {
    let heapBytes = 0;
    let externalBytes = 0;
    for (const { last } of this.threads.keys()) {
      heapBytes += last.heapBytes;
      externalBytes += last.externalBytes;
    }
    return { heapBytes, externalBytes };
  }

  /** Adds the lifetimes of its threads up to `now`, in `performance.now()` time. */
  live(now: number): void {
    for (const [thread, counted] of this.threads) {
      this.threadMs += now - counted;
      this.threads.set(thread, now);
    }
  }

  /** Writes the counters in the order of `usageCounters`. Returns false, and writes nothing, when none can have changed since the last call. */
  counters(into: Float64Array): boolean {
    if (!this.#touched && this.threads.size === 0) return false;
    this.#touched = false;
    const { completed, failed, timeout, killed, shed, cancelled } = this.runs;
    into[0] = this.cpuMs;
    into[1] = this.threadMs;
    into[2] = this.bytesIn;
    into[3] = this.bytesOut;
    into[4] = this.calls;
    into[5] = this.kills.size === 0 ? 0 : sum(this.kills.values());
    into[6] = this.reruns;
    into[7] = this.demotions;
    into[8] = completed;
    into[9] = failed;
    into[10] = timeout;
    into[11] = killed;
    into[12] = shed;
    into[13] = cancelled;
    return true;
  }
}

function sum(numbers: Iterable<number>): number {
  let total = 0;
  for (const one of numbers) total += one;
  return total;
}
