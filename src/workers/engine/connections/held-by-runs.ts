/** How many clients each run of the thread has, by connection. */
import type { HeldByRun } from "../../../shared/connection.ts";

export class HeldByRuns {
  readonly #bySlot = new Map<number, Map<string, number>>();

  /** `slot` -1: no run has the client. */
  add(slot: number, id: string): void {
    if (slot < 0) return;
    const held = this.#bySlot.get(slot) ?? new Map<string, number>();
    held.set(id, (held.get(id) ?? 0) + 1);
    this.#bySlot.set(slot, held);
  }

  remove(slot: number, id: string): void {
    const held = this.#bySlot.get(slot);
    if (held === undefined) return;
    const left = (held.get(id) ?? 0) - 1;
    if (left > 0) held.set(id, left);
    else held.delete(id);
    if (held.size === 0) this.#bySlot.delete(slot);
  }

  of(slot: number): HeldByRun {
    return [...(this.#bySlot.get(slot) ?? [])];
  }
}
