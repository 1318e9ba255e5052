/**
 * The memory that this thread shares with control: control's requests, and values that control reads while the thread
 * sends nothing.
 */
import { begunFigure, microMoment, Progress, progressFigure, progressSlots } from "../shared/figures.ts";
import { effectSlots, Word } from "../shared/protocol.ts";
import type { ProgressReport } from "./engine/run-observers.ts";

/** A value of Word.collect. */
const collectNow = 1;
const collected = 2;

/** Read here because the thread removes it before a flow comes (renounce.ts). */
const collectGarbage = globalThis.gc;

/** Control's requests to this thread, which it notices even when it reads no messages. */
export class Requests {
  /** Called to end the run in this slot before its next step. */
  onStop: (slot: number) => void = () => {};
  readonly #words: Int32Array;
  readonly #collect: typeof gc;

  /** `collect` collects this thread's garbage; without it, a request counts as done. */
  constructor(words: Int32Array, collect = collectGarbage) {
    this.#words = words;
    this.#collect = collect;
  }

  /** Called before a step of the run in this slot, when `Word.asked` is set. */
  beforeStep(slot: number): void {
    this.betweenSteps();
    if (Atomics.load(this.#words, Word.stop) === slot + 1) this.onStop(slot);
  }

  /** Frees the memory of the boot and of compiling the flow, about a fifth. For an idle thread. */
  tidy(): void {
    this.#collect?.({ type: "major", execution: "sync", flavor: "last-resort" });
  }

  betweenSteps(): void {
    const words = this.#words;
    if (Atomics.load(words, Word.collect) !== collectNow) return;
    this.#collect?.();
    Atomics.store(words, Word.collect, collected);
    // Order matters: control sets `stop` first, then `asked`.
    Atomics.store(words, Word.asked, 0);
    if (Atomics.load(words, Word.stop) !== 0) Atomics.store(words, Word.asked, 1);
  }
}

/**
 * A bit per slot for runs that have had an effect that a second run would repeat. Control reads it for a run that was
 * lost with its thread, so it is set before the effect, and stays after the end of the run, whose answer may be unread.
 * Control clears it for the slot's next run, and so does this thread when that begins.
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

  /** Clears the bit for a run that begins, since an earlier run's leftovers may have set it after its answer. */
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

/** The progress of each run (shared/figures.ts). */
export class ProgressWords implements ProgressReport {
  readonly #figures: Int32Array;

  constructor(figures: Int32Array) {
    this.#figures = figures;
  }

  /** Clears the words of the slot for a run that begins. */
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
