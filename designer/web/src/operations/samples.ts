/**
 * Figures of a runtime over time. From the first visit of the screen they are taken as long as the page is open and
 * visible, and kept for an hour.
 */
import { orThrow } from "../../../../src/client/client.ts";
import { type Polled, polled } from "../api/polled.ts";
import { runtimeOf, type Schemas } from "../api/runtime.ts";
import type { Metrics } from "./metrics-text.ts";
import { readMetrics } from "./metrics-text.ts";
import { Rates, TimeSeries } from "./plot/time-series.ts";
import { processFigures } from "./process/figures.ts";

export const everyMs = 5000;
const most = 720;

export interface Samples {
  /** By flow, in ms of CPU a second. */
  readonly cpu: TimeSeries;
  /** By flow, in bytes. */
  readonly memory: TimeSeries;
  /** By flow, a minute. */
  readonly runs: TimeSeries;
  /** By flow, in bytes a second, in and out. */
  readonly traffic: TimeSeries;
  /** Of the process, by the names of `processFigures`. */
  readonly process: TimeSeries;
  /** As they were last answered. */
  readonly metrics: Metrics;
}

const sampled = new Map<string, Polled<Samples>>();

/** `target`: its name. */
export function samplesOf(target: string): Polled<Samples> {
  const known = sampled.get(target);
  if (known !== undefined) return known;
  const samples = polled({ load: sampler(target), everyMs, isVisible: () => !document.hidden });
  sampled.set(target, samples);
  // It goes on while other screens are open.
  samples.subscribe(() => {});
  return samples;
}

function sampler(target: string): (signal: AbortSignal) => Promise<Samples> {
  const [cpu, memory, runs, traffic, process] = [series(), series(), series(), series(), series()];
  const rates = { cpu: new Rates(), runs: new Rates(), traffic: new Rates(), process: new Rates() };
  return async (signal) => {
    const runtime = runtimeOf(target);
    const [{ usage }, text] = await Promise.all([
      orThrow(runtime.GET("/_api/usage", { signal })),
      orThrow(runtime.GET("/_api/metrics", { parseAs: "text", signal })),
    ]);
    const at = Date.now();
    const metrics = readMetrics(String(text));
    const flows = usage.filter(({ deleted }) => deleted !== true);
    const rate = (of: "cpu" | "runs" | "traffic", eachMs: number, value: (entry: Entry) => number) =>
      scaled(rates[of].take(at, byFlow(flows, value)), eachMs);
    cpu.add(
      at,
      rate("cpu", 1000, ({ cpuMs }) => cpuMs),
    );
    runs.add(
      at,
      rate("runs", 60_000, (entry) => endedRuns(entry)),
    );
    traffic.add(
      at,
      rate("traffic", 1000, ({ bytesIn, bytesOut }) => bytesIn + bytesOut),
    );
    memory.add(
      at,
      byFlow(flows, ({ now }) => now.heapBytes + now.externalBytes),
    );
    process.add(
      at,
      processFigures(metrics, (counts) => rates.process.take(at, counts)),
    );
    return { cpu, memory, runs, traffic, process, metrics };
  };
}

type Entry = Schemas["UsageEntry"];

export function endedRuns({ runs }: Pick<Entry, "runs">): number {
  return Object.values(runs).reduce((sum, count) => sum + count, 0);
}

function series(): TimeSeries {
  return new TimeSeries(most);
}

function byFlow(entries: readonly Entry[], value: (entry: Entry) => number): ReadonlyMap<string, number> {
  return new Map(entries.map((entry) => [entry.flowId ?? "", value(entry)]));
}

function scaled(values: ReadonlyMap<string, number>, factor: number): ReadonlyMap<string, number> {
  return new Map([...values].map(([name, value]) => [name, value * factor]));
}
