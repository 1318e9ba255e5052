/**
 * Numbered places for things that come and go. An array, not a Map: a Map that is filled and emptied all the time leaves old
 * tables behind that point to newer ones, and once one of them is promoted, everything that passes through survives with it.
 */

export class SlotTable<T> {
  readonly #places: (T | undefined)[] = [];
  readonly #free: number[] = [];
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** Puts it in a free place and answers the place's number. */
  add(value: T): number {
    const slot = this.#free.pop() ?? this.#places.length;
    this.#places[slot] = value;
    this.#size += 1;
    return slot;
  }

  get(slot: number): T | undefined {
    return this.#places[slot];
  }

  /** Takes it out; undefined when the place is empty. */
  take(slot: number): T | undefined {
    const value = this.#places[slot];
    if (value === undefined) return undefined;
    this.#places[slot] = undefined;
    this.#free.push(slot);
    this.#size -= 1;
    return value;
  }

  clear(): void {
    for (let slot = 0; slot < this.#places.length; slot++) this.take(slot);
  }

  *entries(): IterableIterator<[slot: number, value: T]> {
    for (const [slot, value] of this.#places.entries()) if (value !== undefined) yield [slot, value];
  }

  *values(): IterableIterator<T> {
    for (const [, value] of this.entries()) yield value;
  }
}
