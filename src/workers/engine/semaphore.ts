/** How many may be inside at the same time. */
import { WaitingLine } from "./waiting-line.ts";

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

  /** Nobody is inside, nobody waits. */
  get idle(): boolean {
    return this.#taken === 0 && this.#line.length === 0;
  }

  tryTake(): boolean {
    if (this.#taken >= this.#limit) return false;
    this.#taken += 1;
    return true;
  }

  /** false: there was no place within `withinMs`. Rejects with the signal's reason when that aborts first. */
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
