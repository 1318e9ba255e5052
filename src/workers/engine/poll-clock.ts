/** When a consumer polls, and what it reports of that (Camel: ScheduledPollConsumer). Polls never overlap. */
import type { SourceReport } from "./source.ts";

export interface ClockOptions {
  readonly initialDelay: number;
  readonly delay: number;
  readonly useFixedDelay: boolean;
  readonly greedy: boolean;
  /** How often it polls; 0: without an end. */
  readonly repeatCount: number;
  /** How many polls are left out after so many without messages, or so many that failed; absent: none. */
  readonly backoffMultiplier?: number | undefined;
  readonly backoffIdleThreshold?: number | undefined;
  readonly backoffErrorThreshold?: number | undefined;
  /** true: polls are `delay` apart, also those that fail. */
  readonly steady?: boolean;
}

/** The longest time between two polls that fail. */
const mostFailingMs = 60_000;

export class PollClock {
  readonly #options: ClockOptions;
  readonly #report: SourceReport;
  /** Resolves with the number of messages that were taken; rejects when the poll has failed. */
  readonly #poll: () => Promise<number>;
  #timer: NodeJS.Timeout | undefined;
  #polls = 0;
  #stopped = true;
  /** Polls in a row that have failed, and that have found nothing. */
  #failed = 0;
  #idled = 0;
  /** The poll that is under way. */
  #now: Promise<void> | undefined;

  constructor(options: ClockOptions, report: SourceReport, poll: () => Promise<number>) {
    this.#options = options;
    this.#report = report;
    this.#poll = poll;
  }

  /** Resolves when the present poll has ended. */
  async idle(): Promise<void> {
    await this.#now;
  }

  start(): void {
    if (!this.#stopped) return;
    this.#stopped = false;
    this.#polls = 0;
    // If a poll from before the stop is still under way, it schedules the next one itself.
    if (this.#now === undefined) this.#in(this.#options.initialDelay);
  }

  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#timer);
  }

  /** The timer does not keep the thread alive. */
  #in(ms: number): void {
    if (this.#stopped) return;
    this.#timer = setTimeout(() => {
      this.#now = this.#tick().then((next) => {
        this.#now = undefined;
        if (next !== undefined) this.#in(next);
      });
    }, ms).unref();
  }

  /** Resolves with the milliseconds to the next poll; undefined after the last. */
  async #tick(): Promise<number | undefined> {
    const began = performance.now();
    this.#report.polls();
    try {
      const taken = await this.#poll();
      this.#failed = 0;
      this.#idled = taken === 0 ? this.#idled + 1 : 0;
      const next = this.#next(began, taken);
      this.#report.polled(this.#stopped ? undefined : next);
      return next;
    } catch (error) {
      this.#failed += 1;
      this.#idled = 0;
      const next = this.#next(began, 0);
      this.#report.failed(error, this.#stopped ? undefined : next);
      return next;
    }
  }

  #next(began: number, taken: number): number | undefined {
    const { delay, useFixedDelay, greedy, repeatCount } = this.#options;
    this.#polls += 1;
    if (repeatCount > 0 && this.#polls >= repeatCount) return undefined;
    if (greedy && taken > 0) return 0;
    const spent = useFixedDelay ? 0 : performance.now() - began;
    return Math.max(0, delay - spent) + this.#backOff(delay);
  }

  /** The time to wait beside the delay. After failures it grows, with a random part: others may have lost the same server. */
  #backOff(delay: number): number {
    const { backoffMultiplier = 0, backoffIdleThreshold = 0, backoffErrorThreshold = 0, steady } = this.#options;
    if (steady === true) return 0;
    const reached = (count: number, threshold: number): boolean => threshold > 0 && count >= threshold;
    if (reached(this.#failed, backoffErrorThreshold) || reached(this.#idled, backoffIdleThreshold)) {
      this.#failed = 0;
      this.#idled = 0;
      return delay * backoffMultiplier;
    }
    if (this.#failed < 2) return 0;
    return Math.min(mostFailingMs, delay * 2 ** Math.min(this.#failed - 1, 20)) * (0.5 + Math.random() / 2);
  }
}
