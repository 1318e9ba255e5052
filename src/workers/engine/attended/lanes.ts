/** The order in which the messages of a lane run and are settled, for sources that have several of a lane under way. */
import type { Taken } from "./attended.ts";
import { Turn, Turns } from "./turn.ts";

/** Of a message that was taken. */
export interface Place {
  readonly turn: Turn;
  /** Resolves when the message ahead of it in its lane is settled; undefined: it is the first. */
  readonly before: Promise<void> | undefined;
  /** It is settled, or will never be. */
  leave(): void;
}

export class Lanes {
  readonly #turns = new Turns();
  /** The last turn of each consumer, and when the last message of each lane is settled. */
  readonly #last = new WeakMap<object, Turn>();
  readonly #settled = new WeakMap<object, Promise<void>>();

  /** true: runs take so long that none should be begun ahead of its turn. */
  get areSlow(): boolean {
    return this.#turns.areSlow;
  }

  place({ consumer, lane }: Taken): Place {
    const waitsIn = consumer ?? lane;
    const turn = new Turn(this.#turns, this.#last.get(waitsIn));
    this.#last.set(waitsIn, turn);
    const before = this.#settled.get(lane);
    const settled = Promise.withResolvers<void>();
    this.#settled.set(lane, settled.promise);
    const leave = (): void => {
      turn.leave();
      settled.resolve();
    };
    return { turn, before, leave };
  }
}
