/** Why the runtime is not quite well, flow by flow and as a whole: for whoever operates it. */

import type { LiveFlows } from "../flows/live-flows.ts";
import type { StoreStatus } from "../stores/stores.ts";
import type { PoolStats } from "../threads/flow-pools.ts";
import { type FailingRoute, failingRoutes } from "./failing-routes.ts";
import type { MainLoop } from "./main-loop.ts";
import type { Metrics } from "./metrics.ts";
import type { ProcessMemory } from "./process-memory.ts";
import type { RunHistory } from "./run-history.ts";

export const problemCodes = [
  "quarantined",
  "stuck_thread",
  "host_down",
  "main_loop_late",
  "overloaded",
  "lock_lost",
  "failing_route",
] as const;
export type ProblemCode = (typeof problemCodes)[number];

export interface RuntimeProblem {
  readonly code: ProblemCode;
  readonly message: string;
  readonly flowId?: string;
  readonly routeId?: string;
  /** Of a failing route: see FailingRoute. */
  readonly failed?: number;
  readonly of?: number;
  readonly since?: string;
  readonly lastError?: FailingRoute["lastError"];
  /** ISO 8601, UTC: then it is tried again. */
  readonly until?: string;
}

/** A second in ten in which nothing else is answered. */
const lateMs = 250;

export interface ProblemSources {
  readonly live: LiveFlows;
  readonly metrics: Metrics;
  readonly history: RunHistory;
  readonly mainLoop: MainLoop;
  readonly memory: ProcessMemory;
  stats(): PoolStats;
  /** Whether what is kept may be changed. */
  store(): StoreStatus;
}

/** `routes`: failing ones, too, for which the last runs of all routes are looked at. */
export function runtimeProblems(
  { live, metrics, history, mainLoop, memory, stats, store }: ProblemSources,
  routes: boolean,
): RuntimeProblem[] {
  const problems: RuntimeProblem[] = [];
  for (const { flowId, pool } of live.all()) {
    const { quarantinedMs } = pool;
    if (quarantinedMs === 0) continue;
    const kill = metrics.flows.get(flowId)?.lastKill;
    const why = kill === undefined ? "" : `; the last kill (${kill.reason}): ${kill.detail}`;
    problems.push({
      code: "quarantined",
      message: `the flow is quarantined, its threads having been killed too often${why}`,
      flowId,
      until: new Date(Date.now() + quarantinedMs).toISOString(),
    });
  }
  for (const { flowId, number, sinceMs } of metrics.threads().stuck) {
    const seconds = Math.round(sinceMs / 1000);
    const message = `thread ${number} was ended ${seconds} s ago and is still in native code, which cannot be interrupted`;
    problems.push({ code: "stuck_thread", message, flowId });
  }
  for (const { group, pids, restarts } of stats().hosts) {
    if (restarts === 0 || pids.length > 0) continue;
    problems.push({ code: "host_down", message: `the host process of group '${group}' has ended; another one boots` });
  }
  if (mainLoop.lateMs > lateMs) {
    const message = `the main loop came ${Math.round(mainLoop.lateMs)} ms late to one turn of a hundred in the last ten seconds`;
    problems.push({ code: "main_loop_late", message });
  }
  const { lost = false, reason = "" } = store();
  if (lost) problems.push({ code: "lock_lost", message: reason });
  const owners = routes ? [...live.all()].map(({ owner }) => owner) : [];
  for (const route of failingRoutes(owners, history)) {
    const message = `${route.failed} of the last ${route.of} runs of route '${route.routeId}' failed`;
    problems.push({ code: "failing_route", message, ...route });
  }
  if (memory.over) problems.push({ code: "overloaded", message: memory.message });
  return problems;
}
