/** Translates the filters of Jayway's dialect, which Camel's users write, to RFC 9535. */

import { ExpressionSyntaxError } from "../../engine/exception.ts";
import { knownFunction } from "./functions.ts";

const token =
  /'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|\/(?:[^/\\\n]|\\.)+\/[a-zA-Z]*|=~|[$@][\w$.*\u0080-\uffff]*|-?\d[\d.eE+-]*|[\w\u0080-\uffff]+|\s+|[[\](),]|[^\s\w]/gs;

/**
 * Rewrites `@.name =~ /a.*\/i` and the word operators of filters as functions and comparisons, and calls in filters such
 * as `@.tags.length()` as functions of the library, `fn_length(@.tags)`. Other texts stay as they are.
 */
export function rewriteFilters(path: string): string {
  if (!/[=~]~|\b(?:in|nin|contains|size|empty|subsetof|anyof|noneof)\b|\.\s*[A-Za-z]\w*\s*\(/.test(path)) return path;
  const tokens = path.match(token) ?? [];
  const output: string[] = [];
  for (let at = 0; at < tokens.length; at++) {
    const operator = tokens[at] as string;
    const call = operator === "(" ? takeCall(output) : undefined;
    if (call !== undefined) {
      output.push(call);
      at = closingOf(tokens, at, call);
      continue;
    }
    const rewrite = isOperator(tokens, at) ? rewrites[operator] : undefined;
    if (rewrite === undefined) {
      output.push(operator);
      continue;
    }
    const left = takeOperand(output);
    const { operand, next } = readOperand(tokens, at + 1, operator);
    output.push(rewrite(left, operand));
    at = next - 1;
  }
  return output.join("");
}

/** Rewrites the path with a call at the end of the output; undefined, and the same output, when there is none. */
function takeCall(output: string[]): string | undefined {
  const operand = takeOperand(output);
  const [, path, name] = /^([$@].*)\.\s*([A-Za-z]\w*)$/s.exec(operand) ?? [];
  if (path !== undefined && name !== undefined) return `fn_${knownFunction(name, 0)}(${path})`;
  output.push(operand);
  return undefined;
}

/** Returns the index of the parenthesis that closes a call without arguments. */
function closingOf(tokens: readonly string[], open: number, call: string): number {
  let at = open + 1;
  while (/^\s/.test(tokens[at] ?? "")) at += 1;
  if (tokens[at] === ")") return at;
  throw new ExpressionSyntaxError(`a call in a filter takes no arguments: ${call.replace(/^fn_(\w+).*/s, "$1()")}`, 0);
}

/** A word is an operator between blanks; inside a path it is a name. */
function isOperator(tokens: readonly string[], at: number): boolean {
  return tokens[at] === "=~" || (/^\s/.test(tokens[at - 1] ?? "") && /^\s/.test(tokens[at + 1] ?? ""));
}

type Rewrite = (left: string, right: string) => string;

const refuse =
  (name: string): Rewrite =>
  () => {
    throw new ExpressionSyntaxError(`the filter operator '${name}' is not known here: use in, nin, contains or ==`, 0);
  };

const rewrites: Readonly<Record<string, Rewrite>> = {
  "=~": (left, right) => {
    const [, pattern = "", flags = ""] = /^\/(.*)\/([a-zA-Z]*)$/s.exec(right) ?? [];
    const inline = flags === "" ? "" : `(?${flags.toLowerCase().replaceAll(/[^ims]/g, "")})`;
    return `regexp(${left}, ${JSON.stringify(inline + pattern.replaceAll("\\/", "/"))})`;
  },
  in: (left, right) => anyOf(left, right),
  nin: (left, right) => `!(${anyOf(left, right)})`,
  contains: (left, right) => `contains(${left}, ${right})`,
  size: (left, right) => `length(${left}) == ${right}`,
  empty: (left, right) => `length(${left}) ${right === "false" ? "!=" : "=="} 0`,
  subsetof: refuse("subsetof"),
  anyof: refuse("anyof"),
  noneof: refuse("noneof"),
};

function anyOf(left: string, list: string): string {
  const elements = list.slice(1, -1).match(/'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|[^\s,]+/gs) ?? [];
  if (elements.length === 0) return `${left} != ${left}`;
  return `(${elements.map((element) => `${left} == ${element}`).join(" || ")})`;
}

/** Removes the operand from the end of the output: a path with its brackets, or a literal. */
function takeOperand(output: string[]): string {
  while (/^\s*$/.test(output.at(-1) ?? "x")) output.pop();
  let operand = "";
  let depth = 0;
  while (output.length > 0) {
    const piece = output.at(-1) as string;
    if (depth === 0 && (/^\s/.test(piece) || "(!&|,?".includes(piece))) break;
    if (piece === "]") depth += 1;
    if (piece === "[") depth -= 1;
    if (depth < 0) break;
    operand = piece + operand;
    output.pop();
  }
  return operand;
}

function readOperand(tokens: readonly string[], from: number, operator: string): { operand: string; next: number } {
  let at = from;
  while (/^\s/.test(tokens[at] ?? "")) at += 1;
  let operand = "";
  let depth = 0;
  for (; at < tokens.length; at++) {
    const piece = tokens[at] as string;
    if (depth === 0 && (/^\s/.test(piece) || ")&|,]".includes(piece))) break;
    if (piece === "[") depth += 1;
    if (piece === "]") depth -= 1;
    operand += piece;
  }
  if (operand === "") throw new ExpressionSyntaxError(`a value is missing after '${operator}'`, 0);
  return { operand, next: at };
}

const operators = "==|!=|=~|<=|>=|<|>|nin|in|subsetof|anyof|noneof|contains|size|empty";
const easy = new RegExp(`^([^\\s=!<>~]+)\\s+(${operators})\\s+(\\S.*)$`, "s");

/** Returns the path of the tested values and the filter; undefined for a text that is a path itself. */
export function easyPredicate(text: string): { readonly nodes: string; readonly test: string } | undefined {
  if (text.startsWith("$") || text.startsWith("@")) return undefined;
  const [, left, operator, right] = easy.exec(text.trim()) ?? [];
  if (left === undefined) return undefined;
  const dot = left.lastIndexOf(".");
  // Without a dot any object of the document may have the property.
  const nodes = dot < 0 ? "$..*" : `$.${left.slice(0, dot)}`;
  return { nodes, test: `$[?(@.${left.slice(dot + 1)} ${operator} ${right})]` };
}
