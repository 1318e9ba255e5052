/** Passes the events of threads on to the streams, the log and the metrics, with the flow, the route and the run that each belongs to. */
import { roundedMs } from "../shared/duration.ts";
import type { StepManifest } from "../shared/manifest.ts";
import { levels, type WireError } from "../shared/protocol.ts";
import type { LogEvent } from "../shared/trace-event.ts";
import type { Permits } from "./connections/permits.ts";
import type { DeployerEvents } from "./flows/deploy-order.ts";
import type { LiveFlows } from "./flows/live-flows.ts";
import type { RouteControl } from "./flows/route-control.ts";
import type { AnnouncedRuns, Calls } from "./runs/caused-runs.ts";
import type { Metrics } from "./runs/metrics.ts";
import type { RunHistory } from "./runs/run-history.ts";
import { RunningRun } from "./runs/running-run.ts";
import type { ThreadState } from "./state/thread-state.ts";
import type { LogHub } from "./streams/log-hub.ts";
import type { TraceHub } from "./streams/trace-hub.ts";
import type { Invocation } from "./threads/invocation.ts";
import type { PoolEvents } from "./threads/pooled-flow.ts";
import type { IdempotencyKeys } from "./triggers/idempotency.ts";

export interface NewsParts {
  readonly logs: LogHub;
  readonly traces: TraceHub;
  readonly metrics: Metrics;
  /** Built after the pools, which it needs. */
  readonly calls: Calls;
  readonly announced: AnnouncedRuns;
  readonly routes: RouteControl;
  readonly threadState: ThreadState;
  readonly permits: Permits;
}

export function poolEvents(parts: NewsParts): PoolEvents {
  const { logs, traces, metrics, calls, announced, routes, threadState, permits } = parts;
  return {
    log(flowId, invocation, step, level, logger, message, marker) {
      const run = runOf(invocation);
      const ts = new Date().toISOString();
      const name = levels[level] as LogEvent["level"];
      if (run === undefined) logs.log({ ts, level: name, message, logger: logger || flowId, flowId });
      else {
        const { record, runId, traceId } = run;
        const stepManifest = record.owner.manifest.steps[step];
        const routeId = stepManifest?.routeId ?? record.routeId;
        const stepId = stepManifest?.id ?? "";
        const testSessionId = record.testSessionId ?? undefined;
        logs.log({
          ts,
          level: name,
          message,
          logger: logger || routeId,
          marker: marker || undefined,
          flowId,
          routeId,
          stepId,
          runId,
          traceId,
          testSessionId,
        });
      }
    },
    trace(flowId, invocation, { type, step, at, durationMs, details }, worker) {
      const run = runOf(invocation);
      if (run === undefined || !traces.watched) return;
      const { record, runId, traceId, spanId } = run;
      const manifest = record.owner.manifest.steps[step];
      traces.publish({
        type,
        ts: new Date(at).toISOString(),
        flowId,
        routeId: manifest?.routeId ?? record.routeId,
        runId,
        traceId,
        spanId,
        stepId: manifest?.id ?? "",
        stepType: manifest?.type ?? "",
        line: manifest?.at.line ?? 0,
        worker,
        ...(record.testSessionId === null ? {} : { testSessionId: record.testSessionId }),
        ...(momentary.has(type) ? {} : { durationMs: roundedMs(durationMs) }),
        ...details,
        ...(details.error !== undefined && { error: placed(details.error, manifest) }),
      });
    },
    call(_flowId, invocation, call) {
      const run = runOf(invocation);
      if (run !== undefined) calls.start(run, call);
    },
    route(invocation, ask) {
      const run = runOf(invocation);
      if (run !== undefined) routes.ask(run.deployment, ask);
    },
    announced: (pool, run) => announced.start(pool, run),
    state: (pool, request) => threadState.ask(pool, request),
    groups: (pool, request) => threadState.askGroups(pool, request),
    permits: (pool, request) => permits.ask(pool, request),
    source({ flowId, manifest }, thread, routeIndex, failure) {
      const route = manifest.routes[routeIndex];
      if (route?.trigger.kind !== "source") throw new Error("a source is that of a route of its flow");
      metrics.source(flowId, thread, route.id, failure);
    },
    abandoned: (pool, claimant) => threadState.abandon(pool, claimant),
    lost(flowId, reason, events) {
      metrics.eventsLost(reason, events.logs, events.traces);
      traces.lost(flowId, reason, events.traces);
      logs.lost(flowId, reason, events.logs);
    },
    adopted: (flowId, thread) => metrics.adopted(flowId, thread),
    used: (flowId, use) => metrics.used(flowId, use),
    compiled: (flowId, thread, manifest) => metrics.compiled(flowId, thread, manifest),
    killed(flowId, kill, quarantinedMs) {
      const { reason, detail } = kill;
      metrics.killed(flowId, kill);
      logs.runtime("ERROR", `a thread was killed (${reason}): ${detail}`, { flowId });
      if (quarantinedMs === undefined) return;
      const message = `the flow is quarantined for ${Math.round(quarantinedMs / 1000)} s: its threads had to be killed too often`;
      logs.runtime("ERROR", message, { flowId });
      traces.publish({ type: "flow.quarantined", ts: new Date().toISOString(), flowId, message });
    },
  };
}

/** Passes the events of the deployer on in the same way. */
export function deployerEvents({
  logs,
  traces,
  metrics,
  history,
  keys,
}: Omit<NewsParts, "calls" | "announced" | "routes" | "threadState" | "permits"> & {
  readonly history: RunHistory;
  readonly keys: IdempotencyKeys;
}): DeployerEvents {
  const ts = (): string => new Date().toISOString();
  return {
    deployed({ flowId, hash, revision, manifest }, durationMs) {
      history.flowDeployed(flowId);
      metrics.flowDeployed(flowId);
      const routes = manifest.routes.map(({ id }) => id).join(", ");
      logs.runtime("INFO", `revision ${revision} serves after ${durationMs.toFixed(1)} ms: ${routes}`, { flowId });
      traces.publish({ type: "deploy.completed", ts: ts(), flowId, hash, revision, durationMs });
    },
    failed(flowId, message, reported) {
      if (reported !== true) logs.runtime("WARN", `not deployed: ${message}`, { flowId });
      traces.publish({ type: "deploy.failed", ts: ts(), flowId, message });
    },
    warned: (flowId, message) => logs.runtime("WARN", message, { flowId }),
    stopped: (flowId) => logs.runtime("INFO", "stopped", { flowId }),
    deleted(flowId) {
      history.flowDeleted(flowId);
      metrics.flowDeleted(flowId);
      keys.forget(flowId);
      logs.runtime("INFO", "deleted", { flowId });
    },
  };
}

/** Logs routes that are started, suspended or stopped one by one. */
export function logRouteStates(live: LiveFlows, logs: LogHub): void {
  live.onRoutes(({ flowId, manifest, states }, routeIndexes) => {
    for (const index of routeIndexes) {
      const routeId = manifest.routes[index]?.id ?? "";
      logs.runtime("INFO", `route '${routeId}' is ${states.get(index)}`, { flowId, routeId });
    }
  });
}

/** Every invocation is a RunningRun of the runner here. */
function runOf(invocation: Invocation | undefined): RunningRun | undefined {
  return invocation instanceof RunningRun ? invocation : undefined;
}

/** Events of a step that take no time. */
const momentary: ReadonlySet<string> = new Set(["step.started", "branch.taken", "retry.scheduled", "failure.handled"]);

/** Adds the place of an error, which a thread does not send when it is that of the event. */
function placed(error: WireError, step: StepManifest | undefined): WireError {
  return { ...error, stepId: error.stepId ?? step?.id ?? null, line: error.line ?? step?.at.line ?? null };
}
