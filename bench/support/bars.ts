/** What a bench measured beside what it should have been: printed as a table, with a verdict that is the exit code, too. */
import { table, verdict } from "../../test/storms/support/table.ts";
import { round } from "./figures.ts";

export interface Bar {
  readonly what: string;
  readonly measured: number;
  /** It may be no more, or no less, than this. */
  readonly most?: number;
  readonly least?: number;
  readonly unit?: string;
}

/** A figure that is not there misses its bar. */
export function printBars(bench: string, bars: readonly Bar[]): boolean {
  const met = ({ measured, most = Number.POSITIVE_INFINITY, least = Number.NEGATIVE_INFINITY }: Bar): boolean =>
    measured <= most && measured >= least;
  table(
    ["", "measured", "bar", ""],
    bars.map((bar) => {
      const { what, measured, most, least, unit = "" } = bar;
      const allowed = most === undefined ? `at least ${least}` : `${most}`;
      return [what, `${round(measured)} ${unit}`.trim(), `${allowed} ${unit}`.trim(), met(bar) ? "met" : "MISSED"];
    }),
  );
  const missed = bars.filter((bar) => !met(bar)).length;
  verdict(missed === 0, missed === 0 ? `${bench}: ${bars.length} bars` : `${bench}: ${missed} of ${bars.length} bars`);
  return missed === 0;
}
