/**
 * A queue of work for turns of the event loop: some pieces in each turn, in the order in which they came, so that other
 * work runs in between.
 */

/** How many pieces of work are done in one turn. */
const perTurn = 16;

export class Turns {
  readonly #due: (() => void)[] = [];
  #scheduled = false;

  take(work: () => void): void {
    this.#due.push(work);
    this.#schedule();
  }

  #schedule(): void {
    if (this.#scheduled || this.#due.length === 0) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      for (const work of this.#due.splice(0, perTurn)) work();
      this.#schedule();
    });
  }
}
