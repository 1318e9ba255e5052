/** Queues by key: tasks, and requests in the order in which their heads arrived. */

/** Runs one task at a time for each key, in the order of arrival; tasks of different keys run side by side. */
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

/**
 * How long a request keeps its place while its body arrives. Afterwards it enters anew with its body, so that it does
 * not delay others, such as a stop.
 */
const patienceMs = 5000;

export interface QueuePlace {
  /** Fulfils when all earlier requests for the same key are done. */
  readonly turn: Promise<void>;
  /**
   * Begins the request's work: those behind it wait for `release`. undefined: the place was given up, and the request
   * must enter anew.
   */
  hold(): (() => void) | undefined;
  /** Gives the place up, unless the work has begun; more calls have no effect. */
  pass(): void;
}

/** Serves requests in the order in which their heads arrived, although one body may take longer than another. */
export class Places {
  readonly #queue = new KeyedQueue();

  /** Takes the last place for the key. `after`: nobody is served before it fulfils. */
  enter(key: string, after = Promise.resolve()): QueuePlace {
    const turn = Promise.withResolvers<void>();
    const over = Promise.withResolvers<void>();
    let state: "waits" | "held" | "over" = "waits";
    const end = (): void => {
      state = "over";
      over.resolve();
    };
    const pass = (): void => {
      if (state === "waits") end();
    };
    void after.then(() =>
      this.#queue.run(key, () => {
        turn.resolve();
        const timer = setTimeout(pass, patienceMs);
        return over.promise.finally(() => clearTimeout(timer));
      }),
    );
    const hold = (): (() => void) | undefined => {
      if (state !== "waits") return undefined;
      state = "held";
      return end;
    };
    return { turn: turn.promise, hold, pass };
  }

  /** Runs work that has no request: it takes the last place, and never gives it up. */
  run<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
    return this.#queue.run(key, work);
  }
}
