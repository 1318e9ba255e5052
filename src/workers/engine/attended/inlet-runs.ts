/** The messages of one open inlet: taken as there is room, run, and settled in batches, until the inlet fails or the source stops. */
import type { Deliveries } from "../deliveries.ts";
import type { Offer, SourceContext } from "../source.ts";
import { inTime } from "../waiting.ts";
import type { AttendedRules, Ended, Inlet, Taken } from "./attended.ts";
import type { Lanes, Place } from "./lanes.ts";
import { OneMessage } from "./one-message.ts";

/** After a loss: how many messages come one by one at least, and after how long without one the server has none. */
const leastAlone = 100;
const quietMs = 5000;
/** How often the server is asked how many messages wait. */
const countMs = 5000;

export interface InletParts {
  readonly attended: AttendedRules;
  readonly context: SourceContext;
  readonly deliveries: Deliveries;
  readonly offer: Offer;
  /** Aborted when no more messages are to be taken: the source stops, or the inlet ends. */
  readonly over: AbortSignal;
  /** Aborted when the source takes no more messages. */
  readonly stop: AbortSignal;
  /** Called when the inlet cannot go on. */
  readonly fail: (error: unknown) => void;
  /** undefined: one message of a lane is under way at a time. */
  readonly lanes: Lanes | undefined;
}

export class InletRuns<T extends Taken> {
  readonly #parts: InletParts;
  readonly #inlet: Inlet<T>;
  readonly #one: OneMessage<T>;
  /** How many messages have runs that are not over, and the messages that are not settled. */
  #running = 0;
  readonly #waitsFor = new Map<T, Place | undefined>();
  #ended: Ended<T>[] = [];
  /** The call that settles what has ended since the last one. */
  #settling: Promise<void> | undefined;
  #waiting: (() => void)[] = [];

  constructor(inlet: Inlet<T>, parts: InletParts) {
    this.#parts = parts;
    this.#inlet = inlet;
    const giveBack = (taken: T): void => {
      // Its run may never end. Nothing waits for it any more.
      this.#left(taken);
      inlet.giveBack?.(taken);
    };
    this.#one = new OneMessage({ ...parts, giveBack: inlet.giveBack === undefined ? undefined : giveBack });
    parts.over.addEventListener("abort", () => this.#wake(), { once: true });
  }

  /** Resolves when `over` is aborted. Rejects when messages cannot be taken. */
  async take(): Promise<void> {
    const { deliveries, attended, over } = this.#parts;
    const counting = this.#count();
    try {
      if (deliveries.careful && attended.aloneAfterLoss) await this.#takeAlone();
      this.#inlet.widen?.();
      while (await this.#hasRoom()) for (const taken of await this.#inlet.take(this.#free, over)) void this.#run(taken);
    } finally {
      clearInterval(counting);
    }
  }

  /** Resolves when all messages that were taken are settled. */
  async settled(): Promise<void> {
    while (this.#waitsFor.size > 0) await this.#change();
  }

  get #free(): number {
    return Math.max(1, this.#most - this.#running);
  }

  /** How many messages may be under way now. */
  get #most(): number {
    const { lanes, attended } = this.#parts;
    return lanes?.most ?? attended.credits;
  }

  /** Resolves true when a message may be taken; false: no more may. */
  async #hasRoom(): Promise<boolean> {
    const { offer, over } = this.#parts;
    while (this.#running >= this.#most && !over.aborted) await this.#change();
    if (!over.aborted) await offer.ready();
    return !over.aborted;
  }

  /** Those that were under way at the loss come first, as far as the server keeps the order. */
  async #takeAlone(): Promise<void> {
    const { attended, over } = this.#parts;
    let asked: Promise<readonly T[]> | undefined;
    for (let left = Math.max(leastAlone, attended.credits * 4); left > 0 && (await this.#hasRoom()); left--) {
      asked = this.#inlet.take(1, over);
      const taken = await inTime(asked, quietMs, over).catch(() => []);
      if (taken === undefined) break;
      asked = undefined;
      for (const one of taken) await this.#run(one);
      if (this.#inlet.caughtUp?.() === true) break;
    }
    if (over.aborted) return;
    await this.#calm();
    // The message that was asked for may still come.
    for (const one of (await asked) ?? []) void this.#run(one);
  }

  /** Does not reject. */
  async #run(taken: T): Promise<void> {
    const { deliveries, attended, fail } = this.#parts;
    this.#running += 1;
    const place = this.#parts.lanes?.place(taken);
    this.#waitsFor.set(taken, place);
    try {
      const ended = await this.#one.run(taken, place?.turn).finally(() => {
        this.#running -= 1;
        this.#wake();
      });
      place?.turn.end({ fails: ended.outcome === "failed", returns: comesBack(ended) });
      await this.#one.rest(ended);
      await place?.before;
      await this.#settle(ended);
      if (deliveries.careful && !attended.aloneAfterLoss && this.#inlet.caughtUp?.() === true) await this.#calm();
    } catch (error) {
      fail(error);
    } finally {
      this.#left(taken);
    }
  }

  /** Nothing waits for it any more. */
  #left(taken: T): void {
    this.#waitsFor.get(taken)?.leave();
    this.#waitsFor.delete(taken);
    this.#wake();
  }

  /** What has ended by the same turn of the thread is settled together. */
  #settle(ended: Ended<T>): Promise<void> {
    this.#ended.push(ended);
    this.#settling ??= Promise.resolve().then(() => {
      this.#settling = undefined;
      return this.#inlet.settle(this.#ended.splice(0));
    });
    return this.#settling;
  }

  /** What was under way at a loss is through. When that cannot be noted, messages are counted for longer. */
  async #calm(): Promise<void> {
    await this.#parts.deliveries.calm().catch(() => {});
  }

  #count(): NodeJS.Timeout | undefined {
    const { report } = this.#parts.context;
    const inlet = this.#inlet;
    if (inlet.count === undefined) return undefined;
    const count = (): void => {
      inlet.count?.().then(report.backlog, () => report.backlog(undefined));
    };
    count();
    return setInterval(count, countMs).unref();
  }

  #change(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  #wake(): void {
    for (const look of this.#waiting.splice(0)) look();
  }
}

/** Whether the message comes again from its server. */
function comesBack<T extends Taken>({ taken, outcome, exchange }: Ended<T>): boolean {
  return outcome === "lost" || (outcome === "failed" && taken.comesBack?.(exchange) === true);
}
