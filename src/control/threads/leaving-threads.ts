/** Threads that others have taken over from: they begin nothing for callers any more, finish what they have and what they keep, and end. */
import type { FlowThread } from "./flow-thread.ts";
import type { Settling } from "./settling.ts";
import { endThreads } from "./thread-source.ts";

interface Surroundings {
  readonly settling: Settling;
  /** For the end of a thread that has nothing left to do. */
  readonly graceMs: number;
  /** It has nothing left to do, and is about to end. */
  ending(thread: FlowThread): void;
}

export class LeavingThreads {
  readonly #around: Surroundings;
  readonly #threads = new Set<FlowThread>();

  constructor(around: Surroundings) {
    this.#around = around;
  }

  get all(): readonly FlowThread[] {
    return [...this.#threads];
  }

  get size(): number {
    return this.#threads.size;
  }

  has(thread: FlowThread): boolean {
    return this.#threads.has(thread);
  }

  add(thread: FlowThread): void {
    this.#threads.add(thread);
    thread.halt();
    this.look(thread);
  }

  /** To be called when something of it has ended. */
  look(thread: FlowThread): void {
    const { settling, graceMs } = this.#around;
    if (thread.runs.active.size + thread.announced.waiting > 0 || settling.finishes(thread)) return;
    if (thread.unfinished) settling.finish(thread);
    else {
      this.#around.ending(thread);
      void endThreads([thread], true, graceMs);
    }
  }

  /** It is gone, or ends. false: it was none of these. */
  delete(thread: FlowThread): boolean {
    return this.#threads.delete(thread);
  }
}
