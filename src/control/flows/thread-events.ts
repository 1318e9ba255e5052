/** What becomes of the log and trace events that one thread makes: each arrives, or is counted as lost, once. */
import type { ThreadWords } from "./booted-thread.ts";

export interface LostEvents {
  readonly logs: number;
  readonly traces: number;
}

export class ThreadEvents {
  readonly #words: Pick<ThreadWords, "logs" | "traces" | "giveCredits">;
  /** Arrived, or told to be dropped. */
  #logs = 0;
  #traces = 0;
  /** Read since the last settling. */
  #read = 0;
  #dropped: { logs: number; traces: number } | undefined;

  constructor(words: Pick<ThreadWords, "logs" | "traces" | "giveCredits">) {
    this.#words = words;
  }

  log(): void {
    this.#logs += 1;
    this.#read += 1;
  }

  trace(): void {
    this.#traces += 1;
    this.#read += 1;
  }

  /** Fields of a `dropped` frame. Throws when they are no counts: they go into sums that must never shrink. */
  dropped(logs: unknown, traces: unknown): void {
    if (!isCount(logs) || !isCount(traces)) throw new Error("what was dropped is told by two numbers");
    this.#logs += logs;
    this.#traces += traces;
    this.#dropped ??= { logs: 0, traces: 0 };
    this.#dropped.logs += logs;
    this.#dropped.traces += traces;
  }

  /** A message has been read: gives the credits of its events back, and answers what it told to be dropped. */
  settle(): LostEvents | undefined {
    if (this.#read > 0) this.#words.giveCredits(this.#read);
    this.#read = 0;
    const dropped = this.#dropped;
    this.#dropped = undefined;
    return dropped;
  }

  /** What a thread that has ended made, and what will now never arrive; undefined when all of it did. */
  rest(): LostEvents | undefined {
    const logs = Math.max(0, (this.#words.logs - this.#logs) | 0);
    const traces = Math.max(0, (this.#words.traces - this.#traces) | 0);
    return logs + traces === 0 ? undefined : { logs, traces };
  }
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}
