/** What becomes of the log and trace events that one thread makes: each arrives, or is counted as lost, once. And how many arrive in a second. */
import type { Limits } from "../../../shared/limits.ts";
import type { ThreadWords } from "../booted-thread.ts";

export interface LostEvents {
  readonly logs: number;
  readonly traces: number;
}

type Words = Pick<ThreadWords, "logs" | "traces" | "giveCredits">;
export type EventLimits = Pick<Limits, "eventCredits" | "eventsPerSecond" | "eventsPerRun">;

/** Characters of an event that cost as much as another event. */
const longText = 4096;
/** Credits that are held back are given in small parts, so that no turn of the event loop has a second's worth of events. */
const giveEveryMs = 20;
const mostAtOnce = 500;

export class ThreadEvents {
  readonly #words: Words;
  readonly #limits: EventLimits;
  readonly #now: () => number;
  /** Arrived, or told to be dropped. */
  #logs = 0;
  #traces = 0;
  #dropped: { logs: number; traces: number } | undefined;
  /** Credits that the thread has, or has spent on events that are on their way. */
  #given: number;
  /** Credits of events that have been read, and what they cost. */
  #owed = 0;
  #cost = 0;
  /** What credits may be given for; at the most a second's worth. */
  #tokens: number;
  #refilled: number;
  #immediate: NodeJS.Immediate | undefined;
  #timer: NodeJS.Timeout | undefined;
  #over = false;
  readonly #give = (): void => {
    this.#immediate = undefined;
    this.#timer = undefined;
    this.#giveBack();
  };

  /** `words` with all their credits. `now`: milliseconds of a clock that only goes on. */
  constructor(words: Words, limits: EventLimits, now: () => number = () => performance.now()) {
    this.#words = words;
    this.#limits = limits;
    this.#now = now;
    this.#given = limits.eventCredits;
    this.#tokens = limits.eventsPerSecond;
    this.#refilled = now();
  }

  /** @returns false: the thread had no credit for it. */
  log(characters: number): boolean {
    this.#logs += 1;
    return this.#read(characters);
  }

  /** As `log`. */
  trace(characters: number): boolean {
    this.#traces += 1;
    return this.#read(characters);
  }

  /** What the thread says that it dropped: 0 or more of each, since the sums must never shrink. */
  dropped(logs: number, traces: number): void {
    this.#logs += logs;
    this.#traces += traces;
    this.#dropped ??= { logs: 0, traces: 0 };
    this.#dropped.logs += logs;
    this.#dropped.traces += traces;
  }

  /** A run is over: what it told was not told without end. */
  runEnded(): void {
    const { eventsPerRun, eventsPerSecond } = this.#limits;
    this.#tokens = Math.min(this.#tokens + eventsPerRun, Math.max(eventsPerRun, eventsPerSecond));
  }

  /** A message has been read. Answers what it told to be dropped; the credits of its events go back when the turn is over. */
  settle(): LostEvents | undefined {
    // Not at once: a thread that prints in a loop would spend them before the turn is over, which would go on with those.
    if (this.#owed > 0 && this.#timer === undefined) this.#immediate ??= setImmediate(this.#give);
    const dropped = this.#dropped;
    this.#dropped = undefined;
    return dropped;
  }

  /** What a thread that has ended made, and what will now never arrive; undefined when all of it did. */
  rest(): LostEvents | undefined {
    this.#over = true;
    clearTimeout(this.#timer);
    const logs = Math.max(0, (this.#words.logs - this.#logs) | 0);
    const traces = Math.max(0, (this.#words.traces - this.#traces) | 0);
    return logs + traces === 0 ? undefined : { logs, traces };
  }

  #read(characters: number): boolean {
    this.#owed += 1;
    this.#cost += 1 + characters / longText;
    this.#given -= 1;
    return this.#given >= 0;
  }

  #giveBack(): void {
    if (this.#over || this.#owed === 0) return;
    const now = this.#now();
    const { eventsPerSecond } = this.#limits;
    const more = ((now - this.#refilled) * eventsPerSecond) / 1000;
    if (this.#tokens < eventsPerSecond) this.#tokens = Math.min(eventsPerSecond, this.#tokens + more);
    this.#refilled = now;
    const each = this.#cost / this.#owed;
    const count = Math.min(this.#owed, mostAtOnce, Math.floor(this.#tokens / each));
    if (count > 0) {
      this.#tokens -= count * each;
      this.#cost -= count * each;
      this.#owed -= count;
      this.#given += count;
      this.#words.giveCredits(count);
    }
    if (this.#owed === 0) return;
    if (count === mostAtOnce) this.#immediate ??= setImmediate(this.#give);
    else this.#timer = setTimeout(this.#give, giveEveryMs).unref();
  }
}
