/** What a storm prints: a table of figures, and one line of verdict, which is the process's exit code, too. */
import { noteFigure } from "../../support/figures.ts";
import type { Line } from "./slope.ts";

type Cell = string | number;

export function table(head: readonly string[], rows: readonly (readonly Cell[])[]): void {
  const texts = [head, ...rows].map((row) => row.map(textOf));
  const widths = head.map((_, column) => Math.max(...texts.map((row) => (row[column] ?? "").length)));
  for (const row of texts)
    console.log(
      row
        .map((text, column) => text.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd(),
    );
  if (rows.length <= mostRecordedRows) for (const row of texts.slice(1)) noteFigure(row[0] ?? "", labelled(head, row));
}

/** `1502 acknowledged, 480 cut off`: the cells behind the first one, with their column's name. */
function labelled(head: readonly string[], row: readonly string[]): string {
  return row
    .map((text, column) => `${text} ${head[column] ?? ""}`.trim())
    .slice(1)
    .filter((text) => text !== "")
    .join(", ");
}

/** The record of a trial has this much room for a table. */
const mostRecordedRows = 20;

/** Sets the exit code to 1 when the bar is missed. */
export function verdict(met: boolean, what: string): void {
  console.log(`${met ? "PASSED" : "MISSED"}: ${what}`);
  noteFigure(met ? "passed" : "missed", what);
  if (!met) process.exitCode = 1;
}

/** A slope in bytes, with its 95 % interval. */
export function perCycle({ slope, margin }: Line): string {
  return `${(slope / 1024).toFixed(3)} +-${(margin / 1024).toFixed(3)} KiB`;
}

function textOf(cell: Cell): string {
  return typeof cell === "string" ? cell : Number.isInteger(cell) ? String(cell) : cell.toFixed(2);
}
