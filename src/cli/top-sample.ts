/** What flows use, at one moment and a second: the figures of `top`. */
import { type BulkheadClient, type components, orThrow } from "../client/index.ts";

/** The counts of all flows at one moment. */
export interface Sample {
  /** When it was taken: epoch ms, and ms of a clock that is never set. */
  readonly at: number;
  readonly clockMs: number;
  readonly flows: readonly components["schemas"]["FlowSummary"][];
}

/** A flow between two samples. Rates are undefined where there is nothing to compare. */
export interface FlowFigures {
  readonly id: string;
  readonly state: string;
  /** 100: one processor. */
  readonly cpuPercent: number | undefined;
  readonly memoryBytes: number;
  readonly runsPerSecond: number | undefined;
  readonly errorsPerSecond: number | undefined;
  /** Since the runtime's start: runs that failed, timed out, were killed or were not accepted. */
  readonly errors: number;
  readonly threads: number;
  readonly inflight: number;
  readonly queued: number;
  /** ISO 8601, UTC: when the first of its clocks begins a run; undefined: none does. */
  readonly nextRun: string | undefined;
}

/** Rejects with UnreachableError, ApiError, and an AbortError when `signal` is aborted. */
export async function takeSample(api: BulkheadClient, signal: AbortSignal): Promise<Sample> {
  const flows = await orThrow(api.GET("/_api/flows", { params: { query: { usage: true } }, signal }));
  return { at: Date.now(), clockMs: performance.now(), flows };
}

export function figuresOf(now: Sample, before: Sample | undefined): FlowFigures[] {
  const earlier = new Map(before?.flows.map((flow) => [flow.id, countsOf(flow)]));
  const seconds = before === undefined ? 0 : (now.clockMs - before.clockMs) / 1000;
  return now.flows.map((flow) => {
    const counts = countsOf(flow);
    const last = earlier.get(flow.id);
    const { heapBytes = 0, externalBytes = 0, threads = 0, inflight = 0, queued = 0 } = flow.usage ?? {};
    return {
      id: flow.id,
      state: flow.state,
      cpuPercent: rate(counts.cpuMs, last?.cpuMs, seconds * 10),
      memoryBytes: heapBytes + externalBytes,
      runsPerSecond: rate(counts.runs, last?.runs, seconds),
      errorsPerSecond: rate(counts.errors, last?.errors, seconds),
      errors: counts.errors,
      threads,
      inflight,
      queued,
      nextRun: flow.routes.flatMap(({ nextRun = [] }) => nextRun).sort()[0],
    };
  });
}

function countsOf({ usage }: Sample["flows"][number]): Record<"cpuMs" | "runs" | "errors", number> {
  const { completed = 0, failed = 0, timeout = 0, killed = 0, shed = 0, cancelled = 0 } = usage?.runs ?? {};
  const errors = failed + timeout + killed + shed;
  return { cpuMs: usage?.cpuMs ?? 0, runs: errors + completed + cancelled, errors };
}

/** A count that is lower than before began anew, with another start of the runtime: there is nothing to compare. */
function rate(now: number, before: number | undefined, by: number): number | undefined {
  return before === undefined || now < before || by <= 0 ? undefined : (now - before) / by;
}
