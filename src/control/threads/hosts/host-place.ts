/** Where the threads of a group of flows run: one host process at a time, replaced when it has ended, with standby threads in it. */
import type { Limits } from "../../../shared/limits.ts";
import type { ThreadPlace, ThreadPool, ThreadPoolOptions } from "../booted-thread.ts";
import { StandbyThreads } from "../pool/standby-threads.ts";
import { HostProcess } from "./host-process.ts";
import { RemotePool } from "./remote-pool.ts";

export interface HostPlaceOptions {
  readonly group: string;
  /** The module that the process runs. */
  readonly hostEntry: URL;
  /** The module that its threads run. */
  readonly entry: URL;
  readonly limits: Limits;
  readonly interest: SharedArrayBuffer;
  readonly log: (level: "INFO" | "WARN" | "ERROR", message: string) => void;
}

/** A process that lived for so long is followed by another at once. */
const goodMs = 10_000;
const longestWaitMs = 5000;
/** So many in a row are followed at once, too: a flow that ends its process each time is quarantined by then. */
const freeFailures = 5;

export class HostPlace implements ThreadPlace {
  readonly group: string;
  readonly #options: HostPlaceOptions;
  readonly #standby: Readonly<Record<"plain" | "networked", StandbyThreads>>;
  #current: HostProcess | undefined;
  /** The current one, and those that are given up and not yet gone. */
  readonly #alive = new Set<HostProcess>();
  /** The next process, while it is not yet time for it. */
  #next: Promise<HostProcess> | undefined;
  #waiting: { readonly timer: NodeJS.Timeout; readonly end: () => void } | undefined;
  /** Processes in a row that did not live long. */
  #failures = 0;
  #ended = false;
  restarts = 0;

  constructor(options: HostPlaceOptions) {
    this.#options = options;
    this.group = options.group;
    const { limits } = options;
    this.#standby = {
      plain: new StandbyThreads({ place: this, limits }),
      networked: new StandbyThreads({ place: this, limits, network: true }),
    };
  }

  get pids(): readonly number[] {
    return [...this.#alive].map(({ pid }) => pid);
  }

  get memoryBytes(): number {
    return [...this.#alive].reduce((sum, { memoryBytes }) => sum + memoryBytes, 0);
  }

  get standbyReady(): number {
    return this.#standby.plain.ready + this.#standby.networked.ready;
  }

  standby(network: boolean): StandbyThreads {
    return network ? this.#standby.networked : this.#standby.plain;
  }

  /** From now on keeps so many threads ready. */
  keep(plain: number, networked: number): void {
    this.#standby.plain.keep(plain);
    this.#standby.networked.keep(networked);
  }

  pool(options: ThreadPoolOptions): ThreadPool {
    const { entry, limits } = this.#options;
    const { floodMessages } = limits;
    return new RemotePool({ ...options, entry: entry.href, floodMessages }, () => this.#host());
  }

  async end(): Promise<void> {
    this.#ended = true;
    if (this.#waiting !== undefined) clearTimeout(this.#waiting.timer);
    this.#waiting?.end();
    // With their process they end at once; nobody asks each of them to.
    const ending = [...this.#alive].map((host) => host.end());
    await Promise.all([...ending, this.#standby.plain.close(), this.#standby.networked.close()]);
  }

  async #host(): Promise<HostProcess> {
    if (this.#current !== undefined) return this.#current;
    this.#next ??= this.#start().finally(() => {
      this.#next = undefined;
    });
    return this.#next;
  }

  async #start(): Promise<HostProcess> {
    const waitMs = this.#failures < freeFailures ? 0 : Math.min(longestWaitMs, 50 * 2 ** this.#failures);
    if (waitMs > 0) {
      const why = `${this.#failures} in a row did not last`;
      this.#options.log("WARN", `the next host process of '${this.group}' is started in ${waitMs} ms: ${why}`);
      await new Promise<void>((end) => {
        this.#waiting = { timer: setTimeout(end, waitMs), end };
      });
      this.#waiting = undefined;
    }
    if (this.#ended) throw new Error("its flows have gone");
    const { hostEntry, limits, interest, log } = this.#options;
    const host: HostProcess = new HostProcess({
      entry: hostEntry,
      limits,
      interest,
      printed: (line) => log("WARN", `the host process of '${this.group}' printed: ${line}`),
      left: (why) => {
        log("ERROR", `the host process of '${this.group}' is given up: ${why}`);
        this.#leave(host);
      },
      ended: (how) => this.#gone(host, how),
    });
    this.#current = host;
    this.#alive.add(host);
    return host;
  }

  #leave(host: HostProcess): void {
    if (this.#current === host) this.#current = undefined;
  }

  #gone(host: HostProcess, how: string | undefined): void {
    this.#leave(host);
    this.#alive.delete(host);
    if (how === undefined || this.#ended) return;
    this.restarts += 1;
    this.#failures = performance.now() - host.startedAt < goodMs ? this.#failures + 1 : 0;
    this.#options.log("ERROR", `the host process of '${this.group}' is replaced: ${how}`);
    // Not only when the next run comes: to start a process takes longer than to boot a thread.
    void this.#host().catch(() => {});
  }
}
