/** Counts the log and trace events of one thread, so that each has arrived or is reported as lost, and limits how many arrive in a second. */
import type { Limits } from "../../../shared/limits.ts";
import type { ThreadWords } from "../booted-thread.ts";

export interface LostEvents {
  readonly logs: number;
  readonly traces: number;
}

type Words = Pick<ThreadWords, "logs" | "traces" | "giveCredits">;
export type EventLimits = Pick<Limits, "eventCredits" | "eventsPerSecond" | "eventsPerRun">;

/** How many characters of an event cost as much as one event. */
const longText = 4096;
/** Credits that were held back are given in small parts, so that no turn of the event loop has the events of a whole second. */
const giveEveryMs = 20;
const mostAtOnce = 500;

export class ThreadEvents {
  readonly #words: Words;
  readonly #limits: EventLimits;
  readonly #now: () => number;
  /** How many events have arrived, or were reported as dropped. */
  #logs = 0;
  #traces = 0;
  #dropped: { logs: number; traces: number } | undefined;
  /** The credits that the thread has, or has spent on events that have not arrived yet. */
  #given: number;
  /** The credits to give back for events that have arrived, and the cost of these. */
  #owed = 0;
  #cost = 0;
  /** The cost for which credits may be given now; it grows with time, up to the events of a second. */
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

  /** `words`: they have all their credits. `now`: milliseconds of a monotonic clock. */
  constructor(words: Words, limits: EventLimits, now: () => number = () => performance.now()) {
    this.#words = words;
    this.#limits = limits;
    this.#now = now;
    this.#given = limits.eventCredits;
    this.#tokens = limits.eventsPerSecond;
    this.#refilled = now();
  }

  /** Counts a log event. Returns false when the thread had no credit for it. */
  log(characters: number): boolean {
    this.#logs += 1;
    return this.#read(characters);
  }

  /** Counts a trace event. Returns false when the thread had no credit for it. */
  trace(characters: number): boolean {
    this.#traces += 1;
    return this.#read(characters);
  }

  /** Counts the events that the thread reports as dropped: 0 or more of each. */
  dropped(logs: number, traces: number): void {
    this.#logs += logs;
    this.#traces += traces;
    this.#dropped ??= { logs: 0, traces: 0 };
    this.#dropped.logs += logs;
    this.#dropped.traces += traces;
  }

  /** Call it when a run has ended: each run adds the events of a run to the allowance. */
  runEnded(): void {
    const { eventsPerRun, eventsPerSecond } = this.#limits;
    this.#tokens = Math.min(this.#tokens + eventsPerRun, Math.max(eventsPerRun, eventsPerSecond));
  }

  /** Call it when a message has been read. Returns the events that it reported as dropped; their credits go back after this turn. */
  settle(): LostEvents | undefined {
    // Not at once: a thread that logs in a loop would use them within the same turn, which would then never end.
    if (this.#owed > 0 && this.#timer === undefined) this.#immediate ??= setImmediate(this.#give);
    const dropped = this.#dropped;
    this.#dropped = undefined;
    return dropped;
  }

  /** Call it when the thread has ended. Returns how many of its events will never arrive; undefined: none is missing. */
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
