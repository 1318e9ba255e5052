/** The parts of a run's outermost split, counted for whoever asks how far the run has come. */
import type { Exchange } from "./exchange.ts";
import { lastly } from "./lastly.ts";
import type { Run } from "./run.ts";

/** `parts`: how many there are, if that is known. `split` calls what it is given for each part that has ended. */
export function countingParts(
  { sink: { progress }, slot }: Run<Exchange>,
  parts: number | undefined,
  split: (took: (() => void) | undefined) => void | Promise<void>,
): void | Promise<void> {
  if (progress?.beginSplit(slot, parts) !== true) return split(undefined);
  return lastly(
    () => split(() => progress.tookPart(slot)),
    () => progress.endSplit(slot),
  );
}
