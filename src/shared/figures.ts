/**
 * What a thread writes about its runs into the memory that it shares with its host (protocol.ts, `figuresOf`): only the thread writes, and it is
 * read when somebody asks for a figure. Words that only grow do so modulo 2^32.
 */

/** Runs that have begun in the thread. */
export const begunFigure = 0;

/** Slots whose progress is written down; runs in further ones show none until they end. */
export const progressSlots = 512;

/** Of the run in a slot, counted from `progressFigure`. */
export const Progress = {
  /** Steps that it has entered. */
  executed: 0,
  /** Microseconds of its stretches of work that are over. */
  worked: 1,
  /** When the stretch that it is in began, in microseconds of the epoch modulo 2^32; 0: it is in none. */
  working: 2,
  /** Of the outermost split that is under way: parts that have ended. */
  splitDone: 3,
  /** How many parts it has, plus one; -1: that is not known yet; 0: no split is under way. */
  splitOf: 4,
} as const;

const progressWidth = 5;

export function progressFigure(slot: number): number {
  return 1 + slot * progressWidth;
}

export const figureWords = progressFigure(progressSlots);

const { timeOrigin } = performance;

/** The moment of `now` (`performance.now()` of the thread that asks) as `Progress.working` has it. */
export function microMoment(now: number): number {
  return Math.floor((timeOrigin + now) * 1000) | 0;
}
