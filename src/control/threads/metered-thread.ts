/** A flow's thread that reports what it uses as soon as that is known: its use is counted once, whoever looks at it. */
import type { BootedPort, BootedThread, LoopTimes, ThreadListener, ThreadSample } from "./booted-thread.ts";
import { within } from "./waiting.ts";

/** A thread in native code answers when it comes back from there. */
const lookMs = 500;
/** The work of its event loop, in ms, from which on it has done something: looking at it costs less. */
const workedMs = 1;

/** What a thread has used since its last report. */
export interface ThreadUse {
  readonly cpuMs: number;
  /** Calls of endpoints that leave the flow. */
  readonly calls: number;
  /** Times that its rank was lowered. */
  readonly demotions: number;
}

const noUse: ThreadUse = { cpuMs: 0, calls: 0, demotions: 0 };

export class MeteredThread implements BootedThread {
  readonly number: number;
  readonly port: BootedPort;
  readonly words: BootedThread["words"];
  /** All that the thread has used is reported before this settles. */
  readonly ended: Promise<Error | undefined>;
  /** The last sample. */
  last: Pick<ThreadSample, "cpuMs" | "heapBytes" | "externalBytes" | "activeMs"> = noSample;
  readonly #thread: BootedThread;
  readonly #used: (use: ThreadUse) => void;
  readonly #countedPort: CountedPort;
  #postsSeen = 0;
  #callsSeen = 0;
  /** It had worked before the last sample. */
  #working = true;
  #nice: number | undefined;
  #looking: Promise<unknown> | undefined;

  /** `used` is called with whatever is new, from now on; the thread's boot is part of it. */
  constructor(thread: BootedThread, used: (use: ThreadUse) => void) {
    this.#thread = thread;
    this.#used = used;
    this.number = thread.number;
    this.#countedPort = new CountedPort(thread.port);
    this.port = this.#countedPort;
    this.words = thread.words;
    this.ended = thread.ended.then(async (error) => {
      // One whose attachment has returned is still there to be looked at.
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

  /** Reports what it has used, unless it has done nothing since the last sample. */
  async look(): Promise<void> {
    if (!this.#hasWorked()) return;
    this.#postsSeen = this.#countedPort.posts;
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
    // The first one is the rank that all threads get.
    if (this.#nice !== undefined && nice > this.#nice) this.#used({ ...noUse, demotions: 1 });
    this.#nice = nice;
    return true;
  }

  lastWords(): Promise<void> | undefined {
    return this.#thread.lastWords();
  }

  /** When it was to end, in `performance.now()` time; 0: it is not to. */
  killedAt = 0;

  async terminate(): Promise<void> {
    this.killedAt = performance.now();
    // It is answered before the end, even by a thread that is in a loop.
    void this.sample();
    await this.#thread.terminate();
  }

  release(): void {
    this.#thread.release();
  }

  #hasWorked(): boolean {
    if (this.#working || this.#countedPort.posts !== this.#postsSeen) return true;
    const loop = this.#thread.loop();
    return loop !== undefined && loop.activeMs - this.last.activeMs > workedMs;
  }

  #note(sample: MeteredThread["last"]): void {
    // Two samples that were asked for at the same time may come in any order.
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

class CountedPort implements BootedPort {
  posts = 0;
  readonly #port: BootedPort;

  constructor(port: BootedPort) {
    this.#port = port;
  }

  get choked(): boolean {
    return this.#port.choked;
  }

  listen(listener: ThreadListener): void {
    this.#port.listen(listener);
  }

  post(frames: readonly unknown[]): void {
    this.posts += 1;
    this.#port.post(frames);
  }

  close(): void {
    this.#port.close();
  }
}
