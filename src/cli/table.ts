/** Tables in columns, as wide as their content or the terminal. */
import { columnsOf, fitted } from "./columns.ts";
import { plainLine, type Style, type Terminal } from "./terminal.ts";

export interface Column<Row> {
  readonly title: string;
  readonly text: (row: Row) => string;
  readonly style?: (row: Row) => Style | undefined;
  /** Numbers stand at the right. */
  readonly right?: boolean;
  /** Never cut: an id, which other commands take. */
  readonly whole?: boolean;
}

/** A column that has to give way keeps so many columns of the terminal, and its title. */
const least = 8;
const gap = "  ";

/** Prints rows under their titles, or `none`. Returns nothing. */
export function sayTable<Row>(
  terminal: Terminal,
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  none: string,
): void {
  if (rows.length === 0) {
    terminal.complain(none);
    return;
  }
  const cells = rows.map((row) => columns.map(({ text }) => plainLine(shortened(text(row), terminal.width))));
  const widths = fit(
    columns.map(({ title, whole = false }, at) => ({
      columns: Math.max(title.length, ...cells.map((line) => columnsOf(line[at] ?? ""))),
      least: whole ? Number.POSITIVE_INFINITY : Math.max(least, title.length),
    })),
    terminal.width,
  );
  terminal.say(
    terminal.paint("bold", joined(columns.map(({ title, right }, at) => fitted(title, widths[at] ?? 0, right)))),
  );
  for (const [index, row] of rows.entries()) {
    const line = columns.map(({ style, right }, at) => {
      const cell = fitted(cells[index]?.[at] ?? "", widths[at] ?? 0, right);
      const text = at === columns.length - 1 ? cell.trimEnd() : cell;
      const wanted = style?.(row);
      return wanted === undefined ? text : terminal.paint(wanted, text);
    });
    terminal.say(joined(line));
  }
}

/** Of a long text no more is measured than a terminal may show; four units are enough for a character. */
function shortened(text: string, width: number | undefined): string {
  return width === undefined ? text : text.slice(0, 4 * width);
}

/** Takes columns from the widest that may give way, until the table fits or none may any more. */
function fit(
  wanted: readonly { readonly columns: number; readonly least: number }[],
  most: number | undefined,
): number[] {
  const widths = wanted.map(({ columns }) => columns);
  if (most === undefined) return widths;
  let over = widths.reduce((sum, width) => sum + width, gap.length * (widths.length - 1)) - most;
  while (over > 0) {
    const spare = widths.map((width, at) => (width > (wanted[at]?.least ?? 0) ? width : 0));
    const widest = spare.indexOf(Math.max(...spare));
    if (spare[widest] === 0) break;
    widths[widest] = (widths[widest] ?? 0) - 1;
    over -= 1;
  }
  return widths;
}

function joined(cells: readonly string[]): string {
  return cells.join(gap).trimEnd();
}
