/** Flows with something changed: each is answered with places inside of its text, or compiles, runs and ends. */
import fc from "fast-check";
import { changed } from "./changes.ts";
import { judge } from "./judge.ts";
import { messages, runOnce } from "./run-once.ts";

export interface Tally {
  texts: number;
  /** Texts that were flows still. */
  flows: number;
}

/** Throws with the smallest text that is answered or runs as it should not; the same seed and number of runs make the same texts. */
export async function provesMutations(
  texts: readonly string[],
  {
    runs,
    seed,
    tally = { texts: 0, flows: 0 },
  }: { readonly runs: number; readonly seed: number; readonly tally?: Tally },
): Promise<Tally> {
  await fc.assert(
    fc.asyncProperty(changed(texts), fc.nat({ max: messages - 1 }), async (text, nth) => {
      const { flow } = await judge(text);
      tally.texts += 1;
      if (flow === undefined) return;
      tally.flows += 1;
      await runOnce(flow.model, nth);
    }),
    { numRuns: runs, seed },
  );
  return tally;
}
