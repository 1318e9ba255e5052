/** The last events of a stream, numbered from 1: what a reader that lost its connection resumes from. */

export class EventRing<T> {
  readonly #slots: (T | undefined)[];
  #last = 0;

  /** `capacity`: events kept, at least one. */
  constructor(capacity: number) {
    this.#slots = new Array<T | undefined>(Math.max(1, Math.floor(capacity))).fill(undefined);
  }

  /** The number of the newest event, 0 before the first. */
  get last(): number {
    return this.#last;
  }

  /** The number of the oldest event that is still here; `last + 1` when there is none. */
  get first(): number {
    return Math.max(1, this.#last - this.#slots.length + 1);
  }

  /** Gives the event the next number; answers the one that had to go for it. */
  push(event: T): T | undefined {
    this.#last += 1;
    const slot = this.#last % this.#slots.length;
    const evicted = this.#slots[slot];
    this.#slots[slot] = event;
    return evicted;
  }

  at(seq: number): T | undefined {
    return seq < this.first || seq > this.#last ? undefined : this.#slots[seq % this.#slots.length];
  }

  /** Forgets every event and counts from 1 again. */
  reset(): void {
    this.#slots.fill(undefined);
    this.#last = 0;
  }
}
