/** How far a run has come that is under way, as its thread has written it down. */
import { begunFigure, microMoment, Progress, progressFigure, progressSlots } from "../../shared/figures.ts";

export interface RunProgress {
  /** Steps that it has begun. */
  readonly executed: number;
  readonly failed: number;
  readonly cpuMs: number;
  /** The outermost split that is under way: parts that have ended, of how many, null as long as that is not known. */
  readonly split: { readonly done: number; readonly of: number | null } | null;
}

const nothing: RunProgress = { executed: 0, failed: 0, cpuMs: 0, split: null };

/** `ordinal`: which of the thread's runs it is; one that has not begun there finds what an earlier one left in its slot. */
export function readProgress(figures: Int32Array, slot: number, ordinal: number): RunProgress {
  if (slot >= progressSlots || ((wordOf(figures, begunFigure) - ordinal) | 0) < 0) return nothing;
  const at = progressFigure(slot);
  const of = wordOf(figures, at + Progress.splitOf);
  return {
    executed: wordOf(figures, at + Progress.executed),
    failed: wordOf(figures, at + Progress.failed),
    cpuMs: workedMs(figures, at),
    split: of === 0 ? null : { done: wordOf(figures, at + Progress.splitDone), of: of < 0 ? null : of - 1 },
  };
}

function workedMs(figures: Int32Array, at: number): number {
  const worked = wordOf(figures, at + Progress.worked) >>> 0;
  const working = wordOf(figures, at + Progress.working);
  // Clocks of two threads may differ by a little: the stretch may seem to begin in the future.
  const now = working === 0 ? 0 : Math.max(0, (microMoment(performance.now()) - working) | 0);
  return (worked + now) / 1000;
}

function wordOf(figures: Int32Array, index: number): number {
  return Atomics.load(figures, index);
}
