/** Builds what begins, records and counts runs. */
import type { AppOptions } from "./app-options.ts";
import { forgetGone } from "./flows/kept-state.ts";
import { LiveFlows } from "./flows/live-flows.ts";
import { AnnouncedRuns, Calls, type MissingTarget } from "./runs/caused-runs.ts";
import { FailedKeeper } from "./runs/failed/failed-keeper.ts";
import { FailedRetries } from "./runs/failed/failed-retries.ts";
import type { FlowOwners } from "./runs/failed/owners.ts";
import { FailureLog } from "./runs/failure-log.ts";
import type { DenialCount, MetricSources } from "./runs/metric-sources.ts";
import { Metrics } from "./runs/metrics.ts";
import { MainLoop, ProcessMemory } from "./runs/process-health.ts";
import { RunHistory } from "./runs/run-history.ts";
import { Runner } from "./runs/runner.ts";
import { Usage } from "./runs/usage/usage.ts";
import { createStateStore } from "./state/state-store.ts";
import { LogHub } from "./streams/log-hub.ts";
import { TraceHub } from "./streams/trace-hub.ts";
import type { PoolStats } from "./threads/flow-pools.ts";
import { IdempotencyKeys } from "./triggers/idempotency.ts";

/** What parts that are built later know: figures are asked for at each scrape of the metrics. */
export interface LaterParts {
  poolStats(): PoolStats;
  /** The number of open test sessions. */
  openSessions(): number;
  denials(): Iterable<DenialCount>;
  connections: MetricSources["connections"];
  embedded: MetricSources["embedded"];
  /** The flows that exist. */
  owners(): FlowOwners;
  missingTarget: MissingTarget;
}

export type RunParts = ReturnType<typeof buildRuns>;

export function buildRuns(options: AppOptions, later: LaterParts) {
  const { limits, sink } = options;
  const logs = new LogHub(sink, limits);
  const traces = new TraceHub(limits);
  const history = new RunHistory(limits);
  const live = new LiveFlows();
  /** The bytes of requests and of unread answers of all flows. */
  const total = { inFlight: 0, most: limits.totalBytesInFlight };
  const keys = new IdempotencyKeys(limits);
  const state = createStateStore({
    directory: options.stateDirectory,
    entry: options.stateEntry,
    limits,
    refusal: options.stateRefusal,
    dataKeys: options.dataKeys,
    log: (level, message) => logs.runtime(level, message),
    opened: (owners) => void forgetGone(owners, { state, store: options.store, live }),
  });
  const mainLoop = new MainLoop();
  const memory = new ProcessMemory(limits.processMemoryBytes, (over, message) =>
    logs.runtime(over ? "ERROR" : "INFO", message),
  );
  const metrics = new Metrics({
    mainLoop,
    memory,
    flows: () =>
      [...live.all()].map(({ flowId, pool, bytes }) => ({
        flowId,
        bytesInFlight: bytes.inFlight,
        inflight: pool.inflight,
        queued: pool.queued,
        threads: pool.threads,
      })),
    standbyThreads: () => later.poolStats().standby,
    threads() {
      const { live: ofFlows, stuck } = metrics.threads();
      return { live: ofFlows, standby: later.poolStats().standby, stuck: stuck.length };
    },
    stats: () => later.poolStats(),
    bytesInFlight: () => total.inFlight,
    idempotency: () => keys,
    state: () => state.counts,
    denials: () => later.denials(),
    connections: () => later.connections(),
    embedded: () => later.embedded(),
    testSessions: () => later.openSessions(),
    failedMessages: () => failed.totals.entries(),
    streams: () => [
      { name: "trace", subscribers: traces.subscriberCount, dropped: traces.dropped },
      { name: "log", subscribers: logs.subscriberCount, dropped: logs.dropped },
    ],
  });
  const usage = new Usage({
    flows: metrics.flows,
    mostGone: limits.usageGoneFlows,
    now(flowId) {
      const { inflight = 0, queued = 0, restarts = 0 } = live.get(flowId)?.pool ?? {};
      return { inflight, queued, restarts };
    },
  });
  const failures = new FailureLog((level, message, about) => logs.runtime(level, message, about));
  const owners: FlowOwners = { of: (flowId) => later.owners().of(flowId), ids: () => later.owners().ids() };
  const failed = new FailedKeeper({
    store: state,
    owners,
    limits,
    log: (level, message, about) => logs.runtime(level, message, about),
    count: (flowId, event, by) => metrics.failedMessages(flowId, event, by),
  });
  const runner = new Runner({ history, traces, metrics, logs, failures, failed });
  const retries = new FailedRetries({
    store: state,
    runner,
    live: (flowId) => live.get(flowId),
    log: (level, message, about) => logs.runtime(level, message, about),
  });
  const calls = new Calls(live, runner, (callerId, name) => later.missingTarget(callerId, name));
  const announced = new AnnouncedRuns(live, runner);
  const parts = {
    logs,
    traces,
    history,
    live,
    total,
    keys,
    mainLoop,
    memory,
    metrics,
    usage,
    failures,
    state,
    failed,
    retries,
    owners,
  };
  return { ...parts, runner, calls, announced };
}
