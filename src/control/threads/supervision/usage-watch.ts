/** Judges what a thread uses: whether its memory exceeds the limit, and which priority its use of the CPU gives it. */
import type { ThreadSample } from "../booted-thread.ts";
import type { FlowThread } from "../line/flow-thread.ts";

/** CPU time that a thread may take until its collection has ended. */
const collectCpuMs = 500;
/** How long it may wait for the CPU, or in something that cannot be interrupted: it does not grow meanwhile. On a busy machine that is seconds. */
const collectMs = 10_000;
/** A thread over this multiple of the limit is ended without a collection. */
const atOnce = 2;
/** Shares of the limit: a thread that uses `close`, or has grown by `quick` since its last sample, is sampled more often. */
const close = 0.5;
const quick = 0.125;

/**
 * The soft limit of a thread's memory, heap and external. A sample counts live data and garbage together: over the limit the thread is
 * asked to collect, and what is left after that decides. It collects twice: array buffers that the first collection finds are freed a
 * while after it.
 */
export class MemoryWatch {
  readonly #thread: FlowThread;
  #bytes = 0;
  #grew = false;
  #asked: { readonly at: number; readonly cpuMs: number; readonly last: boolean } | undefined;
  /** Whether the last collection was over when the sample under way was asked for. */
  #wasCollected = true;
  /** true: it is sampled more often. */
  close = false;

  constructor(thread: FlowThread) {
    this.#thread = thread;
  }

  /** Bytes of heap and external memory in the last sample. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Whether it had grown by `quick` at its last sample: a thread that does not answer after that is allocating. */
  get growing(): boolean {
    return this.#grew;
  }

  /** Call it before a sample is requested. */
  asking(): void {
    this.#wasCollected = this.#thread.booted.words.collected;
  }

  /** Returns true when the thread uses more than it may. */
  exceeds({ heapBytes, externalBytes, cpuMs }: ThreadSample, now: number): boolean {
    const limit = this.#thread.owner.limits.workerMemoryBytes;
    const bytes = heapBytes + externalBytes;
    this.#grew = bytes - this.#bytes > quick * limit;
    this.#bytes = bytes;
    this.close = this.#grew || bytes > close * limit;
    if (bytes > atOnce * limit) return true;
    const asked = this.#asked;
    if (bytes <= limit) {
      if (this.#wasCollected) this.#asked = undefined;
      return false;
    }
    if (asked === undefined) this.#collect(now, cpuMs, false);
    else if (this.#wasCollected) {
      if (asked.last) return true;
      this.#collect(now, cpuMs, true);
    } else return cpuMs - asked.cpuMs > collectCpuMs || now - asked.at > collectMs;
    return false;
  }

  #collect(at: number, cpuMs: number, last: boolean): void {
    this.#asked = { at, cpuMs, last };
    this.#thread.booted.words.collect();
    // A thread that waits for messages reads the request only when one comes.
    this.#thread.line.nudge();
  }
}

/** The lowest priority. */
const lowest = 19;
/** A thread is demoted when it uses this share of a core for this time, and restored when it uses less than `behaving` for `behavingMs`. */
const burning = 0.5;
const burningMs = 200;
const behaving = 0.25;
const behavingMs = 1000;
/** A thread is demoted, too, when its loop is never idle and it gets at least some CPU time: it would use more if other threads did not. */
const starved = { loop: 0.9, cpu: 0.1 };

/** A thread's priority in the operating system: a thread that uses much CPU time gets the lowest one until it uses less again. */
export class Priority {
  readonly #thread: FlowThread;
  demoted = false;
  #burnedMs = 0;
  #behavedMs = 0;

  constructor(thread: FlowThread) {
    this.#thread = thread;
  }

  /** `cpu`: its share of a core in the `elapsed` ms since the last look; `loop`: the share of this time in which its loop was not idle. */
  look(elapsed: number, cpu: number, loop: number): void {
    const burns = cpu > burning || (loop > starved.loop && cpu > starved.cpu);
    this.#burnedMs = burns ? this.#burnedMs + elapsed : 0;
    this.#behavedMs = cpu < behaving && !burns ? this.#behavedMs + elapsed : 0;
    if (!this.demoted && this.#burnedMs >= burningMs) this.demote();
    else if (this.demoted && this.#behavedMs >= behavingMs) this.#restore();
  }

  /** Has no effect on other systems than Linux, where threads have no priority. */
  demote(): void {
    if (!this.demoted) this.demoted = this.#thread.booted.setNice(lowest);
  }

  /** Raises the priority again. Without the right to do so the thread is replaced, unless its flow keeps state in it. */
  #restore(): void {
    const { booted, owner, stateful } = this.#thread;
    this.#behavedMs = 0;
    if (booted.setNice(owner.limits.threadNice)) this.demoted = false;
    else if (!stateful) owner.recycle(this.#thread, false);
  }
}
