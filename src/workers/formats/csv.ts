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
import { bodyText, tooLarge, written } from "./stream.ts";

const one = "is one character";

export const csv = defineFormat({
  name: "csv",
  docs: "CSV as commons-csv reads and writes it: a list of records, each a list, or a map by the names of the columns. Written records end with CRLF; a map or a list of maps and lists can be written.",
  options: (z, { text, flag, oneOf, refused }) => {
    const character = (words: string) =>
      text(words)
        .refine((given) => given.length === 1, one)
        .optional();
    return z.object({
      format: oneOf(
        dialectNames,
        "The form of CSV that the other options change; EXCEL, MYSQL and others differ in separators, quotes and empty lines.",
      ).default("DEFAULT"),
      formatName: refused("it is called format"),
      delimiter: character("The character between two values; a comma by default, of some formats another."),
      quote: character("The character around values that hold a delimiter; a double quote by default."),
      quoteDisabled: flag("Reads and writes without quotes.").default(false),
      quoteMode: oneOf(
        ["ALL", "ALL_NON_NULL", "MINIMAL", "NON_NUMERIC", "NONE"],
        "Which values are written in quotes; by default those that need it.",
      ).optional(),
      escape: character("The character that takes the meaning from the one behind it; none by default."),
      escapeDisabled: flag("Uses no escape character, whatever the format has.").default(false),
      commentMarker: character("Lines that begin with this character are not read."),
      commentMarkerDisabled: flag("Reads lines that begin with a comment character, whatever the format has.").default(
        false,
      ),
      recordSeparator: text("What ends a written record; CRLF by default, of some formats a line feed.").optional(),
      recordSeparatorDisabled: flag("Writes nothing between records.").default(false),
      nullString: text("The text that stands for null, read and written.").optional(),
      nullStringDisabled: flag("Takes no text for null, whatever the format has.").default(false),
      header: z
        .union([
          text("The names of the columns, such as `id,name`: written as the first record, and keys of maps."),
          z.array(text("The names of the columns, such as `id,name`: written as the first record, and keys of maps.")),
        ])
        .refine((columns) => columns.length > 0, "header names the columns, such as 'id,name': leave it out for none")
        .optional(),
      headerDisabled: flag("Writes no record of names, and takes none for reading.").default(false),
      skipHeaderRecord: flag(
        "When reading, the first record is not data; when writing, the names are left out.",
      ).default(false),
      allowMissingColumnNames: flag(
        "Reads a first record in which a column has no name; without this it fails, but for the format EXCEL.",
      ).optional(),
      ignoreHeaderCase: flag("Names that differ in case only are one column.").default(false),
      ignoreEmptyLines: flag("Leaves out empty lines when reading; by default as the format has it.").optional(),
      ignoreSurroundingSpaces: flag(
        "Leaves out spaces around values when reading; by default as the format has it.",
      ).optional(),
      trim: flag("Takes spaces off both ends of values; by default as the format has it.").optional(),
      trailingDelimiter: flag("Writes a delimiter after the last value, and takes one when reading.").optional(),
      useMaps: flag("Reads each record as a map; the keys are `header`, else the first record.").default(false),
      useOrderedMaps: flag("Does the same as `useMaps`: maps keep their order here.").default(false),
      lazyLoad: flag("Reads a record when `split` takes it, so that a large text is never a list in memory.").default(
        false,
      ),
      captureHeaderRecord: flag("Puts the names of the first record into the header CamelCsvHeaderRecord.").default(
        false,
      ),
      marshallerFactoryRef: refused("there is no registry of beans: shape the body before marshal"),
      recordConverterRef: refused("there is no registry of beans: shape the records after unmarshal"),
    });
  },
  example: "unmarshal: { csv: { useMaps: true } }",
  marshal(options, limits) {
    const dialect = dialectOf(options);
    const columns = options.headerDisabled ? undefined : columnsOf(options.header);
    const head = options.skipHeaderRecord ? undefined : columns;
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
      const text = bodyText(exchange, body);
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

/**
 * Writes maps by `columns`, or all their values, and lists with all elements. Throws NoTypeConversionAvailableException
 * for any other record.
 */
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
