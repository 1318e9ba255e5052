/** What a storm prints: a table of figures, and one line of verdict, which is the process's exit code, too. */
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
}

/** Sets the exit code to 1 when the bar is missed. */
export function verdict(met: boolean, what: string): void {
  console.log(`${met ? "PASSED" : "MISSED"}: ${what}`);
  if (!met) process.exitCode = 1;
}

/** A slope in bytes, with its 95 % interval. */
export function perCycle({ slope, margin }: Line): string {
  return `${(slope / 1024).toFixed(3)} +-${(margin / 1024).toFixed(3)} KiB`;
}

function textOf(cell: Cell): string {
  return typeof cell === "string" ? cell : Number.isInteger(cell) ? String(cell) : cell.toFixed(2);
}
