/** The time between attempts to connect to a server that cannot be reached: it doubles, with a random part. */

const firstMs = 100;

export class BackOff {
  readonly #mostMs: number;
  #failures = 0;
  #until = 0;

  constructor(mostMs: number) {
    this.#mostMs = mostMs;
  }

  /** true: the last attempt has failed. */
  get failing(): boolean {
    return this.#failures > 0;
  }

  /** Milliseconds until the next attempt. */
  get waitMs(): number {
    return this.failing ? Math.max(0, this.#until - performance.now()) : 0;
  }

  succeeded(): void {
    this.#failures = 0;
  }

  failed(): void {
    const mostMs = Math.min(this.#mostMs, firstMs * 2 ** Math.min(this.#failures, 20));
    this.#failures += 1;
    // Threads that lost the same server do not all come back at once.
    this.#until = performance.now() + mostMs * (0.5 + Math.random() / 2);
  }
}
