/**
 * A table as CSV, as the runtime has it: an empty field is no value, `""` the empty text, `|` separates values, columns
 * `when.NAME` are qualifiers. Files of spreadsheets with semicolons or tabs are read, too.
 */
import { CsvError, parse } from "csv-parse/browser/esm/sync";
import { type Cell, emptyCell, joined, splitBars } from "./cell-text.ts";
import { type Column, type Sheet, titleOf } from "./sheet.ts";

export const delimiters = [",", ";", "\t"] as const;
export type Delimiter = (typeof delimiters)[number];

export type ReadCsv =
  | { readonly kind: "read"; readonly sheet: Sheet; readonly delimiter: Delimiter }
  /** `line`: where reading ended; undefined: it is about the whole file. */
  | { readonly kind: "refused"; readonly message: string; readonly line: number | undefined };

/** `null`: an empty field; a text: what stood in it, `""` when that was an empty text in quotes. */
type Field = string | null;

/** Reads a file. Without `delimiter` the one is taken that makes the most of the first lines. */
export function readCsv(text: string, delimiter: Delimiter = delimiterOf(text)): ReadCsv {
  let records: readonly (readonly Field[])[];
  try {
    records = recordsOf(text, delimiter);
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const line = typeof error["lines"] === "number" ? error["lines"] : undefined;
    return { kind: "refused", message: error.message, line };
  }
  const [header, ...rows] = records;
  if (header === undefined) return { kind: "refused", message: "the file is empty", line: undefined };
  const columns = header.map((field): Column => {
    const name = (field ?? "").trim();
    return name.startsWith("when.") ? { name: name.slice(5), kind: "qualifier" } : { name, kind: "values" };
  });
  const filled = rows.filter((row) => row.some((field) => field !== null));
  const cells = filled.map((row) => ({ cells: columns.map((column, at) => cellOf(row[at] ?? null, column)) }));
  return { kind: "read", sheet: { columns, rows: cells }, delimiter };
}

/** Types and null have no place in CSV: a number is written as its digits, null as no value. */
export function writeCsv({ columns, rows }: Sheet, delimiter: Delimiter = ","): string {
  const quoted = (text: string): string =>
    text === "" || text.includes(delimiter) || /["\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  const fieldOf = (cell: Cell, { kind }: Column): string => {
    const values = cell.filter((value) => value !== null);
    if (values.length === 0) return "";
    return quoted(kind === "qualifier" ? String(values[0]) : joined(values));
  };
  const lines = rows
    .map(({ cells }) => columns.map((column, at) => fieldOf(cells[at] ?? emptyCell, column)))
    // An empty line is not a row.
    .filter((fields) => fields.some((field) => field !== ""))
    .map((fields) => fields.join(delimiter));
  return [columns.map((column) => quoted(titleOf(column))).join(delimiter), ...lines, ""].join("\r\n");
}

function cellOf(field: Field, { kind }: Column): Cell {
  if (field === null) return emptyCell;
  return kind === "qualifier" ? [field] : splitBars(field);
}

function recordsOf(text: string, delimiter: Delimiter, to?: number): readonly (readonly Field[])[] {
  return parse(text, {
    delimiter,
    bom: true,
    skip_empty_lines: true,
    // Only the parser knows whether an empty field stood in quotes.
    cast: (value, { quoting }) => (value === "" && !quoting ? null : value),
    ...(to === undefined ? {} : { to, relax_column_count: true }),
  }) as unknown as readonly (readonly Field[])[];
}

/** The delimiter with which the first records have the most columns, all of them the same number. */
function delimiterOf(text: string): Delimiter {
  const widths = delimiters.map((delimiter) => {
    try {
      const [first = 0, ...others] = recordsOf(text, delimiter, 20).map((record) => record.length);
      return others.every((width) => width === first) ? first : 1;
    } catch (error) {
      if (!(error instanceof CsvError)) throw error;
      return 0;
    }
  });
  const best = widths.indexOf(Math.max(...widths));
  return delimiters[best] ?? ",";
}
