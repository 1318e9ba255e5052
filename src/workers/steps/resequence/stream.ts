/**
 * Puts the messages of a stream in the order of their numbers: a message waits for its predecessor, within a time
 * (Camel: ResequencerEngine).
 */
import { FlowException } from "../../engine/exception.ts";
import { after } from "../../engine/waiting.ts";
import type { Delivery, Kept } from "./delivery.ts";

export interface StreamRules {
  /** How long a message waits for its predecessor, in milliseconds. */
  readonly timeout: number;
  readonly rejectOld: boolean;
}

interface Entry {
  readonly number: bigint;
  readonly kept: Kept;
  /** Present: the message waits for its predecessor. */
  stopTimer: (() => void) | undefined;
}

export class Stream {
  readonly #rules: StreamRules;
  readonly #delivery: Delivery;
  /** In the order of their numbers, which differ. */
  readonly #entries: Entry[] = [];
  /** The number of the message that was handed on last. */
  #last: bigint | undefined;

  constructor(rules: StreamRules, delivery: Delivery) {
    this.#rules = rules;
    this.#delivery = delivery;
  }

  /** Throws MessageRejectedException for a message that is too late. */
  requireNew(number: bigint): void {
    if (!this.#rules.rejectOld || this.#last === undefined || number >= this.#last) return;
    const message = `rejecting message ${number}, it should have been sent before the last delivered message ${this.#last}`;
    throw new FlowException("org.apache.camel.processor.resequencer.MessageRejectedException", message);
  }

  add(number: bigint, kept: Kept): void {
    const at = this.#placeOf(number);
    if (this.#entries[at]?.number === number) {
      this.#delivery.drop([kept]);
      return;
    }
    const entry: Entry = { number, kept, stopTimer: undefined };
    this.#entries.splice(at, 0, entry);
    const successor = this.#entries[at + 1];
    if (successor?.number === number + 1n) goOn(successor);
    const follows = this.#entries[at - 1]?.number === number - 1n || this.#last === number - 1n;
    if (!follows) {
      entry.stopTimer = after(this.#rules.timeout, () => {
        goOn(entry);
        this.#deliver();
      });
    }
    this.#deliver();
  }

  /** Hands on all messages, in their order. */
  flush(): void {
    for (const entry of this.#entries) goOn(entry);
    this.#deliver();
  }

  #deliver(): void {
    const waiting = this.#entries.findIndex(({ stopTimer }) => stopTimer !== undefined);
    const ready = this.#entries.splice(0, waiting < 0 ? this.#entries.length : waiting);
    if (ready.length === 0) return;
    this.#last = ready.at(-1)?.number;
    this.#delivery.handOn(ready.map(({ kept }) => kept));
  }

  #placeOf(number: bigint): number {
    let [low, high] = [0, this.#entries.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#entries[middle] as Entry).number < number) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** The message waits no longer. */
function goOn(entry: Entry): void {
  entry.stopTimer?.();
  entry.stopTimer = undefined;
}
