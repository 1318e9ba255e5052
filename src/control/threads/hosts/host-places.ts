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
  /** The ids of its process, and of earlier ones that have not ended yet. */
  readonly pids: readonly number[];
  /** Resident memory of its processes; 0: not known. */
  readonly memoryBytes: number;
  /** How many of its processes have ended by themselves, or were killed. */
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
  /** The limit `standbyThreads`; 0 until the flows that were stored are loaded. */
  #standbyThreads = 0;
  #restartsBefore = 0;

  constructor(options: Omit<HostPlaceOptions, "group">) {
    this.#options = options;
  }

  /** Adds a flow to its group. `left`: call it once, when the flow's threads are gone. */
  join(flowId: string, network: boolean): { readonly place: HostPlace; readonly left: () => void } {
    // A flow whose id has no dot belongs to no group, and gets a process to itself.
    const group = groupOf(flowId) || flowId;
    const found = this.#groups.get(group) ?? this.#make(group);
    const member: Member = { network };
    found.members.add(member);
    this.#keep(found);
    return { place: found.place, left: () => this.#leave(group, found, member) };
  }

  /** Boots the standby threads. Called when the flows that were stored have their threads. */
  fillStandby(count: number): void {
    this.#standbyThreads = count;
    for (const group of this.#groups.values()) this.#keep(group);
  }

  get standbyReady(): number {
    let ready = 0;
    for (const { place } of this.#groups.values()) ready += place.standbyReady;
    return ready;
  }

  /** How many processes had to be replaced, including those of groups that no longer exist. */
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

  /** Keeps one standby thread for each kind of flow in the group (with and without network): it replaces a thread that was killed. */
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

/** A process that has lived for this time is replaced at once. */
const goodMs = 10_000;
const longestWaitMs = 5000;
/** This many short-lived processes in a row are replaced at once, too: a flow that ends its process each time is quarantined by then. */
const freeFailures = 5;

/** Where the threads of one group of flows run: one host process at a time, replaced when it has ended, with standby threads in it. */
class HostPlace implements ThreadPlace {
  readonly group: string;
  readonly #options: HostPlaceOptions;
  readonly #standby: Readonly<Record<"plain" | "networked", StandbyThreads>>;
  #current: HostProcess | undefined;
  /** The current process, and those that were given up and have not ended yet. */
  readonly #alive = new Set<HostProcess>();
  /** The start of the next process, while it is delayed. */
  #next: Promise<HostProcess> | undefined;
  #waiting: { readonly timer: NodeJS.Timeout; readonly end: () => void } | undefined;
  /** How many processes in a row did not live for `goodMs`. */
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

  /** Sets how many standby threads are kept, without and with the network. */
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
    // Its threads end with the process, without a message to each of them.
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
    // At once, not with the next run: starting a process takes longer than booting a thread.
    void this.#host().catch(() => {});
  }
}
