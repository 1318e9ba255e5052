/** Limits how many runs are inside at the same time. */

import { after } from "./waiting.ts";

/** Runs that wait for their turn, in the order of their arrival. */
export class WaitingLine {
  readonly #waiting = new Set<() => void>();

  get length(): number {
    return this.#waiting.size;
  }

  /** Resolves true at its turn, false after `withinMs`; rejects with the signal's reason if it aborts first. */
  wait(signal: AbortSignal, withinMs?: number): Promise<boolean> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason);
      let stop = (): void => {};
      const leave = (): void => {
        stop();
        signal.removeEventListener("abort", abort);
        this.#waiting.delete(goOn);
      };
      const goOn = (): void => {
        leave();
        resolve(true);
      };
      const abort = (): void => {
        leave();
        reject(signal.reason);
      };
      this.#waiting.add(goOn);
      signal.addEventListener("abort", abort, { once: true });
      if (withinMs === undefined) return;
      stop = after(withinMs, () => {
        leave();
        resolve(false);
      });
    });
  }

  /** Gives the turn to the run that has waited longest. */
  next(): void {
    const [first] = this.#waiting;
    first?.();
  }
}

export class Semaphore {
  #limit: number;
  #taken = 0;
  readonly #line = new WaitingLine();

  constructor(limit: number) {
    this.#limit = limit;
  }

  get limit(): number {
    return this.#limit;
  }

  set limit(limit: number) {
    this.#limit = limit;
    this.#pass();
  }

  /** No run is inside, and none waits. */
  get idle(): boolean {
    return this.#taken === 0 && this.#line.length === 0;
  }

  tryTake(): boolean {
    if (this.#taken >= this.#limit) return false;
    this.#taken += 1;
    return true;
  }

  /** Resolves false without a place within `withinMs`; rejects with the signal's reason if it aborts first. */
  take(signal: AbortSignal, withinMs?: number): Promise<boolean> {
    return this.#line.wait(signal, withinMs);
  }

  give(): void {
    this.#taken -= 1;
    this.#pass();
  }

  #pass(): void {
    while (this.#taken < this.#limit && this.#line.length > 0) {
      this.#taken += 1;
      this.#line.next();
    }
  }
}
