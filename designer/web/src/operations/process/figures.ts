/** What is measured of the runtime's process, by the names under which it is plotted. */
import { type Metrics, sumOf } from "../metrics-text.ts";

export type Figure =
  | "cpu"
  | "heapUsed"
  | "heapTotal"
  | "external"
  | "resident"
  | "residentMost"
  | "lag"
  | "files"
  | "threads"
  | "busy"
  | "standby"
  | "stuck"
  | "waiting";

const gauges: readonly (readonly [figure: Figure, series: string, labels?: Readonly<Record<string, string>>])[] = [
  ["heapUsed", "nodejs_heap_size_used_bytes"],
  ["heapTotal", "nodejs_heap_size_total_bytes"],
  ["external", "nodejs_external_memory_bytes"],
  ["resident", "process_resident_memory_bytes"],
  ["residentMost", "bulkhead_process_memory_limit_bytes"],
  ["files", "process_open_fds"],
  ["threads", "bulkhead_threads", { state: "live" }],
  ["standby", "bulkhead_threads", { state: "standby" }],
  ["stuck", "bulkhead_threads", { state: "stuck" }],
  ["busy", "bulkhead_busy_threads"],
  ["waiting", "bulkhead_waiting_flows"],
];

/** `rates`: what counters have gained for each ms. What this runtime does not measure is left out. */
export function processFigures(
  metrics: Metrics,
  rates: (counts: ReadonlyMap<string, number>) => ReadonlyMap<string, number>,
): ReadonlyMap<Figure, number> {
  const values = new Map<Figure, number>();
  const set = (figure: Figure, value: number | undefined): void => {
    if (value !== undefined) values.set(figure, value);
  };
  for (const [figure, series, labels] of gauges) set(figure, sumOf(metrics, series, labels));
  const counters = [
    ["cpu", "process_cpu_seconds_total"],
    ["lagSum", "bulkhead_main_loop_lag_seconds_sum"],
    ["lagCount", "bulkhead_main_loop_lag_seconds_count"],
  ].flatMap(([name = "", series = ""]) => {
    const value = sumOf(metrics, series);
    return value === undefined ? [] : [[name, value] as const];
  });
  const gained = rates(new Map(counters));
  const cpu = gained.get("cpu");
  set("cpu", cpu === undefined ? undefined : cpu * 1_000_000);
  const [sum, count] = [gained.get("lagSum"), gained.get("lagCount")];
  if (sum !== undefined && count !== undefined && count > 0) set("lag", (sum / count) * 1000);
  return values;
}
