/** What the runner needs to begin a run. */
import type { BodyKind } from "../../shared/protocol.ts";
import type { Deployment } from "../flows/deployment.ts";
import type { ArmedMocks, ChildRuns, HandledFailure, Invocation, InvocationResult } from "../threads/invocation.ts";
import type { PooledFlow } from "../threads/pooled-flow.ts";
import type { RunTrigger } from "./run-record.ts";

/** A request for a run. `Run`: the type of the run that it becomes. */
export interface RequestOf<Run> {
  readonly deployment: Deployment;
  readonly routeIndex: number;
  readonly trigger: RunTrigger;
  readonly headers: string;
  readonly bodyKind: BodyKind;
  readonly body: string | Uint8Array | null;
  /** An InvokeExtra as JSON. */
  readonly extra?: string | undefined;
  /** Epoch milliseconds. */
  readonly deadline: number;
  /** W3C trace id, 32 hexadecimal digits; undefined: a new one. */
  readonly traceId?: string | undefined;
  /** For a child run: the run that calls it. */
  readonly parent?: Run | undefined;
  /** The run that has caused this one and does not wait for it. */
  readonly parentRunId?: string | undefined;
  /** The counts of the runs that that run has caused. */
  readonly causedBy?: ChildRuns | undefined;
  /** The test sessions that the request names, beside those that are open for the whole deployment. */
  readonly mocks?: readonly ArmedMocks[] | undefined;
  /** true: the caller gets the whole exchange, as a call from another flow does. */
  readonly wholeExchange?: true | undefined;
  /** Where the run is sent; absent: to a free thread of its flow. */
  readonly into?: Pick<PooledFlow, "invoke"> | undefined;
  readonly hops?: number;
  /** Called once, when the run is over; `result` is undefined when its thread did not answer. */
  ended(run: Run, result: InvocationResult | undefined): void;
}

/** Returns the test sessions of a run: those that it names or that its parent is in, then those of its whole deployment. */
export function mocksOf({
  mocks,
  parent,
  deployment,
}: RequestOf<Pick<Invocation, "mocks">>): readonly ArmedMocks[] | undefined {
  const carried = mocks ?? parent?.mocks;
  if (carried === undefined && deployment.mocks === undefined) return undefined;
  const all = [...new Set([...(carried ?? []), ...(deployment.mocks ?? [])])].filter(isArmed);
  if (all.length === 0) return undefined;
  return [...all.filter((one) => one.scope === "session"), ...all.filter((one) => one.scope === "deployment")];
}

function isArmed({ armed }: ArmedMocks): boolean {
  return armed;
}

/** Follows the life of runs. */
export interface RunKeeper<Run> {
  /** Called when the run is over. */
  close(run: Run): void;
  /** Called when its flow has handled a failure, and the run goes on. */
  handled(run: Run, failure: HandledFailure): void;
  /** Called when a run that another one has caused did not complete, or did not begin. */
  childFailed(children: ChildRuns): void;
  /** Called when the run begins anew in another thread. */
  restarted(run: Run, why: string): void;
  /** Logs a line about the run. */
  tell(level: "INFO" | "ERROR", run: Run, message: string): void;
}
