/** Lets some through together, and others alone: nobody is inside with one of these. All come in the order in which they ask. */

interface Waiting {
  readonly alone: boolean;
  readonly goOn: () => void;
}

export class AloneTurns {
  readonly #waiting: Waiting[] = [];
  #inside = 0;
  #isAlone = false;

  /** Resolves at its turn, with a function that must be called once it is over. */
  async enter(alone: boolean): Promise<() => void> {
    if (this.#waiting.length > 0 || !this.#fits(alone))
      await new Promise<void>((goOn) => this.#waiting.push({ alone, goOn }));
    else this.#take(alone);
    let left = false;
    return () => {
      if (left) return;
      left = true;
      this.#inside -= 1;
      this.#isAlone = false;
      this.#pass();
    };
  }

  #fits(alone: boolean): boolean {
    return this.#inside === 0 || (!alone && !this.#isAlone);
  }

  #take(alone: boolean): void {
    this.#inside += 1;
    this.#isAlone = alone;
  }

  #pass(): void {
    for (let next = this.#waiting[0]; next !== undefined && this.#fits(next.alone); next = this.#waiting[0]) {
      this.#waiting.shift();
      this.#take(next.alone);
      next.goOn();
    }
  }
}
