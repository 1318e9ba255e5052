/** The problems of the runtime and of its flows, for operators. */
import { endOfHold, heldRoutes } from "../flows/deployment.ts";
import type { LiveFlows } from "../flows/live-flows.ts";
import type { StateStore } from "../state/state-store.ts";
import type { StoreStatus } from "../stores/stores.ts";
import type { PoolStats } from "../threads/flow-pools.ts";
import type { MissingTarget } from "./caused-runs.ts";
import type { KeptTotals } from "./failed/owners.ts";
import type { Metrics } from "./metrics.ts";
import type { MainLoop, ProcessMemory } from "./process-health.ts";
import type { RunHistory } from "./run-history.ts";
import type { RunOwner, RunRecord, RunStatus } from "./run-record.ts";

export const problemCodes = [
  "quarantined",
  "stuck_thread",
  "host_down",
  "main_loop_late",
  "overloaded",
  "lock_lost",
  "failing_route",
  "file_not_deployed",
  "restored",
  "state_set_aside",
  "state_full",
  "state_failing",
  "failed_messages",
  "connection_failing",
  "consumer_failing",
  "messages_overdue",
  "target_missing",
] as const;
export type ProblemCode = (typeof problemCodes)[number];

export interface RuntimeProblem {
  readonly code: ProblemCode;
  readonly message: string;
  readonly flowId?: string;
  readonly routeId?: string;
  /** The name of a file in the routes directory. */
  readonly file?: string;
  /** For a failing route: see FailingRoute. */
  readonly failed?: number;
  readonly of?: number;
  readonly since?: string;
  readonly lastError?: FailingRoute["lastError"];
  /** When the quarantine ends; ISO 8601, UTC. */
  readonly until?: string;
}

/** The 99th percentile of the main loop's lag, in ms, from which on it is a problem. */
const lateMs = 250;

export interface ProblemSources {
  readonly live: LiveFlows;
  readonly metrics: Metrics;
  readonly history: RunHistory;
  readonly mainLoop: MainLoop;
  readonly memory: ProcessMemory;
  stats(): PoolStats;
  /** Returns whether stored data may be changed. */
  store(): StoreStatus;
  readonly state: Pick<StateStore, "problems">;
  /** Returns files of the routes directory that the watch over it could not deploy, or that wait since nothing watches it. */
  files(): readonly { readonly file: string; readonly flowId?: string; readonly message: string }[];
  readonly failed: { readonly totals: Pick<KeptTotals, "entries"> };
  readonly missingTarget: MissingTarget;
  /** Returns the states of named connections. */
  connections(): readonly {
    readonly name: string;
    readonly flowId?: string;
    readonly state: {
      readonly failingSince: string | null;
      readonly lastError: { readonly message: string; readonly at: string } | null;
    };
  }[];
}

/** Returns all problems. `routes`: including failing routes, for which the last runs of all routes are read. */
export function runtimeProblems(sources: ProblemSources, routes: boolean): RuntimeProblem[] {
  const { live, metrics, history, mainLoop, memory, stats, store, state, files, failed, connections } = sources;
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
  problems.push(...state.problems());
  for (const [flowId, { waiting, oldest }] of failed.totals.entries()) {
    if (waiting === 0 || live.get(flowId) === undefined) continue;
    const since = oldest === undefined ? "" : `, the oldest since ${new Date(oldest).toISOString()}`;
    const message = `${waiting} failed messages wait to be retried or discarded${since}: GET /_api/failed?flowId=${flowId}`;
    problems.push({ code: "failed_messages", message, flowId });
  }
  for (const { name, flowId, state } of connections()) {
    const { failingSince, lastError } = state;
    if (failingSince === null) continue;
    const message = `the connection '${name}' cannot be opened since ${failingSince}: ${lastError?.message}`;
    problems.push({
      code: "connection_failing",
      message,
      since: failingSince,
      ...(flowId !== undefined && { flowId }),
    });
  }
  for (const { flowId, routeId, failingSince, attempts, lastError, overdue } of metrics.consumers()) {
    if (overdue > 0) {
      const message = `${overdue} messages of route '${routeId}' are not acknowledged long after the limit of their runs: stop and start the flow`;
      problems.push({ code: "messages_overdue", message, flowId, routeId });
    }
    if (failingSince === null || lastError === null) continue;
    const message = `route '${routeId}' cannot poll since ${failingSince} (${attempts} attempts): ${lastError.message}`;
    problems.push({ code: "consumer_failing", message, flowId, routeId, since: failingSince });
  }
  problems.push(...missingTargets(sources));
  const owners = routes ? [...live.all()].map(({ owner }) => owner) : [];
  for (const route of failingRoutes(owners, history)) {
    const message = `${route.failed} of the last ${route.of} runs of route '${route.routeId}' failed`;
    problems.push({ code: "failing_route", message, ...route });
  }
  const held = [...live.all()].filter((deployment) => heldRoutes(deployment).length > 0);
  if (held.length > 0) {
    const count = held.reduce((sum, deployment) => sum + heldRoutes(deployment).length, 0);
    const message = `the data was restored from a backup: ${count} routes of ${held.length} flows wait; ${endOfHold}`;
    problems.push({ code: "restored", message });
  }
  for (const file of files()) problems.push({ code: "file_not_deployed", ...file });
  if (memory.over) problems.push({ code: "overloaded", message: memory.message });
  return problems;
}

/** The most targets that are listed. */
const mostTargets = 100;

/** Targets of `direct:` that flows send to and that no started route consumes. */
function missingTargets({ live, missingTarget }: Pick<ProblemSources, "live" | "missingTarget">): RuntimeProblem[] {
  const problems: RuntimeProblem[] = [];
  for (const { flowId, manifest } of live.all())
    for (const name of manifest.externalDirects) {
      if (problems.length === mostTargets) return problems;
      if (live.direct(flowId, name) !== undefined) continue;
      const message = `a target of the flow is missing: ${missingTarget(flowId, name)}`;
      problems.push({ code: "target_missing", message, flowId });
    }
  return problems;
}

export interface FailingRoute {
  readonly flowId: string;
  readonly routeId: string;
  /** How many of the last runs failed, and how many these are: at most 20. */
  readonly failed: number;
  readonly of: number;
  /** When the first failed run began since the route worked, as far as the history goes back; ISO 8601, UTC. */
  readonly since: string;
  readonly lastError: { readonly type: string; readonly message: string; readonly at: string } | null;
}

/** Returns a route's runs, newest first, including those under way. */
interface LatestRuns {
  latest(routeId: string): Iterable<RunRecord>;
}

/** How many of a route's last runs are examined. */
const lastRuns = 20;
/** The most characters of a failure's message. */
const mostMessage = 500;

const counted: ReadonlySet<RunStatus> = new Set<RunStatus>(["completed", "failed", "timeout", "killed"]);

/** Returns the routes that fail. `owners`: those of the live deployments. */
export function failingRoutes(owners: Iterable<RunOwner>, history: LatestRuns): FailingRoute[] {
  const failing: FailingRoute[] = [];
  for (const owner of owners) {
    for (const { id } of owner.manifest.routes) {
      const route = failingRoute(id, owner, history);
      if (route !== undefined) failing.push(route);
    }
  }
  return failing;
}

function failingRoute(routeId: string, owner: RunOwner, history: LatestRuns): FailingRoute | undefined {
  let of = 0;
  let failed = 0;
  let newest: RunRecord | undefined;
  for (const record of runsOf(routeId, owner, history)) {
    if (of === lastRuns) break;
    of += 1;
    if (isFailed(record)) {
      failed += 1;
      newest ??= record;
    } else if ((of - failed) * 2 > lastRuns) return undefined;
  }
  if (newest === undefined || !isFailing(failed, of)) return undefined;
  const { error } = newest;
  const at = new Date(newest.startedAt + newest.durationMs).toISOString();
  const lastError = error === null ? null : { type: error.type, message: error.message.slice(0, mostMessage), at };
  const since = new Date(failingSince([...runsOf(routeId, owner, history)])).toISOString();
  return { flowId: owner.flowId, routeId, failed, of, since, lastError };
}

function isFailing(failed: number, of: number): boolean {
  return of < lastRuns ? failed === of : failed * 2 >= of;
}

/** Returns since when the route fails: goes back as long as the route counted as failing after each run. `runs`: newest first. */
function failingSince(runs: readonly RunRecord[]): number {
  let since = 0;
  let failed = runs.slice(0, lastRuns).filter(isFailed).length;
  for (const [i, run] of runs.entries()) {
    if (!isFailing(failed, Math.min(lastRuns, runs.length - i))) break;
    if (isFailed(run)) since = run.startedAt;
    const next = runs[i + lastRuns];
    failed += (next !== undefined && isFailed(next) ? 1 : 0) - (isFailed(run) ? 1 : 0);
  }
  return since;
}

function isFailed({ status }: RunRecord): boolean {
  return status !== "completed";
}

/** Yields the runs that count, newest first. */
function* runsOf(routeId: string, owner: RunOwner, history: LatestRuns): Generator<RunRecord> {
  for (const record of history.latest(routeId)) {
    if (record.owner === owner && counted.has(record.status) && !record.refused) yield record;
  }
}
