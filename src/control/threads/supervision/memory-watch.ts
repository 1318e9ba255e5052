/**
 * The soft limit of a thread's memory, heap and external. A sample counts live data and garbage together: over the limit the thread is
 * asked to collect, and what is left after that decides. It collects twice: array buffers that the first collection finds are freed a
 * while after it.
 */
import type { ThreadSample } from "../booted-thread.ts";
import type { FlowThread } from "../line/flow-thread.ts";

/**
 * CPU time that a thread may take until its collection has ended. It begins between two steps: reading a document of some megabytes is
 * one step, and takes most of a second beside a busy neighbour. What allocates on meanwhile is ended by `atOnce`.
 */
const collectCpuMs = 2000;
/** How long it may wait for the CPU, or in something that cannot be interrupted: it does not grow meanwhile. On a busy machine that is seconds. */
const collectMs = 10_000;
/** A thread over this multiple of the limit is ended without a collection. */
const atOnce = 2;
/** Shares of the limit: a thread that uses `close`, or has grown by `quick` since its last sample, is sampled more often. */
const close = 0.5;
const quick = 0.125;

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
