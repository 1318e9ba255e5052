/** Work on one thing after the other, by name. */
export class Turns {
  readonly #last = new Map<string, Promise<unknown>>();

  /** Begins the work when all earlier work of this name is over. */
  async take<T>(name: string, work: () => Promise<T>): Promise<T> {
    const before = this.#last.get(name) ?? Promise.resolve();
    const mine = before.then(work, work);
    const settled = mine.catch(() => undefined);
    this.#last.set(name, settled);
    try {
      return await mine;
    } finally {
      if (this.#last.get(name) === settled) this.#last.delete(name);
    }
  }
}
