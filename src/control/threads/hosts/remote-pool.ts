/** Pools of threads in host processes: the requests that a process has not answered yet, and a pool that outlives its process. */
import type { BootedThread, ThreadPool } from "../booted-thread.ts";
import { noThreadError } from "../thread-room.ts";
import { within } from "../waiting.ts";
import type { HostMessage, HostPoolOptions } from "./host-messages.ts";

const destroyMs = 1500;

/** The number of the last thread. Numbers are unique over all host processes; those of threads in this process begin at 1, and stay below. */
let lastThread = 1_000_000;

/** The pools in one host process, by their numbers. */
export class HostPools {
  readonly #send: (message: HostMessage) => void;
  readonly #boots = new Map<number, PromiseWithResolvers<BootedThread>>();
  readonly #destroying = new Map<number, () => void>();
  #lastPool = 0;

  constructor(send: (message: HostMessage) => void) {
    this.#send = send;
  }

  /** Returns the number of the new pool. */
  make(options: HostPoolOptions): number {
    const pool = ++this.#lastPool;
    this.#send(["pool", pool, options]);
    return pool;
  }

  boot(pool: number): Promise<BootedThread> {
    const thread = ++lastThread;
    const boot = Promise.withResolvers<BootedThread>();
    this.#boots.set(thread, boot);
    this.#send(["boot", pool, thread]);
    return boot.promise;
  }

  /** Resolves when the process has destroyed the pool, or is gone. */
  destroy(pool: number): Promise<void> {
    return new Promise((resolve) => {
      this.#destroying.set(pool, resolve);
      this.#send(["destroy", pool]);
    });
  }

  /** Handles the report of a boot; `make` makes the thread if it has booted. Returns false when no boot of this number was requested. */
  booted([kind, number, detail, code]: HostMessage, make: (number: number, systemId: number) => BootedThread): boolean {
    const boot = this.#boots.get(Number(number));
    if (boot === undefined) return false;
    this.#boots.delete(Number(number));
    if (kind === "booted") boot.resolve(make(Number(number), Number.isSafeInteger(detail) ? Number(detail) : 0));
    else boot.reject(code === "no_thread" ? noThreadError(String(detail)) : new Error(String(detail)));
    return true;
  }

  /** Handles the report that a pool was destroyed. */
  destroyed(pool: unknown): void {
    this.#destroying.get(Number(pool))?.();
    this.#destroying.delete(Number(pool));
  }

  /** Rejects all boots under way. */
  rejectBoots(error: Error): void {
    for (const boot of this.#boots.values()) boot.reject(error);
    this.#boots.clear();
  }

  /** Settles all requests: the process has ended, and its pools with it. */
  lose(error: Error): void {
    this.rejectBoots(error);
    for (const resolve of this.#destroying.values()) resolve();
    this.#destroying.clear();
  }
}

/** What a pool needs of its host process. */
interface Host {
  readonly over: boolean;
  readonly pools: Pick<HostPools, "make" | "destroy">;
  /** Rejects with HostEnded when the process ends before. */
  boot(pool: number): Promise<BootedThread>;
}

/** Threads of one kind in a host process. The pool is made anew when the process has been replaced. */
export class RemotePool implements ThreadPool {
  readonly #options: HostPoolOptions;
  readonly #host: () => Promise<Host>;
  #made: { readonly host: Host; readonly pool: number } | undefined;
  #destroyed = false;

  /** `host` returns the process in which new threads are booted. */
  constructor(options: HostPoolOptions, host: () => Promise<Host>) {
    this.#options = options;
    this.#host = host;
  }

  async boot(): Promise<BootedThread> {
    const host = await this.#host();
    if (this.#destroyed) throw new Error("the pool was ended before its thread had booted");
    if (this.#made?.host !== host) this.#made = { host, pool: host.pools.make(this.#options) };
    return host.boot(this.#made.pool);
  }

  async destroy(): Promise<void> {
    this.#destroyed = true;
    const { host, pool } = this.#made ?? {};
    if (host?.over === false && pool !== undefined) await within(destroyMs, host.pools.destroy(pool));
  }
}
