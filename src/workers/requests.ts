/** What control asks of this thread through the memory that they share: it is heard even when the thread reads no messages. */
import { Word } from "../shared/protocol.ts";

/** Word.collect */
const collectNow = 1;
const collected = 2;

/** Taken here because the thread gives it up before a flow comes (renounce.ts). */
const collectGarbage = globalThis.gc;

export class Requests {
  /** Ends the run in this slot before its next step. */
  onStop: (slot: number) => void = () => {};
  readonly #words: Int32Array;
  readonly #collect: typeof gc;

  /** `collect`: a collection of this thread's garbage; absent where V8 gives none: it counts as done. */
  constructor(words: Int32Array, collect = collectGarbage) {
    this.#words = words;
    this.#collect = collect;
  }

  /** A step of the run in this slot is about to begin, and `Word.asked` is set. */
  beforeStep(slot: number): void {
    this.betweenSteps();
    if (Atomics.load(this.#words, Word.stop) === slot + 1) this.onStop(slot);
  }

  /** Of a thread that has nothing to do: what its boot and its flow's compiling have left behind, a fifth of its memory, goes. */
  tidy(): void {
    this.#collect?.({ type: "major", execution: "sync", flavor: "last-resort" });
  }

  betweenSteps(): void {
    const words = this.#words;
    if (Atomics.load(words, Word.collect) !== collectNow) return;
    this.#collect?.();
    Atomics.store(words, Word.collect, collected);
    // In this order: control sets `stop` first, then `asked`.
    Atomics.store(words, Word.asked, 0);
    if (Atomics.load(words, Word.stop) !== 0) Atomics.store(words, Word.asked, 1);
  }
}
