/** A circuit breaker's states (resilience4j 2: CircuitBreakerStateMachine). It has no timer: time is looked at when somebody asks. */

/** How many of the last calls failed or were slow: by their number, or by time in buckets of a second (resilience4j: FixedSizeSlidingWindowMetrics, SlidingTimeWindowMetrics). */
export interface Tally {
  readonly calls: number;
  readonly failed: number;
  readonly slow: number;
}

export interface CallWindow {
  record(failed: boolean, slow: boolean): void;
  tally(): Tally;
}

const failure = 1;
const slowness = 2;

/** The last `size` calls. */
export function countWindow(size: number): CallWindow {
  const marks = new Uint8Array(size);
  let calls = 0;
  let at = 0;
  let failed = 0;
  let slow = 0;
  return {
    record(hasFailed, wasSlow) {
      const old = marks[at] as number;
      if (calls < size) calls += 1;
      failed += Number(hasFailed) - (old & failure);
      slow += Number(wasSlow) - (old & slowness) / slowness;
      marks[at] = (hasFailed ? failure : 0) | (wasSlow ? slowness : 0);
      at = (at + 1) % size;
    },
    tally: () => ({ calls, failed, slow }),
  };
}

const columns = 3;

/** The calls of the last `seconds` seconds; `now` in milliseconds. */
export function timeWindow(seconds: number, now: () => number): CallWindow {
  const counts = new Float64Array(seconds * columns);
  const sums = new Float64Array(columns);
  let newest = Math.floor(now() / 1000);

  const add = (second: number, column: number, count: number): void => {
    const at = (second % seconds) * columns + column;
    counts[at] = (counts[at] as number) + count;
    sums[column] = (sums[column] as number) + count;
  };
  /** The buckets of the seconds that have begun since are emptied: what they held is too old. */
  const advance = (): void => {
    const second = Math.floor(now() / 1000);
    const begun = Math.min(second - newest, seconds);
    for (let i = 0; i < begun; i++) {
      for (let column = 0; column < columns; column++) {
        add(second - i, column, -(counts[((second - i) % seconds) * columns + column] as number));
      }
    }
    newest = second;
  };
  return {
    record(failed, slow) {
      advance();
      add(newest, 0, 1);
      if (failed) add(newest, 1, 1);
      if (slow) add(newest, 2, 1);
    },
    tally() {
      advance();
      return { calls: sums[0] as number, failed: sums[1] as number, slow: sums[2] as number };
    },
  };
}

export type BreakerState = "CLOSED" | "OPEN" | "HALF_OPEN";

/** Rates in percent, times in milliseconds. */
export interface BreakerRules {
  readonly failureRateThreshold: number;
  readonly slowCallRateThreshold: number;
  readonly slowCallDurationThreshold: number;
  readonly slidingWindowType: "COUNT_BASED" | "TIME_BASED";
  /** Calls, or seconds. */
  readonly slidingWindowSize: number;
  readonly minimumNumberOfCalls: number;
  readonly permittedNumberOfCallsInHalfOpenState: number;
  readonly waitDurationInOpenState: number;
  /** It is half open as soon as the wait is over, not when the next call comes. */
  readonly automaticTransitionFromOpenToHalfOpenEnabled: boolean;
}

export class Breaker {
  readonly #rules: BreakerRules;
  /** Milliseconds that never go back. */
  readonly #now: () => number;
  readonly #changed: (state: BreakerState, before: BreakerState | undefined) => void;
  #state: BreakerState = "CLOSED";
  #window: CallWindow;
  /** Fewer calls than this decide nothing. */
  #minimum = 0;
  /** When an open breaker lets calls try again. */
  #openUntil = 0;
  /** Calls that a half open breaker still lets through. */
  #permits = 0;

  /** `changed`: is called with its state and the one before, with its first at once. */
  constructor(
    rules: BreakerRules,
    now: () => number,
    changed: (state: BreakerState, before: BreakerState | undefined) => void = () => {},
  ) {
    this.#rules = rules;
    this.#now = now;
    this.#changed = changed;
    changed("CLOSED", undefined);
    this.#window = this.#close();
  }

  get state(): BreakerState {
    if (this.#rules.automaticTransitionFromOpenToHalfOpenEnabled && this.#waited()) this.#halfOpen();
    return this.#state;
  }

  /** Whether a call may be made. Each one that may is followed by `record` or `forget`. */
  permits(): boolean {
    if (this.#waited()) this.#halfOpen();
    if (this.#state !== "HALF_OPEN") return this.#state === "CLOSED";
    if (this.#permits === 0) return false;
    this.#permits -= 1;
    return true;
  }

  /** A call has ended. */
  record(failed: boolean, durationMs: number): void {
    const { failureRateThreshold, slowCallRateThreshold, slowCallDurationThreshold } = this.#rules;
    this.#window.record(failed, durationMs > slowCallDurationThreshold);
    if (this.#state === "OPEN") return;
    const { calls, failed: failures, slow } = this.#window.tally();
    if (calls === 0 || calls < this.#minimum) return;
    if ((failures * 100) / calls >= failureRateThreshold || (slow * 100) / calls >= slowCallRateThreshold) this.#open();
    else if (this.#state === "HALF_OPEN") this.#close();
  }

  /** A call that counts neither as a success nor as a failure. */
  forget(): void {
    if (this.#state === "HALF_OPEN") this.#permits += 1;
  }

  #waited(): boolean {
    return this.#state === "OPEN" && this.#now() >= this.#openUntil;
  }

  #close(): CallWindow {
    const { slidingWindowType, slidingWindowSize, minimumNumberOfCalls } = this.#rules;
    const byCount = slidingWindowType === "COUNT_BASED";
    this.#become("CLOSED");
    this.#minimum = byCount ? Math.min(minimumNumberOfCalls, slidingWindowSize) : minimumNumberOfCalls;
    this.#window = byCount ? countWindow(slidingWindowSize) : timeWindow(slidingWindowSize, this.#now);
    return this.#window;
  }

  #become(state: BreakerState): void {
    if (state !== this.#state) this.#changed(state, this.#state);
    this.#state = state;
  }

  /** Calls that were let through before and end now are still written down, to no effect. */
  #open(): void {
    this.#become("OPEN");
    this.#openUntil = this.#now() + this.#rules.waitDurationInOpenState;
  }

  #halfOpen(): void {
    const { permittedNumberOfCallsInHalfOpenState: permitted, minimumNumberOfCalls } = this.#rules;
    this.#become("HALF_OPEN");
    this.#permits = permitted;
    this.#minimum = Math.min(minimumNumberOfCalls, permitted);
    this.#window = countWindow(permitted);
  }
}
