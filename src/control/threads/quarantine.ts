/** When a flow has cost too many threads in too short a time, it rests; after the rest one trial is free. */
import type { Limits } from "../../shared/limits.ts";

const windowMs = 60_000;
const longestMs = 600_000;

export class Quarantine {
  readonly #limits: Limits;
  #kills: number[] = [];
  #until = 0;
  #restMs = 0;

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  /** Milliseconds until the next trial; 0 when the flow may run. */
  get remainingMs(): number {
    return Math.max(0, this.#until - performance.now());
  }

  /** Counts a kill; the length of the rest when this one was too many. */
  kill(): number | undefined {
    const now = performance.now();
    this.#kills = [...this.#kills.filter((at) => now - at < windowMs), now];
    const onTrial = this.#restMs > 0 && now - this.#until < windowMs;
    if (this.#kills.length < this.#limits.quarantineKills && !onTrial) return undefined;
    this.#restMs = Math.min(longestMs, onTrial ? this.#restMs * 2 : this.#limits.quarantineMs);
    this.#until = now + this.#restMs;
    this.#kills = [];
    return this.#restMs;
  }
}
