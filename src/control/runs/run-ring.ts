/** The runs of one route, oldest first: a circular buffer that grows to what it is given. */
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

  /** 0 is the oldest. */
  at(index: number): RunRecord | undefined {
    return index < 0 || index >= this.#length ? undefined : this.#slots[(this.#head + index) % this.#slots.length];
  }

  push(record: RunRecord): void {
    if (this.#length === this.#slots.length) this.#grow();
    this.#slots[(this.#head + this.#length) % this.#slots.length] = record;
    this.#length += 1;
  }

  /** Removes the oldest. */
  shift(): RunRecord | undefined {
    if (this.#length === 0) return undefined;
    const record = this.#slots[this.#head];
    this.#slots[this.#head] = undefined;
    this.#head = (this.#head + 1) % this.#slots.length;
    this.#length -= 1;
    return record;
  }

  /** Removes the records that `goes` accepts, and answers them. */
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
