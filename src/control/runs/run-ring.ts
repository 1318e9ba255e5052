/** The runs of one route, oldest first: a circular buffer that grows as needed. */
import type { RunRecord } from "./run-record.ts";

export class RunRing {
  readonly routeId: string;
  #slots: (RunRecord | undefined)[] = new Array<RunRecord | undefined>(8).fill(undefined);
  #head = 0;
  #length = 0;

  constructor(routeId: string) {
    this.routeId = routeId;
  }

  get length(): number {
    return this.#length;
  }

  /** Returns the record at an index; 0 is the oldest. */
  at(index: number): RunRecord | undefined {
    return index < 0 || index >= this.#length ? undefined : this.#slots[(this.#head + index) % this.#slots.length];
  }

  push(record: RunRecord): void {
    if (this.#length === this.#slots.length) this.#grow();
    this.#slots[(this.#head + this.#length) % this.#slots.length] = record;
    this.#length += 1;
  }

  /** Removes and returns the oldest record. */
  shift(): RunRecord | undefined {
    if (this.#length === 0) return undefined;
    const record = this.#slots[this.#head];
    this.#slots[this.#head] = undefined;
    this.#head = (this.#head + 1) % this.#slots.length;
    this.#length -= 1;
    return record;
  }

  /** Removes and returns the records that `goes` accepts. */
  remove(goes: (record: RunRecord) => boolean): readonly RunRecord[] {
    const removed: RunRecord[] = [];
    for (let left = this.#length; left > 0; left -= 1) {
      const record = this.shift();
      if (record === undefined) break;
      if (goes(record)) removed.push(record);
      else this.push(record);
    }
    return removed;
  }

  #grow(): void {
    const slots = new Array<RunRecord | undefined>(this.#length * 2).fill(undefined);
    for (let i = 0; i < this.#length; i += 1) slots[i] = this.at(i);
    this.#slots = slots;
    this.#head = 0;
  }
}

/** Finds the longest ring in constant time: rings are in sets by their length, which changes by one at a time. */
export class RingLengths {
  readonly #byLength: Set<RunRing>[] = [];
  #longest = 0;

  /** Call it when the length of a ring has changed from `before`. A ring of length 0 is in no set. */
  changed(ring: RunRing, before: number): void {
    if (ring.length === before) return;
    this.#byLength[before]?.delete(ring);
    if (ring.length > 0) {
      while (this.#byLength.length <= ring.length) this.#byLength.push(new Set());
      this.#byLength[ring.length]?.add(ring);
      if (ring.length > this.#longest) this.#longest = ring.length;
    }
    while (this.#longest > 0 && this.#byLength[this.#longest]?.size === 0) this.#longest -= 1;
  }

  /** Returns the longest ring; of several, the one that has had this length for the longest time. */
  longest(): RunRing | undefined {
    return this.#byLength[this.#longest]?.values().next().value;
  }
}
