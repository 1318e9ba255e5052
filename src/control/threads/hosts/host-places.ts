/** The host processes by their groups: flows whose ids are the same up to the first dot share one, as long as there is any of them. */
import { groupOf } from "../../../shared/ids.ts";
import { HostPlace, type HostPlaceOptions } from "./host-place.ts";

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
