/**
 * Counts how often a message was under way when its thread or the runtime was lost, in the state store, so that a message
 * that ends each thread is not tried without end. For sources whose server does not count. Nothing is written for a message
 * as long as threads end in order: a mark says that the source runs, and who finds it there begins after a loss. From there
 * on messages are counted one by one, until all that were there have been offered.
 *
 * Of several that were under way at a loss it is not known which one has caused it. Those that have a note are therefore
 * run again one by one, with no other beside them: the next loss counts for one message only.
 */
import { stateKey } from "../../shared/state.ts";
import { AloneTurns } from "./alone-turns.ts";
import { exceptionMessage, FlowException } from "./exception.ts";
import type { StatePort } from "./flow-state.ts";
import { OlderNotes } from "./older-notes.ts";
import type { SourceContext } from "./source.ts";

/** At this delivery a message goes to the error handler, and its route does not run. */
export const mostDeliveries = 5;

/** The key of the mark. Older runtimes have it, too, without a value: each finds the mark of the other. */
const mark = stateKey("the source runs");
const running = "running";
/** Deliveries are noted. */
const counting = "counting";

export interface DeliveriesOf {
  /** The scheme of the endpoint. */
  readonly scheme: string;
  /** What a message is called in the log and in failures. */
  readonly word: "row" | "record" | "message" | "file";
}

/** A message that was counted, and has not been forgotten. */
interface Counted {
  readonly leave: () => void;
  readonly delivery: number;
  readonly isNoted: boolean;
}

export class Deliveries {
  readonly #context: SourceContext;
  readonly #what: DeliveriesOf;
  readonly #port: StatePort;
  readonly #name: string;
  readonly #turns = new AloneTurns();
  /** By their keys; equal messages have one. */
  readonly #counted = new Map<string, Counted[]>();
  #beginning: Promise<void> | undefined;
  /** true: messages are counted. */
  #careful = false;
  /** What a message without a note has behind it: one delivery when messages were not counted before the loss. */
  #behind = 0;
  #isNoted = false;
  /** What an older runtime has noted, until all that were there have been offered; undefined: it has noted nothing. */
  #older: OlderNotes | undefined;

  constructor(context: SourceContext, what: DeliveriesOf) {
    this.#context = context;
    this.#what = what;
    this.#name = `${what.scheme}:${context.routeId}`;
    this.#port = context.state({ kind: "values", name: this.#name, evicts: true });
  }

  /** Whether messages are counted now, after a loss. */
  get careful(): boolean {
    return this.#careful;
  }

  /** Called before messages are offered. */
  begin(): Promise<void> {
    this.#beginning ??= this.#begin().catch((error: unknown) => {
      this.#beginning = undefined;
      throw error;
    });
    return this.#beginning;
  }

  /** All messages that were there have been offered, and so those that were under way at the loss. */
  async calm(): Promise<void> {
    if (!this.#careful) return;
    await this.#older?.end();
    await this.#put(mark, running, this.#isNoted ? counting : running);
    this.#older = undefined;
    this.#careful = false;
    this.#isNoted = false;
  }

  /**
   * Resolves with the number of this delivery of the message, when its run may begin. Each call needs one of `forget`.
   * `behind`: of servers that mark what they deliver again: 1 for such a message, 0 for others.
   */
  async count(key: string, behind?: 0 | 1): Promise<number> {
    if (!this.#careful) return 1;
    const equal = this.#counted.get(key)?.[0];
    const found = equal === undefined ? await this.#noted(key) : 0;
    const leave = await this.#turns.enter(found > 0);
    try {
      const delivery = equal?.delivery ?? 1 + Math.max(found, behind ?? this.#behind);
      // What the server marks when it comes again needs no note the first time.
      const isNoted = behind === undefined || delivery > 1;
      if (isNoted && delivery < mostDeliveries) await this.#note(key, delivery, found);
      // Only now: a thread that is lost before it has counted a message leaves all as it was.
      if (!this.#isNoted) await this.#put(mark, counting, running);
      this.#isNoted = true;
      this.#counted.set(key, [...(this.#counted.get(key) ?? []), { delivery, leave, isNoted }]);
      return delivery;
    } catch (error) {
      leave();
      throw error;
    }
  }

  /** The message's run has ended, or has not begun: it has not ended its thread. `delivery`: from `count`. */
  async forget(key: string, delivery: number): Promise<void> {
    const counted = this.#counted.get(key);
    const own = counted?.find((one) => one.delivery === delivery);
    if (counted === undefined || own === undefined) return;
    const others = counted.filter((one) => one !== own);
    if (others.length > 0) this.#counted.set(key, others);
    else this.#counted.delete(key);
    try {
      // Equal messages share their note.
      if (others.length === 0 && own.isNoted) await this.#port.delete(this.#name, this.#noteOf(key));
    } finally {
      own.leave();
    }
  }

  tooOften(key: string): FlowException {
    return new FlowException(
      "org.apache.camel.CamelExchangeException",
      `the ${this.#what.word} ${key} was under way each time when its thread was lost, ${mostDeliveries - 1} times: its route does not run again`,
    );
  }

  /** The source ends in order, and none of its messages is under way. Does not reject. */
  async end(): Promise<void> {
    if (this.#beginning === undefined) return;
    const begun = await this.#beginning.then(
      () => true,
      () => false,
    );
    this.#beginning = undefined;
    // After a loss the mark stays until all is through.
    if (!begun || this.#careful) return;
    await this.#port
      .delete(this.#name, mark)
      .catch((error: unknown) =>
        this.#warn(`the end of '${this.#context.routeId}' could not be noted: ${exceptionMessage(error)}`),
      );
  }

  async #begin(): Promise<void> {
    const found = await this.#port.get(this.#name, mark);
    this.#careful = found !== undefined;
    if (!this.#careful) {
      await this.#put(mark, running);
      return;
    }
    const older = new OlderNotes(this.#port, this.#name, mostDeliveries - 1);
    this.#older = found === "" && (await older.areThere()) ? older : undefined;
    this.#isNoted = found === counting || this.#older !== undefined;
    this.#behind = this.#isNoted ? 0 : 1;
    this.#warn(
      `'${this.#context.routeId}' was ended in the middle: each ${this.#what.word} is counted until none is left`,
    );
  }

  /** The last delivery that is noted; 0: none. */
  async #noted(key: string): Promise<number> {
    const found = Number((await this.#port.get(this.#name, this.#noteOf(key))) ?? 0);
    const older = (await this.#older?.last(key)) ?? 0;
    if (older === 0) return found;
    if (older > found) await this.#note(key, older, found);
    await this.#older?.forget(key);
    return Math.max(found, older);
  }

  /** `found`: the delivery that is noted; 0: none. */
  #note(key: string, delivery: number, found: number): Promise<void> {
    return this.#put(this.#noteOf(key), `${delivery}`, found === 0 ? undefined : `${found}`);
  }

  /** Puts a value whatever there is: an operator may have removed the one that is expected. */
  async #put(key: string, value: string, expected?: string): Promise<void> {
    let known = expected;
    for (;;) {
      const found = await this.#port.putIf(this.#name, key, known, value);
      if (found === value) return;
      known = found;
    }
  }

  #warn(message: string): void {
    this.#context.log("WARN", this.#what.scheme, message);
  }

  #noteOf(key: string): string {
    return this.#port.keyOf(`${key} deliveries`);
  }
}
