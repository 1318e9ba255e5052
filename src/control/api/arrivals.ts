/** Changes of one thing begin in the order in which the heads of their requests came: a body may take longer than another's. */
import { KeyedQueue } from "../stores/keyed-queue.ts";

/** A body that does not come must not hold up those who want to stop the flow: its request is then as late as its body. */
const patienceMs = 5000;

export interface Arrival {
  /** Fulfils when all that came before it have begun, or will not. */
  readonly turn: Promise<void>;
  /** It has begun, or will not: the next one's turn. Once is enough. */
  pass(): void;
}

export class Arrivals {
  readonly #queue = new KeyedQueue();

  arrive(key: string): Arrival {
    const passed = Promise.withResolvers<void>();
    const turn = Promise.withResolvers<void>();
    void this.#queue.run(key, () => {
      turn.resolve();
      const timer = setTimeout(passed.resolve, patienceMs);
      return passed.promise.finally(() => clearTimeout(timer));
    });
    return { turn: turn.promise, pass: passed.resolve };
  }
}
