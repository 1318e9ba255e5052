/** A Piscina pool whose threads each run one attachment. Piscina starts and ends the threads; only this file uses it. */
import { existsSync } from "node:fs";
import { availableParallelism } from "node:os";
import { setFlagsFromString } from "node:v8";
import { MessageChannel, type MessagePort, type Worker } from "node:worker_threads";
import { Piscina } from "piscina";
import { widthOf } from "../../../shared/frame-shape.ts";
import { controlFields, ToControl, toControl } from "../../../shared/frames-to-control.ts";
import type { AttachTask } from "../../../shared/protocol.ts";
import type { ThreadPool, ThreadPoolOptions } from "../booted-thread.ts";
import { entries } from "../code.ts";
import { assertDescriptors, bootFailure } from "../thread-room.ts";
import { Gate, within } from "../waiting.ts";
import { LocalThread, LocalWords } from "./local-thread.ts";
import { threadFlags } from "./thread-flags.ts";

// Contexts that V8 makes from now on have a function that collects garbage; each thread hides its own from flows (renounce.ts).
setFlagsFromString("--expose-gc");
// What bin/entry.js has set for the start of the main thread; a thread of a flow would take half a megabyte more.
setFlagsFromString("--semi-space-growth-factor=2");

const MiB = 1024 * 1024;

/** Booting is CPU-bound: more boots at a time than cores take as long in all, and delay the main loop. */
const bootGate = new Gate(availableParallelism());

export interface WorkerPoolOptions extends ThreadPoolOptions {
  readonly entry?: URL | undefined;
  readonly interest: SharedArrayBuffer;
  /** true: this is a host process, which passes on packed messages. */
  readonly packed?: boolean;
}

/** How long the end of the threads may take. A thread in native code cannot be interrupted, and ends later. */
const endMs = 1000;

/** The first message of a thread. */
interface Hello {
  readonly threadId: number;
  readonly systemId: number;
}

/** A thread did not boot in time, which may be the machine's fault. */
export class BootLate extends Error {}

export class WorkerPool implements ThreadPool {
  readonly #piscina: Piscina;
  readonly #options: WorkerPoolOptions;
  /** The threads whose hello has arrived. */
  readonly #booted = new WeakSet<Worker>();
  /** The functions that reject the boots under way, in the order of their start. */
  readonly #booting: ((error: Error) => void)[] = [];
  #lastError: Error | undefined;
  #destroyed = false;

  constructor(options: WorkerPoolOptions) {
    this.#options = options;
    const entry = options.entry ?? entries.flow;
    this.#piscina = new Piscina({
      filename: entry.href,
      name: "attach",
      minThreads: 0,
      // A thread that is being terminated counts until it has ended; its replacement must not wait for that.
      maxThreads: options.threads === 1 ? 1 : 2 * options.threads,
      idleTimeout: Number.POSITIVE_INFINITY,
      // A worker that waits in Atomics.wait does not serve its port.
      atomics: "disabled",
      ...threadFlags(entry, options),
      resourceLimits: {
        maxOldGenerationSizeMb: Math.max(16, Math.round(options.memoryBytes / MiB)),
        maxYoungGenerationSizeMb: 16,
      },
      recordTiming: false,
    });
    // Without a listener an error of a thread between tasks would end the process.
    this.#piscina.on("error", (error: Error) => {
      this.#lastError = error;
    });
    this.#piscina.on("workerDestroy", () => queueMicrotask(() => this.#failDeadBoots()));
  }

  /** Boots a thread and begins its attachment; resolves on its hello, rejects when none comes within `bootMs`. */
  boot(): Promise<LocalThread> {
    return bootGate.pass(() => this.#boot());
  }

  async #boot(): Promise<LocalThread> {
    // The pool may have been destroyed while the boot waited at the gate; Piscina would start again.
    if (this.#destroyed) throw new Error("the pool was ended before the thread's turn to boot had come");
    assertDescriptors();
    const { port1: port, port2 } = new MessageChannel();
    const words = new LocalWords(this.#options.eventCredits);
    const task: AttachTask = { port: port2, words: words.memory, interest: this.#options.interest };
    const withdrawn = new AbortController();
    const run = this.#piscina.run(task, { transferList: [port2] as never, signal: withdrawn.signal });
    const ended = run.then(
      () => undefined,
      (error: unknown) => (error instanceof Error ? error : new Error(String(error))),
    );
    try {
      const { threadId, systemId } = await this.#hello(port, ended);
      const worker = this.#piscina.threads.find((thread) => thread.threadId === threadId);
      if (worker === undefined) throw new Error("a thread ended while it booted");
      this.#booted.add(worker);
      const endPool = this.#options.threads === 1 ? { endPool: () => this.destroy() } : {};
      return new LocalThread({ worker, systemId, port, words, ended, ...endPool });
    } catch (error) {
      port.close();
      // Ends the thread if it has taken the task; else withdraws the task, which Piscina would give to the next thread.
      withdrawn.abort();
      this.#endStuck();
      throw bootFailure(error);
    }
  }

  async #hello(port: MessagePort, ended: Promise<Error | undefined>): Promise<Hello> {
    const { bootMs, packed = false } = this.#options;
    let fail: (error: Error) => void = () => {};
    const hello = new Promise<Hello>((resolve, reject) => {
      fail = reject;
      port.once("message", (frames: unknown) => {
        try {
          resolve(readHello(frames, packed));
        } catch (error) {
          reject(error);
        }
      });
      void ended.then((error) => reject(error ?? new Error("a thread ended before its hello")));
    });
    this.#booting.push(fail);
    const timer = setTimeout(() => fail(new BootLate(`a thread did not boot within ${bootMs} ms`)), bootMs);
    try {
      return await hello;
    } finally {
      clearTimeout(timer);
      this.#booting.splice(this.#booting.indexOf(fail), 1);
    }
  }

  /** Rejects boots of threads that ended before they took their task: Piscina keeps such tasks queued, and their promises never settle. */
  #failDeadBoots(): void {
    const alive = this.#piscina.threads.filter((thread) => !this.#booted.has(thread)).length;
    const dead = this.#booting.slice(0, Math.max(0, this.#booting.length - alive));
    for (const fail of dead) fail(this.#lastError ?? new Error("a thread ended while it booted"));
  }

  /** Ends a thread that never took its task: it would block the place of another thread. */
  #endStuck(): void {
    const unbooted = this.#piscina.threads.filter((thread) => !this.#booted.has(thread));
    if (unbooted.length > this.#booting.length) void unbooted[0]?.terminate();
  }

  /** Ends all its threads at once; waits for them for `endMs` at most. */
  async destroy(): Promise<void> {
    this.#destroyed = true;
    await within(endMs, this.#piscina.destroy());
  }
}

/** Throws for a first message that is not one hello, and for fields of another type. */
function readHello(frames: unknown, host: boolean): Hello {
  const isHello = Array.isArray(frames) && frames[0] === ToControl.hello && frames.length === widthOf(toControl.hello);
  if (!isHello) throw new Error("a thread's first message is not its hello");
  const { threadId, systemId } = controlFields.hello;
  return { threadId: threadId(frames, 0), systemId: ofThisProcess(systemId(frames, 0), host) };
}

/** Returns the system id that a thread has sent if it is one of a thread of this process, else 0. A host process has no right to check that: control does. */
function ofThisProcess(systemId: number, host: boolean): number {
  if (systemId === process.pid) return 0;
  return host || existsSync(`/proc/self/task/${systemId}`) ? systemId : 0;
}
