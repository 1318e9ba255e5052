/** What flows cost: their CPU time and traffic by prices that the person gives, and their share of all. */
import type { Schemas } from "../../api/runtime.ts";
import { endedRuns } from "../samples.ts";

type Entry = Schemas["UsageEntry"];

/** In a currency of the person's own; 0: not priced. */
export interface Prices {
  readonly cpuHour: number;
  readonly gigabyte: number;
}

export interface UsageRow {
  /** The flow, or the group of flows. */
  readonly id: string;
  readonly isDeleted: boolean;
  readonly cpuMs: number;
  /** Of the CPU time of all; undefined: nothing has used any. */
  readonly share: number | undefined;
  readonly threadSeconds: number;
  /** Heap and outside of it. */
  readonly peakBytes: number;
  readonly bytesNow: number;
  readonly runs: number;
  readonly failed: number;
  readonly cpuPerRun: number | undefined;
  readonly traffic: number;
  readonly calls: number;
  readonly cost: number;
}

const hourMs = 3_600_000;
const gigabyte = 1e9;

export function usageRows(entries: readonly Entry[], { cpuHour, gigabyte: perGigabyte }: Prices): readonly UsageRow[] {
  const allCpu = entries.reduce((sum, { cpuMs }) => sum + cpuMs, 0);
  return entries.map((entry) => {
    const { cpuMs, bytesIn, bytesOut, runs, now } = entry;
    const count = endedRuns(entry);
    const traffic = bytesIn + bytesOut;
    return {
      id: entry.flowId ?? entry.group ?? "",
      isDeleted: entry.deleted === true,
      cpuMs,
      share: allCpu === 0 ? undefined : cpuMs / allCpu,
      threadSeconds: entry.threadSeconds,
      peakBytes: entry.peakHeapBytes + entry.peakExternalBytes,
      bytesNow: now.heapBytes + now.externalBytes,
      runs: count,
      failed: runs.failed + runs.timeout + runs.killed,
      cpuPerRun: count === 0 ? undefined : cpuMs / count,
      traffic,
      calls: entry.outboundCalls,
      cost: (cpuMs / hourMs) * cpuHour + (traffic / gigabyte) * perGigabyte,
    };
  });
}

/** What was kept may be of another version. */
export function readPrices(text: string | undefined): Prices {
  const none: Prices = { cpuHour: 0, gigabyte: 0 };
  try {
    const kept = JSON.parse(text ?? "{}") as Partial<Prices>;
    return { cpuHour: priceOf(kept.cpuHour), gigabyte: priceOf(kept.gigabyte) };
  } catch {
    return none;
  }
}

function priceOf(value: unknown): number {
  return typeof value === "number" && Number.isFinite(value) && value > 0 ? value : 0;
}
