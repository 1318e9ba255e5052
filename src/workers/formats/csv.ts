/** The data format `csv` (Camel: CsvDataFormat on commons-csv). */
import type { Limits } from "../../shared/limits.ts";
import { noConverter } from "../engine/conversion.ts";
import { asValue, isPlainObject } from "../engine/convert.ts";
import type { Exchange } from "../engine/exchange.ts";
import { defineFormat } from "../engine/format.ts";
import { LazyList } from "../engine/lazy-list.ts";
import { type Dialect, dialectNames, dialectOf } from "./csv-dialect.ts";
import { allRecords, readCsv } from "./csv-records.ts";
import { writeRecord } from "./csv-writer.ts";
import { textOf, tooLarge, written } from "./stream.ts";

const one = "is one character";

export const csv = defineFormat({
  name: "csv",
  docs: "CSV as commons-csv reads and writes it: a list of records, each a list, or a map by the names of the columns. Written records end with CRLF; a map or a list of maps and lists can be written.",
  options: (z, { text, flag, oneOf, refused }) => {
    const character = (words?: string) =>
      text(words)
        .refine((given) => given.length === 1, one)
        .optional();
    return z.object({
      format: oneOf(dialectNames).default("DEFAULT").describe("the form that the other options change"),
      formatName: refused("it is called format"),
      delimiter: character().describe("between values; a comma by default"),
      quote: character(),
      quoteDisabled: flag().default(false),
      quoteMode: oneOf(["ALL", "ALL_NON_NULL", "MINIMAL", "NON_NUMERIC", "NONE"])
        .optional()
        .describe("which values are written in quotes; MINIMAL by default"),
      escape: character(),
      escapeDisabled: flag().default(false),
      commentMarker: character().describe("lines that begin with it are not read"),
      commentMarkerDisabled: flag().default(false),
      recordSeparator: text().optional().describe("ends a written record; CRLF by default"),
      recordSeparatorDisabled: flag().default(false),
      nullString: text().optional().describe("stands for null"),
      nullStringDisabled: flag().default(false),
      header: z
        .union([text(), z.array(text())])
        .refine((columns) => columns.length > 0, "header names the columns, such as 'id,name': leave it out for none")
        .optional()
        .describe("names of the columns, separated by commas"),
      headerDisabled: flag().default(false),
      skipHeaderRecord: flag()
        .default(false)
        .describe("reading: the first record has the names; writing: without them"),
      allowMissingColumnNames: flag().optional(),
      ignoreHeaderCase: flag().default(false).describe("names that differ in case only are one column"),
      ignoreEmptyLines: flag().optional(),
      ignoreSurroundingSpaces: flag().optional(),
      trim: flag().optional(),
      trailingDelimiter: flag().optional(),
      useMaps: flag().default(false).describe("records as maps; the first one has the names unless header does"),
      useOrderedMaps: flag().default(false).describe("the same: maps are ordered here"),
      lazyLoad: flag().default(false).describe("records are read as split takes them"),
      captureHeaderRecord: flag().default(false).describe("puts the names into the header CamelCsvHeaderRecord"),
      marshallerFactoryRef: refused("there is no registry of beans: shape the body before marshal"),
      recordConverterRef: refused("there is no registry of beans: shape the records after unmarshal"),
    });
  },
  example: "unmarshal: { csv: { useMaps: true } }",
  marshal(options, limits) {
    const dialect = dialectOf(options);
    const columns = columnsOf(options.header);
    const head = columns === undefined || options.headerDisabled || options.skipHeaderRecord ? undefined : columns;
    return (exchange, body) => written(exchange, writeAll(body, columns, head, dialect, limits), limits);
  },
  unmarshal(options, { messageBodyBytes }) {
    const dialect = dialectOf(options);
    const maps = options.useMaps || options.useOrderedMaps;
    const fixed = options.headerDisabled ? undefined : columnsOf(options.header);
    const header = fixed ?? (options.captureHeaderRecord ? [] : undefined);
    const { skipHeaderRecord, ignoreHeaderCase, lazyLoad, captureHeaderRecord } = options;
    const reading = { dialect, header, maps, ignoreHeaderCase, skipHeaderRecord };
    return (exchange, body) => {
      const text = textOf(exchange, body);
      if (lazyLoad) return new LazyList(() => readCsv(text, reading).records, messageBodyBytes);
      const { names, records } = readCsv(text, reading);
      if (captureHeaderRecord) setNames(exchange, names);
      return allRecords(records, messageBodyBytes / 4);
    };
  },
});

function setNames({ message }: Exchange, names: readonly string[]): void {
  message.headers.set("CamelCsvHeaderRecord", [...names]);
}

function columnsOf(header: string | readonly string[] | undefined): readonly string[] | undefined {
  if (header === undefined) return undefined;
  return typeof header === "string" ? header.split(",") : header;
}

/** Maps by `columns`, or all their values; lists as they are. Throws NoTypeConversionAvailableException for any other record. */
function writeAll(
  body: unknown,
  columns: readonly string[] | undefined,
  head: readonly string[] | undefined,
  dialect: Dialect,
  { messageBodyBytes: most }: Limits,
): string {
  let text = head === undefined ? "" : writeRecord(head, dialect, most);
  for (const record of recordsOf(body)) {
    text += writeRecord(valuesOf(record, columns), dialect, most);
    if (text.length > most) throw tooLarge(most);
  }
  return text;
}

function recordsOf(body: unknown): Iterable<unknown> {
  if (body instanceof LazyList) return body;
  const value = asValue(body);
  if (value === null) return [];
  return Array.isArray(value) || value instanceof Set ? value : [value];
}

function valuesOf(record: unknown, columns: readonly string[] | undefined): Iterable<unknown> {
  const value = asValue(record);
  if (Array.isArray(value)) return value;
  const map = value instanceof Map ? value : isPlainObject(value) ? new Map(Object.entries(value)) : undefined;
  if (map === undefined) throw noConverter(record, "java.util.List");
  return columns === undefined ? map.values() : columns.map((name) => map.get(name));
}
