/**
 * Which runs have done something that a second run would do again: a bit for each slot, in the memory that the thread shares with its
 * host. Control reads it of a run that was lost with its thread, so it is set before the effect, and stays when the run is over: its answer may
 * not have been read. It is cleared for the slot's next run, by control and again when that begins here.
 */
import { effectSlots, Word } from "../shared/protocol.ts";

export class EffectBits {
  readonly #words: Int32Array;

  constructor(words: Int32Array) {
    this.#words = words;
  }

  set(slot: number): void {
    if (!isKept(slot) || this.#has(slot)) return;
    Atomics.or(this.#words, wordOf(slot), bitOf(slot));
  }

  /** A run begins in the slot; what an earlier one left behind may have set the bit after its answer. */
  begun(slot: number): void {
    if (isKept(slot) && this.#has(slot)) this.#clear(slot);
  }

  #has(slot: number): boolean {
    return ((this.#words[wordOf(slot)] as number) & bitOf(slot)) !== 0;
  }

  #clear(slot: number): void {
    Atomics.and(this.#words, wordOf(slot), ~bitOf(slot));
  }
}

function isKept(slot: number): boolean {
  return slot >= 0 && slot < effectSlots;
}

function wordOf(slot: number): number {
  return Word.effects + (slot >>> 5);
}

function bitOf(slot: number): number {
  return 1 << (slot & 31);
}
