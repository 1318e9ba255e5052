/**
 * Reads the parameters of a statement as Camel writes them: `#`, `:#name`, `:#in:name`, `:#${simple}`, and the same with
 * `?` (Camel: DefaultSqlPrepareStatementStrategy). Quoted texts, quoted names and comments are left as they are, where
 * Camel replaces marks there, too.
 */
import type { SqlDialect } from "../../connectors/sql-client.ts";

export interface QueryParameter {
  /** position: the next value of the message; name: a value by its name; simple: the value of an expression. */
  readonly kind: "position" | "name" | "simple";
  /** The name, or the expression with its braces. */
  readonly text: string;
  /** true: a list, each element of which becomes a parameter (`:#in:`). */
  readonly list: boolean;
}

export interface Query {
  /** The text as written, for messages. */
  readonly text: string;
  readonly parts: readonly (string | QueryParameter)[];
  /** true: its parameters have names or are expressions. */
  readonly named: boolean;
  /** The number of parameters. */
  readonly count: number;
}

export interface QueryForm {
  /** What marks a parameter beside `?`; undefined: only `?` does. */
  readonly placeholder: string | undefined;
  /** false: a mark is always a value by its position. */
  readonly names: boolean;
  /** false: nothing is a mark. */
  readonly marks?: false | undefined;
  readonly dialect: Pick<SqlDialect, "name" | "backslashes" | "dollarQuotes">;
}

/** Throws an Error that names the fault of the text. */
export function parseQuery(text: string, form: QueryForm): Query {
  if (form.marks === false) return { text, parts: [text], named: false, count: 0 };
  const parts: (string | QueryParameter)[] = [];
  let literal = "";
  let at = 0;
  const keep = (end: number): void => {
    literal += text.slice(at, end);
    at = end;
  };
  while (at < text.length) {
    const quoted = quotedEnd(text, at, form.dialect);
    if (quoted > at) {
      keep(quoted);
      continue;
    }
    const escaped = escapedMark(text, at, form);
    if (escaped !== undefined) {
      literal += escaped.mark;
      at = escaped.end;
      continue;
    }
    const found = parameterAt(text, at, form);
    if (found === undefined) {
      keep(at + 1);
      continue;
    }
    parts.push(literal, found.parameter);
    literal = "";
    at = found.end;
  }
  if (literal !== "") parts.push(literal);
  const parameters = parts.filter((part) => typeof part !== "string");
  const named = parameters.some(({ kind }) => kind !== "position");
  if (named && parameters.some(({ kind }) => kind === "position"))
    throw new Error(
      `a statement has either parameters by position or named ones: give those of '${shown(text)}' names, such as :#id, and write ?? for an operator`,
    );
  return { text, parts, named, count: parameters.length };
}

/** `\#` is the mark itself, and so is `??` for `?`. */
function escapedMark(text: string, at: number, { placeholder }: QueryForm): { mark: string; end: number } | undefined {
  if (text.startsWith("??", at)) return { mark: "?", end: at + 2 };
  if (text[at] !== "\\") return undefined;
  const mark = markAt(text, at + 1, placeholder);
  return mark === undefined ? undefined : { mark, end: at + 1 + mark.length };
}

function markAt(text: string, at: number, placeholder: string | undefined): string | undefined {
  if (placeholder !== undefined && text.startsWith(placeholder, at)) return placeholder;
  return text[at] === "?" ? "?" : undefined;
}

interface Found {
  readonly parameter: QueryParameter;
  readonly end: number;
}

function parameterAt(text: string, at: number, { placeholder, names }: QueryForm): Found | undefined {
  const colon = text[at] === ":" && text[at - 1] !== ":";
  const mark = markAt(text, colon ? at + 1 : at, placeholder);
  if (mark === undefined) return undefined;
  const end = (colon ? at + 1 : at) + mark.length;
  if (!colon) return { parameter: { kind: "position", text: mark, list: false }, end };
  return names ? namedAt(text, end) : undefined;
}

const name = /\w+/y;

/** Reads `name`, `in:name`, `${...}`, `$simple{...}` behind the mark. */
function namedAt(text: string, at: number): Found | undefined {
  const list = text.startsWith("in:", at);
  const from = list ? at + 3 : at;
  const opening = ["${", "$simple{"].find((start) => text.startsWith(start, from));
  if (opening !== undefined) {
    const end = closingBrace(text, from + opening.length);
    return { parameter: { kind: "simple", text: text.slice(from, end), list }, end };
  }
  name.lastIndex = from;
  const word = name.exec(text)?.[0];
  if (word === undefined) return undefined;
  return { parameter: { kind: "name", text: word, list }, end: from + word.length };
}

/** Returns the index behind the brace that closes an expression, in which braces may nest. */
function closingBrace(text: string, from: number): number {
  let open = 1;
  for (let at = from; at < text.length; at++) {
    if (text[at] === "{") open += 1;
    else if (text[at] === "}") open -= 1;
    if (open === 0) return at + 1;
  }
  throw new Error(`an expression of '${shown(text)}' has no closing brace`);
}

/** MySQL reads `--` as two signs unless a blank follows. */
const lineComment = { plain: /^--/, spaced: /^--(?:\s|$)/ } as const;

/** Returns the index behind a quoted text, a quoted name or a comment that begins at `at`; `at` if none does. */
function quotedEnd(text: string, at: number, dialect: QueryForm["dialect"]): number {
  switch (text[at]) {
    case "'":
      return closingQuote(text, at, dialect.backslashes || /(?:^|\W)[eE]$/.test(text.slice(Math.max(0, at - 2), at)));
    case '"':
      return closingQuote(text, at, dialect.backslashes);
    case "`":
      return closingQuote(text, at, false);
    case "-":
      return lineComment[dialect.name === "mysql" ? "spaced" : "plain"].test(text.slice(at, at + 3))
        ? lineEnd(text, at)
        : at;
    case "/":
      return text.startsWith("/*", at) ? commentEnd(text, at, dialect.name === "postgres") : at;
    case "$":
      return dialect.dollarQuotes ? dollarEnd(text, at) : at;
    default:
      return at;
  }
}

/** A doubled quote is part of the text. */
function closingQuote(text: string, from: number, backslashes: boolean): number {
  const quote = text[from];
  for (let at = from + 1; at < text.length; at++) {
    if (backslashes && text[at] === "\\") at += 1;
    else if (text[at] === quote && text[at + 1] === quote) at += 1;
    else if (text[at] === quote) return at + 1;
  }
  return text.length;
}

function lineEnd(text: string, at: number): number {
  const end = text.indexOf("\n", at);
  return end < 0 ? text.length : end;
}

function commentEnd(text: string, from: number, nests: boolean): number {
  let open = 0;
  for (let at = from; at < text.length; at++) {
    if (text.startsWith("/*", at) && (nests || open === 0)) {
      open += 1;
      at += 1;
    } else if (text.startsWith("*/", at)) {
      open -= 1;
      at += 1;
      if (open === 0) return at + 1;
    }
  }
  return text.length;
}

const dollarQuote = /\$(?:[A-Za-z_\u0080-\uffff][\w\u0080-\uffff]*)?\$/y;

function dollarEnd(text: string, at: number): number {
  if (at > 0 && /[\w$\u0080-\uffff]/.test(text[at - 1] as string)) return at;
  dollarQuote.lastIndex = at;
  const quote = dollarQuote.exec(text)?.[0];
  if (quote === undefined) return at;
  const end = text.indexOf(quote, at + quote.length);
  return end < 0 ? text.length : end + quote.length;
}

/** Shortens a statement for a message. */
export function shown(text: string): string {
  const line = text.trim().replaceAll(/\s+/g, " ");
  return line.length > 200 ? `${line.slice(0, 200)}...` : line;
}
