/**
 * How many messages the server may send a consumer ahead. It counts messages, and nothing bounds their bytes: so it sends one at a time until
 * messages have been small for a while, and again as soon as one is large.
 */

/** All messages of a window have no more together, as long as they stay small. */
const mostBytes = 1024 * 1024;
/** So many small messages in a row widen it. */
const smallInARow = 16;

export class Prefetch {
  readonly #window: number;
  #small = 0;
  #present = 1;

  constructor(window: number) {
    this.#window = window;
  }

  /** Returns how many the server may send from now on, if that changes with a message of so many bytes; otherwise undefined. */
  after(bytes: number): number | undefined {
    this.#small = bytes > mostBytes / this.#window ? 0 : this.#small + 1;
    let wanted = this.#present;
    if (this.#small === 0) wanted = 1;
    else if (this.#small >= smallInARow) wanted = this.#window;
    if (wanted === this.#present) return undefined;
    this.#present = wanted;
    return wanted;
  }
}
