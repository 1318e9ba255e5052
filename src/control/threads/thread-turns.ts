/**
 * Limits how many threads of all flows have callers' runs at the same time (`busyThreads`). While flows wait for a place, they take turns: a flow
 * whose thread has been busy for `turnMs` goes to the end of the line. Calls between flows and runs that begin in a thread are not counted,
 * since the runs that wait for them have a place already.
 */

/** The place of a thread among the busy ones. */
export interface BusyPlace {
  taken: boolean;
  /** When it was taken, in `performance.now()` time; 0: it was taken while no flow waited. */
  since: number;
}

/** A flow that waits for a place. */
export interface Waiter {
  /** Called when it may take a place for one of its threads, if it still wants one. */
  turn(): void;
}

export class ThreadTurns {
  readonly #turnMs: number;
  readonly #places: number;
  #free: number;
  readonly #line = new Set<Waiter>();
  /** When the first of the waiting flows began to wait. */
  #waitingSince = 0;

  constructor(places: number, turnMs: number) {
    this.#places = places;
    this.#free = places;
    this.#turnMs = turnMs;
  }

  /** How many places are taken. */
  get busy(): number {
    return this.#places - this.#free;
  }

  /** How many flows wait. */
  get waiting(): number {
    return this.#line.size;
  }

  /** Whether the flow may begin a run in the thread with this place. */
  allows(flow: Waiter, place: BusyPlace): boolean {
    if (this.#free > 0) return true;
    if (!place.taken) return false;
    if (this.#line.size === 0 || (this.#line.size === 1 && this.#line.has(flow))) return true;
    return performance.now() - Math.max(place.since, this.#waitingSince) < this.#turnMs;
  }

  /** Takes a place for a thread that begins a run. */
  take(place: BusyPlace): void {
    if (place.taken) return;
    place.taken = true;
    place.since = this.#line.size === 0 ? 0 : performance.now();
    this.#free -= 1;
  }

  /** Gives the place back: the thread's last run is over, or the thread is gone. */
  leave(place: BusyPlace): void {
    if (!place.taken) return;
    place.taken = false;
    this.#free += 1;
    // Each waiting flow gets one turn in this loop: a flow may wait again during its turn.
    for (let waiting = this.#line.size; waiting > 0 && this.#free > 0; waiting--) {
      const [first] = this.#line;
      if (first === undefined) break;
      this.#line.delete(first);
      first.turn();
    }
    this.#wakeLast();
  }

  /** Puts the flow into the line: it has runs that it may not begin. */
  wait(flow: Waiter): void {
    if (this.#line.size === 0) this.#waitingSince = performance.now();
    this.#line.add(flow);
  }

  /** Takes the flow out of the line. */
  forget(flow: Waiter): void {
    if (this.#line.delete(flow)) this.#wakeLast();
  }

  /** Gives the only waiting flow its turn: as nobody else waits, it may go on in a thread whose time was over. */
  #wakeLast(): void {
    if (this.#line.size !== 1) return;
    const [last] = this.#line;
    last?.turn();
  }
}
