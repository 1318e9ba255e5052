/** A thread of this process: its worker, its MessagePort, and the memory that it shares with the main thread. */
import { setPriority } from "node:os";
import type { MessagePort, Worker } from "node:worker_threads";
import { effectSlots, figuresOf, Word, wordCount } from "../../../shared/protocol.ts";
import type {
  BootedPort,
  BootedThread,
  LoopTimes,
  ThreadListener,
  ThreadSample,
  ThreadWords,
} from "../booted-thread.ts";

interface Parts {
  readonly worker: Worker;
  /** The operating system's id of the thread; 0: unknown. */
  readonly systemId: number;
  readonly port: MessagePort;
  readonly words: LocalWords;
  readonly ended: Promise<Error | undefined>;
  /** Ends its pool; absent: the pool has other threads. */
  readonly endPool?: () => Promise<void>;
}

export class LocalThread implements BootedThread {
  readonly number: number;
  /** The operating system's id of the thread; 0: unknown. */
  readonly systemId: number;
  readonly port: LocalPort;
  readonly words: LocalWords;
  readonly ended: Promise<Error | undefined>;
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.number = parts.worker.threadId;
    this.systemId = parts.systemId;
    this.words = parts.words;
    this.ended = parts.ended;
    this.port = new LocalPort(parts.port, parts.worker);
  }

  loop(): LoopTimes {
    const { idle, active } = this.#parts.worker.performance.eventLoopUtilization();
    return { idleMs: idle, activeMs: active };
  }

  async sample(): Promise<ThreadSample | undefined> {
    const { worker } = this.#parts;
    try {
      const [cpu, heap] = await Promise.all([worker.cpuUsage(), worker.getHeapStatistics()]);
      return {
        cpuMs: (cpu.user + cpu.system) / 1000,
        heapBytes: heap.used_heap_size,
        externalBytes: heap.external_memory,
        ...this.loop(),
      };
    } catch {
      return undefined;
    }
  }

  /** Returns 0: memory of this process may grow for any reason. */
  grownBytes(): number {
    return 0;
  }

  setNice(nice: number): boolean {
    if (this.systemId === 0) return false;
    try {
      setPriority(this.systemId, nice);
      return true;
    } catch {
      return false;
    }
  }

  lastWords(): undefined {
    return undefined;
  }

  async terminate(): Promise<void> {
    const { worker, endPool } = this.#parts;
    await worker.terminate();
    await endPool?.();
  }

  release(): void {
    const { worker, endPool } = this.#parts;
    // A pool that goes on would reuse the worker for its next boot.
    void (endPool === undefined ? worker.terminate() : endPool());
  }
}

class LocalPort implements BootedPort {
  readonly choked = false;
  posts = 0;
  readonly #port: MessagePort;
  readonly #worker: Worker;

  constructor(port: MessagePort, worker: Worker) {
    this.#port = port;
    this.#worker = worker;
  }

  listen(listener: ThreadListener): void {
    this.#port.on("message", (frames: unknown) => listener.message(frames));
    this.#port.on("messageerror", () => listener.unreadable());
    for (const event of ["message", "messageerror"]) this.#worker.on(event, () => listener.stray());
  }

  post(frames: readonly unknown[]): void {
    this.posts += 1;
    this.#port.postMessage(frames);
  }

  /** Posts a message that is not a list of frames, as a host process does when it passes packed messages on. */
  give(message: unknown, transferred: ArrayBuffer[]): void {
    this.#port.postMessage(message, transferred);
  }

  close(): void {
    // A closed port would still deliver all messages that it has, maybe gigabytes, in the same turn; without a listener it does not.
    this.#port.removeAllListeners("message");
    this.#port.close();
  }
}

const done = 2;

export class LocalWords implements ThreadWords {
  readonly memory = new SharedArrayBuffer(wordCount * Int32Array.BYTES_PER_ELEMENT);
  readonly figures = figuresOf(this.memory);
  readonly #words = new Int32Array(this.memory);

  constructor(credits: number) {
    this.#words[Word.credits] = credits;
    this.#words[Word.collect] = done;
  }

  get heartbeat(): number {
    return this.#read(Word.heartbeat) - 1;
  }

  get logs(): number {
    return this.#read(Word.logs);
  }

  get traces(): number {
    return this.#read(Word.traces);
  }

  get turns(): number {
    return this.#read(Word.turns);
  }

  get calls(): number {
    return this.#read(Word.calls);
  }

  get collected(): boolean {
    return this.#read(Word.collect) === done;
  }

  hadEffect(slot: number): boolean {
    if (slot >= effectSlots) return true;
    return (this.#read(Word.effects + (slot >>> 5)) & (1 << (slot & 31))) !== 0;
  }

  beginSlot(slot: number): void {
    if (this.hadEffect(slot) && slot < effectSlots)
      Atomics.and(this.#words, Word.effects + (slot >>> 5), ~(1 << (slot & 31)));
  }

  giveCredits(count: number): void {
    Atomics.add(this.#words, Word.credits, count);
  }

  stop(slot: number): void {
    Atomics.store(this.#words, Word.stop, slot + 1);
    this.#ask();
  }

  collect(): void {
    Atomics.store(this.#words, Word.collect, 1);
    this.#ask();
  }

  #ask(): void {
    const wanted = this.#read(Word.stop) !== 0 || !this.collected;
    Atomics.store(this.#words, Word.asked, wanted ? 1 : 0);
  }

  #read(word: number): number {
    return Atomics.load(this.#words, word);
  }
}
