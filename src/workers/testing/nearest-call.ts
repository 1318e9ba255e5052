/** Of the calls that are not what was asked for, the one that came nearest. */
import { type Mismatch, mismatchText } from "../../shared/matchers.ts";
import type { SeenCall } from "./evidence.ts";

export interface Miss {
  readonly call: SeenCall;
  readonly mismatches: readonly Mismatch[];
}

const shownMismatches = 8;

/** The fewest mismatches; of equal ones the earliest. */
export function nearest(misses: readonly Miss[]): Miss | undefined {
  let best: Miss | undefined;
  for (const miss of misses) if (best === undefined || miss.mismatches.length < best.mismatches.length) best = miss;
  return best;
}

/** `call 3 (run 01JD...): body.id: expected 17, got 18; header orderId: expected "17", missing` */
export function missText({ call, mismatches }: Miss): string {
  const run = call.runId === undefined ? "" : ` (run ${call.runId})`;
  return `call ${call.seq}${run}: ${mismatchesText(mismatches)}`;
}

export function mismatchesText(mismatches: readonly Mismatch[]): string {
  const shown = mismatches.slice(0, shownMismatches).map(mismatchText).join("; ");
  const more = mismatches.length - shownMismatches;
  return more > 0 ? `${shown}; and ${more} more` : shown;
}
