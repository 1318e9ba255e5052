/** Remembers accepted deliveries, so that a recorded signature cannot be used again. One for the runtime, in memory. */
import { hash } from "node:crypto";

/** The most deliveries, of all flows together; the oldest are forgotten first. */
const maxDeliveries = 100_000;

export interface ReplayOptions {
  readonly clock?: () => number;
  readonly max?: number;
}

export class ReplayCache {
  /** Deliveries with the end of their time, the oldest first. */
  readonly #taken = new Map<string, number>();
  readonly #clock: () => number;
  readonly #max: number;

  constructor({ clock = Date.now, max = maxDeliveries }: ReplayOptions = {}) {
    this.#clock = clock;
    this.#max = max;
  }

  get size(): number {
    return this.#taken.size;
  }

  /** Takes a delivery for `forMs`, and returns a function that forgets it; undefined: it was taken before. */
  take(flowId: string, principal: string, delivery: string, forMs: number): (() => void) | undefined {
    // Hashed, so that an entry is small whatever senders call their deliveries.
    const key = hash("sha256", JSON.stringify([flowId, principal, delivery]), "base64");
    const now = this.#clock();
    const until = this.#taken.get(key);
    if (until !== undefined && now < until) return undefined;
    this.#taken.delete(key);
    this.#makeRoom(now);
    this.#taken.set(key, now + forMs);
    return () => this.#taken.delete(key);
  }

  #makeRoom(now: number): void {
    for (const [key, until] of this.#taken) {
      if (until > now && this.#taken.size < this.#max) return;
      this.#taken.delete(key);
    }
  }
}
