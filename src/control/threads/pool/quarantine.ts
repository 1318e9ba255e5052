/** A flow that has lost too many threads in too short a time is quarantined. After the quarantine it is on trial: one more loss, and it is quarantined for longer. */
import type { Limits } from "../../../shared/limits.ts";

const windowMs = 60_000;
const longestMs = 600_000;

export class Quarantine {
  readonly #limits: Limits;
  readonly #trial: () => void;
  #kills: number[] = [];
  #until = 0;
  #restMs = 0;
  #timer: NodeJS.Timeout | undefined;

  /** `trial` is called at the end of each quarantine. */
  constructor(limits: Limits, trial: () => void = () => {}) {
    this.#limits = limits;
    this.#trial = trial;
  }

  /** Milliseconds until the next trial; 0 when the flow may run. */
  get remainingMs(): number {
    return Math.max(0, this.#until - performance.now());
  }

  /** Counts a lost thread. Returns the length of the quarantine in ms when one begins. */
  kill(): number | undefined {
    const now = performance.now();
    this.#kills = [...this.#kills.filter((at) => now - at < windowMs), now];
    const onTrial = this.#restMs > 0 && now - this.#until < windowMs;
    if (this.#kills.length < this.#limits.quarantineKills && !onTrial) return undefined;
    this.#restMs = Math.min(longestMs, onTrial ? this.#restMs * 2 : this.#limits.quarantineMs);
    this.#until = now + this.#restMs;
    this.#kills = [];
    clearTimeout(this.#timer);
    this.#timer = setTimeout(this.#trial, this.#restMs).unref();
    return this.#restMs;
  }

  stop(): void {
    clearTimeout(this.#timer);
  }
}
