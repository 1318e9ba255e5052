/** A revision of a flow with the threads it runs in. */
import type { Limits } from "../../shared/limits.ts";
import type { FlowManifest } from "../../shared/manifest.ts";
import type { ArmedMocks } from "../threads/invocation.ts";
import type { PooledFlow } from "../threads/pooled-flow.ts";
import { RouteStates } from "../threads/pooled-flow.ts";

/** What run records say of the deployment that they belong to; it outlives the deployment with them. */
export interface RunOwner {
  readonly flowId: string;
  readonly hash: string;
  readonly revision: number;
  readonly manifest: FlowManifest;
}

/** Bytes that calls hold at the moment. */
export interface ByteCount {
  inFlight: number;
}

export interface Deployment extends RunOwner {
  readonly owner: RunOwner;
  readonly limits: Limits;
  readonly pool: PooledFlow;
  /** In `performance.now()` time. */
  readonly startedAt: number;
  /** Changed by `LiveFlows` only, which tells of it. */
  readonly states: RouteStates;
  /** Ids of its routes, each with its place in the manifest. */
  readonly routeIndexes: ReadonlyMap<string, number>;
  /** Of the test sessions that are open for all of its runs; undefined: none is. */
  mocks: readonly ArmedMocks[] | undefined;
  /** Failures that the flow handles are logged. */
  readonly logHandled: boolean;
  lastError: { readonly type: string; readonly message: string; readonly at: string } | null;
  /** Of the flow: handed from deployment to deployment, since what the one before still holds counts on. */
  readonly bytes: ByteCount;
}

export function newDeployment(
  facts: Pick<Deployment, "flowId" | "hash" | "revision" | "pool" | "logHandled"> & {
    /** Runs a route although its `autoStartup` is false: the flow was started by hand. */
    readonly startAll: boolean;
  },
  before?: Deployment,
): Deployment {
  const { flowId, hash, revision, pool, startAll, logHandled } = facts;
  const { manifest, limits } = pool;
  const owner: RunOwner = { flowId, hash, revision, manifest };
  const routeIndexes = new Map(manifest.routes.map(({ id }, index) => [id, index]));
  return {
    ...{ flowId, hash, revision, pool, owner, logHandled },
    manifest,
    limits,
    startedAt: performance.now(),
    states: new RouteStates(manifest.routes, startAll),
    routeIndexes,
    mocks: undefined,
    lastError: null,
    bytes: before?.bytes ?? { inFlight: 0 },
  };
}

export function isStarted({ states }: Deployment, routeIndex: number): boolean {
  return states.get(routeIndex) === "Started";
}
