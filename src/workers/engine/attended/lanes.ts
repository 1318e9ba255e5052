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

export interface LanesOf {
  /** As of `AttendedRules`. */
  readonly credits: number;
  readonly window: number;
  readonly ordersKeys?: boolean;
  readonly atMostOnce?: boolean;
  /** Aborted when no more messages are taken. */
  readonly over: AbortSignal;
}

/** With so many bytes under way no further message is taken ahead of its turn. */
const mostBytes = 1024 * 1024;
/** How fast a large message is forgotten: the next ones may be as large. */
const fading = 0.9;

/** How long runs that wait for their turn may still begin when no more messages are taken. Fast ones end in it; behind a slow one they go back. */
const lastMs = 50;

export class Lanes {
  readonly #what: LanesOf;
  readonly #turns = new Turns();
  #isClosed = false;
  /** Of messages that are not settled, and come again when they go back. */
  readonly #open = new Set<Turn>();
  /** Of all messages that are not settled. */
  #bytes = 0;
  /** Expected of the next message. */
  #expected = 1;
  /** The last turn of each consumer, and when the last message of each lane is settled. */
  readonly #last = new WeakMap<object, Turn>();
  readonly #settled = new WeakMap<object, Promise<void>>();

  constructor(what: LanesOf) {
    this.#what = what;
    const last = (): void => {
      after(lastMs, () => this.#returnWaiting());
    };
    what.over.addEventListener("abort", last, { once: true });
  }

  /** How many messages may be under way now: as many as there are consumers, unless messages are small, and runs fast or of several keys. */
  get most(): number {
    const { credits, window, ordersKeys } = this.#what;
    const consumers = Math.ceil(credits / window);
    if (this.#bytes >= mostBytes || (this.#turns.areSlow && ordersKeys !== true)) return consumers;
    return Math.max(consumers, Math.min(credits, Math.floor(mostBytes / this.#expected)));
  }

  place({ consumer, lane, deliveries, bytes = 0 }: Taken): Place {
    const waitsIn = consumer ?? lane;
    const turn = new Turn(this.#turns, this.#last.get(waitsIn));
    this.#last.set(waitsIn, turn);
    const before = this.#settled.get(lane);
    const settled = Promise.withResolvers<void>();
    this.#settled.set(lane, settled.promise);
    this.#bytes += bytes;
    this.#expected = Math.max(1, bytes, this.#expected * fading);
    if (this.#what.atMostOnce !== true && deliveries !== 0) {
      if (this.#isClosed) turn.returnUnbegun();
      this.#open.add(turn);
    }
    const leave = (): void => {
      this.#bytes -= bytes;
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
