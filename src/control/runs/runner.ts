/** Begins, sends to its flow's threads and closes every run, whatever its trigger. */
import { roundedMs } from "../../shared/duration.ts";
import type { TraceEvent } from "../../shared/trace-event.ts";
import type { LogFields } from "../streams/log-hub.ts";
import type { ChildRuns, HandledFailure } from "../threads/invocation.ts";
import type { RunEnd, RunKeeper } from "./run-life.ts";
import type { RunRecord, RunStatus } from "./run-record.ts";
import { RunningRun, type RunRequest } from "./running-run.ts";

/** Where runs are recorded, traced, counted and logged. */
export interface RunObservers {
  readonly history: {
    open(record: RunRecord): void;
    close(record: RunRecord): void;
    find(runId: string): RunRecord | undefined;
  };
  readonly traces: { readonly watched: boolean; publish(event: TraceEvent): void };
  readonly metrics: { runEnded(record: RunRecord): void; childFailed(flowId: string, routeId: string): void };
  readonly failures: { ended(record: RunRecord): void; handled(record: RunRecord, failure: HandledFailure): void };
  readonly failed: {
    /** As of RunKeeper. Not called for a run that is well and whose message is not kept. */
    keep(run: RunningRun, end: RunEnd): Promise<string> | undefined;
  };
  readonly logs: { runtime(level: "INFO" | "ERROR", message: string, about: LogFields): void };
}

export class Runner implements RunKeeper<RunningRun> {
  readonly #observers: RunObservers;
  #inflight = 0;
  #onIdle: (() => void) | undefined;

  constructor(observers: RunObservers) {
    this.#observers = observers;
  }

  /** How many runs are under way, including queued ones. */
  get inflight(): number {
    return this.#inflight;
  }

  start(request: RunRequest): RunningRun {
    const run = new RunningRun(this, request);
    this.#inflight += 1;
    this.#observers.history.open(run.record);
    if (run.mocks !== undefined) for (const session of run.mocks) session.began(run);
    if (this.#observers.traces.watched) this.#trace(run, "run.started");
    (request.into ?? request.deployment.pool).invoke(run);
    return run;
  }

  /** Resolves when no run is under way. */
  idle(): Promise<void> {
    if (this.#inflight === 0) return Promise.resolve();
    return new Promise((resolve) => {
      this.#onIdle = resolve;
    });
  }

  keep(run: RunningRun, end: RunEnd): Promise<string> | undefined {
    if (end.status === "completed" && run.keptMessage === undefined && run.request.failedId === undefined) return;
    return this.#observers.failed.keep(run, end);
  }

  close(run: RunningRun): void {
    const { history, traces, metrics, failures } = this.#observers;
    this.#inflight -= 1;
    history.close(run.record);
    metrics.runEnded(run.record);
    if (traces.watched) this.#trace(run, endTypes[run.record.status] ?? "run.failed");
    if (run.record.status !== "completed") failures.ended(run.record);
    if (this.#inflight === 0) this.#onIdle?.();
  }

  handled(run: RunningRun, failure: HandledFailure): void {
    if (run.deployment.logHandled) this.#observers.failures.handled(run.record, failure);
  }

  childFailed(children: ChildRuns): void {
    children.failed += 1;
    this.#observers.metrics.childFailed(children.flowId, children.routeId);
  }

  restarted(run: RunningRun, why: string): void {
    if (this.#observers.traces.watched) this.#trace(run, "run.restarted");
    this.log("INFO", run, `the run begins anew: ${why}`);
  }

  log(level: "INFO" | "ERROR", { record, runId, traceId }: RunningRun, message: string): void {
    const { owner, routeId } = record;
    this.#observers.logs.runtime(level, message, { flowId: owner.flowId, routeId, runId, traceId });
  }

  #trace({ record, spanId }: RunningRun, type: TraceEvent["type"]): void {
    const ended = type !== "run.started" && type !== "run.restarted";
    this.#observers.traces.publish({
      type,
      ts: new Date().toISOString(),
      flowId: record.owner.flowId,
      routeId: record.routeId,
      runId: record.id,
      traceId: record.traceId,
      spanId,
      hash: record.owner.hash,
      revision: record.owner.revision,
      status: record.status,
      ...(record.parentRunId === null ? {} : { parentRunId: record.parentRunId }),
      ...(record.testSessionId === null ? {} : { testSessionId: record.testSessionId }),
      ...(record.worker === null ? {} : { worker: record.worker }),
      ...(ended ? { durationMs: roundedMs(record.durationMs) } : {}),
      ...(record.outcome === null ? {} : { outcome: record.outcome }),
      ...(record.error === null ? {} : { error: record.error }),
      ...(record.limit === null ? {} : { limit: record.limit }),
      ...(record.lostWith === null ? {} : { lostWith: record.lostWith }),
      ...(record.collateralCount === 0
        ? {}
        : { collateral: record.collateral, collateralCount: record.collateralCount }),
    });
  }
}

const endTypes: Partial<Record<RunStatus, TraceEvent["type"]>> = {
  completed: "run.completed",
  killed: "run.killed",
  shed: "run.shed",
};
