/** Tables in columns, as wide as their content or the terminal. */
import { plainLine, type Style, type Terminal } from "./terminal.ts";

export interface Column<Row> {
  readonly title: string;
  readonly text: (row: Row) => string;
  readonly style?: (row: Row) => Style | undefined;
  /** Numbers stand at the right. */
  readonly right?: boolean;
}

/** A column that has to give way keeps this many characters. */
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
  const cells = rows.map((row) => columns.map((column) => plainLine(column.text(row))));
  const widths = fit(
    columns.map(({ title }, at) => Math.max(title.length, ...cells.map((line) => line[at]?.length ?? 0))),
    terminal.width,
  );
  terminal.say(
    terminal.paint(
      "bold",
      joined(columns.map(({ title, right }, at) => padded(title, widths[at] ?? 0, right === true))),
    ),
  );
  for (const [index, row] of rows.entries()) {
    const line = columns.map(({ style, right }, at) => {
      const text = padded(cells[index]?.[at] ?? "", widths[at] ?? 0, right === true);
      const wanted = style?.(row);
      return wanted === undefined ? text : terminal.paint(wanted, text);
    });
    terminal.say(joined(line));
  }
}

/** Takes characters from the widest column until the table fits. */
function fit(widths: readonly number[], most: number | undefined): number[] {
  const fitted = [...widths];
  if (most === undefined) return fitted;
  let over = fitted.reduce((sum, width) => sum + width, gap.length * (fitted.length - 1)) - most;
  while (over > 0) {
    const widest = fitted.indexOf(Math.max(...fitted));
    const width = fitted[widest] ?? 0;
    if (width <= least) break;
    fitted[widest] = width - 1;
    over -= 1;
  }
  return fitted;
}

function padded(text: string, width: number, right: boolean): string {
  const cut = text.length > width ? `${text.slice(0, Math.max(0, width - 1))}…` : text;
  return right ? cut.padStart(width) : cut.padEnd(width);
}

function joined(cells: readonly string[]): string {
  return cells.join(gap).trimEnd();
}
