/**
 * The runtime's counts as a Prometheus registry. Loaded at the first scrape, so that a start does not wait for the
 * library.
 */
import { Counter, collectDefaultMetrics, Gauge, Registry } from "prom-client";
import { durationBounds, type FlowStats } from "./flow-stats.ts";
import type { InstalledFlows, MetricSources, RunCounts } from "./metric-sources.ts";
import { registerConnections } from "./metrics-connections.ts";
import { registerConsumers } from "./metrics-consumers.ts";
import { CountedHistogram, registerFigures } from "./metrics-figures.ts";
import { registerState } from "./metrics-state.ts";
import { lagBounds } from "./process-health.ts";

export function createRegistry({ flows: all, lost }: RunCounts, sources: MetricSources): Registry {
  const flows: InstalledFlows = { [Symbol.iterator]: () => all.entries().filter(([, { installed }]) => installed) };
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
  new CountedHistogram(registry, {
    name: "bulkhead_run_duration_seconds",
    help: "Time from a run's start to its end, waiting included",
    bounds: durationBounds,
    labelNames: ["flow"],
    *series() {
      for (const [flow, { buckets, seconds }] of flows) yield { labels: { flow }, buckets, sum: seconds };
    },
  });
  new CountedHistogram(registry, {
    name: "bulkhead_main_loop_lag_seconds",
    help: "How late the main loop came to what was due, sampled 50 times a second",
    bounds: lagBounds,
    labelNames: [],
    *series() {
      const { buckets, seconds } = sources.mainLoop;
      yield { labels: {}, buckets, sum: seconds };
    },
  });
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
  for (const [name, help, value] of flowCounters) {
    new Counter({
      name,
      help,
      labelNames: ["flow"],
      registers,
      collect() {
        this.reset();
        for (const [flow, stats] of flows) this.inc({ flow }, value(stats));
      },
    });
  }
  for (const [name, help, value] of flowMemory) {
    new Gauge({
      name,
      help,
      labelNames: ["flow"],
      registers,
      collect() {
        this.reset();
        for (const [flow, stats] of flows) this.set({ flow }, value(stats));
      },
    });
  }
  new Gauge({
    name: "bulkhead_threads",
    help: "Threads of all flows: those that have one, those that stand by, and of the first those that have not ended a second after their kill",
    labelNames: ["state"],
    registers,
    collect() {
      for (const [state, count] of Object.entries(sources.threads())) this.set({ state }, count);
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
    name: "bulkhead_embedded_restarts_total",
    help: "Processes of embedded databases that have ended by themselves or were killed",
    registers,
    collect() {
      this.reset();
      this.inc(sources.embedded().reduce((sum, { restarts }) => sum + restarts, 0));
    },
  });
  new Counter({
    name: "bulkhead_host_restarts_total",
    help: "Host processes that have ended by themselves or were killed",
    registers,
    collect() {
      this.reset();
      this.inc(sources.stats().hostRestarts);
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
  new Counter({
    name: "bulkhead_failed_messages_total",
    help: "Messages of failed runs: kept, equal to one that is kept (repeated), dropped to make room or for age, not kept for a fault, retried well (retried) or not (retry_failed); tick: runs of clocks that failed, which have no message",
    labelNames: ["flow", "event"],
    registers,
    collect() {
      this.reset();
      for (const [flow, { failedMessages }] of flows)
        for (const [event, count] of failedMessages) this.inc({ flow, event }, count);
    },
  });
  new Gauge({
    name: "bulkhead_failed_messages",
    help: "Messages of failed runs that wait, and those of which a run is under way",
    labelNames: ["flow", "state"],
    registers,
    collect() {
      this.reset();
      for (const [flow, { waiting, retrying }] of sources.failedMessages()) {
        this.set({ flow, state: "waiting" }, waiting);
        this.set({ flow, state: "retrying" }, retrying);
      }
    },
  });
  new Gauge({
    name: "bulkhead_failed_message_bytes",
    help: "What the failed messages of a flow take in its state",
    labelNames: ["flow"],
    registers,
    collect() {
      this.reset();
      for (const [flow, { bytes }] of sources.failedMessages()) this.set({ flow }, bytes);
    },
  });
  registerFigures(registry, flows);
  registerConsumers(registry, flows);
  registerState(registry, flows, sources);
  registerConnections(registry, sources);
  return registry;
}

type OfFlow = readonly (readonly [name: string, help: string, value: (stats: FlowStats) => number])[];

const flowCounters: OfFlow = [
  ["bulkhead_cpu_seconds_total", "CPU time of a flow's threads, their boot included", ({ cpuMs }) => cpuMs / 1000],
  ["bulkhead_thread_seconds_total", "Lives of a flow's threads together", ({ threadMs }) => threadMs / 1000],
  ["bulkhead_bytes_in_total", "Bodies that runs began with", ({ bytesIn }) => bytesIn],
  ["bulkhead_bytes_out_total", "Bodies of the answers of a flow's webhooks and paths", ({ bytesOut }) => bytesOut],
  ["bulkhead_outbound_calls_total", "Calls of endpoints that leave the flow", ({ calls }) => calls],
  ["bulkhead_reruns_total", "Runs begun anew, their thread being lost for another run", ({ reruns }) => reruns],
  ["bulkhead_demotions_total", "Times that a thread of a flow lost its priority", ({ demotions }) => demotions],
];

const flowMemory: OfFlow = [
  ["bulkhead_heap_bytes", "V8's heaps of a flow's threads, as they were last seen", ({ memory }) => memory.heapBytes],
  [
    "bulkhead_external_bytes",
    "Memory of a flow's threads outside of their heaps, as it was last seen",
    ({ memory }) => memory.externalBytes,
  ],
];

const flowGauges = [
  ["bulkhead_runs_in_flight", "Runs under way", "inflight"],
  ["bulkhead_runs_queued", "Runs that wait for a thread", "queued"],
  ["bulkhead_flow_threads", "Threads of a flow", "threads"],
  ["bulkhead_bytes_in_flight", "Webhook bodies and answers of a flow that are held in memory", "bytesInFlight"],
] as const;

const gauges: readonly (readonly [name: string, help: string, value: (sources: MetricSources) => number])[] = [
  ["bulkhead_busy_threads", "Threads that have runs of callers", (sources) => sources.stats().busyThreads],
  ["bulkhead_waiting_flows", "Flows that wait for their turn to run", (sources) => sources.stats().waitingFlows],
  ["bulkhead_hosts", "Groups of flows that have a host process", (sources) => sources.stats().hosts.length],
  [
    "bulkhead_host_memory_bytes",
    "Resident memory of host processes together",
    (sources) => sources.stats().hosts.reduce((sum, { memoryBytes }) => sum + memoryBytes, 0),
  ],
  [
    "bulkhead_embedded_processes",
    "Groups of connections whose embedded databases are open",
    (sources) => sources.embedded().filter(({ pid }) => pid !== undefined).length,
  ],
  [
    "bulkhead_embedded_memory_bytes",
    "Resident memory of the processes of embedded databases together",
    (sources) => sources.embedded().reduce((sum, { memoryBytes }) => sum + memoryBytes, 0),
  ],
  [
    "bulkhead_process_memory_limit_bytes",
    "Resident memory above which nothing new begins",
    ({ memory }) => memory.most,
  ],
  ["bulkhead_overloaded", "1: nothing new begins, for want of memory", ({ memory }) => (memory.over ? 1 : 0)],
  ["bulkhead_standby_threads", "Blank threads kept ready for deployments", (sources) => sources.standbyThreads()],
  [
    "bulkhead_bytes_in_flight_all_flows",
    "Webhook bodies and answers of all flows that are held in memory, deleted flows too",
    (sources) => sources.bytesInFlight(),
  ],
  ["bulkhead_test_sessions_open", "Test sessions that are open", (sources) => sources.testSessions()],
  ["bulkhead_idempotency_keys", "Idempotency keys that are known", (sources) => sources.idempotency().size],
  [
    "bulkhead_idempotency_bytes",
    "Bytes of the answers that are kept under idempotency keys",
    (sources) => sources.idempotency().bytes,
  ],
];
