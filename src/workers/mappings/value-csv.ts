/**
 * A value mapping as CSV (RFC 4180): the first record names the columns, each other record is a row. An empty field is
 * no value, `""` is the empty text. `|` separates several values of a cell; a bar inside a value is written `\|`. A
 * backslash is special only before a bar: `\\|` is a backslash at the end of a value. Columns named `when.country` hold
 * the rows' qualifier `country`. All values are texts.
 */
import { AppError } from "../../shared/errors.ts";
import { decodeText, parseJson } from "../../shared/json.ts";
import { defaultLimits, type Limits } from "../../shared/limits.ts";
import type { Scalar, ValueMappingModel, ValueRow } from "../../shared/mapping-models.ts";
import { isPlainObject } from "../engine/convert.ts";
import { FlowException } from "../engine/exception.ts";
import { type Dialect, dialectOf } from "../formats/csv-dialect.ts";
import { CsvReader, type CsvRecord } from "../formats/csv-reader.ts";
import { checkColumns, type Places, readCell, readQualifiers } from "./value-cells.ts";
import { readValueDocument, type ValueDocument } from "./value-document.ts";
import { Findings, shown } from "./value-findings.ts";

export interface ImportedCsv {
  readonly document: ValueDocument;
  /** The equivalent JSON document in the documented form. */
  readonly kept: string;
}

/** Returns undefined when the text has problems, which `findings` has then. */
export function readValueCsv(bytes: Uint8Array, limits: Limits, findings: Findings): ImportedCsv | undefined {
  const text = readText(bytes, findings);
  if (text === undefined) return undefined;
  const reader = new CsvReader(text, valueCsv);
  try {
    return read(reader, new Lines(text), limits, findings);
  } catch (error) {
    if (!(error instanceof FlowException)) throw error;
    const lines = new Lines(text);
    if (reader.position < text.length)
      findings.problem(lines.place(reader.position), "after a closing quote comes a comma or the end of the line");
    else findings.problem(lines.place(reader.begun), "a quoted value that begins in this record has no closing quote");
    return undefined;
  }
}

function readText(bytes: Uint8Array, findings: Findings): string | undefined {
  try {
    return decodeText(bytes).replace(/^\ufeff/, "");
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    findings.problem("", error.message);
    return undefined;
  }
}

interface Column {
  readonly name: string;
  /** true: the column is a qualifier of `when`. */
  readonly qualifier: boolean;
}

function read(reader: CsvReader, lines: Lines, limits: Limits, findings: Findings): ImportedCsv | undefined {
  const header = (reader.record() ?? []).map(columnOf);
  const names = header.filter(({ qualifier }) => !qualifier).map(({ name }) => name);
  const [only] = names;
  if (names.length === 1 && only?.includes(";") === true)
    findings.problem("line 1", `the only column is ${shown(only)}: separate columns by commas`);
  else checkColumns(names, "line 1", findings);
  const rows: ValueRow[] = [];
  const begins: number[] = [];
  while (findings.sound) {
    const record = reader.record();
    if (record === undefined) break;
    if (record.every((field) => field === null)) continue;
    const line = lines.line(reader.begun);
    if (record.length !== header.length) {
      const message = `${record.length} fields where the header has ${header.length}: quote a value with a comma in it`;
      findings.problem(`line ${line}`, message);
    } else if (rows.length === limits.mappingRows) {
      findings.problem(`line ${line}`, `a value mapping has at most ${limits.mappingRows} rows`);
    } else {
      rows.push(rowOf(record, header, line, findings));
      begins.push(line);
    }
  }
  if (!findings.sound) return undefined;
  const places: Places = {
    row: (row) => `line ${begins[row]}`,
    cell: (row, name) => cellPlace(begins[row] ?? 0, header, name),
  };
  const model = { columns: names, rows, caseSensitive: true, trim: false, typed: false, oneWay: false, lookups: [] };
  return {
    document: { name: "", shared: false, model, tests: [], onAmbiguous: "error", places },
    kept: documentOf(names, rows),
  };
}

function columnOf(field: string | null): Column {
  const name = (field ?? "").trim();
  return name.startsWith("when.") ? { name: name.slice(5), qualifier: true } : { name, qualifier: false };
}

function rowOf(record: CsvRecord, header: readonly Column[], line: number, findings: Findings): ValueRow {
  const cells: ValueRow["cells"][number][] = [];
  const when: Record<string, string> = Object.create(null);
  header.forEach(({ name, qualifier }, at) => {
    const field = record[at] ?? null;
    if (!qualifier)
      cells.push(field === null ? [] : readCell(valuesOf(field), () => cellPlace(line, header, name), findings));
    else if (field !== null) when[name] = field;
  });
  return Object.keys(when).length === 0 ? { cells } : { cells, when: readQualifiers(when, `line ${line}`, findings) };
}

function cellPlace(line: number, header: readonly Column[], name: string): string {
  const column = header.findIndex((one) => !one.qualifier && one.name === name);
  return `line ${line}, column ${column + 1} (${shown(name)})`;
}

/** `a|b\|c` -> `a`, `b|c`. */
function valuesOf(field: string): readonly string[] {
  if (!field.includes("|")) return [field];
  const values: string[] = [];
  let value = "";
  let from = 0;
  for (let bar = field.indexOf("|"); bar >= 0; bar = field.indexOf("|", from)) {
    let slashes = 0;
    while (bar - slashes > from && field[bar - slashes - 1] === "\\") slashes += 1;
    value += field.slice(from, bar - slashes) + "\\".repeat(slashes >> 1);
    if (slashes % 2 === 1) value += "|";
    else {
      values.push(value);
      value = "";
    }
    from = bar + 1;
  }
  values.push(value + field.slice(from));
  return values;
}

/** Writes the columns as a list, since an object does not keep the order of numeric names. */
function documentOf(columns: readonly string[], rows: readonly ValueRow[]): string {
  const written = rows.map(({ cells, when }) => {
    const entries = cells.flatMap((values, at) =>
      values.length === 0 ? [] : [[columns[at] as string, values.length === 1 ? values[0] : values] as const],
    );
    const own = Object.fromEntries<unknown>(entries);
    return when === undefined ? own : { ...own, when: Object.fromEntries(when) };
  });
  return JSON.stringify({ columns, rows: written });
}

/** Finds lines and columns of a text, counted from 1. Fast when asked in ascending order. */
class Lines {
  readonly #text: string;
  #at = 0;
  #line = 1;

  constructor(text: string) {
    this.#text = text;
  }

  line(index: number): number {
    if (index < this.#at) {
      this.#at = 0;
      this.#line = 1;
    }
    for (; this.#at < index; this.#at++) {
      const code = this.#text.charCodeAt(this.#at);
      // A carriage return ends a line; together with a line feed after it they end one line.
      if (code === 10 || (code === 13 && this.#text.charCodeAt(this.#at + 1) !== 10)) this.#line += 1;
    }
    return this.#line;
  }

  place(index: number): string {
    const start = Math.max(this.#text.lastIndexOf("\n", index - 1), this.#text.lastIndexOf("\r", index - 1)) + 1;
    return `line ${this.line(index)}, column ${index - start + 1}`;
  }
}

/** An empty field without quotes is null; in quotes it is the empty text. */
export const valueCsv: Dialect = dialectOf({
  format: "RFC4180",
  quoteMode: "ALL_NON_NULL",
  ignoreEmptyLines: true,
  quoteDisabled: false,
  escapeDisabled: false,
  commentMarkerDisabled: false,
  recordSeparatorDisabled: false,
  nullStringDisabled: false,
});

/**
 * Writes columns, rows and qualifiers of the document. CSV has no place for its name, rules and tests, and null becomes
 * no value. Throws Error with the reason for a document that cannot be read.
 */
export function valueMappingCsv(document: string): string {
  const value = parseJson(new TextEncoder().encode(document));
  if (!isPlainObject(value)) throw new Error("a value mapping is a JSON object");
  const limits = { ...defaultLimits, mappingRows: Number.MAX_SAFE_INTEGER };
  const { model } = readValueDocument(value, limits, new Findings());
  const qualifiers = [...new Set(model.rows.flatMap(({ when }) => [...(when?.keys() ?? [])]))].sort();
  const header = [...model.columns, ...qualifiers.map((name) => `when.${name}`)];
  return [header.map(quoted).join(","), ...records(model, qualifiers), ""].join("\r\n");
}

function* records({ rows }: ValueMappingModel, qualifiers: readonly string[]): Generator<string> {
  for (const { cells, when } of rows) {
    const fields = [...cells.map(fieldOf), ...qualifiers.map((name) => scalarText(when?.get(name)))];
    // An empty line is not a row.
    if (fields.some((field) => field !== "")) yield fields.join(",");
  }
}

function fieldOf(values: readonly Scalar[]): string {
  const texts = values.filter((value) => value !== null).map(String);
  if (texts.length === 0) return "";
  const last = texts.length - 1;
  return quoted(texts.map((text, at) => escaped(text, at < last)).join("|"));
}

function scalarText(value: Scalar | undefined): string {
  return value === undefined || value === null ? "" : quoted(String(value));
}

/** Backslashes before a bar are doubled. */
function escaped(text: string, barFollows: boolean): string {
  const inner = text.replace(/(\\*)\|/g, "$1$1\\|");
  return barFollows ? inner.replace(/\\+$/, "$&$&") : inner;
}

function quoted(text: string): string {
  return text === "" || /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
