/** Finds a text in the cells of a grid, whatever its case. */
import { cellText } from "./cell-text.ts";
import type { Place } from "./ranges.ts";
import type { Sheet } from "./sheet.ts";

/** The next cell with the text behind a place, or before it; the search goes on at the other end. */
export function findCell({ columns, rows }: Sheet, text: string, from: Place, back: boolean): Place | undefined {
  const wanted = text.toLowerCase();
  const count = rows.length * columns.length;
  if (wanted === "" || count === 0) return undefined;
  const step = back ? -1 : 1;
  // The empty row at the end has no cells.
  const begin = Math.min(from.row * columns.length + from.column, back ? count : count - 1);
  for (let tried = 1; tried <= count; tried += 1) {
    const index = (begin + step * tried + count * 2) % count;
    const place = { row: Math.floor(index / columns.length), column: index % columns.length };
    const cell = rows[place.row]?.cells[place.column] ?? [];
    if (cell.length > 0 && cellText(cell).toLowerCase().includes(wanted)) return place;
  }
  return undefined;
}

/** How many rows have the text. */
export function countRows({ rows }: Sheet, text: string): number {
  const wanted = text.toLowerCase();
  return rows.filter(({ cells }) =>
    cells.some((cell) => cell.length > 0 && cellText(cell).toLowerCase().includes(wanted)),
  ).length;
}
