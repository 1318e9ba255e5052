/** One task at a time for each key, in the order of arrival; tasks of different keys run side by side. */

export class KeyedQueue {
  readonly #tails = new Map<string, Promise<unknown>>();

  run<Result>(key: string, task: () => Promise<Result>): Promise<Result> {
    const before = this.#tails.get(key) ?? Promise.resolve();
    const result = before.then(task, task);
    const tail = result.catch(() => undefined);
    this.#tails.set(key, tail);
    void tail.then(() => {
      if (this.#tails.get(key) === tail) this.#tails.delete(key);
    });
    return result;
  }
}
