/** A flow's thread, with all that it uses told as soon as it is known: whoever looks at the thread, its use is counted once. */
import type { BootedThread, LoopTimes, ThreadListener, ThreadPort, ThreadSample } from "./booted-thread.ts";
import { within } from "./within.ts";

/** A thread in native code tells when it comes back from there. */
const lookMs = 500;
/** Of its event loop: less is what looking at it costs. */
const workedMs = 1;

/** What has come since it was told last. */
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
  readonly port: ThreadPort;
  readonly words: BootedThread["words"];
  /** Told before it settles: all that the thread has used. */
  readonly ended: Promise<Error | undefined>;
  /** As it was last seen. */
  last: Pick<ThreadSample, "cpuMs" | "heapBytes" | "externalBytes" | "activeMs"> = noSample;
  readonly #thread: BootedThread;
  readonly #used: (use: ThreadUse) => void;
  readonly #countedPort: CountedPort;
  #postsSeen = 0;
  #callsSeen = 0;
  /** It had worked when it was last seen. */
  #working = true;
  #nice: number | undefined;
  #looking: Promise<unknown> | undefined;

  /** `used` is told of whatever is new, from now on; the thread's boot is part of it. */
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

  /** Has what it uses told, unless it has done nothing since it was last seen. */
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
    // What it has first is the rank of all threads.
    if (this.#nice !== undefined && nice > this.#nice) this.#used({ ...noUse, demotions: 1 });
    this.#nice = nice;
    return true;
  }

  lastWords(): Promise<void> | undefined {
    return this.#thread.lastWords();
  }

  /** Since when it should be gone, in `performance.now()` time; 0: it should not be. */
  killedAt = 0;

  async terminate(): Promise<void> {
    this.killedAt = performance.now();
    // It is answered first, also by one that is in a loop.
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
    // Two that look at the same time may be answered in any order.
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

class CountedPort implements ThreadPort {
  posts = 0;
  readonly #port: ThreadPort;

  constructor(port: ThreadPort) {
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
