/** The last events of a stream, numbered from 1: a reader that lost its connection resumes from them. */

const none: readonly never[] = [];

export class EventRing<T> {
  readonly #slots: (T | undefined)[];
  readonly #weights: number[];
  readonly #maxWeight: number;
  #weight = 0;
  #first = 1;
  #last = 0;

  /**
   * `capacity`: how many events are kept, at least one; `maxWeight`: how much they may weigh together; the newest is
   * kept in any case.
   */
  constructor(capacity: number, maxWeight = Number.POSITIVE_INFINITY) {
    const length = Math.max(1, Math.floor(capacity));
    this.#slots = new Array<T | undefined>(length).fill(undefined);
    this.#weights = new Array<number>(length).fill(0);
    this.#maxWeight = maxWeight;
  }

  /** The number of the newest event, 0 before the first. */
  get last(): number {
    return this.#last;
  }

  /** The number of the oldest event that is still here; `last + 1` when there is none. */
  get first(): number {
    return this.#first;
  }

  /** The weight of all events here. */
  get weight(): number {
    return this.#weight;
  }

  /** Gives the event the next number; returns the events that had to leave for it, oldest first. */
  push(event: T, weight = 0): readonly T[] {
    let evicted: T[] | undefined;
    while (this.#first <= this.#last && (this.#full || this.#weight + weight > this.#maxWeight)) {
      evicted ??= [];
      evicted.push(this.#shift());
    }
    this.#last += 1;
    const slot = this.#last % this.#slots.length;
    this.#slots[slot] = event;
    this.#weights[slot] = weight;
    this.#weight += weight;
    return evicted ?? none;
  }

  at(seq: number): T | undefined {
    return seq < this.#first || seq > this.#last ? undefined : this.#slots[seq % this.#slots.length];
  }

  /** Forgets every event and counts from 1 again. */
  reset(): void {
    this.#slots.fill(undefined);
    this.#weight = 0;
    this.#first = 1;
    this.#last = 0;
  }

  get #full(): boolean {
    return this.#last - this.#first + 1 === this.#slots.length;
  }

  #shift(): T {
    const slot = this.#first % this.#slots.length;
    const event = this.#slots[slot] as T;
    this.#slots[slot] = undefined;
    this.#weight -= this.#weights[slot] ?? 0;
    this.#first += 1;
    return event;
  }
}
