/** What is kept of one run. The runner writes it field by field; documents are made when somebody reads them. */
import type { LimitName } from "../../shared/limits.ts";
import type { MappingVersion } from "../../shared/mapping.ts";
import type { StepRecord } from "../../shared/mock.ts";
import type { AnnounceCause, MessagePreview, WireError } from "../../shared/protocol.ts";
import type { RunOwner } from "../flows/deployment.ts";
import type { ChildRuns, HandledFailure, RunProgress } from "../threads/invocation.ts";

export type { RunOwner };

export type RunStatus = "running" | "completed" | "failed" | "timeout" | "killed" | "shed" | "cancelled";
export type RunOutcome =
  | "ok"
  | "error"
  | "timeout"
  | "cpu_limit"
  | "memory_limit"
  | "collateral"
  | "queue_full"
  | "client_gone"
  | "redeploy"
  | "cancelled";

export interface RunTrigger {
  readonly kind: "webhook" | "http" | "timer" | "direct" | "test" | AnnounceCause;
  /** Of a run that a source began: that of its endpoint, which documents have as the trigger's kind. */
  readonly scheme?: string;
  /** The route's `from` in normal form; of a run that began inside a thread, what the step or the consumer that began it names. */
  readonly uri: string;
  readonly method?: string;
  readonly path?: string;
  readonly principal?: string;
}

const none: readonly MappingVersion[] = [];
const nobody: readonly string[] = [];
const nothing: readonly HandledFailure[] = [];

/** A limit that a run was ended for; the figures are in the limit's unit. `timeoutMs`: of a run that a test session began with one. */
export interface PassedLimit {
  readonly name: LimitName | "timeoutMs";
  readonly allowed: number;
  readonly used: number;
}

export class RunRecord {
  readonly id: string;
  readonly owner: RunOwner;
  readonly routeId: string;
  readonly trigger: RunTrigger;
  readonly traceId: string;
  readonly parentRunId: string | null;
  /** Epoch ms, and the same moment on the monotonic clock. */
  readonly startedAt: number = Date.now();
  readonly began: number = performance.now();
  status: RunStatus = "running";
  outcome: RunOutcome | null = null;
  /** Milliseconds from start to end, and from start to the thread. */
  durationMs = 0;
  queueMs = 0;
  cpuMs = 0;
  httpStatus: number | null = null;
  bytesIn = 0;
  bytesOut = 0;
  worker: number | null = null;
  /** The versions that it sees: a list that runs share. */
  mappings: readonly MappingVersion[] = none;
  stepsExecuted = 0;
  /** Those whose failure was handled included. */
  stepsFailed = 0;
  /** The last of them, as an index; -1: none. */
  lastFailedStep = -1;
  /** The runs that it has caused; undefined: none. */
  children: ChildRuns | undefined;
  /** Times that it was begun anew, because its thread was lost for another run. */
  reruns = 0;
  limit: PassedLimit | null = null;
  /** The run that its thread was killed for. */
  lostWith: string | null = null;
  /** The runs that were lost with its thread: the first of them, and how many they were. */
  collateral: readonly string[] = nobody;
  collateralCount = 0;
  /** Step index, start, duration (ms); three numbers per step run. */
  timings: readonly number[] = [];
  /** Of these the step runs that failed, counted from 0 on. */
  failedTimings: readonly number[] = [];
  /** What was kept of its steps, when the flow records everything or a test session did. */
  steps: readonly StepRecord[] = [];
  /** What was kept of its steps has made room for later runs. */
  stepsDropped = false;
  /** The test session that it is in, the first if there are several. */
  testSessionId: string | null = null;
  /** The first failures that the flow handled itself. */
  handled: readonly HandledFailure[] = nothing;
  error: WireError | null = null;
  /** Its message was refused before the first step. */
  refused = false;
  /** The message as the failing step received it. */
  preview: MessagePreview | null = null;
  /** What the history has counted for this record; 0: it is not, or no longer, in the history. */
  countedBytes = 0;

  constructor(
    owner: RunOwner,
    routeId: string,
    trigger: RunTrigger,
    id: string,
    traceId: string,
    parentRunId: string | null,
  ) {
    this.owner = owner;
    this.routeId = routeId;
    this.trigger = trigger;
    this.id = id;
    this.traceId = traceId;
    this.parentRunId = parentRunId;
  }

  /** It was lost with its thread, and had come so far. */
  reach({ executed, failed, cpuMs }: RunProgress): void {
    this.stepsExecuted = executed;
    this.stepsFailed = failed;
    this.cpuMs = cpuMs;
  }
}
