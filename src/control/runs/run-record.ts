/** What is kept of one run. The runner writes it field by field; documents are made of it when they are read. */
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
  readonly kind: "webhook" | "http" | "timer" | "manual" | "retry" | "direct" | "test" | AnnounceCause;
  /** For a run that a source has begun: the scheme of its endpoint, which documents show as the trigger's kind. */
  readonly scheme?: string;
  /** The route's `from` in normal form; for a run that began inside a thread, the URI that the step or consumer which began it has. */
  readonly uri: string;
  readonly method?: string;
  readonly path?: string;
  readonly principal?: string;
}

const none: readonly MappingVersion[] = [];
const nobody: readonly string[] = [];
const nothing: readonly HandledFailure[] = [];

/** A limit that a run was stopped for; the figures are in the limit's unit. `timeoutMs` is the limit of a run that `test/invoke` has begun. */
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
  /** The mapping versions that it uses: a list that runs share. */
  mappings: readonly MappingVersion[] = none;
  stepsExecuted = 0;
  /** How many steps failed, including those whose failure was handled. */
  stepsFailed = 0;
  /** The index of the last failed step; -1: none. */
  lastFailedStep = -1;
  /** The counts of the runs that it has caused; undefined: it has caused none. */
  children: ChildRuns | undefined;
  /** How often it was begun anew, because its thread was killed for another run. */
  reruns = 0;
  limit: PassedLimit | null = null;
  /** The run that its thread was killed for, if that was another run. */
  lostWith: string | null = null;
  /** The runs that were lost because its thread was killed for it: the first of them, and how many. */
  collateral: readonly string[] = nobody;
  collateralCount = 0;
  /** Step index, start, duration (ms): three numbers for each execution of a step. */
  timings: readonly number[] = [];
  /** Which executions of steps failed: indexes from 0 into the triples of `timings`. */
  failedTimings: readonly number[] = [];
  /** Its recorded steps, if the flow or a test session records them. */
  steps: readonly StepRecord[] = [];
  /** true: its recorded steps were dropped to make room for later runs. */
  stepsDropped = false;
  /** The test session that it is in; the first one if there are several. */
  testSessionId: string | null = null;
  /** The first failures that the flow handled itself. */
  handled: readonly HandledFailure[] = nothing;
  error: WireError | null = null;
  /** true: its message was refused before the first step. */
  refused = false;
  /** The message as the failing step received it. */
  preview: MessagePreview | null = null;
  /** The bytes that the history has counted for this record; 0: it is not in the history. */
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

  /** Forgets what was recorded of the run so far: it begins in another thread. */
  beginAnew(): void {
    this.reruns += 1;
    this.worker = null;
    this.steps = [];
    this.stepsFailed = 0;
    this.lastFailedStep = -1;
    this.preview = null;
    this.handled = [];
  }

  /** Records how far the run had come when it was lost with its thread. */
  reach({ executed, failed, cpuMs }: RunProgress): void {
    this.stepsExecuted = executed;
    this.stepsFailed = failed;
    this.cpuMs = cpuMs;
  }
}
