/**
 * Keeps the messages of runs that fail: before their sender is answered or their source acknowledges them, if nobody else has them. Counts
 * what is kept, and reports what had to make room.
 */
import { AppError } from "../../../shared/errors.ts";
import type { Limits } from "../../../shared/limits.ts";
import { BodyKind, type WireError } from "../../../shared/protocol.ts";
import type { Deployment } from "../../flows/deployment.ts";
import type { Added, MessageFailure, NewMessage } from "../../state/failed-operations.ts";
import { type Owner, StateFailure } from "../../state/operations.ts";
import type { StateStore } from "../../state/state-store.ts";
import type { RunEnd } from "../run-life.ts";
import type { RunTrigger } from "../run-record.ts";
import type { RunningRun, RunRequest } from "../running-run.ts";
import { calledContent, threadContent } from "./content.ts";
import { type FailedEvent, Losses } from "./losses.ts";
import { type FlowOwners, KeptTotals, newFailedId } from "./owners.ts";

export interface KeeperParts {
  readonly store: Pick<StateStore, "failed" | "groups" | "mayHave">;
  readonly owners: FlowOwners;
  readonly limits: Pick<Limits, "failedTotalBytes">;
  log(
    level: "INFO" | "WARN" | "ERROR",
    message: string,
    about: { flowId: string; routeId?: string; runId?: string },
  ): void;
  /** Counts for the metrics. */
  count(flowId: string, event: FailedEvent, by: number): void;
}

/** Totals are counted again this long after a change. */
const recountMs = 1000;
/** Messages that are too old go at this interval, and whenever another one comes. */
const tidyMs = 3_600_000;

export class FailedKeeper {
  readonly #parts: KeeperParts;
  readonly totals = new KeptTotals();
  readonly #recounts = new Map<string, NodeJS.Timeout>();
  readonly #losses: Losses;
  #tidying: NodeJS.Timeout | undefined;
  #stopped = false;

  constructor(parts: KeeperParts) {
    this.#parts = parts;
    this.#losses = new Losses(parts);
  }

  /** Whether messages are kept whose sender is answered before their run is over. Those of tests are not. */
  keepsAccepted({ keepFailed, mocks }: Deployment): boolean {
    return keepFailed !== false && mocks === undefined;
  }

  /**
   * Keeps a message whose sender is answered before its run begins. Resolves with its id when it is durable. Rejects with disk_full or store_failed.
   */
  async accept(
    request: Pick<RunRequest, "deployment" | "routeIndex" | "trigger" | "headers" | "bodyKind" | "body" | "extra">,
    runId: string,
  ): Promise<string> {
    const { deployment, routeIndex, trigger } = request;
    const owner = ownerOf(deployment);
    const id = newFailedId(deployment.flowId);
    const routeId = deployment.manifest.routes[routeIndex]?.id ?? "";
    const facts = factsOf(id, deployment, routeId, runId, trigger);
    await this.#parts.store.failed.accept(owner, { ...facts, ...calledContent(request) }).catch((error: unknown) => {
      throw storeError(error);
    });
    this.totals.touch(deployment.flowId);
    return id;
  }

  /** The run of a message that was accepted does not begin, and its sender is told so. */
  withdraw(deployment: Deployment, id: string): void {
    this.#background(deployment.flowId, this.#parts.store.failed.done(ownerOf(deployment), id));
  }

  /** Called at the end of runs that have failed, or whose message is kept: see RunKeeper. */
  keep(run: RunningRun, end: RunEnd): Promise<string> | undefined {
    const { request, keptMessage } = run;
    if (request.failedId !== undefined) {
      this.#again(run, end, request.failedId, end.status === "completed" && keptMessage === undefined);
      return undefined;
    }
    const owner = ownerOf(run.deployment);
    const isKept = run.deployment.keepFailed !== false && run.mocks === undefined;
    // A run that its thread has announced waits for an answer once it has sent its message.
    const awaited = request.stored !== undefined && keptMessage !== undefined;
    if (!isKept) return awaited ? Promise.resolve("") : undefined;
    if (awaited) return this.#fromThread(run, end, owner, keptMessage);
    if (request.stored !== undefined) return undefined;
    return this.#fromControl(run, end, owner);
  }

  /** Counts what a flow has kept, soon. */
  changed(flowId: string): void {
    this.totals.touch(flowId);
    if (this.#stopped || this.#recounts.has(flowId)) return;
    const timer = setTimeout(() => {
      this.#recounts.delete(flowId);
      void this.recount(flowId).catch(() => undefined);
    }, recountMs);
    this.#recounts.set(flowId, timer.unref());
  }

  /** Counts what a flow has kept, and makes room when all flows have too much together. */
  async recount(flowId: string): Promise<void> {
    const { store, owners, limits } = this.#parts;
    const owner = await owners.of(flowId);
    if (owner === undefined) this.totals.drop(flowId);
    else this.totals.set(flowId, await store.failed.totals(owner));
    const { largest, bytes } = this.totals;
    if (bytes <= limits.failedTotalBytes || largest === undefined) return;
    const [largestFlow, { bytes: most }] = largest;
    const other = await owners.of(largestFlow);
    if (other === undefined) return this.totals.drop(largestFlow);
    this.#losses.add(
      largestFlow,
      await store.failed.tidy(other, Math.max(0, most - (bytes - limits.failedTotalBytes))),
    );
    this.totals.set(largestFlow, await store.failed.totals(other));
  }

  /** Counts what earlier processes have kept, one flow after the other, and logs how much waits. */
  async load(): Promise<void> {
    const { store, owners, log } = this.#parts;
    for (const flowId of [...owners.ids()]) {
      if (this.#stopped || !store.mayHave(flowId)) continue;
      try {
        const owner = await owners.of(flowId);
        if (owner === undefined) continue;
        this.#losses.add(flowId, await store.failed.tidy(owner, undefined));
        await this.recount(flowId);
      } catch {
        // The state store has reported the problem.
        continue;
      }
      const { waiting = 0 } = this.totals.get(flowId) ?? {};
      if (waiting > 0) log("INFO", `${waiting} failed messages wait to be retried or discarded`, { flowId });
    }
    this.#tidying ??= setInterval(() => void this.load(), tidyMs).unref();
  }

  stop(): void {
    clearInterval(this.#tidying);
    this.#stopped = true;
    for (const timer of this.#recounts.values()) clearTimeout(timer);
  }

  #fromThread(
    run: RunningRun,
    end: RunEnd,
    owner: Owner,
    kept: NonNullable<RunningRun["keptMessage"]>,
  ): Promise<string> {
    if (kept.bytes !== null) {
      if (kept.problem !== "") this.#parts.count(owner.flowId, "head_only", 1);
      return this.#add(run, owner, threadContent(kept), failureOf(run, end));
    }
    this.#notKept(run, kept.problem);
    // Another delivery would not make it fit to be kept.
    return Promise.resolve("");
  }

  #fromControl(run: RunningRun, end: RunEnd, owner: Owner): Promise<string> | undefined {
    const { request, deployment } = run;
    const { kind } = request.trigger;
    const deadLetter = run.keptMessage?.deadLetter ?? null;
    const hasFailed = end.status === "failed" || end.status === "timeout" || end.status === "killed";
    if (request.bodyKind === BodyKind.none && (kind === "timer" || kind === "manual")) {
      if (kind === "timer") this.#parts.count(owner.flowId, "tick", 1);
      return undefined;
    }
    const answered = deployment.keepFailed === "all" && hasFailed && (kind === "webhook" || kind === "http");
    if (kind === "test" || (deadLetter === null && !answered)) return undefined;
    const added = this.#add(run, owner, calledContent(request), failureOf(run, end));
    return deadLetter === null ? undefined : added;
  }

  /** A run of a message that is kept already has ended. */
  #again(run: RunningRun, end: RunEnd, id: string, isWell: boolean): void {
    const { flowId } = run.deployment;
    const { store, count } = this.#parts;
    const owner = ownerOf(run.deployment);
    const isRetry = run.request.trigger.kind === "retry";
    if (end.status === "shed") {
      // It has not begun: its sender is told so, or it waits on.
      this.#background(flowId, isRetry ? store.failed.giveBack(owner, id) : store.failed.done(owner, id));
    } else if (isWell) {
      if (isRetry) count(flowId, "retried", 1);
      this.#background(flowId, store.failed.done(owner, id));
    } else {
      if (isRetry) count(flowId, "retry_failed", 1);
      const failed = store.failed.failed(owner, id, failureOf(run, end));
      this.#background(
        flowId,
        failed.then((added) => this.#added(run, added, isRetry)),
      );
    }
  }

  async #add(
    run: RunningRun,
    owner: Owner,
    content: Pick<NewMessage, "form" | "head" | "body" | "alike">,
    failure: MessageFailure,
  ): Promise<string> {
    const { deployment, record, runId, request } = run;
    const facts = factsOf(newFailedId(owner.flowId), deployment, record.routeId, runId, request.trigger);
    try {
      this.#added(
        run,
        await this.#store(owner, run.keptMessage?.group ?? "", { ...facts, ...content }, failure),
        false,
      );
      return "";
    } catch (error) {
      const problem = error instanceof Error ? error.message : String(error);
      this.#notKept(run, problem);
      return problem;
    }
  }

  #store(owner: Owner, group: string, message: NewMessage, failure: MessageFailure): Promise<Added> {
    const { failed, groups } = this.#parts.store;
    const end = group.lastIndexOf("/");
    if (end < 0) return failed.add(owner, message, failure);
    return groups.fail(owner, group.slice(0, end), group.slice(end + 1), message, failure);
  }

  /** A completed group of an aggregate step has become a failed message. */
  keptGroup(flowId: string, added: Added): void {
    this.changed(flowId);
    this.#parts.count(flowId, added.count > 1 ? "repeated" : "kept", 1);
    this.#losses.add(flowId, added.evicted);
  }

  #added({ deployment: { flowId } }: RunningRun, added: Added | undefined, isRetry: boolean): void {
    this.changed(flowId);
    if (added === undefined) return;
    if (!isRetry) this.#parts.count(flowId, added.count > 1 ? "repeated" : "kept", 1);
    this.#losses.add(flowId, added.evicted);
  }

  #notKept({ deployment: { flowId }, record: { routeId }, runId }: RunningRun, problem: string): void {
    this.#parts.count(flowId, "not_kept", 1);
    this.#parts.log("ERROR", `the message of the failed run is not kept: ${problem}`, { flowId, routeId, runId });
  }

  #background(flowId: string, work: Promise<unknown>): void {
    work
      .then(() => this.changed(flowId))
      .catch((error: unknown) => {
        const why = error instanceof Error ? error.message : String(error);
        this.#parts.log("ERROR", `what became of a failed message could not be recorded: ${why}`, { flowId });
      });
  }
}

function ownerOf({ flowId, pool: { incarnation } }: Deployment): Owner {
  return { flowId, incarnation };
}

function factsOf(
  id: string,
  { revision }: Deployment,
  routeId: string,
  runId: string,
  { kind, uri, method, path, principal }: RunTrigger,
): Omit<NewMessage, "form" | "head" | "body" | "alike"> {
  const trigger = JSON.stringify({ kind, uri, method, path, principal });
  return { id, routeId, revision, at: Date.now(), runId, trigger };
}

const unknownError: WireError = {
  type: "RunLostException",
  message: "the run ended without a reason",
  stepId: null,
  line: null,
};

function failureOf({ runId, keptMessage }: RunningRun, { error }: RunEnd): MessageFailure {
  const deadLetter = keptMessage?.deadLetter ?? null;
  const { type, message, stepId, line } = error ?? deadLetter ?? unknownError;
  return {
    runId,
    at: Date.now(),
    error: JSON.stringify({ type, message, stepId, line }),
    deadLetter: deadLetter !== null,
  };
}

/** Returns the error of the API for one of the state store. */
export function storeError(error: unknown): unknown {
  if (!(error instanceof StateFailure)) return error;
  return new AppError(error.code === "disk_full" ? "disk_full" : "store_failed", error.message);
}
