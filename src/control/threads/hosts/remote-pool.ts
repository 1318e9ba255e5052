/** Threads of one kind in a host process: a pool there, made anew when its process has been replaced. */
import type { BootedThread, ThreadPool } from "../booted-thread.ts";
import { within } from "../within.ts";
import type { HostPoolOptions } from "./host-messages.ts";
import type { HostProcess } from "./host-process.ts";

const destroyMs = 1500;

export class RemotePool implements ThreadPool {
  readonly #options: HostPoolOptions;
  /** The process that threads are to be booted in now. */
  readonly #host: () => Promise<HostProcess>;
  #made: { readonly host: HostProcess; readonly pool: number } | undefined;
  #destroyed = false;

  constructor(options: HostPoolOptions, host: () => Promise<HostProcess>) {
    this.#options = options;
    this.#host = host;
  }

  async boot(): Promise<BootedThread> {
    const host = await this.#host();
    if (this.#destroyed) throw new Error("the pool was ended before its thread had booted");
    if (this.#made?.host !== host) this.#made = { host, pool: host.makePool(this.#options) };
    return host.boot(this.#made.pool);
  }

  async destroy(): Promise<void> {
    this.#destroyed = true;
    if (this.#made !== undefined) await within(destroyMs, this.#made.host.destroyPool(this.#made.pool));
  }
}
