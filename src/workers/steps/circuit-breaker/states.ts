/**
 * The states of a circuit breaker (resilience4j 2: CircuitBreakerStateMachine). It has no timer: each method compares
 * the time itself.
 */

/**
 * How many of the last calls failed or were slow, counted by number, or by time in buckets of a second (resilience4j:
 * FixedSizeSlidingWindowMetrics, SlidingTimeWindowMetrics).
 */
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

/** Counts the last `size` calls. */
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

/** Counts the calls of the last `seconds` seconds; `now` in milliseconds. */
export function timeWindow(seconds: number, now: () => number): CallWindow {
  const counts = new Float64Array(seconds * columns);
  const sums = new Float64Array(columns);
  let newest = Math.floor(now() / 1000);

  const add = (second: number, column: number, count: number): void => {
    const at = (second % seconds) * columns + column;
    counts[at] = (counts[at] as number) + count;
    sums[column] = (sums[column] as number) + count;
  };
  /** Empties the buckets of the seconds that have begun since, whose calls are too old. */
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
  /** A number of calls, or of seconds. */
  readonly slidingWindowSize: number;
  readonly minimumNumberOfCalls: number;
  readonly permittedNumberOfCallsInHalfOpenState: number;
  readonly waitDurationInOpenState: number;
  /** 0: a half open breaker waits for its calls, however long they take. */
  readonly maxWaitDurationInHalfOpenState: number;
  /** true: the breaker is half open as soon as the wait is over; false: at the next call after it. */
  readonly automaticTransitionFromOpenToHalfOpenEnabled: boolean;
}

export class Breaker {
  readonly #rules: BreakerRules;
  /** A monotonic clock in milliseconds. */
  readonly #now: () => number;
  readonly #changed: (state: BreakerState, before: BreakerState | undefined) => void;
  #state: BreakerState = "CLOSED";
  #window: CallWindow;
  /** The fewest calls from which rates are computed. */
  #minimum = 0;
  /** When an open breaker becomes half open. */
  #openUntil = 0;
  /** When a half open breaker opens again, if its calls have not decided by then. */
  #halfOpenUntil = Number.POSITIVE_INFINITY;
  /** How many more calls a half open breaker permits. */
  #permits = 0;

  /** `changed` is called with the new and the previous state, and at once with the first state. */
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
    this.#giveUp();
    if (this.#rules.automaticTransitionFromOpenToHalfOpenEnabled && this.#waited()) this.#halfOpen();
    return this.#state;
  }

  /** Whether a call is permitted. `record` or `forget` must follow each permitted call. */
  permits(): boolean {
    this.#giveUp();
    if (this.#waited()) this.#halfOpen();
    if (this.#state !== "HALF_OPEN") return this.#state === "CLOSED";
    if (this.#permits === 0) return false;
    this.#permits -= 1;
    return true;
  }

  /** Records the end of a call. */
  record(failed: boolean, durationMs: number): void {
    const { failureRateThreshold, slowCallRateThreshold, slowCallDurationThreshold } = this.#rules;
    this.#giveUp();
    this.#window.record(failed, durationMs > slowCallDurationThreshold);
    if (this.#state === "OPEN") return;
    const { calls, failed: failures, slow } = this.#window.tally();
    if (calls === 0 || calls < this.#minimum) return;
    if ((failures * 100) / calls >= failureRateThreshold || (slow * 100) / calls >= slowCallRateThreshold) this.#open();
    else if (this.#state === "HALF_OPEN") this.#close();
  }

  /** Ends a call that counts neither as a success nor as a failure. */
  forget(): void {
    if (this.#state === "HALF_OPEN") this.#permits += 1;
  }

  /** Opens a breaker that was half open for too long, from that time on. */
  #giveUp(): void {
    if (this.#state === "HALF_OPEN" && this.#now() >= this.#halfOpenUntil) this.#open(this.#halfOpenUntil);
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

  /** Calls that were permitted before and end now are recorded without effect. */
  #open(since = this.#now()): void {
    this.#become("OPEN");
    this.#openUntil = since + this.#rules.waitDurationInOpenState;
  }

  #halfOpen(): void {
    const { permittedNumberOfCallsInHalfOpenState: permitted, minimumNumberOfCalls } = this.#rules;
    const { maxWaitDurationInHalfOpenState: patience } = this.#rules;
    this.#become("HALF_OPEN");
    this.#permits = permitted;
    this.#halfOpenUntil = patience === 0 ? Number.POSITIVE_INFINITY : this.#now() + patience;
    this.#minimum = Math.min(minimumNumberOfCalls, permitted);
    this.#window = countWindow(permitted);
  }
}
