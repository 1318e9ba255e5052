/** A deployment's threads: hands invocations to them, queues what they cannot take, wakes from idling, replaces the dead. */
import { AppError } from "../../shared/errors.ts";
import type { FlowManifest } from "../../shared/manifest.ts";
import { type Attachment, levels } from "../../shared/protocol.ts";
import { Drain, type Drained } from "./drain.ts";
import type { FileTurn, FileTurns } from "./file-turns.ts";
import type {
  FlowUsage,
  HostEvents,
  HostedAnnouncement,
  HostedFlow,
  HostedInvocation,
  Kill,
  Lost,
} from "./flow-host.ts";
import type { ActiveRun, FlowThread } from "./flow-thread.ts";
import { IdleTimer } from "./idle-timer.ts";
import { Quarantine } from "./quarantine.ts";
import { RunQueue } from "./run-queue.ts";
import { Settling } from "./settling.ts";
import type { StandbyThreads } from "./standby-threads.ts";
import type { Supervisor } from "./supervisor.ts";
import { endThreads, type FlowOwn, ThreadSource } from "./thread-source.ts";

interface Surroundings {
  readonly standby: StandbyThreads;
  readonly supervisor: Supervisor;
  readonly events: HostEvents;
  readonly fileTurns: FileTurns;
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

export class FlowPool implements HostedFlow {
  readonly limits: Attachment["limits"];
  readonly flowId: string;
  readonly #around: Surroundings;
  readonly #quarantine: Quarantine;
  readonly #source: ThreadSource;
  readonly #queue: RunQueue;
  readonly #idle: IdleTimer;
  readonly #settling: Settling;
  /** Which routes run, as threads are told; undefined until it serves. */
  #running: string | undefined;
  #fileTurn: FileTurn | undefined;
  /** The end of a quarantine. */
  #trial: NodeJS.Timeout | undefined;
  #manifest: FlowManifest | undefined;
  #threads: readonly FlowThread[] = [];
  /** Threads on their way. */
  readonly #arriving = new Set<Promise<void>>();
  /** Threads on their way out of an idle flow. */
  #resting: Promise<void> = Promise.resolve();
  #drain: Drain | undefined;
  /** It takes nothing more: its drain is over. */
  #closed = false;
  #pastCpuMs = 0;
  restarts = 0;

  constructor(attachment: Attachment, around: Surroundings) {
    const { limits, model } = attachment;
    this.limits = limits;
    this.flowId = model.flowId;
    this.#around = around;
    this.#quarantine = new Quarantine(limits);
    this.#source = new ThreadSource(attachment, around.own, around.standby);
    this.#queue = new RunQueue(limits);
    this.#idle = new IdleTimer(limits.idleMs, () => void this.#rest());
    this.#settling = new Settling({ threads: () => this.#threads, busy: () => this.inflight + this.queued > 0 });
    around.supervisor.watchRoom(this);
  }

  get manifest(): FlowManifest {
    if (this.#manifest === undefined) throw new Error("the flow has not been warmed");
    return this.#manifest;
  }

  get threads(): number {
    return this.#threads.length;
  }

  get inflight(): number {
    let count = 0;
    for (const thread of this.#threads) count += thread.active.size;
    return count;
  }

  get queued(): number {
    let count = this.#queue.size;
    for (const { announced } of this.#threads) count += announced.waiting;
    return count;
  }

  get quarantinedMs(): number {
    return this.#quarantine.remainingMs;
  }

  get events(): HostEvents {
    return this.#around.events;
  }

  /** Compiles the flow in all its threads. */
  async warm(): Promise<void> {
    await Promise.all(Array.from({ length: this.limits.threads }, () => this.#addThread()));
    if (this.#closed) throw new AppError("draining", "the runtime is shutting down", { "Retry-After": "10" });
    this.#idle.watch();
  }

  invoke(invocation: HostedInvocation): void {
    const { remainingMs } = this.#quarantine;
    if (this.#closed) invocation.lost(replaced);
    else if (remainingMs > 0) invocation.lost({ kind: "quarantined", retryAfterMs: remainingMs });
    else {
      const thread = this.#free(invocation.child);
      if (thread === undefined) this.#wait(invocation);
      else {
        this.#idle.used();
        thread.invoke(invocation);
      }
    }
  }

  find(runId: string): HostedInvocation | undefined {
    const waiting = this.#queue.find(runId);
    if (waiting !== undefined) return waiting;
    for (const { active } of this.#threads) {
      for (const { invocation } of active.values()) if (invocation.runId === runId) return invocation;
    }
    return undefined;
  }

  cancel(runId: string, reason: string, urgent: boolean): void {
    for (const thread of this.#threads) {
      for (const [slot, run] of thread.active.entries()) {
        if (run.invocation.runId === runId) thread.cancel(slot, run, reason, urgent);
      }
    }
    this.#queue.cancel(runId, reason);
    this.#settling.look();
  }

  expire(now: number): void {
    this.#queue.expire(now);
    this.#settling.look();
  }

  async usage(): Promise<FlowUsage> {
    const each = await Promise.all(this.#threads.map((thread) => thread.usage()));
    return {
      inflight: this.inflight,
      queued: this.queued,
      threads: this.threads,
      cpuMs: each.reduce((sum, { cpuMs }) => sum + cpuMs, this.#pastCpuMs),
      heapBytes: each.reduce((sum, { heapBytes }) => sum + heapBytes, 0),
      restarts: this.restarts,
    };
  }

  serve(running: string): void {
    this.#running = running;
    for (const thread of this.#threads) this.#serve(thread);
  }

  #serve(thread: FlowThread): void {
    if (this.#running === undefined) return;
    this.#fileTurn ??= this.#around.fileTurns.join(this.flowId, this.manifest, () => {
      for (const one of this.#threads) this.#serve(one);
    });
    thread.serve(this.#fileTurn.allowed(this.#running));
  }

  settle(): Promise<void> {
    return new Promise((resolve) => this.#settling.whenSettled(resolve));
  }

  /** Gives its threads the mappings as they are at each step; tells of those that have not taken them yet when they have, or are gone. */
  *updateMappings(): Generator<Promise<void>> {
    for (const thread of this.#threads) {
      const { mappings } = this.#around.own.mappings();
      if (mappings === undefined) return;
      const pending = thread.update(mappings);
      if (pending !== undefined) yield pending;
    }
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
    const next = this.#queue.next(thread);
    if (next !== undefined) thread.invoke(next);
    else this.#settling.look();
  }

  /** Its place is the thread that has its message, and is there already: it waits for nobody. */
  announced(run: HostedAnnouncement): void {
    if (run.routeIndex >= this.manifest.routes.length) throw new Error("an announced run is of a route of its flow");
    if (this.#closed) run.refuse("its deployment has been replaced");
    else {
      this.#idle.used();
      this.#around.events.announced(this, run);
    }
  }

  recycle(_thread: FlowThread): void {}

  finished(thread: FlowThread): void {
    this.#settling.finished(thread);
    this.#settling.look();
  }

  died(thread: FlowThread, kill: Kill, runs: readonly ActiveRun[], culprit: ActiveRun | undefined): void {
    // One that is still arriving, or is leaving, is not missed.
    const served = this.#threads.includes(thread);
    this.#forget(thread);
    this.#tellLost(thread.announced.clear());
    if (served && kill.reason !== "redeploy") this.#replace(kill);
    const only = runs.length === 1 ? runs[0] : culprit;
    const by = only?.invocation.runId;
    const others = runs.filter((run) => run !== only).map(({ invocation }) => invocation.runId);
    for (const run of runs) run.invocation.lost({ kind: "killed", kill, culprit: run === only, by, others });
    this.#settling.look();
  }

  #wait(invocation: HostedInvocation): void {
    if (this.#queue.push(invocation)) this.#wake();
    else invocation.lost({ kind: "shed", message: `${this.limits.queue} runs of this flow are waiting already` });
  }

  #replace(kill: Kill): void {
    this.restarts += 1;
    const quarantinedMs = this.#quarantine.kill();
    this.#around.events.killed(this.flowId, kill, quarantinedMs);
    if (quarantinedMs !== undefined) this.#quarantined(quarantinedMs);
    else if (this.#queue.size > 0 || (this.#drain === undefined && this.#keepsThreads)) this.#wake();
  }

  /** Nobody calls a flow whose messages come about in its threads (files): it gets them back by itself. */
  #quarantined(ms: number): void {
    this.#queue.endAll({ kind: "quarantined", retryAfterMs: ms });
    clearTimeout(this.#trial);
    this.#trial = setTimeout(() => {
      if (this.#drain === undefined && this.#keepsThreads) this.#wake();
    }, ms).unref();
  }

  /** Whether it has its threads back before somebody asks for them: it keeps state in them, or others of it still serve. */
  get #keepsThreads(): boolean {
    return this.#manifest?.stateful === true || this.#threads.length + this.#arriving.size > 0;
  }

  /** The least busy thread that has a place left. */
  #free(child: boolean): FlowThread | undefined {
    let best: FlowThread | undefined;
    for (const thread of this.#threads) {
      if (best !== undefined && thread.active.size >= best.active.size) continue;
      if (this.#queue.hasRoom(thread, child)) best = thread;
    }
    return best;
  }

  /** Brings a flow without enough threads back to its number of them. */
  #wake(): void {
    while (!this.#closed && this.#threads.length + this.#arriving.size < this.limits.threads) {
      this.#addThread().then(
        () => this.#idle.watch(),
        (error: unknown) => this.#notWoken(error),
      );
    }
  }

  async #addThread(): Promise<void> {
    const arrival = this.#arrive();
    this.#arriving.add(arrival);
    try {
      await arrival;
    } finally {
      this.#arriving.delete(arrival);
    }
  }

  /** A thread that comes while the pool drains still serves what has waited for it. */
  async #arrive(): Promise<void> {
    const { thread, manifest } = await this.#source.next(this);
    this.#manifest = manifest;
    if (this.#closed || (this.#drain !== undefined && this.#queue.size === 0)) {
      return thread.kill(replaced.kill);
    }
    this.#threads = [...this.#threads, thread];
    // They may have changed while it compiled the flow.
    void thread.update(this.#around.own.mappings().mappings ?? []);
    this.#serve(thread);
    if (this.#settling.begun) thread.halt();
    this.#around.supervisor.watch(thread, this.limits.cancelGraceMs);
    for (let next = this.#queue.next(thread); next !== undefined; next = this.#queue.next(thread)) thread.invoke(next);
  }

  /** No thread could be had: what waits is lost, unless another thread is there or on its way. */
  #notWoken(error: unknown): void {
    if (this.#closed) return;
    const message = error instanceof Error ? error.message : String(error);
    const quarantinedMs = this.#quarantine.kill();
    const kill: Kill = { reason: "exit", detail: `no thread could be had: ${message}` };
    this.#around.events.killed(this.flowId, kill, quarantinedMs);
    if (quarantinedMs !== undefined) this.#quarantined(quarantinedMs);
    else if (this.#threads.length + this.#arriving.size === 0) {
      this.#queue.endAll({ ...replaced, kill });
      if (this.#drain === undefined && this.#keepsThreads) this.#wake();
    }
    this.#settling.look();
  }

  #forget(thread: FlowThread): void {
    this.#around.supervisor.forget(thread);
    this.#settling.finished(thread);
    this.#threads = this.#threads.filter((other) => other !== thread);
  }

  #tellLost(announced: number): void {
    if (announced === 0) return;
    const message = `${announced} messages that waited in a thread for runs of their own (wireTap, seda, ...) were lost with it`;
    this.events.log(this.flowId, undefined, -1, levels.indexOf("ERROR"), "runtime", message);
  }

  /** A flow whose triggers live in control needs no thread between its runs. */
  async #rest(): Promise<void> {
    if (this.#manifest?.stateful === true) return;
    const leaving = this.#threads;
    const usages = await Promise.all(leaving.map((thread) => thread.usage()));
    const busy = this.inflight + this.queued + this.#arriving.size > 0;
    if (busy || this.#drain !== undefined || this.#threads !== leaving) return this.#idle.watch();
    for (const { cpuMs } of usages) this.#pastCpuMs += cpuMs;
    const { release } = this.#source.detach();
    this.#resting = this.#end(false).then(release);
  }

  /** The drain is over: what is left is killed. Resolves with the number of runs that it was. */
  async #close(): Promise<number> {
    this.#closed = true;
    const left = this.inflight + this.queued;
    this.#queue.endAll(replaced);
    await this.#end(left > 0);
    await this.#source.detach().release();
    await Promise.allSettled([...this.#arriving, this.#resting]);
    this.#around.supervisor.forgetRoom(this);
    this.#fileTurn?.leave();
    clearTimeout(this.#trial);
    this.#around.onClosed();
    return left;
  }

  async #end(killed: boolean): Promise<void> {
    const leaving = this.#threads;
    for (const thread of leaving) this.#forget(thread);
    const left = await endThreads(leaving, !killed, this.limits.cancelGraceMs);
    if (left === 0) return;
    const message = `${left} of its threads cannot be ended: they are in native code, and end when that does`;
    this.events.log(this.flowId, undefined, -1, levels.indexOf("ERROR"), "runtime", message);
  }
}
