/**
 * Splits the arguments of a function, `(a, 'b, c', ${d})`, into texts with their places (Camel:
 * StringQuoteHelper.splitSafeQuote).
 */

import { ExpressionSyntaxError, FlowException } from "../../engine/exception.ts";
import type { Exchange } from "../../engine/exchange.ts";
import { convertIn } from "../../engine/message-text.ts";
import { bodyOf, type Call, type Eval } from "./eval.ts";
import { bracketEnd, decodeEscapes, functionStart, isQuote, isSpace, skipFunction, skipSpaces } from "./scan.ts";

export interface Argument {
  /** The argument without its quotes. */
  readonly text: string;
  readonly quoted: boolean;
  readonly index: number;
}

export interface Arguments {
  readonly list: readonly Argument[];
  /** The text after the closing parenthesis, such as `.toUpperCase()`, and its position. */
  readonly path: string;
  readonly pathIndex: number;
}

/**
 * Reads a call's arguments. `usage` is part of the error when their number is wrong. `keepSpaces`: keeps spaces around
 * unquoted arguments (`replace( ,-)`).
 */
export function argumentsOf(call: Call, usage: string, least: number, most: number, keepSpaces = false): Arguments {
  const { rest, index } = call;
  const wrong = () => new ExpressionSyntaxError(`write \${${usage}}, not \${${call.name}${rest}}`, index);
  if (!rest.startsWith("(")) throw wrong();
  const close = closing(rest);
  if (close < 0) throw wrong();
  const list = close === 1 ? [] : splitArguments(rest.slice(1, close), index + 1, keepSpaces);
  if (list.length < least || list.length > most) throw wrong();
  return { list, path: rest.slice(close + 1), pathIndex: index + close + 1 };
}

/**
 * Finds the matching parenthesis if a path or nothing follows it, else the last one: `replace((,x)` has none that
 * matches.
 */
function closing(rest: string): number {
  const end = bracketEnd(rest, 0);
  const next = end < 0 ? "" : rest.slice(end + 1, end + 2);
  if (end >= 0 && (next === "" || next === "." || next === "[" || next === "?")) return end;
  return rest.lastIndexOf(")");
}

/**
 * Splits arguments. A quote counts at the start of an argument when a comma or the end follows its pair, and within
 * one, `${body} == 'a,b'`, when a space precedes it and its pair is followed by a space, a comma, a bracket or the
 * end: `don't` is a plain text.
 */
export function splitArguments(text: string, base: number, keepSpaces = false): Argument[] {
  const list: Argument[] = [];
  const quotes = new Quotes(text);
  for (let at = 0; at <= text.length; ) {
    const start = skipSpaces(text, at);
    const quoteAt = isQuote(text.charCodeAt(start)) ? quotes.closing(start, "argument") : -1;
    if (quoteAt >= 0) {
      list.push({ text: text.slice(start + 1, quoteAt), quoted: true, index: base + start + 1 });
      at = skipSpaces(text, quoteAt + 1) + 1;
      continue;
    }
    const end = commaOrEnd(text, at, quotes);
    const raw = text.slice(at, end);
    // An argument of only spaces keeps them.
    const kept = keepSpaces || raw.trim() === "";
    list.push({ text: kept ? raw : raw.trim(), quoted: false, index: base + (kept ? at : start) });
    at = end + 1;
  }
  return list;
}

type Role = "argument" | "within";

/** Finds the pairs of quotes in a text. If a quote has no pair, no later one has one, so the search stays linear. */
class Quotes {
  readonly #text: string;
  readonly #without = new Set<string>();

  constructor(text: string) {
    this.#text = text;
  }

  /** Returns the closing quote's position, -1 when there is none. */
  closing(open: number, role: Role): number {
    const text = this.#text;
    const quote = text.charCodeAt(open);
    if (this.#without.has(`${role}${quote}`)) return -1;
    for (let i = open + 1; i < text.length; i++) {
      if (text.charCodeAt(i) === 36 && functionStart(text, i) > 0) i = skipFunction(text, i) - 1;
      else if (text.charCodeAt(i) === quote && this.#ends(i + 1, role)) return i;
    }
    this.#without.add(`${role}${quote}`);
    return -1;
  }

  #ends(after: number, role: Role): boolean {
    const code = this.#text.charCodeAt(after);
    if (role === "within" && (isSpace(code) || code === 41)) return true;
    const next = skipSpaces(this.#text, after);
    return next === this.#text.length || this.#text.charCodeAt(next) === 44;
  }
}

function commaOrEnd(text: string, at: number, quotes: Quotes): number {
  for (let i = at; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === 44) return i;
    if (code === 36 && functionStart(text, i) > 0) i = skipFunction(text, i) - 1;
    else if (isQuote(code) && i > at && isSpace(text.charCodeAt(i - 1))) i = Math.max(i, quotes.closing(i, "within"));
  }
  return text.length;
}

/** Compiles an argument: a text with functions in it, or `$param` on the right of `~>`. */
export function evalOf(call: Call, argument: Argument | undefined): Eval {
  if (argument === undefined || (call.scope.chained && argument.text === "$param")) return bodyOf;
  return call.scope.expression(argument.text, argument.index);
}

/** Returns an argument that must be known when the flow is compiled. */
export function literalOf(call: Call, argument: Argument, what: string): string {
  if (hasFunction(argument.text)) {
    throw new ExpressionSyntaxError(`${what} of \${${call.name}(...)} is a fixed text, not a function`, argument.index);
  }
  return decodeEscapes(argument.text);
}

export function hasFunction(text: string): boolean {
  return text.includes("${") || text.includes("$simple{");
}

/** Reads an argument as a whole number at run time; null stays null. */
function integerOf(call: Call, argument: Argument): (exchange: Exchange, body: unknown) => number | null {
  if (!hasFunction(argument.text) && argument.text !== "$param") {
    if (!/^[+-]?\d{1,15}$/.test(argument.text.trim())) {
      throw new ExpressionSyntaxError(
        `\${${call.name}(...)} needs a whole number, not '${argument.text}'`,
        argument.index,
      );
    }
    const number = Number(argument.text);
    return () => number;
  }
  const read = evalOf(call, argument);
  return (exchange, body) => {
    const number = convertIn(exchange, read(exchange, body), "Long");
    return number === null ? null : Number(number);
  };
}

/** Reads an argument like integerOf, but throws for null. */
export function requiredIntegerOf(call: Call, argument: Argument): (exchange: Exchange, body: unknown) => number {
  const read = integerOf(call, argument);
  return (exchange, body) => {
    const number = read(exchange, body);
    if (number !== null) return number;
    throw new FlowException("java.lang.IllegalArgumentException", `${call.name}: ${argument.text} is null`);
  };
}

/** Refuses anything after a function's name or arguments. */
export function refuseRest(call: Call): void {
  if (call.rest === "") return;
  const at = isSpace(call.rest.charCodeAt(0)) ? skipSpaces(call.rest, 0) : 0;
  throw new ExpressionSyntaxError(
    `\${${call.name}} takes nothing after its name, found '${call.rest}'`,
    call.index + at,
  );
}
