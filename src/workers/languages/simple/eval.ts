/** The closures that simple compiles to, and the arguments of its functions at compile time. */
import type { FlowException } from "../../engine/exception.ts";
import { limitExceeded } from "../../engine/exception.ts";
import type { Exchange } from "../../engine/exchange.ts";
import type { LanguageContext } from "../../engine/language.ts";
import { textIn } from "../../engine/message-text.ts";
import { weightOf } from "../../engine/weight.ts";

/** Reads a value. The body is a parameter of its own, because `~>`, `forEach` and `filter` replace it. */
export type Eval = (exchange: Exchange, body: unknown) => unknown;
export type Test = (exchange: Exchange, body: unknown) => boolean;

/** Compiles texts within an expression; `index`: the position of the text in the whole expression. */
export interface Scope {
  /** true: on the right of `~>`, where `$param` is the result from the left. */
  readonly chained: boolean;
  readonly context: LanguageContext;
  expression(text: string, index: number): Eval;
  predicate(text: string, index: number): Test;
}

/** A function call as written: `${name rest}`. */
export interface Call {
  readonly name: string;
  /** The text after the name: `(a,b)`, `.key`, `[key]`, `:text`, or nothing. */
  readonly rest: string;
  /** The position of `rest` in the whole expression. */
  readonly index: number;
  readonly scope: Scope;
}

/** Compiles a call. Throws ExpressionSyntaxError. */
export type SimpleFunction = (call: Call) => Eval;
export type FunctionTable = Readonly<Record<string, SimpleFunction>>;

export const bodyOf: Eval = (_exchange, body) => body;

/**
 * Returns the most characters of a text, and at 8 bytes each the most elements of a list, that a function may build.
 */
export function maxBytes(exchange: Exchange): number {
  return exchange.run.limits.messageBodyBytes;
}

export function simpleText(value: unknown, exchange: Exchange): string {
  return typeof value === "string" ? value : textIn(exchange, value);
}

export function bounded(text: string, max: number): string {
  if (text.length > max) throw simpleTextTooLong(max);
  return text;
}

export function simpleTextTooLong(max: number): FlowException {
  return limitExceeded("messageBodyBytes", `a text built by an expression has at most ${max} characters`);
}

/** Refuses a list of `count` elements that would take more than a message may hold. */
export function checkCount(count: number, max: number): void {
  if (count * 8 > max) {
    throw limitExceeded("messageBodyBytes", `a list built by an expression has at most ${max / 8} elements`);
  }
}

/** Measures a list or a map as values are added, each of which may be a list itself. */
export class Growth {
  readonly #max: number;
  #bytes = 0;

  constructor(max: number) {
    this.#max = max;
  }

  /** Adds a value and returns it. Throws LimitExceededException. */
  add<T>(value: T): T {
    this.#bytes += 8 + weightOf(value, this.#max);
    if (this.#bytes <= this.#max) return value;
    throw limitExceeded("messageBodyBytes", `a value built by an expression has at most ${this.#max} bytes`);
  }
}
