/**
 * Reads a CSV text's records as lists, or as maps by the names of the columns (commons-csv: CSVParser.createHeaders;
 * Camel: CsvUnmarshaller).
 */
import { FlowException, limitExceeded } from "../engine/exception.ts";
import type { Dialect } from "./csv-dialect.ts";
import { CsvReader, type CsvRecord } from "./csv-reader.ts";
import { putEntry } from "./plain-map.ts";

export interface ReadOptions {
  readonly dialect: Dialect;
  /** Fixed names; undefined: no names; empty: the first record has the names. */
  readonly header: readonly string[] | undefined;
  readonly skipHeaderRecord: boolean;
  readonly ignoreHeaderCase: boolean;
  readonly maps: boolean;
}

export interface CsvText {
  /** Names of the columns, in their order. */
  readonly names: readonly string[];
  /** The records in order; the text is read as they are taken. */
  readonly records: Iterator<unknown>;
}

export function readCsv(text: string, options: ReadOptions): CsvText {
  const { dialect, header, skipHeaderRecord, maps } = options;
  const reader = new CsvReader(text, dialect);
  const automatic = header?.length === 0 || (header === undefined && (maps || skipHeaderRecord));
  const first = automatic || skipHeaderRecord ? reader.record() : undefined;
  const columns = columnsOf(automatic ? (first ?? []) : (header ?? []), options);
  const names = columns.map(([name]) => name);
  const last = lastOfName(columns, options.ignoreHeaderCase);
  return { names, records: walk(reader, maps ? (record) => mapOf(record, last) : (record) => record) };
}

/**
 * Reads all records. Throws LimitExceededException for more than `most` values, a share of messageBodyBytes, since a
 * value takes more memory than a character of text.
 */
export function allRecords(records: Iterator<unknown>, most: number): unknown[] {
  const list: unknown[] = [];
  let size = 0;
  for (let next = records.next(); next.done !== true; next = records.next()) {
    size += 1 + (Array.isArray(next.value) ? next.value.length : 1);
    if (size > most) {
      const bound = `unmarshal makes at most ${most} records and values of a CSV text, unless you read it with lazyLoad and split`;
      throw limitExceeded("messageBodyBytes", bound);
    }
    list.push(next.value);
  }
  return list;
}

function* walk(reader: CsvReader, convert: (record: CsvRecord) => unknown): Generator<unknown> {
  for (let record = reader.record(); record !== undefined; record = reader.record()) yield convert(record);
}

type Column = readonly [name: string, index: number];

function columnsOf(header: readonly (string | null)[], { dialect }: ReadOptions): Column[] {
  const columns: Column[] = [];
  header.forEach((name, index) => {
    if ((name ?? "").trim() === "" && !dialect.allowMissingColumnNames) {
      const shown = header.slice(0, 20).join(", ");
      throw new FlowException("java.lang.IllegalArgumentException", `A header name is missing in [${shown}]`);
    }
    if (name !== null) columns.push([name, index]);
  });
  return columns;
}

/** Keeps the last of several columns with the same name. */
function lastOfName(columns: readonly Column[], ignoreCase: boolean): Column[] {
  const byName = new Map<string, Column>();
  for (const [name, index] of columns) {
    const key = ignoreCase ? name.toLowerCase() : name;
    byName.set(key, [byName.get(key)?.[0] ?? name, index]);
  }
  return [...byName.values()].sort(([, a], [, b]) => a - b);
}

/** A record may be shorter than the header; further values have no name and are dropped. */
function mapOf(record: CsvRecord, columns: readonly Column[]): unknown {
  const map: Record<string, unknown> = {};
  for (const [name, index] of columns) {
    if (index >= record.length) break;
    putEntry(map, name, record[index]);
  }
  return map;
}
