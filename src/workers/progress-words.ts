/** How far each run has come, in the memory that the thread shares with its host (shared/figures.ts). */
import { begunFigure, microMoment, Progress, progressFigure, progressSlots } from "../shared/figures.ts";
import type { RunProgress } from "./engine/run-progress.ts";

export class ProgressWords implements RunProgress {
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
