/** The runtime's counts as a Prometheus registry. Loaded at the first scrape: a start does not wait for the library. */
import { Counter, collectDefaultMetrics, Gauge, Registry } from "prom-client";
import type { LossReason } from "../../shared/protocol.ts";
import type { FlowStats } from "./flow-stats.ts";
import type { MetricSources } from "./metrics.ts";
import { RunDurations } from "./run-durations.ts";

export interface Counts {
  readonly flows: ReadonlyMap<string, FlowStats>;
  /** Log and trace events of threads that never arrived. */
  readonly lost: Readonly<Record<LossReason, { readonly trace: number; readonly log: number }>>;
}

export function createRegistry({ flows, lost }: Counts, sources: MetricSources): Registry {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });

  new Counter({
    name: "bulkhead_runs_total",
    help: "Runs that have ended",
    labelNames: ["flow", "status"],
    registers,
    collect() {
      this.reset();
      for (const [flow, { runs }] of flows) {
        for (const [status, count] of Object.entries(runs)) this.inc({ flow, status }, count);
      }
    },
  });
  new RunDurations(registry, flows);
  new Counter({
    name: "bulkhead_timer_ticks_skipped_total",
    help: "Ticks that found the run before them still under way, the flow in quarantine, or their route replaced by a test session",
    labelNames: ["flow"],
    registers,
    collect() {
      this.reset();
      for (const [flow, { skippedTicks }] of flows) this.inc({ flow }, skippedTicks);
    },
  });
  new Counter({
    name: "bulkhead_kills_total",
    help: "Threads of flows that were killed",
    labelNames: ["flow", "reason"],
    registers,
    collect() {
      this.reset();
      for (const [flow, { kills }] of flows) {
        for (const [reason, count] of kills) this.inc({ flow, reason }, count);
      }
    },
  });
  for (const [name, help, field] of flowGauges) {
    new Gauge({
      name,
      help,
      labelNames: ["flow"],
      registers,
      collect() {
        this.reset();
        for (const gauges of sources.flows()) this.set({ flow: gauges.flowId }, gauges[field]);
      },
    });
  }
  for (const [name, help, value] of gauges) {
    new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(value(sources));
      },
    });
  }
  new Gauge({
    name: "bulkhead_stream_subscribers",
    help: "Readers of an event stream",
    labelNames: ["stream"],
    registers,
    collect() {
      for (const { name, subscribers } of sources.streams()) this.set({ stream: name }, subscribers);
    },
  });
  new Counter({
    name: "bulkhead_events_dropped_total",
    help: "Log and trace events that were not delivered: the thread had no credit, or ended with them, or a reader was too slow (once per reader)",
    labelNames: ["stream", "reason"],
    registers,
    collect() {
      this.reset();
      for (const [reason, { trace, log }] of Object.entries(lost)) {
        this.inc({ stream: "trace", reason }, trace);
        this.inc({ stream: "log", reason }, log);
      }
      for (const { name, dropped } of sources.streams()) this.inc({ stream: name, reason: "slow_consumer" }, dropped);
    },
  });
  new Counter({
    name: "bulkhead_policy_denials_total",
    help: "Calls that a flow's access policy has denied, or, when it only reports, would have",
    labelNames: ["flow", "code", "mode"],
    registers,
    collect() {
      this.reset();
      for (const { count, ...labels } of sources.denials()) this.inc({ ...labels }, count);
    },
  });
  return registry;
}

const flowGauges = [
  ["bulkhead_runs_in_flight", "Runs under way", "inflight"],
  ["bulkhead_runs_queued", "Runs that wait for a thread", "queued"],
  ["bulkhead_flow_threads", "Threads of a flow", "threads"],
  ["bulkhead_bytes_in_flight", "Webhook bodies and answers of a flow that are held in memory", "bytesInFlight"],
] as const;

const gauges: readonly (readonly [name: string, help: string, value: (sources: MetricSources) => number])[] = [
  ["bulkhead_standby_threads", "Blank threads kept ready for deployments", (sources) => sources.standbyThreads()],
  [
    "bulkhead_bytes_in_flight_all_flows",
    "The same of all flows, deleted ones too",
    (sources) => sources.bytesInFlight(),
  ],
  ["bulkhead_test_sessions_open", "Test sessions that are open", (sources) => sources.testSessions()],
  ["bulkhead_idempotency_keys", "Idempotency keys that are known", (sources) => sources.idempotency().size],
  ["bulkhead_idempotency_bytes", "Answers kept under them", (sources) => sources.idempotency().bytes],
];
