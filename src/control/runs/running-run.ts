/** A run under way. Its request, record, invocation and end are in one object, so that a request costs few allocations. */
import { newRunId, randomHex } from "../../shared/ids.ts";
import type { MappingVersion } from "../../shared/mapping.ts";
import type { StepRecord } from "../../shared/mock.ts";
import { BodyKind, Outcome } from "../../shared/protocol.ts";
import {
  type ArmedMocks,
  ChildRuns,
  type FailedSteps,
  type HandledFailure,
  type Invocation,
  type InvocationResult,
  type KeptMessage,
  type Lost,
} from "../threads/invocation.ts";
import type { Kill } from "../threads/kill.ts";
import {
  innocentOutcomes,
  killOutcomes,
  listed,
  lostError,
  mocksOf,
  mostCollateral,
  passedWallTime,
  placeOf,
  RequestedRun,
  type RequestOf,
  type RunKeeper,
  refusedMessage,
} from "./run-life.ts";
import { type RunOutcome, RunRecord, type RunStatus } from "./run-record.ts";

export type RunRequest = RequestOf<RunningRun>;

export class RunningRun extends RequestedRun<RunningRun> implements Invocation {
  readonly record: RunRecord;
  readonly runId: string;
  readonly traceId: string;
  /** Why the run was asked to stop, if not for its deadline. */
  cancelledAs: Extract<RunOutcome, "client_gone" | "cancelled"> | undefined;
  /** How long its caller should wait before a retry, if the flow is quarantined. */
  retryAfterMs: number | undefined;
  /** The limit that it was stopped for. */
  #exceeded: Kill | undefined;
  #cancelReason: string | undefined;
  /** What its thread has sent for a message that outlives the run. */
  keptMessage: KeptMessage | undefined;
  /** The runs in other flows that it waits for. */
  children: Set<RunningRun> | undefined;
  readonly mocks: readonly ArmedMocks[] | undefined;
  readonly #keeper: RunKeeper<RunningRun>;
  readonly #causedBy: ChildRuns | undefined;

  constructor(keeper: RunKeeper<RunningRun>, request: RunRequest) {
    super(request);
    const { deployment, routeIndex, parent } = request;
    this.#keeper = keeper;
    this.mocks = mocksOf(request);
    this.runId = request.runId ?? newRunId();
    this.traceId = request.traceId ?? parent?.traceId ?? randomHex(32);
    const routeId = deployment.manifest.routes[routeIndex]?.id ?? "";
    this.record = new RunRecord(
      deployment.owner,
      routeId,
      request.trigger,
      this.runId,
      this.traceId,
      parent?.runId ?? request.parentRunId ?? null,
    );
    if (this.mocks !== undefined) this.record.testSessionId = this.mocks[0]?.sessionId ?? null;
    if (request.bodyKind !== BodyKind.held && request.body !== null)
      this.record.bytesIn = Buffer.byteLength(request.body);
    this.#causedBy = parent?.childRuns() ?? request.causedBy;
    this.#causedBy?.began();
    if (parent !== undefined) {
      parent.children ??= new Set();
      parent.children.add(this);
    }
  }

  /** Asks the run to stop before its next step. `as` undefined: its time is over. */
  cancel(as: RunningRun["cancelledAs"], reason: string, urgent = false): void {
    if (this.record.status !== "running") return;
    this.cancelledAs ??= as;
    this.#cancelReason ??= reason;
    this.deployment.pool.cancel(this.runId, reason, urgent);
  }

  begun(worker: number, mappings: readonly MappingVersion[]): void {
    this.record.worker = worker;
    this.record.mappings = mappings;
    this.record.queueMs = performance.now() - this.record.began;
  }

  exceeded(kill: Kill): void {
    this.#exceeded = kill;
  }

  /** Lets the run begin anew, once, unless it was asked to stop. What was recorded of it so far is dropped. */
  again({ reason }: Kill, by: string | undefined): boolean {
    const { record } = this;
    const asked = this.cancelledAs !== undefined || this.#exceeded !== undefined;
    if (asked || record.status !== "running" || record.reruns > 0 || this.mocks !== undefined) return false;
    record.beginAnew();
    this.#keeper.restarted(this, `its thread was lost (${reason}${by === undefined ? "" : `, run ${by}`})`);
    return true;
  }

  recorded(steps: readonly StepRecord[]): void {
    this.record.steps = steps;
  }

  failedSteps({ count, step, preview }: FailedSteps): void {
    const { record } = this;
    record.stepsFailed = count;
    record.lastFailedStep = step;
    record.preview = preview;
  }

  childRuns(): ChildRuns {
    const { record } = this;
    record.children ??= new ChildRuns(record.owner.flowId, record.routeId);
    return record.children;
  }

  handled(failure: HandledFailure): void {
    const { record } = this;
    record.handled = [...record.handled, failure];
    this.#keeper.handled(this, failure);
  }

  kept(message: KeptMessage): void {
    this.keptMessage = message;
  }

  finished(result: InvocationResult): void {
    const { record } = this;
    record.stepsExecuted = result.stepsExecuted;
    record.cpuMs = result.cpuMs;
    record.timings = result.timings;
    record.failedTimings = result.failedTimings;
    record.error = result.error;
    if (result.preview !== null) record.preview = result.preview;
    const refused = refusedMessage(result.outcome);
    if (refused !== undefined) {
      record.refused = true;
      // A step has refused this one, and says what the flow can do.
      if (result.outcome !== Outcome.wholeForm) this.#error("MessageRefusedException", refused.message);
    }
    if (result.outcome === Outcome.ok) this.#close("completed", "ok", result);
    else if (result.outcome === Outcome.withdrawn) this.#close("cancelled", "cancelled", result);
    else if (result.outcome === Outcome.cancelled) {
      // The thread may have stopped for the word `stop`, which has no reason.
      const reason = this.#exceeded?.detail ?? this.#cancelReason ?? "it was asked to stop";
      record.error = { ...placeOf(result.error), message: `the run was cancelled: ${reason}` };
      this.#cancelled(result);
    } else if (this.#exceeded?.reason === "timeout") this.#cancelled(result);
    else this.#close("failed", "error", result);
  }

  lost(how: Lost): void {
    if (how.kind === "killed") {
      this.#killed(how);
      return;
    }
    this.#error(...lostError(how));
    if (how.kind === "quarantined") this.retryAfterMs = how.retryAfterMs;
    if (how.kind === "shed") this.#close("shed", this.cancelledAs ?? "queue_full", undefined);
    else if (how.kind === "quarantined") this.#close("shed", "error", undefined);
    else if (how.kind === "cancelled") this.#cancelled(undefined);
    else this.#close("timeout", "timeout", undefined);
  }

  #killed({ culprit, kill, by, others, reached }: Extract<Lost, { kind: "killed" }>): void {
    const { reason } = kill;
    if (reached !== undefined) this.record.reach(reached);
    if (culprit) {
      this.record.collateral = others.slice(0, mostCollateral);
      this.record.collateralCount = others.length;
      this.#error("RunKilledException", `the run was lost with its thread (${reason}): ${kill.detail}`);
      if (others.length > 0)
        this.#keeper.log("ERROR", this, `${others.length} runs were lost with it: ${listed(others)}`);
      if (reason === "timeout") this.#cancelled(undefined);
      else this.#exceeding(this.#exceeded ?? kill, undefined);
      return;
    }
    this.record.lostWith = by ?? null;
    const cause = by === undefined ? `: ${kill.detail}` : `, which was killed for run ${by}`;
    this.#error("RunKilledException", `the run was lost with its thread (${reason})${cause}`);
    // The run itself had exceeded its wall time before.
    if (this.#exceeded?.reason === "timeout") this.#cancelled(undefined);
    else this.#close("killed", innocentOutcomes[reason] ?? "collateral", undefined);
  }

  /** Ends a run that has stopped as it was asked to, or was killed because it did not. */
  #cancelled(result: InvocationResult | undefined): void {
    const kill = this.#exceeded;
    if (kill !== undefined && kill.reason !== "timeout") this.#exceeding(kill, result);
    else if (this.cancelledAs === undefined) this.#close("timeout", "timeout", result);
    else this.#close("cancelled", this.cancelledAs, result);
  }

  #exceeding({ reason, excess, detail }: Kill, result: InvocationResult | undefined): void {
    const { record } = this;
    if (excess !== undefined) record.limit = { name: excess.limit, allowed: excess.allowed, used: excess.used };
    if (result !== undefined) {
      const message = `the run was ended (${reason}): ${detail}`;
      record.error = { ...placeOf(record.error), type: "RunKilledException", message };
    }
    this.#close("killed", reason === "timeout" ? "timeout" : killOutcomes[reason], result);
  }

  #error(type: string, message: string): void {
    this.record.error = { type, message, stepId: null, line: null };
  }

  #close(status: RunStatus, outcome: RunOutcome, result: InvocationResult | undefined): void {
    const { record } = this;
    const keeping = this.#keeper.keep(this, { status, error: record.error });
    if (keeping === undefined) this.#over(status, outcome, result);
    else void keeping.then((problem) => this.#stored(problem, status, outcome, result));
  }

  /** A message that should have been kept and is not must not count as dealt with. */
  #stored(problem: string, status: RunStatus, outcome: RunOutcome, result: InvocationResult | undefined): void {
    this.request.stored?.(problem);
    if (problem === "" || status !== "completed") this.#over(status, outcome, result);
    else {
      this.#error(
        "MessageNotKeptException",
        `the message ended in a dead letter channel, and could not be kept: ${problem}`,
      );
      this.#over("failed", "error", undefined);
    }
  }

  #over(status: RunStatus, outcome: RunOutcome, result: InvocationResult | undefined): void {
    const { record } = this;
    record.status = status;
    record.outcome = outcome;
    record.durationMs = performance.now() - record.began;
    if (status === "timeout") record.limit = passedWallTime(this.root);
    if (record.error !== null && !record.refused) {
      const { type, message } = record.error;
      this.deployment.lastErrors.set(record.routeId, { type, message, at: new Date().toISOString() });
    }
    this.request.parent?.children?.delete(this);
    if (this.#causedBy !== undefined) {
      this.#causedBy.ended();
      if (status !== "completed") this.#keeper.childFailed(this.#causedBy);
    }
    this.request.ended(this, result);
    if (this.mocks !== undefined) for (const session of this.mocks) session.ended(this, result);
    this.#keeper.close(this);
    // Nothing waits for the answers of its children any more.
    const as = status === "timeout" ? undefined : (this.cancelledAs ?? "cancelled");
    for (const child of this.children ?? []) child.cancel(as, "the run that called it is over");
  }
}
