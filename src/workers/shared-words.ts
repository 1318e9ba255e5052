/** The memory that this thread shares with control: what control asks there, and what it reads there when a thread sends nothing. */
import { begunFigure, microMoment, Progress, progressFigure, progressSlots } from "../shared/figures.ts";
import { effectSlots, Word } from "../shared/protocol.ts";
import type { ProgressReport } from "./engine/run-observers.ts";

/** Word.collect */
const collectNow = 1;
const collected = 2;

/** Taken here because the thread gives it up before a flow comes (renounce.ts). */
const collectGarbage = globalThis.gc;

/** What control asks of this thread: it is heard even when the thread reads no messages. */
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

  /** Frees what the boot and the compiling of the flow have left behind, a fifth of the memory. For a thread that has nothing to do. */
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

/**
 * Which runs have done something that a second run would do again: a bit for each slot. Control reads it for a run that was lost with its
 * thread, so it is set before the effect, and stays when the run is over, since its answer may not have been read. It is cleared for the
 * slot's next run, by control and again when that begins here.
 */
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

/** How far each run has come (shared/figures.ts). */
export class ProgressWords implements ProgressReport {
  readonly #figures: Int32Array;

  constructor(figures: Int32Array) {
    this.#figures = figures;
  }

  /** A run begins in the slot: what the one before it has left there goes. */
  begun(slot: number): void {
    const figures = this.#figures;
    if (slot < progressSlots) {
      const at = progressFigure(slot);
      figures[at + Progress.executed] = 0;
      figures[at + Progress.worked] = 0;
      figures[at + Progress.working] = 0;
      figures[at + Progress.splitOf] = 0;
      figures[at + Progress.failed] = 0;
    }
    figures[begunFigure] = (figures[begunFigure] as number) + 1;
  }

  entered(slot: number, executed: number): void {
    if (slot < progressSlots) this.#figures[progressFigure(slot) + Progress.executed] = executed;
  }

  failed(slot: number, failed: number): void {
    if (slot < progressSlots) this.#figures[progressFigure(slot) + Progress.failed] = failed;
  }

  working(slot: number, now: number): void {
    if (slot < progressSlots) this.#figures[progressFigure(slot) + Progress.working] = microMoment(now) || 1;
  }

  worked(slot: number, ms: number): void {
    if (slot >= progressSlots) return;
    const figures = this.#figures;
    const at = progressFigure(slot);
    figures[at + Progress.worked] = (figures[at + Progress.worked] as number) + Math.round(ms * 1000);
    figures[at + Progress.working] = 0;
  }

  beginSplit(slot: number, parts: number | undefined): boolean {
    const at = progressFigure(slot);
    if (slot >= progressSlots || this.#figures[at + Progress.splitOf] !== 0) return false;
    this.#figures[at + Progress.splitDone] = 0;
    this.#figures[at + Progress.splitOf] = parts === undefined ? -1 : parts + 1;
    return true;
  }

  tookPart(slot: number): void {
    const at = progressFigure(slot) + Progress.splitDone;
    this.#figures[at] = (this.#figures[at] as number) + 1;
  }

  endSplit(slot: number): void {
    this.#figures[progressFigure(slot) + Progress.splitOf] = 0;
  }
}
