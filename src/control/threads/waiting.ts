/** Waiting with a limit: for a promise, for a place, until something has been idle, until the next of many deadlines. */

/** Resolves with true when `work` has settled within `limitMs`, else with false. The outcome of `work` is ignored. */
export async function within(limitMs: number, work: Promise<unknown>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), limitMs);
  });
  const settled = work.then(
    () => true,
    () => true,
  );
  const inTime = await Promise.race([settled, late]);
  clearTimeout(timer);
  return inTime;
}

/** Runs at most `width` pieces of work at a time; the others wait in order. */
export class Gate {
  readonly #width: number;
  #inside = 0;
  readonly #waiting: (() => void)[] = [];

  constructor(width: number) {
    this.#width = width;
  }

  async pass<T>(work: () => Promise<T>): Promise<T> {
    if (this.#inside >= this.#width) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    else this.#inside += 1;
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#inside -= 1;
      else next();
    }
  }
}

/** Calls back when something has not been used for a time. A use costs one read of the clock and no timer. */
export class IdleTimer {
  readonly #idleMs: number;
  readonly #onIdle: () => void;
  #timer: NodeJS.Timeout | undefined;
  #usedAt = 0;
  #stopped = false;

  constructor(idleMs: number, onIdle: () => void) {
    this.#idleMs = idleMs;
    this.#onIdle = onIdle;
  }

  used(): void {
    this.#usedAt = performance.now();
  }

  /** From now on waits for `idleMs` without a use, then calls back once; call it again to wait for the next time. */
  watch(): void {
    this.used();
    this.#wait(this.#idleMs);
  }

  /** Stops for good: `watch` has no effect after this. */
  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#timer);
  }

  #wait(ms: number): void {
    clearTimeout(this.#timer);
    if (this.#stopped) return;
    this.#timer = setTimeout(() => {
      const restMs = this.#usedAt + this.#idleMs - performance.now();
      if (restMs > 1) this.#wait(restMs);
      else this.#onIdle();
    }, ms).unref();
  }
}

/** The longest time that a deadline's timer is set for; at its end the timer is set anew. */
const mostMs = 3_600_000;

/** One timer for the deadlines of many runs: a run that ends before its deadline, as most do, costs one comparison. */
export class DeadlineTimer {
  readonly #due: (now: number) => number;
  #timer: NodeJS.Timeout | undefined;
  /** When the timer fires, in epoch milliseconds. */
  #at = Number.POSITIVE_INFINITY;

  /** `due` is called with the time (epoch ms) when a deadline may be over, and returns the next deadline; Infinity: there is none. */
  constructor(due: (now: number) => number) {
    this.#due = due;
  }

  /** Adds a deadline, in epoch milliseconds. */
  expect(deadline: number): void {
    if (deadline < this.#at) this.#set(deadline);
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#at = Number.POSITIVE_INFINITY;
  }

  #set(at: number): void {
    clearTimeout(this.#timer);
    this.#at = at;
    const ms = Math.min(mostMs, Math.max(1, at - Date.now()));
    this.#timer = setTimeout(() => this.#ring(), ms).unref();
  }

  #ring(): void {
    this.#at = Number.POSITIVE_INFINITY;
    const next = this.#due(Date.now());
    if (next < this.#at) this.#set(next);
  }
}
