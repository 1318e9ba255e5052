/** Places in a line of requests: they are served in the order in which their heads came, although a body may take longer than another's. */
import { KeyedQueue } from "./keyed-queue.ts";

/** A body that does not come must not hold up those who want to stop the flow: its request is then as late as its body. */
const patienceMs = 5000;

export interface Place {
  /** Fulfils when all that came before it for the same key are over. */
  readonly turn: Promise<void>;
  /** Its work begins: those behind it wait for `release`. undefined: it has given its place up, and must enter anew. */
  hold(): (() => void) | undefined;
  /** Gives the place up, unless its work has begun. Once is enough. */
  pass(): void;
}

export class Places {
  readonly #queue = new KeyedQueue();

  /** `after`: nobody is served before it fulfils. */
  enter(key: string, after = Promise.resolve()): Place {
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

  /** Work that has no request: it comes last, and never gives its place up. */
  run<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
    return this.#queue.run(key, work);
  }
}
