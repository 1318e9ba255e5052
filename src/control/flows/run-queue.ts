/** Invocations of a flow that wait for a thread: callers' runs, and beside them the calls from other flows. */
import type { Limits } from "../../shared/limits.ts";
import type { HostedInvocation, Lost } from "./flow-host.ts";

/** How much a thread has to do. */
export interface Load {
  readonly runs: number;
  readonly calls: number;
}

export class RunQueue {
  readonly #limits: Limits;
  #runs: HostedInvocation[] = [];
  /** Apart, so that parents that wait for children cannot keep these from running. */
  #calls: HostedInvocation[] = [];

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  get size(): number {
    return this.#runs.length + this.#calls.length;
  }

  /** false: `limits.queue` of them wait already. */
  push(invocation: HostedInvocation): boolean {
    const queue = invocation.child ? this.#calls : this.#runs;
    if (queue.length >= this.#limits.queue) return false;
    queue.push(invocation);
    return true;
  }

  hasRoom({ runs, calls }: Load, child: boolean): boolean {
    return child ? calls < this.#limits.callsPerThread : runs < this.#limits.runsPerThread;
  }

  /** What a thread with this load may take on; calls first: somebody's run waits for each. */
  next(load: Load): HostedInvocation | undefined {
    if (this.#calls.length > 0 && this.hasRoom(load, true)) return this.#calls.shift();
    if (this.#runs.length > 0 && this.hasRoom(load, false)) return this.#runs.shift();
    return undefined;
  }

  find(runId: string): HostedInvocation | undefined {
    return [...this.#runs, ...this.#calls].find((waiting) => waiting.runId === runId);
  }

  /** Ends the one that waits under this id, if any. */
  cancel(runId: string, reason: string): void {
    this.#end((waiting) => waiting.runId === runId, { kind: "cancelled", message: reason });
  }

  /** Ends those whose deadline is over. `now` in epoch milliseconds. */
  expire(now: number): void {
    if (this.size > 0) this.#end((waiting) => now >= waiting.deadline, { kind: "expired" });
  }

  endAll(how: Lost): void {
    this.#end(() => true, how);
  }

  /** First out of the queue, then told: whoever is told may send the next. */
  #end(which: (waiting: HostedInvocation) => boolean, how: Lost): void {
    const ended: HostedInvocation[] = [];
    const keep = (waiting: HostedInvocation): boolean => !which(waiting) || ended.push(waiting) < 0;
    this.#runs = this.#runs.filter(keep);
    this.#calls = this.#calls.filter(keep);
    for (const waiting of ended) waiting.lost(how);
  }
}
