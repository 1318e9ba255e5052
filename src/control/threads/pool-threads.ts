/** The threads that a deployment has: those that serve, and those that others have taken over from. */
import type { MappingData } from "../../shared/mapping.ts";
import type { FlowThread } from "./flow-thread.ts";
import type { Invocation } from "./invocation.ts";
import type { LeavingThreads } from "./leaving-threads.ts";

export class PoolThreads {
  /** A list that is replaced, never changed. */
  serving: readonly FlowThread[] = [];
  readonly #leaving: LeavingThreads;

  constructor(leaving: LeavingThreads) {
    this.#leaving = leaving;
  }

  get all(): readonly FlowThread[] {
    return this.#leaving.size === 0 ? this.serving : [...this.serving, ...this.#leaving.all];
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

  add(thread: FlowThread): void {
    this.serving = [...this.serving, thread];
  }

  /** From now on another serves in its place. */
  leave(thread: FlowThread): void {
    this.#remove(thread);
    this.#leaving.add(thread);
  }

  /** false: it is not missed, since it is still arriving, or has gone. */
  delete(thread: FlowThread): boolean {
    const left = this.#leaving.delete(thread);
    const served = this.serving.includes(thread);
    if (served) this.#remove(thread);
    return left || served;
  }

  find(runId: string): Invocation | undefined {
    for (const { runs } of this.all) {
      for (const { invocation } of runs.active.values()) if (invocation.runId === runId) return invocation;
    }
    return undefined;
  }

  /** The thread that the run is in. */
  threadOf(runId: string): FlowThread | undefined {
    for (const thread of this.all) {
      for (const { invocation } of thread.runs.active.values()) if (invocation.runId === runId) return thread;
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

  /** Gives them the mappings as they are at each step; tells of those that have not taken them yet when they have, or are gone. */
  *updateMappings(current: () => readonly MappingData[] | undefined): Generator<Promise<void>> {
    for (const thread of this.all) {
      const mappings = current();
      if (mappings === undefined) return;
      const pending = thread.update(mappings);
      if (pending !== undefined) yield pending;
    }
  }

  #remove(thread: FlowThread): void {
    this.serving = this.serving.filter((other) => other !== thread);
  }
}
