/** A circuit breaker's states (resilience4j 2: CircuitBreakerStateMachine). It has no timer: time is looked at when somebody asks. */
import { type CallWindow, countWindow, timeWindow } from "./call-window.ts";

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
