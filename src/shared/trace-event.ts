/** What happened in a run, or to a flow, as the trace stream tells it. */
import type { MessagePreview, StepTraceType, WireError } from "./protocol.ts";

export type RunTraceType = "run.started" | "run.restarted" | "run.completed" | "run.failed" | "run.killed" | "run.shed";
export type FlowTraceType = "deploy.completed" | "deploy.failed" | "flow.quarantined";
export type TraceType = StepTraceType | RunTraceType | FlowTraceType;

/** Identifying ids are on every event; the others where they mean something. */
export interface TraceEvent {
  readonly type: TraceType;
  /** ISO 8601, UTC, milliseconds. */
  readonly ts: string;
  readonly flowId: string;
  readonly routeId?: string;
  readonly runId?: string;
  readonly traceId?: string;
  readonly spanId?: string;
  readonly parentRunId?: string;
  /** Of a run in several test sessions the first, as in its record. */
  readonly testSessionId?: string;
  readonly stepId?: string;
  readonly stepType?: string;
  readonly line?: number;
  readonly durationMs?: number;
  readonly worker?: number;
  /** The run's status on run events. */
  readonly status?: string;
  readonly outcome?: string;
  readonly error?: WireError;
  /** The limit that a run was ended for, in the limit's unit; the run that its thread was killed for; those that were lost with it. */
  readonly limit?: { readonly name: string; readonly allowed: number; readonly used: number };
  readonly lostWith?: string;
  readonly collateral?: readonly string[];
  readonly collateralCount?: number;
  /** The branch that a choice took: the index of its `when`, -1 for `otherwise`. */
  readonly branch?: number;
  readonly in?: MessagePreview;
  readonly out?: MessagePreview;
  /** Of a step that a mock of a test session answered, or looked on: the mock's index there, and what it did. */
  readonly mock?: number;
  readonly action?: "respond" | "throw" | "spy";
  /** On `retry.scheduled`: which second try it will be, from 1 on, and the wait until then. */
  readonly attempt?: number;
  readonly delayMs?: number;
  /** On `failure.handled`: what handled it, the construct and its line. */
  readonly by?: string;
  /** On deployment events. */
  readonly hash?: string;
  readonly revision?: number;
  readonly message?: string;
}

/** One line of log, of a flow's step or of the runtime itself (`logger: "runtime"`). */
export interface LogEvent {
  readonly ts: string;
  readonly level: "TRACE" | "DEBUG" | "INFO" | "WARN" | "ERROR";
  readonly message: string;
  readonly logger: string;
  readonly flowId?: string | undefined;
  readonly routeId?: string | undefined;
  readonly stepId?: string | undefined;
  readonly runId?: string | undefined;
  readonly traceId?: string | undefined;
  /** On lines about failures: the run that this one belongs to. */
  readonly parentRunId?: string | undefined;
  readonly testSessionId?: string | undefined;
}
