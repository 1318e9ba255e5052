/** Ranges as the tables of spreadsheets on the clipboard: fields between tabs, rows between line ends. */
import { CsvError, parse } from "csv-parse/browser/esm/sync";
import { type Cell, cellText, emptyCell, parseCell, parseScalar, scalarText } from "./cell-text.ts";
import { columnsOf, type Range, rowsOf, sizeOf } from "./ranges.ts";
import { type Column, cellAt, type Sheet, setRange } from "./sheet.ts";

/** What was copied here last: pasted again, the values keep their types. */
interface Copied {
  readonly text: string;
  readonly cells: readonly (readonly Cell[])[];
}

let copied: Copied | undefined;

/** The text of a range for the clipboard. */
export function copyRange(sheet: Sheet, range: Range): string {
  const cells = [...rowsOf(range)].map((row) => [...columnsOf(range)].map((column) => cellAt(sheet, row, column)));
  const text = cells.map((row) => row.map((cell) => quoted(cellText(cell))).join("\t")).join("\n");
  copied = { text, cells };
  return text;
}

export interface Pasted {
  readonly sheet: Sheet;
  /** The cells that were pasted into. */
  readonly range: Range;
  /** Columns that there was no room for. */
  readonly lost: number;
}

/**
 * Pastes a table with its upper left corner in that of the range; rows are added where there are too few. One cell fills
 * the whole range, and so does a table of which the range is a multiple.
 */
export function paste(sheet: Sheet, range: Range, text: string): Pasted {
  const known = copied?.text === withoutEnd(text) ? copied.cells : undefined;
  const table = known ?? fieldsOf(text);
  const [height, width] = [table.length, Math.max(1, ...table.map((row) => row.length))];
  const { rows, columns } = sizeOf(range);
  const fills = rows % height === 0 && columns % width === 0;
  const [down, across] = fills ? [rows, columns] : [height, width];
  const right = Math.min(range.left + across, sheet.columns.length) - 1;
  const target = { top: range.top, left: range.left, bottom: range.top + down - 1, right };
  const pasted = setRange(sheet, target, (row, column) => {
    const value = table[(row - range.top) % height]?.[(column - range.left) % width];
    if (value === undefined) return emptyCell;
    return typeof value === "string"
      ? readCell(value, cellAt(sheet, row, column), sheet.columns[column])
      : oneOf(value, sheet.columns[column]);
  });
  return { sheet: pasted, range: target, lost: range.left + across - 1 - right };
}

/** Reads what was typed or pasted into a column: a qualifier has one value. */
export function readCell(text: string, before: Cell, column: Column | undefined): Cell {
  if (column?.kind !== "qualifier") return parseCell(text, before);
  return text === "" ? emptyCell : [parseScalar(text, before[0])];
}

/** The text of a cell for its editor. */
export function textOfCell(cell: Cell, column: Column | undefined): string {
  const [only] = cell;
  return column?.kind === "qualifier" && only !== undefined ? scalarText(only) : cellText(cell);
}

function oneOf(cell: Cell, column: Column | undefined): Cell {
  return column?.kind === "qualifier" ? cell.slice(0, 1) : cell;
}

function fieldsOf(text: string): readonly (readonly string[])[] {
  const table = withoutEnd(text);
  if (!table.includes('"')) return table.split("\n").map((line) => line.split("\t"));
  try {
    // Spreadsheets quote what has tabs, quotes or line ends.
    return parse(table, { delimiter: "\t", relax_quotes: true, relax_column_count: true, skip_empty_lines: false });
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    // The text of another program, which has quotes as they are.
    return table.split("\n").map((line) => line.split("\t"));
  }
}

/** Spreadsheets end the last row, too. */
function withoutEnd(text: string): string {
  return text.replace(/\r\n?/g, "\n").replace(/\n$/, "");
}

function quoted(text: string): string {
  return /[\t\n\r"]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
