/** Makes the entries of a usage report: one per flow, per group of flows, or one for all. */
import { roundedMs } from "../../../shared/duration.ts";
import { groupOf } from "../../../shared/ids.ts";
import type { FlowUsage } from "../../flows/flow-service.ts";
import { figuresUsage } from "../flow-figures.ts";
import { FlowStats } from "../flow-stats.ts";
import { addPeriod, type UsageCounter, type UsagePeak, usageCounters, usagePeaks, usageWidth } from "./flow-periods.ts";

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
