/** Which of a flow's invocations begins in which of its threads, and when: as a thread has room, and the flow its turn among others. */
import type { Limits } from "../../shared/limits.ts";
import type { FlowThread } from "./flow-thread.ts";
import type { Invocation } from "./invocation.ts";
import { RunQueue } from "./run-queue.ts";
import type { Turns, Waiter } from "./turns.ts";

interface Surroundings {
  readonly limits: Limits;
  readonly turns: Turns;
  /** Those that take runs. */
  threads(): readonly FlowThread[];
}

export class Admission implements Waiter {
  readonly queue: RunQueue;
  readonly #turns: Turns;
  readonly #threads: () => readonly FlowThread[];

  constructor({ limits, turns, threads }: Surroundings) {
    this.queue = new RunQueue(limits);
    this.#turns = turns;
    this.#threads = threads;
  }

  /** Begins it in the least busy thread that may take it; false: it has to wait. */
  begin(invocation: Invocation): boolean {
    if (this.queue.waitsBefore(invocation)) return false;
    const thread = this.#free(invocation);
    if (thread !== undefined) this.#give(thread, invocation);
    return thread !== undefined;
  }

  /** false: too many wait already. */
  wait(invocation: Invocation): boolean {
    if (!this.queue.push(invocation)) return false;
    this.look();
    return true;
  }

  /** Begins what may begin now; to be called when a thread has come, when one has room, and when something waits no more. */
  look(): void {
    if (this.queue.size > 0) for (const thread of this.#threads()) this.#fill(thread);
    this.#seekTurn();
  }

  /** The thread has one run less. */
  freed(thread: FlowThread): void {
    this.look();
    if (thread.runs.load.runs === 0) this.#turns.leave(thread.place);
  }

  /** The thread is gone, with all its runs. */
  gone(thread: FlowThread): void {
    this.#turns.leave(thread.place);
  }

  turn(): void {
    for (const thread of this.#threads()) if (this.#fill(thread)) break;
    this.#seekTurn();
  }

  close(): void {
    this.#turns.forget(this);
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

  /** A run for which a thread has room waits for nothing but a turn. */
  #seekTurn(): void {
    if (this.queue.size > 0 && this.#hasRoom()) this.#turns.wait(this);
    else this.#turns.forget(this);
  }

  #hasRoom(): boolean {
    return this.#threads().some((thread) => takesMore(thread) && this.queue.nextRun(thread.runs.load) !== undefined);
  }
}

/** false for a thread that is over, and has not reported yet what became of its runs, and for one to which too much is on its way. */
function takesMore({ over, booted }: FlowThread): boolean {
  return !over && !booted.port.choked;
}
