/** A revision of a flow with the threads that run it, and which of its routes run or are held. */
import type { Limits } from "../../shared/limits.ts";
import { type FlowManifest, type RouteManifest, waitsForStart } from "../../shared/manifest.ts";
import type { KeepFailed } from "../../shared/protocol.ts";
import type { ArmedMocks } from "../threads/invocation.ts";
import type { PooledFlow } from "../threads/pooled-flow.ts";
import { RouteStates } from "../threads/pooled-flow.ts";

/** What run records keep of their deployment; it outlives the deployment with them. */
export interface RunOwner {
  readonly flowId: string;
  readonly hash: string;
  readonly revision: number;
  readonly manifest: FlowManifest;
}

/** The number of bytes that calls hold at the moment. */
export interface ByteCount {
  inFlight: number;
}

export interface Deployment extends RunOwner {
  readonly owner: RunOwner;
  readonly limits: Limits;
  readonly pool: PooledFlow;
  /** As of `performance.now()`. */
  readonly startedAt: number;
  /** Only `LiveFlows` changes it, and notifies its listeners. */
  readonly states: RouteStates;
  /** The index in the manifest by route id. */
  readonly routeIndexes: ReadonlyMap<string, number>;
  /** The mocks of test sessions that are open for all runs of the deployment; undefined: no session is. */
  mocks: readonly ArmedMocks[] | undefined;
  /** true: failures that the flow handles are logged. */
  readonly logHandled: boolean;
  /** Which messages are kept when their run fails. */
  readonly keepFailed: KeepFailed;
  /** The last failure of each route whose runs failed, by route id. `at` is an ISO time. */
  readonly lastErrors: Map<string, { readonly type: string; readonly message: string; readonly at: string }>;
  /** When the clock of a route begins its next run, in epoch ms, by route id; of a route without one: none. */
  readonly nextRuns: Map<string, number>;
  /** true: routes that begin runs by themselves wait; false once the flow was started by hand, for later deployments, too. */
  held: boolean;
  /** One count per flow, which each deployment hands to the next: bytes that the previous one still holds count, too. */
  readonly bytes: ByteCount;
}

export function newDeployment(
  facts: Pick<Deployment, "flowId" | "hash" | "revision" | "pool" | "logHandled" | "keepFailed"> & {
    /** true: the flow was started by hand, so routes whose `autoStartup` is false start, too. */
    readonly startAll: boolean;
    /** true: the data was restored, so routes that begin runs by themselves wait until the flow is started by hand. */
    readonly held: boolean;
  },
  before?: Deployment,
): Deployment {
  const held = facts.held && !facts.startAll && before?.held !== false;
  const { flowId, hash, revision, pool, startAll, logHandled, keepFailed } = facts;
  const { manifest, limits } = pool;
  const owner: RunOwner = { flowId, hash, revision, manifest };
  const routeIndexes = new Map(manifest.routes.map(({ id }, index) => [id, index]));
  return {
    ...{ flowId, hash, revision, pool, owner, logHandled, keepFailed },
    manifest,
    limits,
    startedAt: performance.now(),
    states: new RouteStates(held ? manifest.routes.map((route) => hold(manifest, route)) : manifest.routes, startAll),
    held,
    routeIndexes,
    mocks: undefined,
    lastErrors: new Map(),
    nextRuns: new Map(),
    bytes: before?.bytes ?? { inFlight: 0 },
  };
}

function hold(manifest: FlowManifest, route: RouteManifest): RouteManifest {
  return waitsForStart(manifest, route) ? { ...route, autoStartup: false } : route;
}

export function isStarted({ states }: Deployment, routeIndex: number): boolean {
  return states.get(routeIndex) === "Started";
}

/** The ids of the routes that would run if they were not held. */
export function heldRoutes({ held, manifest, states }: Deployment): readonly string[] {
  if (!held) return [];
  const waits = (route: RouteManifest, index: number): boolean =>
    route.autoStartup && waitsForStart(manifest, route) && states.get(index) === "Stopped";
  return manifest.routes.filter(waits).map(({ id }) => id);
}

/** How the operator lets held routes begin. */
export const endOfHold =
  "bulkhead start --start begins all of them for good, POST /_api/flows/<id>/start those of a flow until the next start";
