/** Wraps a flow's thread, and reports what it has used with each sample, so that all use is counted exactly once. */
import type { BootedPort, BootedThread, LoopTimes, ThreadSample } from "./booted-thread.ts";
import { within } from "./waiting.ts";

/** The time to wait for a sample; a thread in native code answers only when it has returned from there. */
const lookMs = 500;
/** Work of its event loop in ms that is worth a new sample: taking the sample is work, too. */
const workedMs = 1;

/** What a thread has used since its last report. */
export interface ThreadUse {
  readonly cpuMs: number;
  /** Calls of endpoints outside of the flow. */
  readonly calls: number;
  /** How often its priority was lowered. */
  readonly demotions: number;
}

const noUse: ThreadUse = { cpuMs: 0, calls: 0, demotions: 0 };

export class MeteredThread implements BootedThread {
  readonly number: number;
  readonly port: BootedPort;
  readonly words: BootedThread["words"];
  /** Resolves after everything that the thread has used was reported. */
  readonly ended: Promise<Error | undefined>;
  /** The last sample. */
  last: Pick<ThreadSample, "cpuMs" | "heapBytes" | "externalBytes" | "activeMs"> = noSample;
  readonly #thread: BootedThread;
  readonly #used: (use: ThreadUse) => void;
  #postsSeen = 0;
  #callsSeen = 0;
  /** Whether it had worked between the last two samples. */
  #working = true;
  #nice: number | undefined;
  #looking: Promise<unknown> | undefined;

  /** `used` is called with what the thread has used since the last call; the first one includes its boot. */
  constructor(thread: BootedThread, used: (use: ThreadUse) => void) {
    this.#thread = thread;
    this.#used = used;
    this.number = thread.number;
    this.port = thread.port;
    this.words = thread.words;
    this.ended = thread.ended.then(async (error) => {
      // A thread whose attachment has returned still exists, and can be sampled.
      if (error === undefined) await this.look();
      this.#note(this.last);
      return error;
    });
  }

  loop(): LoopTimes | undefined {
    return this.#thread.loop();
  }

  async sample(): Promise<ThreadSample | undefined> {
    const sample = await this.#thread.sample();
    if (sample !== undefined) this.#note(sample);
    return sample;
  }

  /** Takes a sample, and so reports what the thread has used, unless it has done nothing since the last one. */
  async look(): Promise<void> {
    if (!this.#hasWorked()) return;
    this.#postsSeen = this.port.posts;
    this.#looking ??= this.sample().finally(() => {
      this.#looking = undefined;
    });
    await within(lookMs, this.#looking);
  }

  grownBytes(): number {
    return this.#thread.grownBytes();
  }

  setNice(nice: number): boolean {
    const set = this.#thread.setNice(nice);
    if (!set) return false;
    // The first value is the one that all threads start with.
    if (this.#nice !== undefined && nice > this.#nice) this.#used({ ...noUse, demotions: 1 });
    this.#nice = nice;
    return true;
  }

  lastWords(): Promise<void> | undefined {
    return this.#thread.lastWords();
  }

  /** When it was terminated, in `performance.now()` time; 0: it was not. */
  killedAt = 0;

  async terminate(): Promise<void> {
    this.killedAt = performance.now();
    // The sample arrives before the end, even for a thread in an endless loop.
    void this.sample();
    await this.#thread.terminate();
  }

  release(): void {
    this.#thread.release();
  }

  #hasWorked(): boolean {
    if (this.#working || this.port.posts !== this.#postsSeen) return true;
    const loop = this.#thread.loop();
    return loop !== undefined && loop.activeMs - this.last.activeMs > workedMs;
  }

  #note(sample: MeteredThread["last"]): void {
    // Two samples that were requested at the same time may arrive in any order.
    const cpuMs = Math.max(0, sample.cpuMs - this.last.cpuMs);
    const { calls } = this.words;
    const newCalls = (calls - this.#callsSeen) >>> 0;
    this.#callsSeen = calls;
    this.#working = cpuMs > workedMs;
    this.last = cpuMs > 0 ? sample : { ...sample, cpuMs: this.last.cpuMs };
    this.#used({ ...noUse, cpuMs, calls: newCalls });
  }
}

const noSample = { cpuMs: 0, heapBytes: 0, externalBytes: 0, activeMs: 0 } as const;
