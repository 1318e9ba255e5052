/**
 * The host processes by groups of flows: flows whose ids are the same up to the first dot share one, from the first of them to the
 * last. A process that has ended is replaced.
 */

import { groupOf } from "../../../shared/ids.ts";
import type { Limits } from "../../../shared/limits.ts";
import type { ThreadPlace, ThreadPool, ThreadPoolOptions } from "../booted-thread.ts";
import { StandbyThreads } from "../pool/standby-threads.ts";
import { HostProcess } from "./host-process.ts";
import { RemotePool } from "./remote-pool.ts";

export interface HostStatus {
  readonly group: string;
  /** Of its process, and of those that it still ends. */
  readonly pids: readonly number[];
  /** Resident; 0: not known here. */
  readonly memoryBytes: number;
  /** Processes that have ended by themselves, or were killed. */
  readonly restarts: number;
  readonly flows: number;
}

interface Member {
  readonly network: boolean;
}

interface Group {
  readonly place: HostPlace;
  readonly members: Set<Member>;
}

export class HostPlaces {
  readonly #options: Omit<HostPlaceOptions, "group">;
  readonly #groups = new Map<string, Group>();
  readonly #ending = new Set<Promise<void>>();
  /** Standby threads of each group; none until the boot load is over. */
  #standbyThreads = 0;
  #restartsBefore = 0;

  constructor(options: Omit<HostPlaceOptions, "group">) {
    this.#options = options;
  }

  /** `left`: to be called once, when the flow's threads are gone. */
  join(flowId: string, network: boolean): { readonly place: HostPlace; readonly left: () => void } {
    // Those of the common group have nothing in common: each has its own.
    const group = groupOf(flowId) || flowId;
    const found = this.#groups.get(group) ?? this.#make(group);
    const member: Member = { network };
    found.members.add(member);
    this.#keep(found);
    return { place: found.place, left: () => this.#leave(group, found, member) };
  }

  /** Fills the standby threads: the boot load has taken those that it needs. */
  fillStandby(count: number): void {
    this.#standbyThreads = count;
    for (const group of this.#groups.values()) this.#keep(group);
  }

  get standbyReady(): number {
    let ready = 0;
    for (const { place } of this.#groups.values()) ready += place.standbyReady;
    return ready;
  }

  /** Those of groups that are no more included. */
  get restarts(): number {
    let restarts = this.#restartsBefore;
    for (const { place } of this.#groups.values()) restarts += place.restarts;
    return restarts;
  }

  status(): readonly HostStatus[] {
    return [...this.#groups.values()].map(({ place, members }) => ({
      group: place.group,
      pids: place.pids,
      memoryBytes: place.memoryBytes,
      restarts: place.restarts,
      flows: members.size,
    }));
  }

  async close(): Promise<void> {
    const ending = [...this.#groups.values()].map(({ place }) => place.end());
    this.#groups.clear();
    await Promise.all([...ending, ...this.#ending]);
  }

  #make(group: string): Group {
    const made: Group = { place: new HostPlace({ ...this.#options, group }), members: new Set() };
    this.#groups.set(group, made);
    return made;
  }

  #leave(name: string, group: Group, member: Member): void {
    if (!group.members.delete(member)) return;
    this.#keep(group);
    if (group.members.size > 0 || this.#groups.get(name) !== group) return;
    this.#groups.delete(name);
    this.#restartsBefore += group.place.restarts;
    const ending = group.place.end().finally(() => this.#ending.delete(ending));
    this.#ending.add(ending);
  }

  /** One of each kind that it has flows of: a thread that is killed there is replaced from these. */
  #keep({ place, members }: Group): void {
    const most = Math.min(1, this.#standbyThreads);
    const networked = [...members].filter(({ network }) => network).length;
    place.keep(members.size > networked ? most : 0, networked > 0 ? most : 0);
  }
}

interface HostPlaceOptions {
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

/** Where the threads of one group of flows run: one host process at a time, replaced when it has ended, with standby threads in it. */
class HostPlace implements ThreadPlace {
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
