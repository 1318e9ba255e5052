/** A call's place among the flow's calls under way (`concurrency.maxInflight`). */

/** Counts the taken places of each flow with such a limit; counts outlast a change of the policy. */
export class Seats {
  readonly #taken = new Map<string, number>();

  taken(flowId: string): number {
    return this.#taken.get(flowId) ?? 0;
  }

  add(flowId: string, more: 1 | -1): void {
    const now = this.taken(flowId) + more;
    if (now > 0) this.#taken.set(flowId, now);
    else this.#taken.delete(flowId);
  }
}

export class CallSeat {
  readonly #seats: Seats;
  /** The flow in which a place is taken; undefined: none is. */
  #of: string | undefined;

  constructor(seats: Seats) {
    this.#seats = seats;
  }

  /** Whether the call has a place or can take one. `most` undefined: there is no limit any more. */
  hasRoom(flowId: string, most: number | undefined): boolean {
    if (this.#of !== undefined && (most === undefined || this.#of !== flowId)) this.leave();
    return most === undefined || this.#of !== undefined || this.#seats.taken(flowId) < most;
  }

  take(flowId: string): void {
    if (this.#of !== undefined) return;
    this.#of = flowId;
    this.#seats.add(flowId, 1);
  }

  /** Gives the place back; more calls have no effect. */
  leave(): void {
    if (this.#of === undefined) return;
    this.#seats.add(this.#of, -1);
    this.#of = undefined;
  }
}
