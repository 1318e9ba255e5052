/** A thread of this process, behind its MessagePort. */
import { setPriority } from "node:os";
import type { MessagePort, Worker } from "node:worker_threads";
import type { BootedThread, LoopTimes, ThreadListener, ThreadPort, ThreadSample } from "./booted-thread.ts";
import type { LocalWords } from "./local-words.ts";

interface Parts {
  readonly worker: Worker;
  /** Of the operating system; 0: unknown. */
  readonly systemId: number;
  readonly port: MessagePort;
  readonly words: LocalWords;
  readonly ended: Promise<Error | undefined>;
  /** Ends the pool that it is the only thread of; absent: it has others. */
  readonly endPool?: () => Promise<void>;
}

export class LocalThread implements BootedThread {
  readonly number: number;
  /** Of the operating system; 0: unknown. */
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

  /** The process has much else that grows. */
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
    // A pool of several would give it to the next that boots.
    void (endPool === undefined ? worker.terminate() : endPool());
  }
}

class LocalPort implements ThreadPort {
  readonly choked = false;
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
    this.#port.postMessage(frames);
  }

  /** A message that is no list of frames: of a host process, which hands it on. */
  give(message: unknown, transferred: ArrayBuffer[]): void {
    this.#port.postMessage(message, transferred);
  }

  close(): void {
    // A port that is closed delivers what it has in the same turn, which may be gigabytes; one that nobody listens to stops.
    this.#port.removeAllListeners("message");
    this.#port.close();
  }
}
