/** Which ring is the longest, at constant cost: rings sorted into sets by their length, which changes by one at a time. */
import type { RunRing } from "./run-ring.ts";

export class RingLengths {
  readonly #byLength: Set<RunRing>[] = [];
  #longest = 0;

  /** Told after the ring's length was `before`; a ring of length 0 is nowhere. */
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

  /** Of several, the one that has been this long for the longest time. */
  longest(): RunRing | undefined {
    return this.#byLength[this.#longest]?.values().next().value;
  }
}
