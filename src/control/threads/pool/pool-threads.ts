/**
 * The threads of a deployment, and when they come and go: runs that wait bring threads, an idle flow gives them back, and a thread may be
 * replaced by another. A thread that was replaced leaves when it has finished its runs.
 */
import { type FlowManifest, hasOneThread } from "../../../shared/manifest.ts";
import type { ResourceData } from "../../../shared/mapping.ts";
import type { Attachment, Level, ThreadEnd } from "../../../shared/protocol.ts";
import type { Invocation } from "../invocation.ts";
import type { Kill } from "../kill.ts";
import type { FlowThread, ThreadOwner } from "../line/flow-thread.ts";
import { IdleTimer, within } from "../waiting.ts";
import type { StandbyThreads } from "./standby-threads.ts";
import { type FlowOwn, ThreadSource } from "./thread-source.ts";

interface Pool extends ThreadOwner {
  /** true: runs wait for a thread. */
  readonly hasWaiting: boolean;
  /** true: a route with a source runs, whose messages arise in the threads. */
  readonly hasSource: boolean;
  /** Called when a thread begins to take runs. */
  serves(thread: FlowThread): void;
  /** Called when a thread has ended, or is about to. */
  gone(thread: FlowThread): void;
  /** Called when the flow needs a thread, and none could be had. */
  notWoken(error: unknown): void;
  log(level: Level, message: string): void;
}

interface Surroundings {
  readonly standby: StandbyThreads;
  readonly own: FlowOwn;
}

export const redeployed: Kill = { reason: "redeploy", detail: "its deployment was replaced" };

export class PoolThreads {
  /** The threads that take runs. The list is replaced, never changed. */
  serving: readonly FlowThread[] = [];
  /** The manifest from the thread that has compiled the flow last, or from the flow's check. */
  manifest: FlowManifest | undefined;
  compiled = false;
  /** true: threads are brought only for runs that wait. */
  draining = false;
  /** Why the threads finish once the pool settles. */
  threadEnd: ThreadEnd = "ends";
  /** true: no thread is brought any more. */
  closed = false;
  readonly #pool: Pool;
  readonly #source: ThreadSource;
  readonly #idle: IdleTimer;
  /** Threads that get no more runs of callers: they finish their runs and what they keep, then end. */
  readonly #leaving = new Set<FlowThread>();
  /** Threads that serve until their replacement has arrived. */
  readonly #replacing = new Set<FlowThread>();
  /** Settles when the threads that the idle flow has given back have ended. */
  #resting: Promise<void> = Promise.resolve();

  constructor(attachment: Attachment, { own, standby }: Surroundings, pool: Pool) {
    this.#pool = pool;
    const arrived = (thread: FlowThread, manifest: FlowManifest): void => this.#arrived(thread, manifest);
    this.#source = new ThreadSource(attachment, { own, standby, owner: pool, arrived });
    this.#idle = new IdleTimer(pool.limits.idleMs, () => this.#rest());
  }

  get all(): readonly FlowThread[] {
    return this.#leaving.size === 0 ? this.serving : [...this.serving, ...this.#leaving];
  }

  /** How many threads serve, or are on their way. */
  get expected(): number {
    return this.serving.length + this.#source.arriving;
  }

  get inflight(): number {
    let count = 0;
    for (const thread of this.all) count += thread.runs.active.size;
    return count;
  }

  /** How many announced runs have not begun. */
  get waiting(): number {
    let count = 0;
    for (const { announced } of this.all) count += announced.waiting;
    return count;
  }

  /** Finds a run, and the thread that it is in. */
  find(runId: string): { readonly thread: FlowThread; readonly invocation: Invocation } | undefined {
    for (const thread of this.all) {
      for (const { invocation } of thread.runs.active.values()) {
        if (invocation.runId === runId) return { thread, invocation };
      }
    }
    return undefined;
  }

  *progress(): ReturnType<FlowThread["runs"]["progress"]> {
    for (const thread of this.all) yield* thread.runs.progress();
  }

  cancel(runId: string, reason: string, urgent: boolean): void {
    for (const thread of this.all) {
      for (const [slot, run] of thread.runs.active.entries()) {
        if (run.invocation.runId === runId) thread.runs.cancel(slot, run, reason, urgent);
      }
    }
  }

  /** Sends the current mappings to one thread at each step of the generator. Each promise resolves when its thread has taken them, or is gone. */
  *updateMappings(current: () => readonly ResourceData[] | undefined): Generator<Promise<void>> {
    for (const thread of this.all) {
      const mappings = current();
      if (mappings === undefined) return;
      const pending = thread.update(mappings);
      if (pending !== undefined) yield pending;
    }
  }

  /** Brings all threads of the flow, each of which compiles it. */
  async warm(): Promise<void> {
    await Promise.all(Array.from({ length: this.#pool.limits.threads }, () => this.#source.bring()));
    if (!this.closed) this.watchIdle();
  }

  /** Rejects with CompileFailure when a secret of the flow is missing. */
  given(): Promise<void> {
    return this.#source.given();
  }

  async compileOnce(): Promise<void> {
    if (this.compiled || this.draining) return;
    try {
      // A thread that is on its way for a call compiles the flow, too.
      await (this.#source.next ?? this.#source.bring(true));
    } catch (error) {
      if (this.#pool.hasWaiting) this.#pool.notWoken(error);
      throw error;
    }
    this.#rest();
  }

  /** Call it when the flow is used: its idle time begins anew. */
  used(): void {
    this.#idle.used();
  }

  /** From now on the threads are given back when the flow has not been used for `idleMs`. */
  watchIdle(): void {
    this.#idle.watch();
  }

  /** Brings threads until the flow has as many as it should. */
  wake(): void {
    if (this.manifest !== undefined && hasOneThread(this.manifest) && this.#leaving.size > 0) return;
    while (!this.closed && this.expected < this.#pool.limits.threads) {
      this.#source.bring().then(
        () => this.watchIdle(),
        (error: unknown) => this.#pool.notWoken(error),
      );
    }
  }

  /** Brings threads if runs wait, or if the flow needs its threads without a call. */
  refill(): void {
    if (this.#pool.hasWaiting || (!this.draining && (this.#livesInThreads || this.expected > 0))) this.wake();
  }

  /** Replaces a thread. A flow with one thread gets the new one when the old one has finished what it keeps; calls wait meanwhile. */
  recycle(thread: FlowThread, must: boolean): void {
    const { manifest } = this;
    if (this.draining || this.#replacing.has(thread) || !this.serving.includes(thread) || !manifest) return;
    if (!hasOneThread(manifest)) void this.#replace(thread);
    else if (must) {
      const lost = "its thread has to go: what its steps have kept in it is finished or lost, and begins anew";
      if (manifest.stateful) this.#pool.log("WARN", lost);
      this.#leave(thread);
    }
  }

  /** Ends a leaving thread that has nothing left to do. Call it when a run of the thread has ended. */
  look(thread: FlowThread): void {
    if (!this.#leaving.has(thread) || thread.finishing) return;
    if (thread.runs.active.size + thread.announced.waiting > 0) return;
    if (thread.unfinished) thread.finish(this.draining ? this.threadEnd : "leaves");
    else {
      this.forget(thread);
      this.refill();
      void endThreads([thread], true, this.#pool.limits.cancelGraceMs);
    }
  }

  /** Drops a thread. Returns false when the pool did not have it: it has not arrived yet, or was dropped before. */
  forget(thread: FlowThread): boolean {
    const left = this.#leaving.delete(thread);
    const served = this.serving.includes(thread);
    if (served) this.#remove(thread);
    this.#pool.gone(thread);
    return left || served;
  }

  drain(end: ThreadEnd): void {
    this.draining = true;
    this.threadEnd = end;
    this.#idle.stop();
  }

  /** Ends all threads, and resolves when they are gone, including those that were on their way. `killed`: they still have runs. */
  async end(killed: boolean): Promise<void> {
    this.#source.abandon();
    await this.#endAll(killed);
    await this.#source.detach().release();
    await Promise.allSettled([this.#source.settled(), this.#resting]);
  }

  /** Adds a thread that has compiled the flow. A thread that arrives during a drain is kept only if runs wait for it. */
  #arrived(thread: FlowThread, manifest: FlowManifest): void {
    this.manifest = manifest;
    this.compiled = true;
    if (this.closed || (this.draining && !this.#pool.hasWaiting)) {
      thread.kill(redeployed);
      return;
    }
    this.serving = [...this.serving, thread];
    this.#pool.serves(thread);
    if (thread.mustLeave) this.recycle(thread, true);
  }

  async #replace(thread: FlowThread): Promise<void> {
    this.#replacing.add(thread);
    try {
      await this.#source.bring();
      // During a drain the new thread was not kept.
      if (!this.draining && this.serving.includes(thread)) this.#leave(thread);
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      const stays = `no thread could be had that takes over from another, which stays: ${message}`;
      if (!this.closed) this.#pool.log("ERROR", stays);
    } finally {
      this.#replacing.delete(thread);
    }
  }

  /** Lets the thread leave: other threads take its place. */
  #leave(thread: FlowThread): void {
    this.#remove(thread);
    this.#leaving.add(thread);
    thread.halt();
    this.look(thread);
  }

  #remove(thread: FlowThread): void {
    this.serving = this.serving.filter((other) => other !== thread);
  }

  /** Whether the flow needs its threads without a call: it keeps state in them, or has a source whose messages arise there. */
  get #livesInThreads(): boolean {
    return this.manifest !== undefined && (this.manifest.stateful || this.#pool.hasSource);
  }

  /** Gives the threads of an idle flow back: its triggers are in control, so it needs no thread between runs. */
  #rest(): void {
    if (this.#livesInThreads) return;
    const busy = this.inflight + this.waiting + this.#source.arriving + this.#leaving.size > 0;
    if (busy || this.#pool.hasWaiting || this.draining) this.watchIdle();
    else {
      const { release } = this.#source.detach();
      this.#resting = this.#endAll(false).then(release);
    }
  }

  async #endAll(killed: boolean): Promise<void> {
    const ending = this.all;
    for (const thread of ending) this.forget(thread);
    const left = await endThreads(ending, !killed, this.#pool.limits.cancelGraceMs);
    const stay = `${left} of its threads cannot be ended: they are in native code, and end when that does`;
    if (left > 0) this.#pool.log("ERROR", stay);
  }
}

/**
 * Ends threads: `idle` ones are asked to end, and killed when they have not ended after `graceMs`; others are killed at once.
 * Resolves with the number of threads that have not ended `graceMs` after their kill: these are in native code, which cannot be interrupted.
 */
async function endThreads(threads: readonly FlowThread[], idle: boolean, graceMs: number): Promise<number> {
  const ended = await Promise.all(threads.map((thread) => endThread(thread, idle, graceMs)));
  return ended.filter((gone) => !gone).length;
}

async function endThread(thread: FlowThread, idle: boolean, graceMs: number): Promise<boolean> {
  if (idle) {
    thread.end();
    if (await within(graceMs, thread.booted.ended)) return true;
  }
  thread.kill(redeployed);
  return within(graceMs, thread.booted.ended);
}
