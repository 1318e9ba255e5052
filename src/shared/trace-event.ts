/** The trace stream's events about runs and flows. */
import type { MessagePreview, StepTraceType, WireError } from "./protocol.ts";

export type RunTraceType = "run.started" | "run.restarted" | "run.completed" | "run.failed" | "run.killed" | "run.shed";
export type FlowTraceType = "deploy.completed" | "deploy.failed" | "flow.quarantined";
export type TraceType = StepTraceType | RunTraceType | FlowTraceType;

/** Every event has the identifying ids; the other fields are set where they have a meaning. */
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
  /** For a run in several test sessions the first one's id, as in its record. */
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
   * The limit for which a run was ended, in the limit's unit; the run for which its thread was killed; the runs that
   * were lost with it.
   */
  readonly limit?: { readonly name: string; readonly allowed: number; readonly used: number };
  readonly lostWith?: string;
  readonly collateral?: readonly string[];
  readonly collateralCount?: number;
  /** The branch that a choice took: the index of its `when`, -1 for `otherwise`. */
  readonly branch?: number;
  readonly in?: MessagePreview;
  readonly out?: MessagePreview;
  /** For a step that a mock of a test session answered or observed: the mock's index there, and what it did. */
  readonly mock?: number;
  readonly action?: "respond" | "throw" | "spy";
  /** On `retry.scheduled`: the number of the retry, from 1 on, and the wait until then. */
  readonly attempt?: number;
  readonly delayMs?: number;
  /** On `failure.handled`: the construct that handled it, and its line. */
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
