/** Writes records of CSV exactly as commons-csv does (CSVFormat.print). */
import { asText } from "../engine/convert.ts";
import type { Dialect } from "./csv-dialect.ts";
import { trimmed } from "./csv-reader.ts";

/** Writes one record with its separator. */
export function writeRecord(values: Iterable<unknown>, dialect: Dialect, maxBytes: number): string {
  let line = "";
  let first = true;
  for (const value of values) {
    if (!first) line += dialect.delimiter;
    line += writeValue(value, first, dialect, maxBytes);
    first = false;
  }
  if (dialect.trailingDelimiter) line += dialect.delimiter;
  return line + (dialect.recordSeparator ?? "");
}

function writeValue(value: unknown, first: boolean, dialect: Dialect, maxBytes: number): string {
  const { quote, nullString, quoteMode } = dialect;
  if (value === null || value === undefined) {
    return quoteMode === "ALL" && nullString !== undefined
      ? `${quote ?? ""}${nullString}${quote ?? ""}`
      : (nullString ?? "");
  }
  const rendered = asText(value, maxBytes);
  const text = dialect.trim ? trimmed(rendered) : rendered;
  if (quote === undefined || quoteMode === "NONE") return escaped(text, dialect);
  return needsQuotes(value, text, first, dialect, quote) ? quoted(text, dialect, quote) : text;
}

function needsQuotes(value: unknown, text: string, first: boolean, dialect: Dialect, quote: string): boolean {
  const { quoteMode, delimiter } = dialect;
  if (quoteMode === "ALL" || quoteMode === "ALL_NON_NULL") return true;
  if (quoteMode === "NON_NUMERIC") return typeof value !== "number" && typeof value !== "bigint";
  // A record of one empty value would otherwise be an empty line.
  if (text === "") return first;
  if (text.charCodeAt(0) <= 35 || text.charCodeAt(text.length - 1) <= 32) return true;
  for (const character of [delimiter, quote, "\n", "\r"]) if (text.includes(character)) return true;
  return dialect.escape !== undefined && text.includes(dialect.escape);
}

function quoted(text: string, dialect: Dialect, quote: string): string {
  const mark = dialect.escape ?? quote;
  let inner = mark === quote ? text : text.replaceAll(mark, () => mark + mark);
  inner = inner.replaceAll(quote, () => mark + quote);
  return quote + inner + quote;
}

function escaped(text: string, { escape: mark, delimiter }: Dialect): string {
  if (mark === undefined) return text;
  return text
    .replaceAll(mark, () => mark + mark)
    .replaceAll(delimiter, () => mark + delimiter)
    .replaceAll("\n", () => `${mark}n`)
    .replaceAll("\r", () => `${mark}r`);
}
