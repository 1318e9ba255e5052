/** Events of the trace stream about runs and flows, and log events. */
import type { MessagePreview, StepTraceType, WireError } from "./protocol.ts";

export type RunTraceType = "run.started" | "run.restarted" | "run.completed" | "run.failed" | "run.killed" | "run.shed";
export type FlowTraceType = "deploy.completed" | "deploy.failed" | "flow.quarantined";
export type TraceType = StepTraceType | RunTraceType | FlowTraceType;

/** Every event has the ids; the other fields are present where they apply. */
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
  /** For a run in several test sessions, the id of the first, as in its record. */
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
  /**
   * The limit that ended the run, in the limit's unit; the run that its thread was killed for; the runs that were lost
   * with the thread.
   */
  readonly limit?: { readonly name: string; readonly allowed: number; readonly used: number };
  readonly lostWith?: string;
  readonly collateral?: readonly string[];
  readonly collateralCount?: number;
  /** The branch that a choice took: the index of its `when`, -1 for `otherwise`. */
  readonly branch?: number;
  readonly in?: MessagePreview;
  readonly out?: MessagePreview;
  /** For a step that a mock of a test session answered or observed: the index of the mock, and its action. */
  readonly mock?: number;
  readonly action?: "respond" | "throw" | "spy";
  /** On `retry.scheduled`: the number of the retry, from 1, and the delay before it. */
  readonly attempt?: number;
  readonly delayMs?: number;
  /** On `failure.handled`: the construct that handled the failure, and its line. */
  readonly by?: string;
  /** On deployment events. */
  readonly hash?: string;
  readonly revision?: number;
  readonly message?: string;
}

/** A line of log from a flow's step, or from the runtime itself (`logger: "runtime"`). */
export interface LogEvent {
  readonly ts: string;
  readonly level: "TRACE" | "DEBUG" | "INFO" | "WARN" | "ERROR";
  readonly message: string;
  readonly logger: string;
  /** A word of the flow by which log tools find lines (SLF4J's marker). */
  readonly marker?: string | undefined;
  readonly flowId?: string | undefined;
  readonly routeId?: string | undefined;
  readonly stepId?: string | undefined;
  readonly runId?: string | undefined;
  readonly traceId?: string | undefined;
  /** On lines about failures: the run that began this one. */
  readonly parentRunId?: string | undefined;
  readonly testSessionId?: string | undefined;
}
