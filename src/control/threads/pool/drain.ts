/** How a pool settles: its sources stop, its runs end, and its threads finish what they keep; and a drain, which ends it within a time. */
import type { ThreadEnd } from "../../../shared/protocol.ts";
import type { FlowThread } from "../line/flow-thread.ts";
import type { Drained } from "../pooled-flow.ts";

interface Threads {
  readonly all: readonly FlowThread[];
  /** Why they finish once the pool settles. */
  readonly threadEnd: ThreadEnd;
}

export class Settling {
  readonly #threads: Threads;
  readonly #busy: () => boolean;
  readonly #then: (() => void)[] = [];
  #begun = false;

  /** `busy`: whether a run is under way or waits. */
  constructor(threads: Threads, busy: () => boolean) {
    this.#threads = threads;
    this.#busy = busy;
  }

  /** Whether its sources have been stopped. */
  get begun(): boolean {
    return this.#begun;
  }

  /** Calls `then` once nothing is left to do. The flow still takes calls meanwhile, and these are waited for, too. */
  whenSettled(then: () => void): void {
    if (!this.#begun) for (const thread of this.#threads.all) thread.halt();
    this.#begun = true;
    this.#then.push(then);
    this.look();
  }

  /** Call it when a run has ended, or a thread has finished. */
  look(): void {
    if (this.#then.length === 0 || this.#busy()) return;
    const { all, threadEnd } = this.#threads;
    if (all.some(({ finishing }) => finishing)) return;
    const unfinished = all.filter((thread) => thread.unfinished);
    for (const thread of unfinished) thread.finish(threadEnd);
    if (unfinished.length === 0) for (const then of this.#then.splice(0)) then();
  }
}

/** Ends a pool within a time that may be shortened, and closes it once. */
export class Drain {
  /** Settles when the pool is closed. */
  readonly done: Promise<Drained>;
  #finish: () => void = () => {};
  #timer: NodeJS.Timeout | undefined;
  /** When the pool is closed at the latest, in `performance.now()` time. */
  #until = Number.POSITIVE_INFINITY;

  /** `began`: how many runs the pool has, including those that wait; `close` kills the runs that are left, and returns their number. */
  constructor(began: number, close: () => Promise<number>) {
    const over = new Promise<void>((resolve) => {
      this.#finish = resolve;
    });
    this.done = over.then(close).then((killed) => ({ drained: Math.max(0, began - killed), killed }));
  }

  /** Closes the pool at once: nothing is left to do. */
  finish(): void {
    this.#until = Number.NEGATIVE_INFINITY;
    clearTimeout(this.#timer);
    this.#finish();
  }

  /** Closes the pool after `limitMs` at the latest; has no effect when an earlier time is set already. */
  within(limitMs: number): void {
    const until = performance.now() + limitMs;
    if (until >= this.#until) return;
    this.#until = until;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(this.#finish, limitMs);
  }
}
