/**
 * The threads that a deployment has, and when they come and go: they are woken by runs that wait, rest when the flow is idle, and are
 * replaced by others. A thread that others have taken over from leaves when it has finished.
 */
import { type FlowManifest, hasOneThread } from "../../../shared/manifest.ts";
import type { MappingData } from "../../../shared/mapping.ts";
import type { Attachment, Level } from "../../../shared/protocol.ts";
import type { Invocation } from "../invocation.ts";
import type { Kill } from "../kill.ts";
import type { FlowThread, ThreadOwner } from "../line/flow-thread.ts";
import { IdleTimer, within } from "../waiting.ts";
import type { StandbyThreads } from "./standby-threads.ts";
import { type FlowOwn, ThreadSource } from "./thread-source.ts";

interface Pool extends ThreadOwner {
  /** Runs wait for a thread. */
  readonly hasWaiting: boolean;
  /** A route runs whose messages come about in the threads. */
  readonly hasSource: boolean;
  /** The thread takes runs from now on. */
  serves(thread: FlowThread): void;
  /** The thread has ended, or is about to. */
  gone(thread: FlowThread): void;
  /** No thread could be had, though the flow needs one. */
  notWoken(error: unknown): void;
  log(level: Level, message: string): void;
}

interface Surroundings {
  readonly standby: StandbyThreads;
  readonly own: FlowOwn;
}

export const redeployed: Kill = { reason: "redeploy", detail: "its deployment was replaced" };

export class PoolThreads {
  /** Those that take runs: a list that is replaced, never changed. */
  serving: readonly FlowThread[] = [];
  /** As a thread has compiled the flow, or its check. */
  manifest: FlowManifest | undefined;
  compiled = false;
  /** Threads come only for runs that wait. */
  draining = false;
  /** No thread comes. */
  closed = false;
  readonly #pool: Pool;
  readonly #source: ThreadSource;
  readonly #idle: IdleTimer;
  /** They begin nothing for callers, finish what they have and what they keep, and end. */
  readonly #leaving = new Set<FlowThread>();
  /** Threads that serve until another one has come in their place. */
  readonly #replacing = new Set<FlowThread>();
  /** Settles when the threads have ended that the idle flow has given back. */
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

  /** How many serve, or are on their way. */
  get expected(): number {
    return this.serving.length + this.#source.arriving;
  }

  get inflight(): number {
    let count = 0;
    for (const thread of this.all) count += thread.runs.active.size;
    return count;
  }

  /** Messages that wait in them for runs of their own. */
  get waiting(): number {
    let count = 0;
    for (const { announced } of this.all) count += announced.waiting;
    return count;
  }

  /** Returns the thread that the run is in, with the run. */
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

  /** Sends a thread the current mappings at each step; each promise settles when a thread that lacks them has taken them, or is gone. */
  *updateMappings(current: () => readonly MappingData[] | undefined): Generator<Promise<void>> {
    for (const thread of this.all) {
      const mappings = current();
      if (mappings === undefined) return;
      const pending = thread.update(mappings);
      if (pending !== undefined) yield pending;
    }
  }

  /** Compiles the flow in as many threads as it has. */
  async warm(): Promise<void> {
    await Promise.all(Array.from({ length: this.#pool.limits.threads }, () => this.#source.bring()));
    if (!this.closed) this.watchIdle();
  }

  /** Rejects with CompileFailure for what a thread would not be given. */
  given(): Promise<void> {
    return this.#source.given();
  }

  async compileOnce(): Promise<void> {
    if (this.compiled || this.draining) return;
    try {
      // A thread that is on its way to a call compiles it, too.
      await (this.#source.next ?? this.#source.bring(true));
    } catch (error) {
      if (this.#pool.hasWaiting) this.#pool.notWoken(error);
      throw error;
    }
    this.#rest();
  }

  /** The flow is in use. */
  used(): void {
    this.#idle.used();
  }

  /** From now on the threads may rest when the flow has not been used for its time. */
  watchIdle(): void {
    this.#idle.watch();
  }

  /** Brings a flow without enough threads back to its number of them. */
  wake(): void {
    if (this.manifest !== undefined && hasOneThread(this.manifest) && this.#leaving.size > 0) return;
    while (!this.closed && this.expected < this.#pool.limits.threads) {
      this.#source.bring().then(
        () => this.watchIdle(),
        (error: unknown) => this.#pool.notWoken(error),
      );
    }
  }

  /** Wakes the flow when runs wait, and a flow that has its threads back before somebody asks for them. */
  refill(): void {
    if (this.#pool.hasWaiting || (!this.draining && (this.#livesInThreads || this.expected > 0))) this.wake();
  }

  /** A flow that has one thread gets the next one when the old one has finished what it keeps; what comes meanwhile waits. */
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

  /** Ends a leaving thread that has nothing left to do; to be called when something of it has ended. */
  look(thread: FlowThread): void {
    if (!this.#leaving.has(thread) || thread.finishing) return;
    if (thread.runs.active.size + thread.announced.waiting > 0) return;
    if (thread.unfinished) thread.finish();
    else {
      this.forget(thread);
      this.refill();
      void endThreads([thread], true, this.#pool.limits.cancelGraceMs);
    }
  }

  /** Returns false for a thread that is not missed: it has not arrived yet, or has been forgotten already. */
  forget(thread: FlowThread): boolean {
    const left = this.#leaving.delete(thread);
    const served = this.serving.includes(thread);
    if (served) this.#remove(thread);
    this.#pool.gone(thread);
    return left || served;
  }

  drain(): void {
    this.draining = true;
    this.#idle.stop();
  }

  /** Ends all threads, and resolves when they are gone, those included that were on their way. `killed`: they still have runs. */
  async end(killed: boolean): Promise<void> {
    await this.#endAll(killed);
    await this.#source.detach().release();
    await Promise.allSettled([this.#source.settled(), this.#resting]);
  }

  /** Keeps a thread that has compiled the flow. One that comes in a drain serves what has waited for it. */
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
      // In a drain the new one has not been kept.
      if (!this.draining && this.serving.includes(thread)) this.#leave(thread);
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      const stays = `no thread could be had that takes over from another, which stays: ${message}`;
      if (!this.closed) this.#pool.log("ERROR", stays);
    } finally {
      this.#replacing.delete(thread);
    }
  }

  /** From now on another one serves in its place. */
  #leave(thread: FlowThread): void {
    this.#remove(thread);
    this.#leaving.add(thread);
    thread.halt();
    this.look(thread);
  }

  #remove(thread: FlowThread): void {
    this.serving = this.serving.filter((other) => other !== thread);
  }

  /** It keeps state in its threads, or its messages come about there: nobody calls it, and it gets its threads back by itself. */
  get #livesInThreads(): boolean {
    return this.manifest !== undefined && (this.manifest.stateful || this.#pool.hasSource);
  }

  /** A flow whose triggers live in control needs no thread between its runs. */
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
 * Ends threads: `idle` ones are asked to, and killed when they have not after `graceMs`; others are killed at once.
 * Resolves with how many have not ended `graceMs` after their kill: they are in native code, which cannot be interrupted.
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
