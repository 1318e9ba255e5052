/** A deployment's threads: hands invocations to them, queues what they cannot take, wakes from idling, replaces the dead. */
import { AppError } from "../../shared/errors.ts";
import { type FlowManifest, hasOneThread } from "../../shared/manifest.ts";
import { type Attachment, type Level, levels } from "../../shared/protocol.ts";
import type { ActiveRun } from "./active-run.ts";
import { Admission } from "./admission.ts";
import { Drain, type Drained } from "./drain.ts";
import type { FlowThread } from "./flow-thread.ts";
import { IdleTimer } from "./idle-timer.ts";
import type { Invocation, Lost } from "./invocation.ts";
import type { Kill } from "./kill.ts";
import { LeavingThreads } from "./leaving-threads.ts";
import { settleLost } from "./lost-runs.ts";
import type { AnnouncedRun, PoolEvents } from "./pool-events.ts";
import { PoolThreads } from "./pool-threads.ts";
import type { PooledFlow } from "./pooled-flow.ts";
import { Quarantine } from "./quarantine.ts";
import type { RunProgress } from "./run-progress.ts";
import { ServedRoutes, type SourceTurns } from "./served-routes.ts";
import { Settling } from "./settling.ts";
import type { StandbyThreads } from "./standby-threads.ts";
import type { Supervisor } from "./supervisor.ts";
import { endThreads, type FlowOwn, ThreadSource } from "./thread-source.ts";
import type { Turns } from "./turns.ts";

interface Surroundings {
  readonly standby: StandbyThreads;
  readonly supervisor: Supervisor;
  readonly events: PoolEvents;
  readonly sourceTurns: SourceTurns;
  readonly turns: Turns;
  readonly own: FlowOwn;
  onClosed(): void;
}

const replaced = {
  kind: "killed",
  kill: { reason: "redeploy", detail: "its deployment was replaced" },
  culprit: false,
  by: undefined,
  others: [],
} as const satisfies Lost;

export class FlowPool implements PooledFlow {
  readonly limits: Attachment["limits"];
  readonly flowId: string;
  readonly #around: Surroundings;
  readonly #quarantine: Quarantine;
  readonly #source: ThreadSource;
  readonly #admission: Admission;
  readonly #idle: IdleTimer;
  readonly #settling: Settling;
  readonly #routes: ServedRoutes;
  /** The end of a quarantine. */
  #trial: NodeJS.Timeout | undefined;
  #manifest: FlowManifest | undefined;
  readonly #threads: PoolThreads;
  readonly #leaving: LeavingThreads;
  /** Threads on their way. */
  readonly #arriving = new Set<Promise<void>>();
  /** Threads that serve until another one has come in their place. */
  readonly #recycled = new Set<FlowThread>();
  /** Threads that were to be given up before they had come. */
  readonly #early = new WeakSet<FlowThread>();
  /** Threads on their way out of an idle flow. */
  #resting: Promise<void> = Promise.resolve();
  #drain: Drain | undefined;
  /** It takes nothing more: its drain is over. */
  #closed = false;
  compiled = false;
  restarts = 0;

  constructor(attachment: Attachment, around: Surroundings) {
    const { limits, model } = attachment;
    this.limits = limits;
    this.flowId = model.flowId;
    this.#around = around;
    this.#quarantine = new Quarantine(limits);
    this.#source = new ThreadSource(attachment, around.own, around.standby);
    this.#idle = new IdleTimer(limits.idleMs, () => this.#rest());
    this.#settling = new Settling({ threads: () => this.#threads.all, busy: () => this.inflight + this.queued > 0 });
    const ending = (thread: FlowThread): void => this.#left(thread);
    this.#leaving = new LeavingThreads({ settling: this.#settling, graceMs: limits.cancelGraceMs, ending });
    this.#threads = new PoolThreads(this.#leaving);
    const threads = (): readonly FlowThread[] => this.#threads.serving;
    this.#admission = new Admission({ limits, turns: around.turns, threads });
    const { flowId } = this;
    this.#routes = new ServedRoutes({
      flowId,
      sourceTurns: around.sourceTurns,
      manifest: () => this.manifest,
      threads,
    });
    around.supervisor.watchRoom(this);
  }

  get manifest(): FlowManifest {
    if (this.#manifest === undefined) throw new Error("the flow has not been warmed");
    return this.#manifest;
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
    return this.#quarantine.remainingMs;
  }

  get events(): PoolEvents {
    return this.#around.events;
  }

  /** Compiles the flow in all its threads. */
  async warm(): Promise<void> {
    await Promise.all(Array.from({ length: this.limits.threads }, () => this.#addThread()));
    if (this.#closed) throw new AppError("draining", "the runtime is shutting down", { "Retry-After": "10" });
    this.#idle.watch();
  }

  /** Has no thread until it is called. Rejects with CompileFailure for what a thread would not be given. */
  async sleep(manifest: FlowManifest): Promise<void> {
    await this.#source.given();
    if (this.#closed) throw new AppError("draining", "the runtime is shutting down", { "Retry-After": "10" });
    this.#manifest = manifest;
  }

  async compileOnce(): Promise<void> {
    if (this.compiled || this.#drain !== undefined) return;
    try {
      // One that is on its way to a call will do.
      await (this.#arriving.values().next().value ?? this.#addThread(true));
    } catch (error) {
      if (this.#admission.queue.size > 0) this.#notWoken(error);
      throw error;
    }
    this.#rest();
  }

  invoke(invocation: Invocation): void {
    const { remainingMs } = this.#quarantine;
    if (this.#closed) invocation.lost(replaced);
    else if (remainingMs > 0) invocation.lost({ kind: "quarantined", retryAfterMs: remainingMs });
    else if (this.#admission.begin(invocation)) this.#idle.used();
    else if (this.#admission.wait(invocation)) this.#wake();
    else invocation.lost({ kind: "shed", message: `${this.limits.queue} runs of this flow are waiting already` });
  }

  find(runId: string): Invocation | undefined {
    return this.#admission.queue.find(runId) ?? this.#threads.find(runId);
  }

  progress(): Iterable<readonly [runId: string, progress: RunProgress]> {
    return this.#threads.progress();
  }

  async refresh(runId: string): Promise<void> {
    await this.#threads.threadOf(runId)?.refresh();
  }

  cancel(runId: string, reason: string, urgent: boolean): void {
    this.#threads.cancel(runId, reason, urgent);
    this.#admission.queue.cancel(runId, reason);
    this.#look();
  }

  expire(now: number): void {
    if (this.#admission.queue.size === 0) return;
    this.#admission.queue.expire(now);
    this.#look();
  }

  /** A flow whose sources run needs its threads; one whose sources were stopped may be idle from now on. */
  serve(running: string): void {
    this.#routes.serve(running);
    if (!this.#routes.hasSource) this.#idle.watch();
    else if (this.#drain === undefined && this.#quarantine.remainingMs <= 0) this.#wake();
  }

  settle(): Promise<void> {
    return new Promise((resolve) => this.#settling.whenSettled(resolve));
  }

  /** Gives its threads the mappings as they are at each step; tells of those that have not taken them yet when they have, or are gone. */
  updateMappings(): Generator<Promise<void>> {
    return this.#threads.updateMappings(() => this.#around.own.mappings().mappings);
  }

  /** A second call shortens the time of the first; both tell the same. */
  drain(limitMs: number): Promise<Drained> {
    this.#idle.stop();
    if (this.#drain === undefined) {
      const drain = new Drain(this.inflight + this.queued, () => this.#close());
      this.#drain = drain;
      this.#settling.whenSettled(() => drain.finish());
    }
    this.#drain.within(limitMs);
    return this.#drain.done;
  }

  freed(thread: FlowThread): void {
    this.#admission.freed(thread);
    if (this.#leaving.has(thread)) this.#leaving.look(thread);
    this.#settling.look();
  }

  /** Its place is the thread that has its message, and is there already: it waits for nobody. */
  announced(run: AnnouncedRun): void {
    const route = this.manifest.routes[run.routeIndex];
    if (route === undefined) throw new Error("an announced run is of a route of its flow");
    if (run.cause === "source" && route.trigger.kind !== "source")
      throw new Error("only a route with a source has such runs");
    if (this.#closed) run.refuse("its deployment has been replaced");
    else {
      this.#idle.used();
      this.#around.events.announced(this, run);
    }
  }

  /** Of a flow that has one thread, the next one begins when what the old one keeps is finished, and what came meanwhile waits. */
  recycle(thread: FlowThread, must: boolean): void {
    if (this.#drain !== undefined || this.#recycled.has(thread) || this.#leaving.has(thread)) return;
    if (!this.#threads.serving.includes(thread)) {
      if (must) this.#early.add(thread);
    } else if (!hasOneThread(this.manifest)) void this.#takeOver(thread);
    else if (must) {
      if (this.manifest.stateful)
        this.#log("WARN", "its thread has to go: what its steps have kept in it is finished or lost, and begins anew");
      this.#threads.leave(thread);
    }
  }

  async #takeOver(thread: FlowThread): Promise<void> {
    this.#recycled.add(thread);
    try {
      await this.#addThread();
      // In a drain the other one did not stay.
      if (this.#drain === undefined && this.#threads.serving.includes(thread)) this.#threads.leave(thread);
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      if (!this.#closed)
        this.#log("ERROR", `no thread could be had that takes over from another, which stays: ${message}`);
    } finally {
      this.#recycled.delete(thread);
    }
  }

  finished(thread: FlowThread): void {
    this.#settling.finished(thread);
    if (this.#leaving.has(thread)) this.#leaving.look(thread);
    this.#settling.look();
  }

  died(thread: FlowThread, kill: Kill, runs: readonly ActiveRun[], culprit: ActiveRun | undefined): void {
    const counts = this.#forget(thread) && kill.reason !== "redeploy";
    this.#tellLost(thread.announced.clear());
    const quarantinedMs = counts ? this.#killed(kill) : undefined;
    const again = settleLost(runs, kill, culprit, counts && quarantinedMs === undefined && !this.#closed);
    this.#admission.queue.pushFirst(again);
    if (counts && quarantinedMs === undefined) this.#refill();
    this.#look();
  }

  /** Something may begin, or may have been the last. */
  #look(): void {
    this.#admission.look();
    this.#settling.look();
  }

  /** A thread that others have taken over from is about to end. */
  #left(thread: FlowThread): void {
    this.#forget(thread);
    this.#refill();
  }

  /** A thread is missed. Tells for how long the flow is quarantined for it. */
  #killed(kill: Kill): number | undefined {
    this.restarts += 1;
    const quarantinedMs = kill.blameless === true ? undefined : this.#quarantine.kill();
    this.#around.events.killed(this.flowId, kill, quarantinedMs);
    if (quarantinedMs !== undefined) this.#quarantined(quarantinedMs);
    return quarantinedMs;
  }

  #refill(): void {
    if (this.#admission.queue.size > 0 || (this.#drain === undefined && this.#keepsThreads)) this.#wake();
  }

  /** Nobody calls a flow whose messages come about in its threads (files): it gets them back by itself. */
  #quarantined(ms: number): void {
    this.#admission.queue.endAll({ kind: "quarantined", retryAfterMs: ms });
    clearTimeout(this.#trial);
    this.#trial = setTimeout(() => {
      if (this.#drain === undefined && this.#keepsThreads) this.#wake();
    }, ms).unref();
  }

  /** Whether it has its threads back before somebody asks for them: it lives in them, or others of it still serve. */
  get #keepsThreads(): boolean {
    return this.#livesInThreads || this.#threads.serving.length + this.#arriving.size > 0;
  }

  /** It keeps state in its threads, or its messages come about there. */
  get #livesInThreads(): boolean {
    return this.#manifest !== undefined && (this.#manifest.stateful || this.#routes.hasSource);
  }

  /** Brings a flow without enough threads back to its number of them. */
  #wake(): void {
    if (this.#manifest !== undefined && hasOneThread(this.#manifest) && this.#leaving.size > 0) return;
    while (!this.#closed && this.#threads.serving.length + this.#arriving.size < this.limits.threads) {
      this.#addThread().then(
        () => this.#idle.watch(),
        (error: unknown) => this.#notWoken(error),
      );
    }
  }

  async #addThread(spare = false): Promise<void> {
    const arrival = this.#arrive(spare);
    this.#arriving.add(arrival);
    try {
      await arrival;
    } finally {
      this.#arriving.delete(arrival);
    }
  }

  /** A thread that comes while the pool drains still serves what has waited for it. */
  async #arrive(spare: boolean): Promise<void> {
    const { thread, manifest } = await this.#source.next(this, spare);
    this.#manifest = manifest;
    this.compiled = true;
    if (this.#closed || (this.#drain !== undefined && this.#admission.queue.size === 0)) {
      return thread.kill(replaced.kill);
    }
    this.#threads.add(thread);
    // They may have changed while it compiled the flow.
    void thread.update(this.#around.own.mappings().mappings ?? []);
    this.#routes.send(thread);
    if (this.#settling.begun) thread.halt();
    this.#around.supervisor.watch(thread, this.limits.cancelGraceMs);
    this.#admission.look();
    if (this.#early.has(thread)) this.recycle(thread, true);
  }

  /** No thread could be had: what waits is lost, unless another thread is there or on its way. */
  #notWoken(error: unknown): void {
    if (this.#closed) return;
    const message = error instanceof Error ? error.message : String(error);
    const quarantinedMs = this.#quarantine.kill();
    const kill: Kill = { reason: "exit", detail: `no thread could be had: ${message}` };
    this.#around.events.killed(this.flowId, kill, quarantinedMs);
    if (quarantinedMs !== undefined) this.#quarantined(quarantinedMs);
    else if (this.#threads.serving.length + this.#arriving.size === 0) {
      this.#admission.queue.endAll({ ...replaced, kill });
      if (this.#drain === undefined && this.#keepsThreads) this.#wake();
    }
    this.#settling.look();
  }

  /** false: it is not missed. */
  #forget(thread: FlowThread): boolean {
    this.#around.supervisor.forget(thread);
    this.#settling.finished(thread);
    const missed = this.#threads.delete(thread);
    this.#admission.gone(thread);
    return missed;
  }

  #tellLost(announced: number): void {
    if (announced === 0) return;
    const waited = `${announced} messages that waited in a thread for runs of their own (wireTap, seda, ...)`;
    this.#log("ERROR", `${waited} were lost with it`);
  }

  #log(level: Level, message: string): void {
    this.events.log(this.flowId, undefined, -1, levels.indexOf(level), "runtime", message);
  }

  /** A flow whose triggers live in control needs no thread between its runs. */
  #rest(): void {
    if (this.#livesInThreads) return;
    const busy = this.inflight + this.queued + this.#arriving.size + this.#leaving.size > 0;
    if (busy || this.#drain !== undefined) this.#idle.watch();
    else {
      const { release } = this.#source.detach();
      this.#resting = this.#end(false).then(release);
    }
  }

  /** The drain is over: what is left is killed. Resolves with the number of runs that it was. */
  async #close(): Promise<number> {
    this.#closed = true;
    const left = this.inflight + this.queued;
    this.#admission.queue.endAll(replaced);
    this.#admission.close();
    await this.#end(left > 0);
    await this.#source.detach().release();
    await Promise.allSettled([...this.#arriving, this.#resting]);
    this.#around.supervisor.forgetRoom(this);
    this.#routes.end();
    clearTimeout(this.#trial);
    this.#around.onClosed();
    return left;
  }

  async #end(killed: boolean): Promise<void> {
    const ending = this.#threads.all;
    for (const thread of ending) this.#forget(thread);
    const left = await endThreads(ending, !killed, this.limits.cancelGraceMs);
    if (left > 0) {
      this.#log("ERROR", `${left} of its threads cannot be ended: they are in native code, and end when that does`);
    }
  }
}
