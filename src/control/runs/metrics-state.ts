/** The series of the state store. */
import { Counter, Gauge, type Registry } from "prom-client";
import { commitBounds } from "../state/work-report.ts";
import type { InstalledFlows, MetricSources } from "./metric-sources.ts";
import { CountedHistogram } from "./metrics-figures.ts";

export function registerState(registry: Registry, flows: InstalledFlows, sources: Pick<MetricSources, "state">): void {
  const registers = [registry];
  /** Flows that have never asked the store have no series. */
  function* counted() {
    for (const [flow] of flows) {
      const counts = sources.state().flows.get(flow);
      if (counts !== undefined) yield { flow, counts };
    }
  }
  for (const [name, help, field] of held) {
    new Gauge({
      name,
      help,
      labelNames: ["flow"],
      registers,
      collect() {
        this.reset();
        for (const { flow, counts } of counted()) this.set({ flow }, counts[field]);
      },
    });
  }
  for (const [name, help, label, field] of asked) {
    new Counter({
      name,
      help,
      labelNames: ["flow", label],
      registers,
      collect() {
        this.reset();
        for (const { flow, counts } of counted()) {
          for (const [value, count] of counts[field]) this.inc({ flow, [label]: value }, count);
        }
      },
    });
  }
  new CountedHistogram(registry, {
    name: "bulkhead_state_commit_seconds",
    help: "Time of the state store's commits, each of which stores what many messages wait for",
    bounds: commitBounds,
    labelNames: [],
    *series() {
      const { buckets, seconds } = sources.state().commits;
      yield { labels: {}, buckets, sum: seconds };
    },
  });
}

const held = [
  ["bulkhead_state_keys", "Keys that a flow's repositories hold", "keys"],
  ["bulkhead_state_bytes", "What a flow's repositories hold, as the limit stateBytes counts", "bytes"],
] as const;

const asked = [
  ["bulkhead_state_operations_total", "Requests of a flow to the state store", "operation", "operations"],
  [
    "bulkhead_state_failures_total",
    "Requests of a flow that the state store has refused at a bound (limit), or could not carry out (disk_full, store_failed)",
    "code",
    "failures",
  ],
] as const;
