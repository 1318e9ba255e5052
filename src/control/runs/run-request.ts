/** What begins a run hands to the runner. */
import type { BodyKind } from "../../shared/protocol.ts";
import type { Deployment } from "../flows/deployment.ts";
import type { ArmedMocks, ChildRuns, HandledFailure, Invocation, InvocationResult } from "../threads/invocation.ts";
import type { PooledFlow } from "../threads/pooled-flow.ts";
import type { RunTrigger } from "./run-record.ts";

/** What a trigger asks for. `Run`: what it becomes. */
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
  /** The run that calls this one, for a child run. */
  readonly parent?: Run | undefined;
  /** The run that caused this one without waiting for it under its own deadline. */
  readonly parentRunId?: string | undefined;
  /** Where that run counts what it has caused. */
  readonly causedBy?: ChildRuns | undefined;
  /** The test sessions that it carries, beside those that are open for its whole deployment. */
  readonly mocks?: readonly ArmedMocks[] | undefined;
  /** true: whoever waits wants the whole exchange, as a call from another flow does. */
  readonly wholeExchange?: true | undefined;
  /** Where the run goes; absent: to whichever thread of its flow is free. */
  readonly into?: Pick<PooledFlow, "invoke"> | undefined;
  readonly hops?: number;
  /** Told once, when the run is over; `result` is undefined when its thread never answered. */
  ended(run: Run, result: InvocationResult | undefined): void;
}

/** Those that it carries, or that the run above it is in, and those of its whole deployment; what is open for single runs goes first. */
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

export interface RunKeeper<Run> {
  /** It is over. */
  close(run: Run): void;
  /** Its flow has handled a failure, and it goes on. */
  handled(run: Run, failure: HandledFailure): void;
  /** A run that another one has caused did not complete, or did not begin. */
  childFailed(children: ChildRuns): void;
  /** It begins once more, in another thread. */
  restarted(run: Run, why: string): void;
  /** Writes a line to the log. */
  tell(level: "INFO" | "ERROR", run: Run, message: string): void;
}
