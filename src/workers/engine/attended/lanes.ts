/** The order in which the messages of a lane run and are settled, for sources that have several of a lane under way. */
import { after } from "../waiting.ts";
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

/** How long runs that wait for their turn may still begin when no more messages are taken. Fast ones end in it; behind a slow one they go back. */
const lastMs = 50;

export class Lanes {
  readonly #turns = new Turns();
  #isClosed = false;
  /** Of messages that are not settled. */
  readonly #open = new Set<Turn>();
  /** The last turn of each consumer, and when the last message of each lane is settled. */
  readonly #last = new WeakMap<object, Turn>();
  readonly #settled = new WeakMap<object, Promise<void>>();

  /** `over`: aborted when no more messages are taken. */
  constructor(over: AbortSignal) {
    const last = (): void => {
      after(lastMs, () => this.#returnWaiting());
    };
    over.addEventListener("abort", last, { once: true });
  }

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
    if (this.#isClosed) turn.returnUnbegun();
    this.#open.add(turn);
    const leave = (): void => {
      this.#open.delete(turn);
      turn.leave();
      settled.resolve();
    };
    return { turn, before, leave };
  }

  #returnWaiting(): void {
    this.#isClosed = true;
    for (const turn of this.#open) turn.returnUnbegun();
  }
}
