/** Counts the requests of all connections that wait for earlier answers. */
export class WaitingRoom {
  readonly #most: number;
  #waiting = 0;

  constructor(most: number) {
    this.#most = most;
  }

  /** Counts the request in any case; false: more wait than may. */
  enter(): boolean {
    this.#waiting += 1;
    return this.#waiting <= this.#most;
  }

  leave(count: number): void {
    this.#waiting -= count;
  }
}
