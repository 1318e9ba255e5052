/** Usage by flow, kept in memory: sampled while threads work, reported by period: per flow, per group of flows, or for all. */

import { roundedMs } from "../../../shared/duration.ts";
import { groupOf } from "../../../shared/ids.ts";
import type { FlowDetail, FlowUsage, FlowUsages } from "../../flows/flow-service.ts";
import { within } from "../../threads/waiting.ts";
import { figuresUsage } from "../flow-figures.ts";
import { FlowStats } from "../flow-stats.ts";
import {
  addPeriod,
  hourMs,
  hoursMs,
  minuteMs,
  minutesMs,
  type UsageCounter,
  type UsagePeak,
  usageCounters,
  usagePeaks,
  usageWidth,
} from "./flow-periods.ts";

/** How often working threads are sampled; minutes and hours begin with a sample. */
const lookMs = 10_000;
/** How long to wait for the threads' figures: threads in native code do not answer. */
const refreshMs = 500;

/** How many flows are summed up in one turn of the main loop. */
const togetherFlows = 100;

export interface UsageParts {
  /** Counts by flow id; deleted flows stay as long as they have usage. */
  readonly flows: Map<string, FlowStats>;
  /** How many deleted flows are kept. */
  readonly mostGone: number;
  now(flowId: string): FlowNow;
}

export interface UsageQuery {
  readonly groupBy: UsageGroup;
  /** Epoch ms; absent: as far back as there are counts. */
  readonly since?: number | undefined;
}

export interface UsageReport {
  readonly groupBy: UsageGroup;
  /** The time that the report really covers, ISO 8601 UTC. */
  readonly from: string;
  readonly to: string;
  readonly resolution: "minute" | "hour";
  readonly usage: readonly UsageEntry[];
}

export class Usage implements FlowUsages {
  readonly #parts: UsageParts;
  readonly #startedAt: number;
  /** The time (epoch ms) up to which counters are in periods. */
  #takenAt: number;
  #timer: NodeJS.Timeout | undefined;
  readonly #counters = new Float64Array(usageCounters.length);

  constructor(parts: UsageParts, startedAt = Date.now()) {
    this.#parts = parts;
    this.#startedAt = startedAt;
    this.#takenAt = startedAt;
    this.#schedule();
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  /** Refreshes the figures of the threads of one flow, or of all that have worked. */
  async refresh(flowId?: string): Promise<void> {
    const one = flowId === undefined ? undefined : this.#parts.flows.get(flowId);
    const flows = flowId === undefined ? this.#parts.flows.values() : one === undefined ? [] : [one];
    const looks = [...flows].flatMap(({ threads }) => [...threads.keys()].map((thread) => thread.look()));
    await within(refreshMs, Promise.all(looks));
  }

  async report({ groupBy, since }: UsageQuery): Promise<UsageReport> {
    await this.refresh();
    const to = Date.now();
    this.take(to);
    const from = Math.max(this.#startedAt, Math.min(since ?? 0, to), to - hoursMs + hourMs);
    const byMinute = from > to - minutesMs;
    const stepMs = byMinute ? minuteMs : hourMs;
    const begin = Math.max(this.#startedAt, from - (from % stepMs));
    const periods: [string, FlowStats, Float64Array][] = [];
    for (const [index, [flowId, stats]] of [...this.#parts.flows].entries()) {
      // Lets the main loop do other work.
      if (index % togetherFlows === togetherFlows - 1) await new Promise((resolve) => setImmediate(resolve));
      const sum = new Float64Array(usageWidth);
      stats.periods.sum(byMinute, begin, to, sum);
      if (stats.installed || sum.some((value) => value > 0)) periods.push([flowId, stats, sum]);
    }
    return {
      groupBy,
      from: new Date(begin).toISOString(),
      to: new Date(to).toISOString(),
      resolution: byMinute ? "minute" : "hour",
      usage: usageEntries(groupBy, periods, this.#parts.now),
    };
  }

  of(flowId: string): FlowUsage {
    return flowUsage(this.#parts.flows.get(flowId), this.#parts.now(flowId));
  }

  lastKill(flowId: string): FlowDetail["lastKill"] {
    const kill = this.#parts.flows.get(flowId)?.lastKill;
    if (kill === undefined) return undefined;
    const { reason, detail, at, excess } = kill;
    const limit = excess && { name: excess.limit, allowed: excess.allowed, used: excess.used };
    return { reason, detail, at: new Date(at).toISOString(), ...(limit && { limit }) };
  }

  /** Adds what the counters have gained since the last call to the period that was under way then. */
  take(now: number): void {
    const at = this.#takenAt;
    this.#takenAt = now;
    const monotonic = performance.now();
    for (const stats of this.#parts.flows.values()) {
      stats.live(monotonic);
      if (stats.counters(this.#counters)) stats.periods.take(at, this.#counters, stats.memory);
    }
  }

  #look(): void {
    const now = Date.now();
    this.take(now);
    this.#forget(now);
    void this.refresh();
  }

  /** Forgets deleted flows without usage; when there are too many, the earliest ones. */
  #forget(now: number): void {
    const { flows, mostGone } = this.#parts;
    const gone: string[] = [];
    for (const [flowId, { installed, periods, threads }] of flows) {
      const over = periods.forget(now);
      if (installed || threads.size > 0) continue;
      if (over) flows.delete(flowId);
      else gone.push(flowId);
    }
    for (const flowId of gone.slice(0, Math.max(0, gone.length - mostGone))) flows.delete(flowId);
  }

  #schedule(): void {
    this.#timer = setTimeout(
      () => {
        this.#look();
        this.#schedule();
      },
      lookMs - (Date.now() % lookMs),
    ).unref();
  }
}

/** The current state of a flow in control. */
export interface FlowNow {
  readonly inflight: number;
  readonly queued: number;
  /** How many threads of the current deployment were killed or died. */
  readonly restarts: number;
}

export type UsageGroup = "flow" | "group" | "none";

export interface UsageEntry {
  readonly flowId?: string;
  /** Absent: the flow is installed. */
  readonly deleted?: true;
  readonly group?: string;
  readonly cpuMs: number;
  readonly threadSeconds: number;
  readonly peakHeapBytes: number;
  readonly peakExternalBytes: number;
  readonly runs: FlowStats["runs"];
  readonly reruns: number;
  readonly bytesIn: number;
  readonly bytesOut: number;
  readonly outboundCalls: number;
  readonly kills: number;
  readonly demotions: number;
  readonly now: UsageNow;
}

export type UsageNow = Pick<FlowUsage, "inflight" | "queued" | "threads" | "heapBytes" | "externalBytes">;

/** Makes a flow's usage; zeros for a flow without counts. */
export function flowUsage(stats = new FlowStats(), now: FlowNow): FlowUsage {
  const { runs, cpuMs, reruns, bytesIn, bytesOut, calls, kills } = stats;
  return {
    ...usageNow(stats, now),
    cpuMs: roundedMs(cpuMs),
    runs: { ...runs },
    reruns,
    bytesIn,
    bytesOut,
    outboundCalls: calls,
    kills: Object.fromEntries(kills),
    restarts: now.restarts,
    ...figuresUsage(stats.figures),
  };
}

export type FlowPeriod = readonly [flowId: string, stats: FlowStats, period: Float64Array];

/** Makes the entries, sorted by what they are grouped by. */
export function usageEntries(
  groupBy: UsageGroup,
  flows: readonly FlowPeriod[],
  nowOf: (flowId: string) => FlowNow,
): readonly UsageEntry[] {
  if (groupBy === "none") return [entry({}, flows, nowOf)];
  if (groupBy === "group") {
    const groups = Map.groupBy(flows, ([flowId]) => groupOf(flowId));
    return [...groups].sort(byName).map(([group, of]) => entry({ group }, of, nowOf));
  }
  return [...flows].sort(byName).map((one) => {
    const [flowId, { installed }] = one;
    return entry({ flowId, ...(installed ? {} : { deleted: true as const }) }, [one], nowOf);
  });
}

/** Returns the current figures of a flow. */
function usageNow({ threads, memory }: FlowStats, { inflight, queued }: FlowNow): UsageNow {
  return { inflight, queued, threads: threads.size, ...memory };
}

function entry(
  name: Pick<UsageEntry, "flowId" | "deleted" | "group">,
  flows: readonly FlowPeriod[],
  nowOf: (flowId: string) => FlowNow,
): UsageEntry {
  const sum = new Float64Array(usageWidth);
  const now = { inflight: 0, queued: 0, threads: 0, heapBytes: 0, externalBytes: 0 };
  for (const [flowId, stats, period] of flows) {
    addPeriod(sum, period, 0, true);
    const one = usageNow(stats, nowOf(flowId));
    for (const field of ["inflight", "queued", "threads", "heapBytes", "externalBytes"] as const)
      now[field] += one[field];
  }
  const counted = (counter: UsageCounter): number => sum[usageCounters.indexOf(counter)] ?? 0;
  const peak = (of: UsagePeak): number => sum[usageCounters.length + usagePeaks.indexOf(of)] ?? 0;
  return {
    ...name,
    cpuMs: roundedMs(counted("cpuMs")),
    threadSeconds: roundedMs(counted("threadMs") / 1000),
    peakHeapBytes: peak("heapBytes"),
    peakExternalBytes: peak("externalBytes"),
    runs: {
      completed: counted("completed"),
      failed: counted("failed"),
      timeout: counted("timeout"),
      killed: counted("killed"),
      shed: counted("shed"),
      cancelled: counted("cancelled"),
    },
    reruns: counted("reruns"),
    bytesIn: counted("bytesIn"),
    bytesOut: counted("bytesOut"),
    outboundCalls: counted("calls"),
    kills: counted("killedThreads"),
    demotions: counted("demotions"),
    now,
  };
}

function byName([a]: readonly [string, ...unknown[]], [b]: readonly [string, ...unknown[]]): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
