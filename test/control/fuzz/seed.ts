/** How long a fuzz runs, and where it begins: the same seed and number of runs make the same requests. */
import type { Parameters } from "fast-check";

export interface Length {
  readonly runs: number;
  readonly seed: number;
}

/** A failure is made smaller by sending ever smaller requests; the error tells the smallest, and the seed. */
export function lengthOf<T>({ runs, seed }: Length): Parameters<T> {
  return { numRuns: runs, seed };
}
