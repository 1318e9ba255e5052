/**
 * Reads CSV record by record exactly as commons-csv does (Lexer, CSVParser): no library supports its escapes and
 * comments.
 */
import { FlowException } from "../engine/exception.ts";
import type { Dialect } from "./csv-dialect.ts";

export type CsvRecord = (string | null)[];

const newline = 10;
const carriageReturn = 13;
const escapes: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t", b: "\b", f: "\f" };
/** java.lang.Character.isWhitespace */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these count as white space.
const space = /[\t-\r\x1c-\x20\u1680\u2000-\u2006\u2008-\u200a\u2028\u2029\u205f\u3000]/;

export class CsvReader {
  readonly #text: string;
  readonly #dialect: Dialect;
  /** Character codes; -1 where the dialect has none. */
  readonly #delimiter: number;
  readonly #quote: number;
  readonly #escape: number;
  #at = 0;
  #begun = 0;
  /** The value of the last token. */
  #value = "";
  #quoted = false;

  constructor(text: string, dialect: Dialect) {
    this.#text = text;
    this.#dialect = dialect;
    this.#delimiter = dialect.delimiter.charCodeAt(0);
    this.#quote = dialect.quote?.charCodeAt(0) ?? -1;
    this.#escape = dialect.escape?.charCodeAt(0) ?? -1;
  }

  /** The position in the text; after a failure, the position of the fault. */
  get position(): number {
    return this.#at;
  }

  /** The position of the last record. */
  get begun(): number {
    return this.#begun;
  }

  /** Returns undefined after the last record. Throws CSVException. */
  record(): CsvRecord | undefined {
    if (!this.#toRecord()) return undefined;
    this.#begun = this.#at;
    const record: CsvRecord = [];
    for (;;) {
      const more = this.#token();
      const value = this.#dialect.trim ? trimmed(this.#value) : this.#value;
      if (more || value !== "" || !this.#dialect.trailingDelimiter) record.push(this.#nullOr(value));
      // A copy, because a list that has grown keeps room for more: three times the memory of a short record.
      if (!more) return record.length === 0 ? undefined : record.slice();
    }
  }

  /** Skips empty lines and comments; returns false at the end of the text. */
  #toRecord(): boolean {
    const { ignoreEmptyLines, commentMarker } = this.#dialect;
    while (this.#at < this.#text.length) {
      if (ignoreEmptyLines && this.#skipBreak()) continue;
      if (commentMarker === undefined || this.#text[this.#at] !== commentMarker) return true;
      while (this.#at < this.#text.length && !this.#skipBreak()) this.#at++;
    }
    return false;
  }

  /** Reads one value; returns false after the record's last one. */
  #token(): boolean {
    const text = this.#text;
    if (this.#dialect.ignoreSurroundingSpaces) while (this.#isSpace()) this.#at++;
    this.#quoted = this.#at < text.length && text.charCodeAt(this.#at) === this.#quote;
    if (this.#quoted) return this.#quotedToken();
    let value = "";
    let from = this.#at;
    for (;;) {
      const code = this.#at < text.length ? text.charCodeAt(this.#at) : newline;
      if (code === this.#delimiter || code === newline || code === carriageReturn) break;
      if (code === this.#escape) {
        value += text.slice(from, this.#at) + this.#escaped();
        from = this.#at;
      } else this.#at++;
    }
    value += text.slice(from, this.#at);
    this.#value = this.#dialect.ignoreSurroundingSpaces ? withoutEnd(value) : value;
    return this.#endToken();
  }

  #quotedToken(): boolean {
    const text = this.#text;
    const start = this.#at;
    this.#at++;
    let value = "";
    let from = this.#at;
    for (;;) {
      if (this.#at >= text.length) {
        if (!this.#dialect.lenient)
          throw failure(`(startline ${this.#lineOf(start)}) EOF reached before encapsulated token finished`);
        break;
      }
      const code = text.charCodeAt(this.#at);
      if (code === this.#quote) {
        value += text.slice(from, this.#at);
        if (text.charCodeAt(this.#at + 1) !== this.#quote) break;
        from = this.#at + 1;
        this.#at += 2;
      } else if (code === this.#escape) {
        value += text.slice(from, this.#at) + this.#escaped();
        from = this.#at;
      } else this.#at++;
    }
    if (this.#at >= text.length) value += text.slice(from);
    this.#at++;
    this.#value = value + this.#afterQuote();
    return this.#endToken();
  }

  /** Reads the text between a closing quote and the value's end; white space is ignored. */
  #afterQuote(): string {
    const from = this.#at;
    for (; this.#at < this.#text.length; this.#at++) {
      const code = this.#text.charCodeAt(this.#at);
      if (code === this.#delimiter || code === newline || code === carriageReturn) break;
      if (this.#dialect.lenient || space.test(this.#text.charAt(this.#at))) continue;
      const where = `at line: ${this.#lineOf(this.#at)}, position: ${this.#at + 1}`;
      throw failure(`Invalid character between encapsulated token and delimiter ${where}`);
    }
    return this.#dialect.lenient ? this.#text.slice(from, this.#at) : "";
  }

  /** Skips the delimiter or the line break after a value; returns true if another value follows. */
  #endToken(): boolean {
    if (this.#at < this.#text.length && this.#text.charCodeAt(this.#at) === this.#delimiter) {
      this.#at++;
      return true;
    }
    this.#skipBreak();
    return false;
  }

  /** Returns the character that an escape stands for; before other characters the escape is literal. */
  #escaped(): string {
    const next = this.#text[this.#at + 1];
    if (next === undefined) throw failure("EOF while processing escape sequence");
    this.#at += 2;
    const { delimiter, quote, escape: mark, commentMarker } = this.#dialect;
    if (Object.hasOwn(escapes, next)) return escapes[next] as string;
    if (/[\r\n\f\t\b]/.test(next) || [delimiter, quote, mark, commentMarker].includes(next)) return next;
    return `${mark}${next}`;
  }

  #skipBreak(): boolean {
    const code = this.#text.charCodeAt(this.#at);
    if (code === carriageReturn) this.#at += this.#text.charCodeAt(this.#at + 1) === newline ? 2 : 1;
    else if (code === newline) this.#at++;
    else return false;
    return true;
  }

  #isSpace(): boolean {
    const character = this.#text.charAt(this.#at);
    return character !== this.#dialect.delimiter && !/[\r\n]/.test(character) && space.test(character);
  }

  /** CSVParser.handleNull */
  #nullOr(value: string): string | null {
    const { nullString, quoteMode } = this.#dialect;
    const strict = quoteMode === "ALL_NON_NULL" || quoteMode === "NON_NUMERIC";
    if (value === nullString) return strict && this.#quoted ? value : null;
    return strict && nullString === undefined && value === "" && !this.#quoted ? null : value;
  }

  #lineOf(index: number): number {
    return this.#text.slice(0, index).split(/\r\n|[\r\n]/).length;
  }
}

/** java.lang.String.trim */
export function trimmed(text: string): string {
  let from = 0;
  let end = text.length;
  while (from < end && text.charCodeAt(from) <= 32) from++;
  while (end > from && text.charCodeAt(end - 1) <= 32) end--;
  return text.slice(from, end);
}

function withoutEnd(text: string): string {
  let end = text.length;
  while (end > 0 && space.test(text.charAt(end - 1))) end--;
  return text.slice(0, end);
}

function failure(message: string): FlowException {
  return new FlowException("java.io.UncheckedIOException", `org.apache.commons.csv.CSVException: ${message}`);
}
