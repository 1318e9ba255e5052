/** The end of a pool: it finishes what it has, within a time that may be shortened; then it is closed, once. */

export interface Drained {
  readonly drained: number;
  readonly killed: number;
}

export class Drain {
  /** Settles when the pool is closed. */
  readonly done: Promise<Drained>;
  #finish: () => void = () => {};
  #timer: NodeJS.Timeout | undefined;
  /** In `performance.now()` time. */
  #until = Number.POSITIVE_INFINITY;

  /** `began`: how many runs it has, those that wait included; `close` kills those that are left and tells their number. */
  constructor(began: number, close: () => Promise<number>) {
    const over = new Promise<void>((resolve) => {
      this.#finish = resolve;
    });
    this.done = over.then(close).then((killed) => ({ drained: Math.max(0, began - killed), killed }));
  }

  /** Nothing is left to do. */
  finish(): void {
    this.#until = Number.NEGATIVE_INFINITY;
    clearTimeout(this.#timer);
    this.#finish();
  }

  /** The time that is left, in ms; a longer one than before changes nothing. */
  within(limitMs: number): void {
    const until = performance.now() + limitMs;
    if (until >= this.#until) return;
    this.#until = until;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(this.#finish, limitMs);
  }
}
