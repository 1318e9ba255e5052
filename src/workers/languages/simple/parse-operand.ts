/**
 * Parses one side of an operator: a function with its chain and its elvis, a quoted text, a number, `true`, `false`,
 * `null`.
 */
import { maxDigits, readWhole } from "../../../shared/whole-numbers.ts";
import { ExpressionSyntaxError } from "../../engine/exception.ts";
import { operatorSpellings } from "./operators.ts";
import { goDeeper, parseQuoted, type Read, readUnary, type Source } from "./parse-function.ts";
import { bracketEnd, functionStart, isQuote, isSpace, quoteEnd, skipFunction, skipSpaces } from "./scan.ts";
import type { Node } from "./tree.ts";

const word = /[^\s]+/y;
const number = /^-?\d+(?:\.\d+)?$/;
/**
 * As in Camel, an unquoted word with a digit (`v2`) is accepted on the right of an operator; other words are errors.
 */
const wordWithDigit = /^(?=\D*\d)[A-Za-z_\d][\w.-]*$/;

/** `after`: the operator before the operand, if any. */
export function readOperand(source: Source, at: number, after?: string): Read {
  const { text, base, bare } = source;
  if (functionStart(text, at) > 0) return readChain(source, at);
  if (isQuote(text.charCodeAt(at))) {
    const end = quoteEnd(text, at);
    if (end < 0) throw new ExpressionSyntaxError("the quoted text has no end", base + at);
    return [parseQuoted(text.slice(at + 1, end), base + at + 1), end + 1];
  }
  const read = wordAt(text, at);
  const end = at + read.length;
  const index = base + at;
  if (number.test(read)) return [{ kind: "literal", value: numberOf(read, index), index }, end];
  if (read === "true" || read === "false") return [{ kind: "literal", value: read === "true", index }, end];
  if (read === "null") return [{ kind: "literal", value: null, index }, end];
  if (bare && /^[A-Za-z]/.test(read)) {
    const bareTo = bareEnd(text, at);
    return readElvis(source, { kind: "function", text: text.slice(at, bareTo), index }, bareTo);
  }
  if (after !== undefined && wordWithDigit.test(read)) return [{ kind: "literal", value: read, index }, end];
  throw unexpected(source, at, "a function ${...}, a 'quoted text' or a number");
}

function numberOf(text: string, index: number): number | bigint {
  if (text.length > maxDigits) throw new ExpressionSyntaxError(`a number has at most ${maxDigits} digits`, index);
  return text.includes(".") ? Number(text) : readWhole(text);
}

/** Reads a function and what follows it: `++`, `~> ${f}`, `?~> ${f}`, `?: 'x'`. */
export function readChain(source: Source, at: number): Read {
  const { text, base } = source;
  let [node, end] = readUnary(source, at);
  const links: { node: Node; safe: boolean }[] = [];
  for (;;) {
    const operator = operatorAt(text, end, "~>") ?? operatorAt(text, end, "?~>");
    if (operator === undefined) break;
    if (functionStart(text, operator.next) === 0) {
      throw new ExpressionSyntaxError(`${operator.word} needs a function on its right`, base + operator.next);
    }
    const [link, linkEnd] = readUnary(source, operator.next);
    links.push({ node: link, safe: operator.word === "?~>" });
    end = linkEnd;
  }
  if (links.length > 0) node = { kind: "chain", first: node, links, index: base + at };
  return readElvis(source, node, end);
}

function readElvis(source: Source, left: Node, end: number): Read {
  const elvis = operatorAt(source.text, end, "?:");
  if (elvis === undefined) return [left, end];
  const [right, rightEnd] = readOperand(goDeeper(source, elvis.next), elvis.next, "?:");
  return [{ kind: "elvis", left, right, index: left.index }, rightEnd];
}

/** Finds the operator at `end` that has spaces around it and an operand after it. */
function operatorAt(text: string, end: number, word: string): { word: string; next: number } | undefined {
  const from = skipSpaces(text, end);
  if (from === end || !text.startsWith(word, from)) return undefined;
  const next = skipSpaces(text, from + word.length);
  return next > from + word.length && next < text.length ? { word, next } : undefined;
}

const insideOperators = ["&&", "||", "?", ":", "?:", ...operatorSpellings.map(([spelling]) => spelling)];

/**
 * Returns where a function without braces ends: before the first operator that has spaces around it and is outside
 * brackets and quotes.
 */
export function bareEnd(text: string, at: number): number {
  for (let i = at; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === 40 || code === 91) {
      const end = bracketEnd(text, i);
      if (end < 0) return text.length;
      i = end;
    } else if (code === 36 && functionStart(text, i) > 0) i = skipFunction(text, i) - 1;
    else if (isSpace(code)) {
      const next = skipSpaces(text, i);
      if (insideOperators.some((spelling) => spacedAt(text, next, spelling))) return i;
      i = next - 1;
    }
  }
  return text.length;
}

function spacedAt(text: string, at: number, spelling: string): boolean {
  return text.startsWith(spelling, at) && isSpace(text.charCodeAt(at + spelling.length));
}

function wordAt(text: string, at: number): string {
  word.lastIndex = at;
  return word.exec(text)?.[0] ?? "";
}

export function unexpected({ text, base }: Source, at: number, wanted: string): ExpressionSyntaxError {
  const found = wordAt(text, at).slice(0, 40);
  return new ExpressionSyntaxError(
    `expected ${wanted}, found ${found === "" ? "the end of the text" : `'${found}'`}`,
    base + at,
  );
}
