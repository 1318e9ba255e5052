/** Tells when something has not been used for a time. Using it costs one read of the clock and no timer. */

export class IdleTimer {
  readonly #idleMs: number;
  readonly #onIdle: () => void;
  #timer: NodeJS.Timeout | undefined;
  #usedAt = 0;
  #stopped = false;

  constructor(idleMs: number, onIdle: () => void) {
    this.#idleMs = idleMs;
    this.#onIdle = onIdle;
  }

  used(): void {
    this.#usedAt = performance.now();
  }

  /** From now on waits for `idleMs` without a use, then tells so once; to be called again after that. */
  watch(): void {
    this.used();
    this.#wait(this.#idleMs);
  }

  /** For good. */
  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#timer);
  }

  #wait(ms: number): void {
    clearTimeout(this.#timer);
    if (this.#stopped) return;
    this.#timer = setTimeout(() => {
      const restMs = this.#usedAt + this.#idleMs - performance.now();
      if (restMs > 1) this.#wait(restMs);
      else this.#onIdle();
    }, ms).unref();
  }
}
