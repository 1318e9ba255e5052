/** The counters that a session shares with threads. */
import { callsWord, type MockSet, MockWord, mockWords, usesWord } from "../../../shared/mock.ts";

export class SessionWords {
  readonly memory: SharedArrayBuffer;
  readonly #set: MockSet;
  readonly #words: Int32Array;

  constructor(set: MockSet) {
    this.#set = set;
    this.memory = mockWords(set);
    this.#words = new Int32Array(this.memory);
    Atomics.store(this.#words, MockWord.open, 1);
  }

  /** No mock answers from here on. */
  close(): void {
    Atomics.store(this.#words, MockWord.open, 0);
  }

  /** By target. */
  callCounts(): number[] {
    return this.#set.targets.map((_target, i) => this.#read(callsWord(this.#set, i)));
  }

  /** Indexes of mocks that nothing has called. */
  unused(): number[] {
    return [...this.#set.mocks.keys()].filter((mock) => this.#read(usesWord(mock)) === 0);
  }

  /** Calls that threads have said they would record. */
  get promised(): number {
    return this.#read(MockWord.recorded);
  }

  #read(word: number): number {
    return Math.max(0, Atomics.load(this.#words, word));
  }
}
