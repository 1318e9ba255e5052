/**
 * The soft limit of a thread's memory, heap and external. What a sample tells is live data and garbage together: over the limit the
 * thread is asked to collect, and what is left after that decides. Twice: array buffers that the first collection finds are freed a while after it.
 */
import type { ThreadSample } from "../booted-thread.ts";
import type { FlowThread } from "../line/flow-thread.ts";

/** CPU time that the collection may take until its end; and how long its thread may wait for the CPU, or in something that cannot be interrupted. */
const collectCpuMs = 500;
const collectMs = 2000;
/** Of the limit: over it the garbage is not looked at. */
const atOnce = 2;
/** Of the limit: from here on, or growing so much from one look to the next, it is looked at more often. */
const close = 0.5;
const quick = 0.125;

export class MemoryWatch {
  readonly #thread: FlowThread;
  #bytes = 0;
  #grew = false;
  #asked: { readonly at: number; readonly cpuMs: number; readonly last: boolean } | undefined;
  /** When the sample was asked for that is yet to come. */
  #wasCollected = true;
  /** Looked at more often from now on. */
  close = false;

  constructor(thread: FlowThread) {
    this.#thread = thread;
  }

  /** As of the last sample. */
  get bytes(): number {
    return this.#bytes;
  }

  /** It had grown much when it was last heard of, and was near its limit: one that does not answer then is allocating. */
  get growing(): boolean {
    return this.#grew;
  }

  /** A sample is about to be asked for. */
  asking(): void {
    this.#wasCollected = this.#thread.booted.words.collected;
  }

  /** true: it uses more than it may. */
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
    // It may be waiting: then nothing else lets it hear of it.
    this.#thread.line.nudge();
  }
}
