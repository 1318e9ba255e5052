/** How many may pass within a period that slides: in no stretch of that length do more of them pass (Camel: TotalRequestsThrottler). */
import { FlowException } from "./exception.ts";
import { after } from "./waiting.ts";
import { WaitingLine } from "./waiting-line.ts";

/** Passages that are remembered: each of the period. */
const mostRemembered = 100_000;

export class RequestRate {
  readonly #periodMs: number;
  /** Milliseconds that never go back. */
  readonly #now: () => number;
  #limit = 0;
  /** When each passage ceases to count, the oldest first; those before `#from` have. */
  #until: number[] = [];
  #from = 0;
  readonly #line = new WaitingLine();
  #stopTimer: (() => void) | undefined;

  constructor(periodMs: number, now: () => number) {
    this.#periodMs = periodMs;
    this.#now = now;
  }

  get limit(): number {
    return this.#limit;
  }

  /** Throws LimitExceededException. */
  set limit(limit: number) {
    if (limit > mostRemembered) {
      const message = `a throttle counts at most ${mostRemembered} messages of a period: write a shorter timePeriodMillis`;
      throw new FlowException("LimitExceededException", message);
    }
    this.#limit = limit;
    if (this.#line.length > 0) this.#pass();
  }

  /** Nobody has passed within the period, nobody waits. */
  get idle(): boolean {
    return this.#counted() === 0 && this.#line.length === 0;
  }

  tryTake(): boolean {
    if (this.#line.length > 0 || this.#counted() >= this.#limit) return false;
    this.#until.push(this.#now() + this.#periodMs);
    return true;
  }

  /** Rejects with the signal's reason when that aborts first. */
  async take(signal: AbortSignal): Promise<boolean> {
    const turn = this.#line.wait(signal);
    if (this.#stopTimer === undefined) this.#pass();
    try {
      return await turn;
    } finally {
      if (this.#line.length === 0) this.#rest();
    }
  }

  #counted(): number {
    const now = this.#now();
    while (this.#from < this.#until.length && (this.#until[this.#from] as number) <= now) this.#from += 1;
    if (this.#from > 1000 && this.#from * 2 > this.#until.length) {
      this.#until = this.#until.slice(this.#from);
      this.#from = 0;
    }
    return this.#until.length - this.#from;
  }

  #rest(): void {
    this.#stopTimer?.();
    this.#stopTimer = undefined;
  }

  #pass(): void {
    this.#rest();
    while (this.#line.length > 0 && this.#counted() < this.#limit) {
      this.#until.push(this.#now() + this.#periodMs);
      this.#line.next();
    }
    const next = this.#until[this.#from];
    if (this.#line.length === 0 || next === undefined) return;
    // With a lower limit than before, more passages than the next one may have to age first: then it looks again.
    this.#stopTimer = after(Math.max(1, Math.ceil(next - this.#now())), () => this.#pass());
  }
}
