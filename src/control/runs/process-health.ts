/** The state of the whole process: how late its main loop runs, and how much memory it uses. */
import { totalmem } from "node:os";
import { AppError } from "../../shared/errors.ts";

const everyMs = 20;
/** The samples of ten seconds. */
const recentSamples = 500;

/** Upper bounds in seconds; above the last one is +Inf. */
export const lagBounds: readonly number[] = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5];

/** Measures how late the main loop runs its timers: each sample is counted in a bucket, and the last ones are kept for the health report. */
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

  /** The 99th percentile of the lag in the last ten seconds, in ms. */
  get lateMs(): number {
    const samples = this.#recent.slice(0, Math.min(this.#count, recentSamples)).sort();
    return samples[Math.floor(samples.length * 0.99)] ?? 0;
  }
}

const lookMs = 200;
/** The share of the memory of the machine, or of the container, that the process may use. */
const share = 0.8;
/** The overload ends when less than this share of the bound is used. */
const roomy = 0.95;

const MiB = 1024 * 1024;

/** Watches the memory of the whole process: above its bound nothing new begins, so that what is under way can end. */
export class ProcessMemory {
  /** The bound of the resident memory, in bytes. */
  readonly most: number;
  used = 0;
  /** true: nothing new may begin. */
  over = false;
  readonly #changed: (over: boolean, message: string) => void;
  readonly #timer: NodeJS.Timeout;

  /** `limit`: the bytes that the operator allows; four fifths of the machine's memory are the most. `changed` is called when an overload begins or ends. */
  constructor(limit: number, changed: (over: boolean, message: string) => void) {
    this.most = Math.min(limit, Math.floor(share * machineBytes()));
    this.#changed = changed;
    this.#timer = setInterval(() => this.look(process.memoryUsage.rss()), lookMs).unref();
  }

  look(bytes: number): void {
    this.used = bytes;
    const over = bytes > this.most * (this.over ? roomy : 1);
    if (over === this.over) return;
    this.over = over;
    this.#changed(over, this.message);
  }

  get message(): string {
    const figures = `the process has ${Math.round(this.used / MiB)} MiB of the ${Math.round(this.most / MiB)} MiB that it may have (processMemoryBytes)`;
    if (!this.over) return `${figures}: new runs begin again`;
    return `${figures}: new webhook runs and stream readers are refused, timers skip their ticks`;
  }

  /** Throws `overloaded` while nothing new may begin. */
  refuse(): void {
    if (!this.over) return;
    const message = "the runtime is short of memory, and takes nothing new until some has ended: try again later";
    throw new AppError("overloaded", message, { "Retry-After": "5" });
  }

  stop(): void {
    clearInterval(this.#timer);
  }
}

/** Returns the memory of the control group, if it has a limit, else of the machine. */
function machineBytes(): number {
  const total = totalmem();
  const constrained = process.constrainedMemory();
  return constrained > 0 && constrained < total ? constrained : total;
}
