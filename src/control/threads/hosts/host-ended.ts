/** The process that a thread was in has ended, and the thread with it. */

export class HostEnded extends Error {
  readonly #suspects: ReadonlySet<number>;

  /** `suspects`: the threads of which one may have ended it, by number; of the others it is known that they have not. */
  constructor(message: string, suspects: ReadonlySet<number>) {
    super(message);
    this.name = "HostEnded";
    this.#suspects = suspects;
  }

  blames(thread: number): boolean {
    return this.#suspects.has(thread);
  }
}
