/** What begins a run hands to the runner. */

import type { BodyKind } from "../../shared/protocol.ts";
import type { Deployment } from "../flows/deployment.ts";
import type { ArmedMocks, ChildRuns, InvocationResult } from "../threads/invocation.ts";
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
