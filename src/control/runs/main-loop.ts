/** How late the main loop comes to what is due: every sample counted in a bucket, the last ones kept for the health report. */

const everyMs = 20;
/** Ten seconds. */
const recentSamples = 500;

/** Upper bounds in seconds; above the last one is +Inf. */
export const lagBounds: readonly number[] = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5];

export class MainLoop {
  /** Samples per bucket, not cumulated; one more than there are bounds. */
  readonly buckets: number[] = new Array<number>(lagBounds.length + 1).fill(0);
  seconds = 0;
  readonly #recent = new Float64Array(recentSamples);
  #count = 0;
  #last = performance.now();
  readonly #timer: NodeJS.Timeout;

  constructor() {
    this.#timer = setInterval(() => {
      const now = performance.now();
      this.sample(Math.max(0, now - this.#last - everyMs));
      this.#last = now;
    }, everyMs).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  sample(lagMs: number): void {
    const lag = lagMs / 1000;
    this.seconds += lag;
    const bucket = lagBounds.findIndex((bound) => lag <= bound);
    const place = bucket < 0 ? lagBounds.length : bucket;
    this.buckets[place] = (this.buckets[place] ?? 0) + 1;
    this.#recent[this.#count % recentSamples] = lagMs;
    this.#count += 1;
  }

  /** Of the last ten seconds, in ms: one sample of a hundred was later. */
  get lateMs(): number {
    const samples = this.#recent.slice(0, Math.min(this.#count, recentSamples)).sort();
    return samples[Math.floor(samples.length * 0.99)] ?? 0;
  }
}
