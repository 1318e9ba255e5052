/** How many requests of all connections wait for the answer before theirs. */
export class WaitingRoom {
  readonly #most: number;
  #waiting = 0;

  constructor(most: number) {
    this.#most = most;
  }

  /** Counts it in any case; false: there are more than may be. */
  enter(): boolean {
    this.#waiting += 1;
    return this.#waiting <= this.#most;
  }

  leave(count: number): void {
    this.#waiting -= count;
  }
}
