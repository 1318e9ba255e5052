/** Parses conditions (Camel: SimplePredicateParser), and the ternary operator, which begins with one. */
import { ExpressionSyntaxError } from "../../engine/exception.ts";
import { operatorSpellings } from "./operators.ts";
import { goDeeper, type Read, type Source, sourceOf } from "./parse-function.ts";
import { bareEnd, readOperand, unexpected } from "./parse-operand.ts";
import { functionStart, isQuote, isSpace, skipSpaces } from "./scan.ts";
import type { LogicalNode, Node } from "./tree.ts";

/** Returns undefined for a blank text, which is false. Throws ExpressionSyntaxError. */
export function parsePredicate(text: string, base: number, bare = false): Node | undefined {
  const source = sourceOf(text, base, bare);
  const from = skipSpaces(text, 0);
  if (from === text.length) return undefined;
  const [condition, end] = readLogical(source, from);
  const [node, rest] = readTernary(source, condition, end);
  const next = skipSpaces(text, rest);
  if (next < text.length) throw unexpected(source, next, "an operator with a space on both sides");
  return node;
}

/** Parses a text that as a whole is `test ? a : b`; returns undefined for other texts, which are templates. */
export function parseTernary(text: string, base: number): Node | undefined {
  if (!text.includes(" ? ") || !text.includes(" : ")) return undefined;
  const from = skipSpaces(text, 0);
  if (functionStart(text, from) === 0 && !isQuote(text.charCodeAt(from))) return undefined;
  try {
    const node = parsePredicate(text, base);
    return node?.kind === "ternary" ? node : undefined;
  } catch (error) {
    if (error instanceof ExpressionSyntaxError) return undefined;
    throw error;
  }
}

/**
 * Parses the text inside `${...}` if it is a condition, a ternary or an elvis: `header.n > 0 ? 'a' : 'b'`; returns
 * undefined for other texts.
 */
export function parseInside(text: string, base: number): Node | undefined {
  const end = bareEnd(text, 0);
  const operator = skipSpaces(text, end);
  // A lone colon is part of a date's pattern.
  if (operator >= text.length || text[operator] === ":") return undefined;
  return parsePredicate(text, base, true);
}

/** `a && b || c`: strictly from left to right, no precedence. */
function readLogical(source: Source, at: number): Read {
  const { text, base } = source;
  const [first, firstEnd] = readComparison(source, at);
  const rest: { operator: "&&" | "||"; node: Node }[] = [];
  let end = firstEnd;
  for (;;) {
    const from = skipSpaces(text, end);
    const operator = text.startsWith("&&", from) ? "&&" : text.startsWith("||", from) ? "||" : undefined;
    if (operator === undefined) break;
    const next = skipSpaces(text, from + 2);
    if (from === end || next === from + 2 || next === text.length) {
      throw new ExpressionSyntaxError(
        `${operator} needs a space on both sides and a condition on its right`,
        base + from,
      );
    }
    if (rest.length === 0) requireCondition(first, operator);
    const [node, nodeEnd] = readComparison(source, next);
    requireCondition(node, operator);
    rest.push({ operator, node });
    end = nodeEnd;
  }
  if (rest.length === 0) return [first, end];
  const logical: LogicalNode = { kind: "logical", first, rest, index: base + at };
  return [logical, end];
}

function requireCondition(node: Node, operator: string): void {
  if (node.kind !== "literal" || typeof node.value === "boolean") return;
  throw new ExpressionSyntaxError(`${operator} joins conditions; '${node.value}' is none`, node.index);
}

function readComparison(source: Source, at: number): Read {
  const { text, base } = source;
  const [left, end] = readOperand(source, at);
  const from = skipSpaces(text, end);
  const found = operatorSpellings.find(([spelling]) => text.startsWith(spelling, from));
  if (found === undefined || from === end) return [left, end];
  const [spelling, operator] = found;
  const next = skipSpaces(text, from + spelling.length);
  if (next === from + spelling.length || next === text.length) {
    throw new ExpressionSyntaxError(`'${spelling}' needs a space on both sides and a value on its right`, base + from);
  }
  const [right, rightEnd] = readOperand(source, next, operator);
  return [{ kind: "binary", operator, left, right, index: base + from }, rightEnd];
}

/** `test ? then : otherwise`; both branches may be ternaries again. */
function readTernary(source: Source, test: Node, end: number): Read {
  const { text, base } = source;
  const question = skipSpaces(text, end);
  if (question === end || text[question] !== "?" || !isSpace(text.charCodeAt(question + 1))) return [test, end];
  const inner = goDeeper(source, question);
  const [then, thenEnd] = readBranch(inner, skipSpaces(text, question + 1));
  const colon = skipSpaces(text, thenEnd);
  if (colon === thenEnd || text[colon] !== ":" || !isSpace(text.charCodeAt(colon + 1))) {
    throw new ExpressionSyntaxError("'test ? a : b' needs a ':' with a space on both sides", base + colon);
  }
  const [otherwise, otherwiseEnd] = readBranch(inner, skipSpaces(text, colon + 1));
  return [{ kind: "ternary", test, then, otherwise, index: base + question }, otherwiseEnd];
}

function readBranch(source: Source, at: number): Read {
  const [node, end] = readComparison(source, at);
  return readTernary(source, node, end);
}
