/** A few booted threads without a flow, of one kind: a flow that needs a thread adopts one in a few milliseconds. */
import { AppError } from "../../../shared/errors.ts";
import type { Limits } from "../../../shared/limits.ts";
import type { BootedThread, ThreadPlace, ThreadPool } from "../booted-thread.ts";
import { hardFactor } from "../kill.ts";
import { within } from "../waiting.ts";

interface Options {
  readonly place: ThreadPlace;
  readonly limits: Limits;
  /** true: for flows that call out. */
  readonly network?: boolean;
}

const endMs = 1000;

/** The next thread boots only after this time, so that it does not compete for the CPU with the thread that was taken and now compiles its flow. */
const refillAfterMs = 100;

export class StandbyThreads {
  readonly #options: Options;
  readonly #ready: BootedThread[] = [];
  readonly #waiting: { resolve(thread: BootedThread): void; reject(error: Error): void }[] = [];
  #booting = 0;
  readonly #bootingPools = new Set<ThreadPool>();
  readonly #boots = new Set<Promise<void>>();
  #target = 0;
  #later: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(options: Options) {
    this.#options = options;
  }

  get ready(): number {
    return this.#ready.length;
  }

  /** Whether somebody waits for a thread. */
  get wanting(): boolean {
    return this.#waiting.length > 0;
  }

  /** Boots one thread now, for whoever comes first: the boot load finds it ready when the first check is done. */
  bootAhead(): void {
    this.#boot();
  }

  /** Sets how many threads are kept ready. */
  keep(count: number): void {
    this.#target = count;
    this.#refill();
    for (const thread of this.#ready.splice(count)) void thread.terminate();
  }

  /** Returns a ready thread, else the next one that has booted. It is alone in its pool. */
  take(): Promise<BootedThread> {
    if (this.#closed) return Promise.reject(closing());
    const ready = this.#ready.shift();
    if (ready !== undefined) {
      this.#refillLater();
      return Promise.resolve(ready);
    }
    return new Promise((resolve, reject) => {
      this.#waiting.push({ resolve, reject });
      this.#refill();
    });
  }

  /** Makes a pool for a flow that no standby thread fits: it has several threads, another heap size, or files. Throws when closed. */
  ownPool(limits: Limits, files?: string): ThreadPool {
    if (this.#closed) throw closing();
    const { place, network = false } = this.#options;
    const { workerMemoryBytes, threads, eventCredits, threadBootMs: bootMs } = limits;
    const memoryBytes = hardFactor * workerMemoryBytes;
    return place.pool({ eventCredits, memoryBytes, threads, bootMs, network, files });
  }

  /** Boots a thread in a new pool. The pool is destroyed if the thread does not boot. */
  async bootOwn(limits: Limits, files?: string): Promise<BootedThread> {
    const pool = this.ownPool(limits, files);
    this.#bootingPools.add(pool);
    try {
      return await pool.boot();
    } catch (error) {
      const ended = pool.destroy();
      if (this.#closed) throw closing();
      await ended;
      throw error;
    } finally {
      this.#bootingPools.delete(pool);
    }
  }

  /** Whether standby threads fit these limits. */
  fits({ threads, workerMemoryBytes, eventCredits }: Limits): boolean {
    const own = this.#options.limits;
    return threads === 1 && workerMemoryBytes === own.workerMemoryBytes && eventCredits === own.eventCredits;
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#later);
    this.#target = 0;
    for (const { reject } of this.#waiting.splice(0)) reject(closing());
    const ready = this.#ready.splice(0).map((thread) => within(endMs, thread.terminate()));
    await Promise.all([...ready, ...[...this.#bootingPools].map((pool) => pool.destroy()), ...this.#boots]);
  }

  #refill(): void {
    while (!this.#closed && this.#ready.length + this.#booting < this.#target + this.#waiting.length) {
      this.#boot();
    }
  }

  /** Boots missing threads after a while: threads that die as soon as they have booted must not be booted again in a loop. */
  #refillLater(): void {
    clearTimeout(this.#later);
    if (!this.#closed) this.#later = setTimeout(() => this.#refill(), refillAfterMs).unref();
  }

  #boot(): void {
    this.#booting += 1;
    const boot: Promise<void> = this.#bootOne().finally(() => this.#boots.delete(boot));
    this.#boots.add(boot);
  }

  async #bootOne(): Promise<void> {
    try {
      const thread = await this.bootOwn({ ...this.#options.limits, threads: 1 });
      this.#booting -= 1;
      void thread.ended.then(() => this.#forget(thread));
      const waiter = this.#waiting.shift();
      if (waiter !== undefined) waiter.resolve(thread);
      else if (this.#closed) await thread.terminate();
      else this.#ready.push(thread);
    } catch (error) {
      this.#booting -= 1;
      // The error of a failed boot goes to one waiter, so that boots that always fail are reported and not repeated for ever.
      this.#waiting.shift()?.reject(error instanceof Error ? error : new Error(String(error)));
    }
  }

  #forget(thread: BootedThread): void {
    const at = this.#ready.indexOf(thread);
    if (at < 0) return;
    this.#ready.splice(at, 1);
    thread.release();
    this.#refillLater();
  }
}

/** The answer to a deployment that a shutdown ends. */
export function closing(): AppError {
  return new AppError("draining", "the runtime is shutting down", { "Retry-After": "10" });
}
