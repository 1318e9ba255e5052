/** A deployment in its threads: gives them runs, queues runs that they cannot take, and settles the runs of a thread that was lost. */
import { AppError } from "../../../shared/errors.ts";
import { ToThread } from "../../../shared/frames-to-thread.ts";
import type { FlowManifest } from "../../../shared/manifest.ts";
import { type Attachment, type Level, levels, type ThreadEnd } from "../../../shared/protocol.ts";
import type { Invocation, Lost, RunProgress } from "../invocation.ts";
import type { Kill } from "../kill.ts";
import type { FlowThread, ThreadOwner } from "../line/flow-thread.ts";
import { type ActiveRun, settleLost } from "../line/thread-runs.ts";
import type { AnnouncedRun, Drained, GroupsRequest, PoolEvents, PooledFlow, StateRequest } from "../pooled-flow.ts";
import type { Supervisor } from "../supervision/supervisor.ts";
import type { ThreadTurns } from "../thread-turns.ts";
import { Drain, Settling } from "./drain.ts";
import { PoolThreads, redeployed } from "./pool-threads.ts";
import { RunAdmission } from "./run-admission.ts";
import { ServedRoutes, type SourceTurns } from "./served-routes.ts";
import type { StandbyThreads } from "./standby-threads.ts";
import type { FlowOwn } from "./thread-source.ts";

interface Surroundings {
  readonly standby: StandbyThreads;
  readonly supervisor: Supervisor;
  readonly events: PoolEvents;
  readonly sourceTurns: SourceTurns;
  readonly turns: ThreadTurns;
  readonly own: FlowOwn;
  onClosed(): void;
}

const replaced = {
  kind: "killed",
  kill: redeployed,
  culprit: false,
  by: undefined,
  others: [],
} as const satisfies Lost;

export class FlowPool implements PooledFlow, ThreadOwner {
  readonly limits: Attachment["limits"];
  readonly flowId: string;
  readonly events: PoolEvents;
  readonly #around: Surroundings;
  readonly #threads: PoolThreads;
  readonly #admission: RunAdmission;
  readonly #routes: ServedRoutes;
  readonly #settling: Settling;
  #drain: Drain | undefined;
  restarts = 0;
  incarnation = 0;
  revision = 0;
  keepsFailed = true;

  constructor(attachment: Attachment, around: Surroundings) {
    const { limits, model } = attachment;
    const { turns, sourceTurns } = around;
    const { flowId } = model;
    this.limits = limits;
    this.flowId = flowId;
    this.events = around.events;
    this.#around = around;
    this.#threads = new PoolThreads(attachment, around, this);
    const threads = (): readonly FlowThread[] => this.#threads.serving;
    this.#admission = new RunAdmission({ limits, turns, threads, trial: () => this.#threads.refill() });
    this.#routes = new ServedRoutes({ flowId, sourceTurns, manifest: () => this.manifest, threads });
    this.#settling = new Settling(this.#threads, () => this.inflight + this.queued > 0);
    around.supervisor.watchRoom(this);
  }

  get manifest(): FlowManifest {
    const { manifest } = this.#threads;
    if (manifest === undefined) throw new Error("the flow has not been warmed");
    return manifest;
  }

  get compiled(): boolean {
    return this.#threads.compiled;
  }

  get threads(): number {
    return this.#threads.all.length;
  }

  get inflight(): number {
    return this.#threads.inflight;
  }

  get queued(): number {
    return this.#admission.queue.size + this.#threads.waiting;
  }

  get quarantinedMs(): number {
    return this.#admission.quarantinedMs;
  }

  get hasWaiting(): boolean {
    return this.#admission.queue.size > 0;
  }

  get hasSource(): boolean {
    return this.#routes.hasSource;
  }

  /** Compiles the flow in all its threads. */
  async warm(): Promise<void> {
    await this.#threads.warm();
    this.#assertOpen();
  }

  /** Leaves the flow without a thread until it is called. Rejects with CompileFailure when a secret is missing. */
  async sleep(manifest: FlowManifest): Promise<void> {
    await this.#threads.given();
    this.#assertOpen();
    this.#threads.manifest = manifest;
  }

  #assertOpen(): void {
    if (this.#threads.closed) throw new AppError("draining", "the runtime is shutting down", { "Retry-After": "10" });
  }

  compileOnce(): Promise<void> {
    return this.#threads.compileOnce();
  }

  invoke(invocation: Invocation): void {
    if (this.#threads.closed) {
      invocation.lost(replaced);
      return;
    }
    const admitted = this.#admission.admit(invocation);
    if (admitted === "begun") this.#threads.used();
    else if (admitted === "waits") this.#threads.wake();
  }

  find(runId: string): Invocation | undefined {
    return this.#admission.queue.find(runId) ?? this.#threads.find(runId)?.invocation;
  }

  progress(): Iterable<readonly [runId: string, progress: RunProgress]> {
    return this.#threads.progress();
  }

  async refresh(runId: string): Promise<void> {
    await this.#threads.find(runId)?.thread.refresh();
  }

  cancel(runId: string, reason: string, urgent: boolean): void {
    this.#threads.cancel(runId, reason, urgent);
    this.#admission.queue.cancel(runId, reason);
    this.#look();
  }

  expire(now: number): void {
    if (!this.hasWaiting) return;
    this.#admission.queue.expire(now);
    this.#look();
  }

  readonly peek: PooledFlow["peek"] = (...asked) => this.#threads.serving[0]?.connections.peeks.ask(...asked);

  /** Sets which routes run. A flow with a running source needs its threads; without one it may become idle. */
  serve(running: string): void {
    this.#routes.serve(running);
    if (!this.hasSource) this.#threads.watchIdle();
    else if (this.#drain === undefined && this.quarantinedMs <= 0) this.#threads.wake();
  }

  settle(): Promise<void> {
    return new Promise((resolve) => this.#settling.whenSettled(resolve));
  }

  /** Sends the current mappings to one thread at each step of the generator. Each promise resolves when its thread has taken them, or is gone. */
  updateMappings(): Generator<Promise<void>> {
    return this.#threads.updateMappings(() => this.#around.own.mappings().mappings);
  }

  /** A second call may shorten the time of the first; both resolve with the same result. */
  drain(limitMs: number, end: ThreadEnd = "ends"): Promise<Drained> {
    if (this.#drain === undefined) {
      this.#threads.drain(end);
      const drain = new Drain(this.inflight + this.queued, () => this.#close());
      this.#drain = drain;
      this.#settling.whenSettled(() => drain.finish());
    }
    this.#drain.within(limitMs);
    return this.#drain.done;
  }

  serves(thread: FlowThread): void {
    // The mappings may have changed while the thread compiled the flow.
    void thread.update(this.#around.own.mappings().mappings ?? []);
    this.#routes.send(thread);
    if (this.#settling.begun) thread.halt();
    this.#around.supervisor.watch(thread, this.limits.cancelGraceMs);
    this.#admission.look();
  }

  freed(thread: FlowThread): void {
    this.#admission.freed(thread);
    this.finished(thread);
  }

  finished(thread: FlowThread): void {
    this.#threads.look(thread);
    this.#settling.look();
  }

  /** Passes on an announced run. It waits for no thread, since its message is in one. */
  announced(run: AnnouncedRun): void {
    const route = this.manifest.routes[run.routeIndex];
    if (route === undefined) throw new Error("an announced run is of a route of its flow");
    if (run.cause === "source" && route.trigger.kind !== "source")
      throw new Error("only a route with a source has such runs");
    if (this.#threads.closed) run.refuse("its deployment has been replaced");
    else {
      this.#threads.used();
      this.events.announced(this, run);
    }
  }

  readonly asks = (request: StateRequest): void => this.events.state(this, request);
  readonly asksGroups = (request: GroupsRequest): void => this.events.groups(this, request);
  readonly permits: ThreadOwner["permits"] = (request) => this.events.permits(this, request);
  readonly source: ThreadOwner["source"] = (...failing) => this.events.source(this, ...failing);
  readonly abandoned = (claimant: number): void => this.events.abandoned(this, claimant);

  forgotten(name: string, key: string): void {
    const { state = [] } = this.#threads.manifest ?? {};
    if (!state.some((use) => use.name === name)) return;
    for (const thread of this.#threads.all) thread.send(ToThread.forgotten, name, key);
  }

  recycle(thread: FlowThread, must: boolean): void {
    this.#threads.recycle(thread, must);
  }

  died(thread: FlowThread, kill: Kill, runs: readonly ActiveRun[], culprit: ActiveRun | undefined): void {
    const missed = this.#threads.forget(thread) && kill.reason !== "redeploy";
    const waited = thread.announced.clear();
    if (waited > 0) {
      const messages = `${waited} messages that waited in a thread for runs of their own (wireTap, seda, ...)`;
      this.log("ERROR", `${messages} were lost with it`);
    }
    if (missed) this.restarts += 1;
    const quarantined = missed && this.#killed(kill);
    const again = settleLost(runs, kill, culprit, missed && !quarantined && !this.#threads.closed);
    this.#admission.queue.pushFirst(again);
    if (missed && !quarantined) this.#threads.refill();
    this.#look();
  }

  gone(thread: FlowThread): void {
    this.#around.supervisor.forget(thread);
    this.#admission.gone(thread);
  }

  /** Called when no thread could be had. Runs that wait are lost, unless the flow has or gets another thread. */
  notWoken(error: unknown): void {
    if (this.#threads.closed) return;
    const message = error instanceof Error ? error.message : String(error);
    const kill: Kill = { reason: "exit", detail: `no thread could be had: ${message}` };
    if (!this.#killed(kill) && this.#threads.expected === 0) {
      this.#admission.queue.endAll({ ...replaced, kill });
      this.#threads.refill();
    }
    this.#settling.look();
  }

  log(level: Level, message: string): void {
    this.events.log(this.flowId, undefined, -1, levels.indexOf(level), "runtime", message, "");
  }

  /** Counts a thread that the flow has lost. Returns true when the flow is quarantined for it, and so its waiting runs have ended. */
  #killed(kill: Kill): boolean {
    const quarantinedMs = kill.blameless === true ? undefined : this.#admission.threadLost();
    this.events.killed(this.flowId, kill, quarantinedMs);
    if (quarantinedMs === undefined) return false;
    this.#admission.queue.endAll({ kind: "quarantined", retryAfterMs: quarantinedMs });
    return true;
  }

  /** Begins the runs that may begin, and checks whether the pool has settled. */
  #look(): void {
    this.#admission.look();
    this.#settling.look();
  }

  /** Ends the drain: kills the runs that are left, and resolves with their number. */
  async #close(): Promise<number> {
    this.#threads.closed = true;
    const left = this.inflight + this.queued;
    this.#admission.queue.endAll(replaced);
    this.#admission.close();
    await this.#threads.end(left > 0);
    this.#around.supervisor.forgetRoom(this);
    this.#routes.end();
    this.#around.onClosed();
    return left;
  }
}
