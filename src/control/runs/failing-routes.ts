/**
 * Routes most of whose last runs failed, found in the history when somebody asks: runs pay nothing for it. A run that was shed, cancelled, or
 * refused for its message says nothing about its route and is passed over. A new deployment begins anew.
 */
import type { RunOwner, RunRecord, RunStatus } from "./run-record.ts";

export interface FailingRoute {
  readonly flowId: string;
  readonly routeId: string;
  /** How many of the last runs failed, and how many these are: at most 20. */
  readonly failed: number;
  readonly of: number;
  /** ISO 8601, UTC: the first failed run since the route was well, as far as the history goes back. */
  readonly since: string;
  readonly lastError: { readonly type: string; readonly message: string; readonly at: string } | null;
}

/** A route's runs, newest first, those under way included. */
interface LatestRuns {
  latest(routeId: string): Iterable<RunRecord>;
}

/** Runs of a route that are looked at. */
const lastRuns = 20;
/** Characters of a failure's message. */
const mostMessage = 500;

const counted: ReadonlySet<RunStatus> = new Set<RunStatus>(["completed", "failed", "timeout", "killed"]);

/** `owners`: of the deployments that answer now. */
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

/** `runs`: newest first. Goes back as long as the route would have been found failing after each of them. */
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

/** Those that count, newest first. */
function* runsOf(routeId: string, owner: RunOwner, history: LatestRuns): Generator<RunRecord> {
  for (const record of history.latest(routeId)) {
    if (record.owner === owner && counted.has(record.status) && !record.refused) yield record;
  }
}
