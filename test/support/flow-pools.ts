/** Pools of threads without a runtime around it, and invocations that record their ends. */
import assert from "node:assert/strict";
import { FlowPools } from "../../src/control/threads/flow-pools.ts";
import { ChildRuns, type Invocation, type InvocationResult, type Lost } from "../../src/control/threads/invocation.ts";
import type { DeployRequest, PoolEvents, PooledFlow } from "../../src/control/threads/pooled-flow.ts";
import { defaultLimits, type Limits } from "../../src/shared/limits.ts";
import { BodyKind } from "../../src/shared/protocol.ts";
import { bundle } from "./bundles.ts";
import { epochMs } from "./clock.ts";
import { patient } from "./patience.ts";

const silent: PoolEvents = {
  ...{ log() {}, trace() {}, call() {}, route() {}, announced() {}, lost() {} },
  ...{ adopted() {}, used() {}, compiled() {}, killed() {}, state() {}, groups() {}, abandoned() {}, source() {} },
  permits: () => ({ opened() {}, closed() {} }),
};

export interface TestPools {
  readonly pools: FlowPools;
  readonly limits: Limits;
  /** The word in which threads see what somebody watches. */
  readonly interest: Int32Array;
}

export function makePools(
  limits: Partial<Limits> = {},
  entry = bundle("flow-worker"),
  events: Partial<PoolEvents> = {},
): TestPools {
  const all = { ...defaultLimits, ...patient, ...limits };
  const interest = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);
  const pools = new FlowPools({
    entry,
    limits: all,
    logLevel: 5,
    interest,
    events: { ...silent, ...events },
  });
  return { pools, limits: all, interest: new Int32Array(interest) };
}

interface InvocationOptions extends Partial<Pick<Invocation, "child" | "nested" | "bodyKind" | "mocks">> {
  readonly deadlineMs?: number;
  readonly body?: string;
  /** The answer when it is asked whether it may begin anew. */
  readonly again?: boolean;
}

/** Makes an invocation that records how it ended; a second end fails the test that waits for the first. */
export function anInvocation(runId: string, options: InvocationOptions = {}) {
  const { deadlineMs = 60_000, body = "", again = false, bodyKind = BodyKind.text, child = false, mocks } = options;
  const ended = Promise.withResolvers<InvocationResult | Lost>();
  const begun = Promise.withResolvers<void>();
  /** The threads in which it began, and the runs for which it was asked to begin anew. */
  const threads: number[] = [];
  const askedFor: (string | undefined)[] = [];
  let endings = 0;
  const end = (how: InvocationResult | Lost): void => {
    endings += 1;
    assert.equal(endings, 1, "it ended twice");
    ended.resolve(how);
  };
  const invocation: Invocation = {
    runId,
    traceId: "0".repeat(32),
    routeIndex: 0,
    deadline: epochMs() + deadlineMs,
    hops: 0,
    headers: "",
    bodyKind,
    body,
    child,
    nested: options.nested,
    mocks,
    exceeded() {},
    again: (_kill, by) => {
      askedFor.push(by);
      return again;
    },
    recorded() {},
    handled() {},
    kept() {},
    failedSteps() {},
    childRuns: () => new ChildRuns("f", "r"),
    begun: (thread) => {
      threads.push(thread);
      begun.resolve();
    },
    finished: end,
    lost: end,
  };
  return { invocation, ended: ended.promise, begun: begun.promise, threads, askedFor };
}

/** Deploys a flow: its threads have compiled it. */
export async function deployFlow(pools: FlowPools, request: DeployRequest): Promise<PooledFlow> {
  return (await pools.compile(request)).warm();
}
