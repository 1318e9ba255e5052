/** Measures of the grid: only the rows that can be seen are drawn. */
import { cellText } from "./cell-text.ts";
import type { Place } from "./ranges.ts";
import type { Sheet } from "./sheet.ts";
import { titleOf } from "./sheet.ts";

export const rowHeight = 30;
export const headHeight = 34;
/** The numbers of the rows. */
export const numberWidth = 58;

/** Rows that are drawn above and below, so that fast scrolling shows no gaps. */
const beyond = 12;
/** Rows that a column's width is measured by. */
const sampled = 200;
const characterWidth = 7.6;
const [narrowest, widest] = [110, 380];

export interface View {
  readonly top: number;
  readonly height: number;
}

/** The rows to draw: from the first to before the last. */
export function drawnRows({ top, height }: View, count: number): { readonly first: number; readonly end: number } {
  const first = Math.max(0, Math.floor((top - headHeight) / rowHeight) - beyond);
  const end = Math.min(count, Math.ceil((top + height) / rowHeight) + beyond);
  return { first, end: Math.max(first, end) };
}

export function columnWidths({ columns, rows }: Sheet): readonly number[] {
  const step = Math.max(1, Math.floor(rows.length / sampled));
  return columns.map((column, at) => {
    // The title has a button beside it.
    let longest = titleOf(column).length + 5;
    for (let row = 0; row < rows.length; row += step)
      longest = Math.max(longest, cellText(rows[row]?.cells[at] ?? []).length);
    return Math.min(widest, Math.max(narrowest, Math.ceil(longest * characterWidth) + 20));
  });
}

/** Scrolls so that a cell is seen, no further than needed. */
export function reveal(element: HTMLElement, { row, column }: Place, widths: readonly number[]): void {
  const top = row * rowHeight;
  const room = element.clientHeight - headHeight;
  if (top < element.scrollTop) element.scrollTop = top;
  else if (top + rowHeight > element.scrollTop + room) element.scrollTop = top + rowHeight - room;
  const left = widths.slice(0, column).reduce((sum, width) => sum + width, 0);
  const width = widths[column] ?? 0;
  const across = element.clientWidth - numberWidth;
  if (left < element.scrollLeft) element.scrollLeft = left;
  else if (left + width > element.scrollLeft + across) element.scrollLeft = Math.min(left, left + width - across);
}
