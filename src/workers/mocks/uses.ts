/**
 * Counts uses, calls and records of a session's mocks in memory that all threads share, so that the counts are exact.
 */
import { callsWord, type Mock, type MockSet, MockWord, usesWord } from "../../shared/mock.ts";

export class Uses {
  readonly #words: Int32Array;
  readonly #set: MockSet;
  readonly #mostRecorded: number;

  constructor(words: SharedArrayBuffer, set: MockSet, mostRecorded: number) {
    this.#words = new Int32Array(words);
    this.#set = set;
    this.#mostRecorded = mostRecorded;
  }

  /** false: the session is closed, and its mocks no longer answer. */
  get open(): boolean {
    return Atomics.load(this.#words, MockWord.open) === 1;
  }

  /**
   * Takes a use of the mock and returns its number, from 0; undefined when none is left, so that the next mock or the
   * real step runs.
   */
  take(index: number, { times, after }: Mock): number | undefined {
    const word = usesWord(index);
    const most = times === 0 || after !== "passthrough" ? undefined : times;
    if (most === undefined) return Atomics.add(this.#words, word, 1) >>> 0;
    for (;;) {
      const used = Atomics.load(this.#words, word);
      if (used >= most) return undefined;
      if (Atomics.compareExchange(this.#words, word, used, used + 1) === used) return used;
    }
  }

  /** Counts a call of the target and returns its number over all threads, from 1. */
  call(target: number): number {
    Atomics.add(this.#words, callsWord(this.#set, target), 1);
    return Atomics.add(this.#words, MockWord.sequence, 1) + 1;
  }

  /** Reserves the record of one more call; true obliges the caller to record it. */
  mayRecord(): boolean {
    for (;;) {
      const recorded = Atomics.load(this.#words, MockWord.recorded);
      if (recorded >= this.#mostRecorded) return false;
      if (Atomics.compareExchange(this.#words, MockWord.recorded, recorded, recorded + 1) === recorded) return true;
    }
  }
}
