/** One timer for the deadlines of all runs of a thread: most runs are over long before, and cost one comparison. */

/** The longest that a timer is set for. */
const mostMs = 3_600_000;

export class DeadlineTimer {
  readonly #due: (now: number) => number;
  #timer: NodeJS.Timeout | undefined;
  /** When it goes off, in epoch milliseconds. */
  #at = Number.POSITIVE_INFINITY;

  /** `due` is told the time (epoch ms) when a deadline may be over, and answers the next one; Infinity: there is none. */
  constructor(due: (now: number) => number) {
    this.#due = due;
  }

  /** Something must be over by then. */
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
