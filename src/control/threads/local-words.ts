/** The memory shared with a thread of this process. */
import { effectSlots, figuresOf, Word, wordCount } from "../../shared/protocol.ts";
import type { ThreadWords } from "./booted-thread.ts";

const done = 2;

export class LocalWords implements ThreadWords {
  readonly memory = new SharedArrayBuffer(wordCount * Int32Array.BYTES_PER_ELEMENT);
  readonly figures = figuresOf(this.memory);
  readonly #words = new Int32Array(this.memory);

  constructor(credits: number) {
    this.#words[Word.credits] = credits;
    this.#words[Word.collect] = done;
  }

  get heartbeat(): number {
    return this.#read(Word.heartbeat) - 1;
  }

  get logs(): number {
    return this.#read(Word.logs);
  }

  get traces(): number {
    return this.#read(Word.traces);
  }

  get turns(): number {
    return this.#read(Word.turns);
  }

  get calls(): number {
    return this.#read(Word.calls);
  }

  get collected(): boolean {
    return this.#read(Word.collect) === done;
  }

  hadEffect(slot: number): boolean {
    if (slot >= effectSlots) return true;
    return (this.#read(Word.effects + (slot >>> 5)) & (1 << (slot & 31))) !== 0;
  }

  beginSlot(slot: number): void {
    if (this.hadEffect(slot) && slot < effectSlots)
      Atomics.and(this.#words, Word.effects + (slot >>> 5), ~(1 << (slot & 31)));
  }

  giveCredits(count: number): void {
    Atomics.add(this.#words, Word.credits, count);
  }

  stop(slot: number): void {
    Atomics.store(this.#words, Word.stop, slot + 1);
    this.#ask();
  }

  collect(): void {
    Atomics.store(this.#words, Word.collect, 1);
    this.#ask();
  }

  #ask(): void {
    const wanted = this.#read(Word.stop) !== 0 || !this.collected;
    Atomics.store(this.#words, Word.asked, wanted ? 1 : 0);
  }

  #read(word: number): number {
    return Atomics.load(this.#words, word);
  }
}
