/**
 * The budget of one evaluation: interpreters of other languages report their time and memory to it as they run. Time is
 * the CPU time of the thread, so that neighbours that keep the processors busy do not end an evaluation.
 */
import { howToRaise, type Limits } from "../../shared/limits.ts";
import { FlowException, limitExceeded } from "../engine/exception.ts";

/** Ticks between two reads of the clock. */
const stride = 1024;

export class Budget {
  readonly #limits: Limits;
  /** The subject of messages: `an expression in jq`. */
  readonly #what: string;
  readonly #moreTime: string;
  /**
   * CPU time of the thread in milliseconds when the clock was first read: a short evaluation ends before, and does not
   * pay for the reading, which costs as much as it.
   */
  #begun: number | undefined;
  /** The earliest moment at which the time can be over: a thread's CPU time does not pass faster than the clock. */
  #earliest = 0;
  readonly #most: number;
  #ticks = 0;
  #bytes = 0;

  /**
   * `garbage`: how many times a message's size an evaluation may build in all, most of which is soon collected.
   * `moreTime`: names the setting to change when `scriptMs` of `limits` is not the flow's own.
   */
  constructor(limits: Limits, language: string, garbage = 1, moreTime = howToRaise("scriptMs")) {
    this.#limits = limits;
    this.#what = `an expression in ${language}`;
    this.#moreTime = moreTime;
    this.#most = garbage * limits.messageBodyBytes;
  }

  /** Called for each small piece of work. Throws LimitExceededException when the time is over. */
  tick(): void {
    this.#ticks += 1;
    if (this.#ticks % stride === 0) this.checkTime();
  }

  get isOver(): boolean {
    const now = performance.now();
    if (now < this.#earliest) return false;
    const cpu = threadCpuMs();
    this.#begun ??= cpu;
    const left = this.#limits.scriptMs - (cpu - this.#begun);
    this.#earliest = now + left;
    return left <= 0;
  }

  checkTime(): void {
    if (this.isOver) throw this.overTime();
  }

  get maxBytes(): number {
    return this.#limits.messageBodyBytes;
  }

  overTime(): FlowException {
    return this.exceeded(`runs for at most ${this.#limits.scriptMs} ms: ${this.#moreTime}`);
  }

  /** Charges what an evaluation builds. Throws LimitExceededException above the size of a message. */
  keep(bytes: number): void {
    this.#bytes += bytes;
    if (this.#bytes > this.#most) throw this.#tooMuch(`builds at most ${this.#most} bytes in all`);
  }

  /** Throws LimitExceededException before a text or a list of this size is built. */
  checkSize(bytes: number): void {
    if (bytes > this.#limits.messageBodyBytes) throw this.tooLarge();
  }

  tooLarge(): FlowException {
    return this.#tooMuch(`builds values of at most ${this.#limits.messageBodyBytes} bytes`);
  }

  exceeded(what: string): FlowException {
    return new FlowException("LimitExceededException", `${this.#what} ${what}`);
  }

  #tooMuch(what: string): FlowException {
    return limitExceeded("messageBodyBytes", `${this.#what} ${what}`);
  }
}

function threadCpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
