/** Work that waits for a turn of the event loop: some at a time, in the order in which it came, so that everything else gets in between. */

/** Pieces of work in one turn. */
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
