/** When a consumer looks for files (Camel: ScheduledPollConsumer). Polls never overlap. */
import type { FileOptions } from "./options.ts";

type ClockOptions = Pick<FileOptions, "initialDelay" | "delay" | "useFixedDelay" | "greedy" | "repeatCount">;

export class PollClock {
  readonly #options: ClockOptions;
  /** Resolves with the number of files that it took; does not reject. */
  readonly #poll: () => Promise<number>;
  #timer: NodeJS.Timeout | undefined;
  #polls = 0;
  #stopped = true;
  /** A poll that is under way. */
  #now: Promise<void> | undefined;

  constructor(options: ClockOptions, poll: () => Promise<number>) {
    this.#options = options;
    this.#poll = poll;
  }

  get stopped(): boolean {
    return this.#stopped;
  }

  /** Resolves when the poll that is under way is over. */
  async idle(): Promise<void> {
    await this.#now;
  }

  start(): void {
    if (!this.#stopped) return;
    this.#stopped = false;
    this.#polls = 0;
    // A poll from before the stop that is not over yet is followed by the next in its time.
    if (this.#now === undefined) this.#in(this.#options.initialDelay);
  }

  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#timer);
  }

  /** It is not the clock that keeps a thread alive. */
  #in(ms: number): void {
    if (this.#stopped) return;
    this.#timer = setTimeout(() => {
      this.#now = this.#tick().then((next) => {
        this.#now = undefined;
        if (next !== undefined) this.#in(next);
      });
    }, ms).unref();
  }

  /** Milliseconds to the next one; undefined: it was the last. */
  async #tick(): Promise<number | undefined> {
    const { delay, useFixedDelay, greedy, repeatCount } = this.#options;
    const began = performance.now();
    const taken = await this.#poll();
    this.#polls += 1;
    if (repeatCount > 0 && this.#polls >= repeatCount) return undefined;
    const spent = useFixedDelay ? 0 : performance.now() - began;
    return greedy && taken > 0 ? 0 : Math.max(0, delay - spent);
  }
}
