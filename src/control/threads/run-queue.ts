/** Invocations of a flow that wait for a thread: callers' runs, and beside them the calls from other flows. */
import type { Limits } from "../../shared/limits.ts";
import type { Invocation, Lost } from "./invocation.ts";
import type { ThreadLoad } from "./thread-load.ts";

type Line = Invocation[];

export class RunQueue {
  readonly #limits: Limits;
  #runs: Line = [];
  /** Apart, so that parents that wait for children cannot keep these from running. */
  #calls: Line = [];
  /** Of calls, those that called runs make: the call that waits before them may wait for the one that they are for. */
  #nested: Line = [];

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  get size(): number {
    return this.#runs.length + this.#calls.length + this.#nested.length;
  }

  /** false: `limits.queue` of them wait already. */
  push(invocation: Invocation): boolean {
    const before = invocation.child ? this.#calls.length + this.#nested.length : this.#runs.length;
    if (before >= this.#limits.queue) return false;
    this.#lineOf(invocation).push(invocation);
    return true;
  }

  /** Those that have been under way already go before all others, in their order, however many wait. */
  pushFirst(invocations: readonly Invocation[]): void {
    for (const invocation of invocations.toReversed()) this.#lineOf(invocation).unshift(invocation);
  }

  /** Another one waits where this one would. */
  waitsBefore(invocation: Invocation): boolean {
    return this.#lineOf(invocation).length > 0;
  }

  hasRoom(load: ThreadLoad, invocation: Invocation): boolean {
    return load.hasRoom(invocation, this.#limits);
  }

  /** The callers' run that is next, if a thread with this load has room for it. */
  nextRun(load: ThreadLoad): Invocation | undefined {
    return this.#first(this.#runs, load);
  }

  /** What a thread with this load may take on; calls first: somebody's run waits for each. `runs`: callers' runs, too. */
  next(load: ThreadLoad, runs: () => boolean): Invocation | undefined {
    for (const line of [this.#nested, this.#calls]) if (this.#first(line, load) !== undefined) return line.shift();
    return this.#first(this.#runs, load) !== undefined && runs() ? this.#runs.shift() : undefined;
  }

  find(runId: string): Invocation | undefined {
    return [...this.#runs, ...this.#calls, ...this.#nested].find((waiting) => waiting.runId === runId);
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

  #lineOf({ child, nested }: Invocation): Line {
    if (!child) return this.#runs;
    return nested === true ? this.#nested : this.#calls;
  }

  #first(line: Line, load: ThreadLoad): Invocation | undefined {
    const [first] = line;
    return first !== undefined && this.hasRoom(load, first) ? first : undefined;
  }

  /** First out of the queue, then told: whoever is told may send the next. */
  #end(which: (waiting: Invocation) => boolean, how: Lost): void {
    const ended: Invocation[] = [];
    const keep = (waiting: Invocation): boolean => !which(waiting) || ended.push(waiting) < 0;
    this.#runs = this.#runs.filter(keep);
    this.#calls = this.#calls.filter(keep);
    this.#nested = this.#nested.filter(keep);
    for (const waiting of ended) waiting.lost(how);
  }
}
