/** What of a runtime's limits has been reached since its start, from its metrics. */
import type { words } from "../../words.ts";
import type { Metrics } from "../metrics-text.ts";

type Reached = keyof typeof words.operations.limits.reached;

export interface ReachedLimit {
  /** "": the whole runtime. */
  readonly flowId: string;
  readonly what: Reached;
  /** A further word of the runtime: why a thread was killed, with which code a call was denied. */
  readonly detail: string;
  readonly count: number;
}

interface Source {
  readonly what: Reached;
  readonly series: string;
  /** Only values with these labels. */
  readonly labels?: Readonly<Record<string, string>>;
  /** The labels that are the detail. */
  readonly detail?: readonly string[];
}

const sources: readonly Source[] = [
  { what: "kills", series: "bulkhead_kills_total", detail: ["reason"] },
  { what: "shed", series: "bulkhead_runs_total", labels: { status: "shed" } },
  { what: "timeout", series: "bulkhead_runs_total", labels: { status: "timeout" } },
  { what: "demotions", series: "bulkhead_demotions_total" },
  { what: "ticks", series: "bulkhead_timer_ticks_skipped_total" },
  { what: "denials", series: "bulkhead_policy_denials_total", detail: ["code", "mode"] },
  { what: "dropped", series: "bulkhead_events_dropped_total", detail: ["stream", "reason"] },
  { what: "discarded", series: "bulkhead_failed_messages_total", labels: { event: "dropped" } },
  { what: "overloaded", series: "bulkhead_overloaded" },
];

/** Those that were reached, the most frequent first. */
export function reachedLimits(metrics: Metrics): readonly ReachedLimit[] {
  return sources
    .flatMap(({ what, series, labels: wanted = {}, detail = [] }) =>
      (metrics.get(series) ?? [])
        .filter(
          ({ labels, value }) =>
            value > 0 && Object.entries(wanted).every(([name, expected]) => labels[name] === expected),
        )
        .map(({ labels, value }) => ({
          flowId: labels["flow"] ?? "",
          what,
          detail: detail.map((name) => labels[name] ?? "").join(", "),
          count: value,
        })),
    )
    .sort((a, b) => b.count - a.count);
}
