/** Whether a thread's event loop turns: whether it reads what it is sent. */
import type { FlowThread } from "../line/flow-thread.ts";

/** A pause of this process, or of the machine, is not the thread's: between two looks no more time than this counts. */
const mostMs = 250;

export class TurnWatch {
  readonly #thread: FlowThread;
  #turns: number;
  #lookedAt = 0;
  /** The message that it has not read yet, 0: none is needed. */
  #sent = 0;
  #stillMs = 0;

  constructor(thread: FlowThread) {
    this.#thread = thread;
    this.#turns = thread.booted.words.turns;
  }

  /** For how long it has not turned, in ms, as far as is known. */
  get stillMs(): number {
    return this.#stillMs;
  }

  /** `busy`: its loop has hardly been idle since the last look. */
  look(now: number, busy: boolean): void {
    const elapsed = Math.min(mostMs, now - this.#lookedAt);
    const { turns } = this.#thread.booted.words;
    this.#lookedAt = now;
    if (turns !== this.#turns || !busy) {
      this.#turns = turns;
      this.#sent = 0;
      this.#stillMs = 0;
    } else if (this.#sent !== 0) this.#stillMs += elapsed;
    // A loop that is sent nothing has nothing to turn for.
    else this.#sent = this.#thread.line.nudge();
  }
}
