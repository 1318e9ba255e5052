/**
 * Finds the ends of parts in a simple text: braces, quotes, brackets. Positions count from the start of the given text.
 */
import { ExpressionSyntaxError } from "../../engine/exception.ts";
import { maxDepth } from "./tree.ts";

/** Returns the length of `${` or `$simple{` at `at`, 0 when no function starts there. */
export function functionStart(text: string, at: number): number {
  if (text.charCodeAt(at) !== 36) return 0;
  if (text.startsWith("${", at)) return 2;
  return text.startsWith("$simple{", at) ? 8 : 0;
}

/**
 * Returns the position of the `}` that ends the function whose text begins at `from`. `\}` and the ends of inner
 * functions do not end it. `base`: the place of `text` in the whole expression.
 */
export function functionEnd(text: string, from: number, base: number): number {
  let depth = 1;
  for (let i = from; i < text.length; i++) {
    const code = text.charCodeAt(i);
    // Only `\}` is an escape here: a backslash does not hide a function.
    if (code === 92 && text.charCodeAt(i + 1) === 125) i += 1;
    else if (code === 125) {
      depth -= 1;
      if (depth === 0) return i;
    } else if (code === 36) {
      const length = functionStart(text, i);
      if (length > 0) {
        depth += 1;
        if (depth > maxDepth) throw new ExpressionSyntaxError(`functions nest at most ${maxDepth} deep`, base + i);
        i += length - 1;
      }
    }
  }
  throw new ExpressionSyntaxError("the function has no closing '}'", base + text.length);
}

/** Returns the position after the function that starts at `at`, `at` itself when none starts there. */
export function skipFunction(text: string, at: number): number {
  const length = functionStart(text, at);
  return length === 0 ? at : functionEnd(text, at + length, 0) + 1;
}

/**
 * Returns the position of the quote that ends the quoted text begun at `at`, -1 when it has no end; functions inside
 * are skipped.
 */
export function quoteEnd(text: string, at: number): number {
  const quote = text.charCodeAt(at);
  for (let i = at + 1; i < text.length; i++) {
    if (text.charCodeAt(i) === quote) return i;
    const length = functionStart(text, i);
    if (length > 0) {
      const end = closingBrace(text, i + length);
      if (end >= 0) i = end;
    }
  }
  return -1;
}

function closingBrace(text: string, from: number): number {
  try {
    return functionEnd(text, from, 0);
  } catch {
    return -1;
  }
}

export function isQuote(code: number): boolean {
  return code === 39 || code === 34;
}

export function isSpace(code: number): boolean {
  return code === 32 || code === 9 || code === 10 || code === 13;
}

export function skipSpaces(text: string, at: number): number {
  let i = at;
  while (i < text.length && isSpace(text.charCodeAt(i))) i++;
  return i;
}

/** Decodes `\n`, `\t`, `\r` and `\}` in literal text; any other backslash stays (Camel: SimpleTokenizer). */
export function decodeEscapes(text: string): string {
  if (!text.includes("\\")) return text;
  return text.replace(/\\([ntr}])/g, (_, char: string) =>
    char === "n" ? "\n" : char === "t" ? "\t" : char === "r" ? "\r" : "}",
  );
}

/** Removes one pair of quotes around a text. */
export function unquote(text: string): string {
  const first = text.charCodeAt(0);
  const quoted = text.length >= 2 && isQuote(first) && text.charCodeAt(text.length - 1) === first;
  return quoted ? text.slice(1, -1) : text;
}

/**
 * Returns the position of the bracket that closes the one at `open`; quoted text, functions and inner brackets are
 * skipped. -1 when there is none.
 */
export function bracketEnd(text: string, open: number): number {
  const opening = text.charCodeAt(open);
  const closing = opening === 40 ? 41 : 93;
  let depth = 0;
  for (let i = open; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (isQuote(code)) {
      const end = quoteEnd(text, i);
      if (end >= 0) i = end;
    } else if (code === 36 && functionStart(text, i) > 0) i = skipFunction(text, i) - 1;
    else if (code === opening) depth += 1;
    else if (code === closing) {
      depth -= 1;
      if (depth === 0) return i;
    }
  }
  return -1;
}
