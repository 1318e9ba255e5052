/**
 * Decides which run of a flow begins in which of its threads, and when: a thread needs room, and the flow its turn. The other runs wait here, and
 * none begins while the flow is quarantined.
 */
import type { Limits } from "../../../shared/limits.ts";
import type { Invocation, Lost } from "../invocation.ts";
import type { FlowThread } from "../line/flow-thread.ts";
import type { ThreadLoad } from "../line/thread-runs.ts";
import type { ThreadTurns, Waiter } from "../thread-turns.ts";

interface Surroundings {
  readonly limits: Limits;
  readonly turns: ThreadTurns;
  /** Returns the threads that take runs. */
  threads(): readonly FlowThread[];
  /** Called at the end of each quarantine. */
  trial(): void;
}

export class RunAdmission implements Waiter {
  readonly queue: RunQueue;
  readonly #limits: Limits;
  readonly #quarantine: Quarantine;
  readonly #turns: ThreadTurns;
  readonly #threads: () => readonly FlowThread[];

  constructor({ limits, turns, threads, trial }: Surroundings) {
    this.queue = new RunQueue(limits);
    this.#limits = limits;
    this.#quarantine = new Quarantine(limits, trial);
    this.#turns = turns;
    this.#threads = threads;
  }

  /** Milliseconds until the flow may run again; 0 when it may. */
  get quarantinedMs(): number {
    return this.#quarantine.remainingMs;
  }

  /** Begins the run in the least busy thread that may take it, queues it, or ends it. */
  admit(invocation: Invocation): "begun" | "waits" | "refused" {
    const { quarantinedMs } = this;
    if (quarantinedMs > 0) invocation.lost({ kind: "quarantined", retryAfterMs: quarantinedMs });
    else if (this.#begin(invocation)) return "begun";
    else if (this.queue.push(invocation)) {
      this.look();
      return "waits";
    } else invocation.lost({ kind: "shed", message: `${this.#limits.queue} runs of this flow are waiting already` });
    return "refused";
  }

  /** Counts a thread that the flow has lost. Returns the length in ms of the quarantine that begins with it, if one does. */
  threadLost(): number | undefined {
    return this.#quarantine.kill();
  }

  /** Begins the runs that may begin now. Call it when a thread has arrived or has room, and when a run no longer waits. */
  look(): void {
    if (this.queue.size > 0) for (const thread of this.#threads()) this.#fill(thread);
    this.#seekTurn();
  }

  /** Call it when a run has left the thread. */
  freed(thread: FlowThread): void {
    this.look();
    if (thread.runs.load.runs === 0) this.#turns.leave(thread.place);
  }

  /** Call it when the thread is gone, with all its runs. */
  gone(thread: FlowThread): void {
    this.#turns.leave(thread.place);
  }

  turn(): void {
    for (const thread of this.#threads()) if (this.#fill(thread)) break;
    this.#seekTurn();
  }

  close(): void {
    this.#turns.forget(this);
    this.#quarantine.stop();
  }

  /** Begins the run in the least busy thread that may take it. Returns false when it has to wait. */
  #begin(invocation: Invocation): boolean {
    if (this.queue.waitsBefore(invocation)) return false;
    const thread = this.#free(invocation);
    if (thread !== undefined) this.#give(thread, invocation);
    return thread !== undefined;
  }

  #fill(thread: FlowThread): boolean {
    let begun = false;
    while (this.queue.size > 0 && takesMore(thread)) {
      const next = this.queue.next(thread.runs.load, () => this.#turns.allows(this, thread.place));
      if (next === undefined) break;
      this.#give(thread, next);
      begun = true;
    }
    return begun;
  }

  #give(thread: FlowThread, invocation: Invocation): void {
    if (!invocation.child) this.#turns.take(thread.place);
    thread.invoke(invocation);
  }

  #free(invocation: Invocation): FlowThread | undefined {
    let best: FlowThread | undefined;
    for (const thread of this.#threads()) {
      if (best !== undefined && thread.runs.active.size >= best.runs.active.size) continue;
      if (!takesMore(thread) || !this.queue.hasRoom(thread.runs.load, invocation)) continue;
      if (invocation.child || this.#turns.allows(this, thread.place)) best = thread;
    }
    return best;
  }

  /** Waits for a turn if a thread has room for a waiting run: then only the turn is missing. */
  #seekTurn(): void {
    if (this.queue.size > 0 && this.#hasRoom()) this.#turns.wait(this);
    else this.#turns.forget(this);
  }

  #hasRoom(): boolean {
    return this.#threads().some((thread) => takesMore(thread) && this.queue.nextRun(thread.runs.load) !== undefined);
  }
}

/** Whether a thread may get runs: it is not over, and not too many bytes are on their way to it. */
function takesMore({ over, booted }: FlowThread): boolean {
  return !over && !booted.port.choked;
}

type Line = Invocation[];

/** The runs of callers and the calls from other flows that wait for a thread. */
class RunQueue {
  readonly #limits: Limits;
  #runs: Line = [];
  /** Calls from other flows wait in a separate line: parents that wait for children must not keep these from running. */
  #calls: Line = [];
  /** Calls that called runs make wait in a third line: a call that is ahead of them may be waiting for their end. */
  #nested: Line = [];

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  get size(): number {
    return this.#runs.length + this.#calls.length + this.#nested.length;
  }

  /** Returns false when `limits.queue` of its kind wait already. */
  push(invocation: Invocation): boolean {
    const before = invocation.child ? this.#calls.length + this.#nested.length : this.#runs.length;
    if (before >= this.#limits.queue) return false;
    this.#lineOf(invocation).push(invocation);
    return true;
  }

  /** Puts runs that begin anew ahead of all others, in their order, however many wait. */
  pushFirst(invocations: readonly Invocation[]): void {
    for (const invocation of invocations.toReversed()) this.#lineOf(invocation).unshift(invocation);
  }

  /** Whether other runs wait in the line where this one would. */
  waitsBefore(invocation: Invocation): boolean {
    return this.#lineOf(invocation).length > 0;
  }

  hasRoom(load: ThreadLoad, invocation: Invocation): boolean {
    return load.hasRoom(invocation, this.#limits);
  }

  /** Returns the next run of a caller if a thread with this load has room for it. */
  nextRun(load: ThreadLoad): Invocation | undefined {
    return this.#first(this.#runs, load);
  }

  /** Takes out the next run for which a thread with this load has room: calls first, since a run waits for each. `runs`: whether a caller's run may begin. */
  next(load: ThreadLoad, runs: () => boolean): Invocation | undefined {
    for (const line of [this.#nested, this.#calls]) if (this.#first(line, load) !== undefined) return line.shift();
    return this.#first(this.#runs, load) !== undefined && runs() ? this.#runs.shift() : undefined;
  }

  find(runId: string): Invocation | undefined {
    return [...this.#runs, ...this.#calls, ...this.#nested].find((waiting) => waiting.runId === runId);
  }

  /** Ends the waiting run of this id, if there is one. */
  cancel(runId: string, reason: string): void {
    this.#end((waiting) => waiting.runId === runId, { kind: "cancelled", message: reason });
  }

  /** Ends the waiting runs whose deadline has passed. `now` in epoch milliseconds. */
  expire(now: number): void {
    if (this.size > 0) this.#end((waiting) => now >= waiting.deadline, { kind: "expired" });
  }

  endAll(how: Lost): void {
    this.#end(() => true, how);
  }

  #lineOf({ child, nested }: Invocation): Line {
    if (!child) return this.#runs;
    return nested === true ? this.#nested : this.#calls;
  }

  #first(line: Line, load: ThreadLoad): Invocation | undefined {
    const [first] = line;
    return first !== undefined && this.hasRoom(load, first) ? first : undefined;
  }

  /** Takes runs out of the queue before it reports their end, since a caller may send the next run during that. */
  #end(which: (waiting: Invocation) => boolean, how: Lost): void {
    const ended: Invocation[] = [];
    const keep = (waiting: Invocation): boolean => !which(waiting) || ended.push(waiting) < 0;
    this.#runs = this.#runs.filter(keep);
    this.#calls = this.#calls.filter(keep);
    this.#nested = this.#nested.filter(keep);
    for (const waiting of ended) waiting.lost(how);
  }
}

const windowMs = 60_000;
const longestMs = 600_000;

/** A flow that has lost too many threads in too short a time is quarantined. After the quarantine it is on trial: one more loss, and it is quarantined for longer. */
export class Quarantine {
  readonly #limits: Limits;
  readonly #trial: () => void;
  #kills: number[] = [];
  #until = 0;
  #restMs = 0;
  #timer: NodeJS.Timeout | undefined;

  /** `trial` is called at the end of each quarantine. */
  constructor(limits: Limits, trial: () => void = () => {}) {
    this.#limits = limits;
    this.#trial = trial;
  }

  /** Milliseconds until the next trial; 0 when the flow may run. */
  get remainingMs(): number {
    return Math.max(0, this.#until - performance.now());
  }

  /** Counts a lost thread. Returns the length of the quarantine in ms when one begins. */
  kill(): number | undefined {
    const now = performance.now();
    this.#kills = [...this.#kills.filter((at) => now - at < windowMs), now];
    const onTrial = this.#restMs > 0 && now - this.#until < windowMs;
    if (this.#kills.length < this.#limits.quarantineKills && !onTrial) return undefined;
    this.#restMs = Math.min(longestMs, onTrial ? this.#restMs * 2 : this.#limits.quarantineMs);
    this.#until = now + this.#restMs;
    this.#kills = [];
    clearTimeout(this.#timer);
    this.#timer = setTimeout(this.#trial, this.#restMs).unref();
    return this.#restMs;
  }

  stop(): void {
    clearTimeout(this.#timer);
  }
}
