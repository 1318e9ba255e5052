/** A call's place among those of its flow that are under way at the same time (`concurrency.maxInflight`). */

/** Of each flow with such a limit, how many places are taken; counts outlast a change of the policy. */
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
  /** Of which flow. */
  #of: string | undefined;

  constructor(seats: Seats) {
    this.#seats = seats;
  }

  /** Whether there is room for it; one place is enough, however often it is asked for. undefined: there is no limit any more. */
  hasRoom(flowId: string, most: number | undefined): boolean {
    if (this.#of !== undefined && (most === undefined || this.#of !== flowId)) this.leave();
    return most === undefined || this.#of !== undefined || this.#seats.taken(flowId) < most;
  }

  take(flowId: string): void {
    if (this.#of !== undefined) return;
    this.#of = flowId;
    this.#seats.add(flowId, 1);
  }

  /** More than once is once. */
  leave(): void {
    if (this.#of === undefined) return;
    this.#seats.add(this.#of, -1);
    this.#of = undefined;
  }
}
