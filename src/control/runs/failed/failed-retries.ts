/** Begins runs of failed messages again: one by one for a caller, and many at their flow's pace. */
import { AppError } from "../../../shared/errors.ts";
import { newRunId } from "../../../shared/ids.ts";
import type { Deployment } from "../../flows/deployment.ts";
import { endOfHold, isStarted } from "../../flows/deployment.ts";
import type { FailedContent, FailedSummary } from "../../state/failed-operations.ts";
import type { Owner } from "../../state/operations.ts";
import type { StateStore } from "../../state/state-store.ts";
import type { RunTrigger } from "../run-record.ts";
import type { Runner } from "../runner.ts";
import type { RunRequest } from "../running-run.ts";
import { refuseQuarantined, runToEnd } from "../test-sessions/invoked-run.ts";
import type { GivenMessage, InvokeAnswer } from "../test-sessions/test-service.ts";
import { isHeadOnly, requestOf } from "./content.ts";
import { storeError } from "./failed-keeper.ts";

export interface RetryParts {
  readonly store: Pick<StateStore, "failed">;
  readonly runner: Pick<Runner, "start">;
  live(flowId: string): Deployment | undefined;
  log(level: "INFO" | "WARN", message: string, about: { flowId: string }): void;
}

/** How many retries of one flow are under way at once: while no other run of it is, and while some are. */
const together = 8;
const besideOthers = 2;
/** How many retries of all flows begin in a turn, and how long a turn is: cores and the main loop are everybody's. */
const perTurn = 4;
const turnMs = 10;

/** The messages of a flow that are to be retried, at its pace. */
interface Lane {
  readonly owner: Owner;
  readonly ids: string[];
  /** Retries that are read, run or recorded. */
  running: number;
  /** Those of them whose runs are under way. */
  runs: number;
}

export class FailedRetries {
  readonly #parts: RetryParts;
  readonly #lanes = new Map<string, Lane>();
  #turn: NodeJS.Timeout | undefined;
  /** How many retries may still begin in this turn. */
  #left = perTurn;
  #stopped = false;

  constructor(parts: RetryParts) {
    this.#parts = parts;
  }

  /** Returns how many messages of the flow wait for their turn. */
  waiting(flowId: string): number {
    return this.#lanes.get(flowId)?.ids.length ?? 0;
  }

  /** Begins a run and returns its id; or, with `waits`, its answer at its end. Throws not_found, not_retryable, retry_in_progress, flow_quarantined_locked, run_timeout. */
  async retry(
    owner: Owner,
    id: string,
    given: GivenMessage,
    waits: boolean,
  ): Promise<{ readonly runId: string } | InvokeAnswer> {
    const request = await this.#begin(owner, id, given);
    if (waits) return runToEnd(this.#parts.runner, request);
    this.#parts.runner.start({ ...request, ended() {} });
    return { runId: request.runId as string };
  }

  /** Throws not_retryable for a flow whose data was restored: the runtime that was backed up may retry the same messages. */
  refuseHeld(flowId: string): void {
    if (this.#parts.live(flowId)?.held !== true) return;
    const why = "its data was restored from a backup, and the runtime that was backed up may retry the same messages";
    throw new AppError("not_retryable", `retries of flow '${flowId}' wait, since ${why}; ${endOfHold}`);
  }

  /** Puts messages at the end of the flow's lane. */
  add(owner: Owner, ids: readonly string[]): void {
    const { flowId } = owner;
    const lane = this.#lanes.get(flowId) ?? { owner, ids: [], running: 0, runs: 0 };
    this.#lanes.set(flowId, lane);
    const known = new Set(lane.ids);
    for (const id of ids) if (!known.has(id)) lane.ids.push(id);
    this.#advance(lane);
  }

  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#turn);
    this.#lanes.clear();
  }

  /** Live traffic goes first: nothing begins while runs wait for the flow's threads, and little while others are under way. */
  #advance(lane: Lane): void {
    const { flowId } = lane.owner;
    while (!this.#stopped) {
      if (lane.ids.length === 0) {
        if (lane.running === 0) this.#lanes.delete(flowId);
        return;
      }
      const pool = this.#parts.live(flowId)?.pool;
      if (pool === undefined || pool.quarantinedMs > 0) {
        this.#giveUp(lane, pool === undefined ? "the flow does not run" : "the flow is quarantined");
        return;
      }
      const most = pool.inflight > lane.runs ? besideOthers : together;
      const isFree = pool.queued === 0 && lane.running < most && this.#left > 0;
      // The end of a retry, or the next turn, looks again.
      this.#nextTurn();
      if (!isFree) return;
      this.#left -= 1;
      lane.running += 1;
      void this.#one(lane, lane.ids.shift() as string);
    }
  }

  /** Lanes advance in rotation, so that each has its share of the turns. */
  #nextTurn(): void {
    this.#turn ??= setTimeout(() => {
      this.#turn = undefined;
      this.#left = perTurn;
      const [first] = this.#lanes.entries();
      if (first !== undefined) {
        this.#lanes.delete(first[0]);
        this.#lanes.set(...first);
      }
      for (const lane of [...this.#lanes.values()]) this.#advance(lane);
    }, turnMs).unref();
  }

  async #one(lane: Lane, id: string): Promise<void> {
    let wasShed = false;
    try {
      const request = await this.#begin(lane.owner, id, {});
      wasShed = await this.#runToEnd(lane, request);
      if (wasShed) lane.ids.unshift(id);
    } catch (error) {
      // One that was retried, discarded or evicted meanwhile is passed over.
      if (!(error instanceof AppError)) throw error;
      if (error.code === "disk_full" || error.code === "store_failed") this.#giveUp(lane, error.message);
    } finally {
      lane.running -= 1;
      if (wasShed) this.#nextTurn();
      else this.#advance(lane);
    }
  }

  /** Resolves at the end of the run: true when it was shed. */
  async #runToEnd(lane: Lane, request: Omit<RunRequest, "ended">): Promise<boolean> {
    const end = Promise.withResolvers<boolean>();
    lane.runs += 1;
    try {
      this.#parts.runner.start({ ...request, ended: ({ record }) => end.resolve(record.status === "shed") });
      return await end.promise;
    } finally {
      lane.runs -= 1;
    }
  }

  #giveUp(lane: Lane, why: string): void {
    const left = lane.ids.splice(0).length;
    if (left > 0)
      this.#parts.log("WARN", `${left} failed messages that were to be retried go on waiting: ${why}`, lane.owner);
    // Messages that come later may be another flow's of the same id.
    if (lane.running === 0) this.#lanes.delete(lane.owner.flowId);
  }

  async #begin(owner: Owner, id: string, given: GivenMessage): Promise<Omit<RunRequest, "ended">> {
    const { store } = this.#parts;
    const answers = async <T>(asked: Promise<T>): Promise<T> =>
      asked.catch((error: unknown) => {
        throw storeError(error);
      });
    const seen = await answers(store.failed.get(owner, id));
    if (seen === undefined) throw new AppError("not_found", `there is no failed message '${id}'`);
    const target = this.#target(owner.flowId, seen);
    if (isHeadOnly(seen) && given.body === undefined)
      throw new AppError(
        "not_retryable",
        `the message '${id}' has headers alone, since its body could not be read: give the body with the retry, or have the message sent again and discard this one`,
      );
    const runId = newRunId();
    const begun = await answers(store.failed.begin(owner, id, runId));
    if (begun === "busy")
      throw new AppError("retry_in_progress", `a run of the message '${id}' is under way: wait for its end`);
    if (begun === undefined)
      throw new AppError("not_retryable", `the message '${id}' is ${seen.state}: only one that waits can be retried`);
    return { ...target, ...runOf(begun, given, target.deployment), runId, failedId: id };
  }

  /** Returns the flow's route in its current revision. Throws not_retryable, flow_quarantined_locked. */
  #target(flowId: string, { routeId, state }: FailedSummary): Pick<RunRequest, "deployment" | "routeIndex"> {
    if (state === "retried" || state === "discarded")
      throw new AppError("not_retryable", `the message is ${state}: only one that waits can be retried`);
    const deployment = this.#parts.live(flowId);
    if (deployment === undefined) throw new AppError("not_retryable", `flow '${flowId}' does not run: start it first`);
    this.refuseHeld(flowId);
    const routeIndex = deployment.routeIndexes.get(routeId);
    if (routeIndex === undefined) {
      const way = "deploy it with a route of that id, or discard the message";
      throw new AppError("not_retryable", `flow '${flowId}' has no route '${routeId}' any more: ${way}`);
    }
    if (!isStarted(deployment, routeIndex)) {
      const routeState = deployment.states.get(routeIndex);
      throw new AppError("not_retryable", `route '${routeId}' is ${routeState}: start it first`);
    }
    refuseQuarantined(deployment);
    return { deployment, routeIndex };
  }
}

function runOf(
  message: FailedSummary & FailedContent,
  given: GivenMessage,
  { limits }: Deployment,
): Pick<RunRequest, "trigger" | "headers" | "bodyKind" | "body" | "extra" | "deadline" | "parentRunId" | "earlier"> {
  const { uri, method, path, principal } = JSON.parse(message.trigger) as RunTrigger;
  return {
    ...requestOf(message, given),
    trigger: {
      kind: "retry",
      uri,
      ...(method !== undefined && { method }),
      ...(path !== undefined && { path }),
      ...(principal !== undefined && { principal }),
    },
    deadline: Date.now() + limits.timerWallMs,
    parentRunId: message.runId,
    earlier: message.runs,
  };
}
