/** Splits a path of Jayway's dialect at its function calls: `$.sum($.a, 3)`, `$.items.first().name`. */

import { ExpressionSyntaxError, exceptionMessage } from "../../engine/exception.ts";
import { parseJson } from "../../engine/parse-json.ts";
import { argumentsProblem, knownFunction } from "./functions.ts";

/** An argument as written: a path, which begins with `$` or `@`, or a JSON value. */
export type WrittenArgument = { readonly path: string } | { readonly value: unknown };

/** A piece of a path: plain text of the dialect, relative to what is before it, or a call. */
export type Piece = { readonly path: string } | { readonly call: string; readonly args: readonly WrittenArgument[] };

/** The most calls in a path. */
const maxCalls = 50;
const callStart = /\.\s*([A-Za-z_]\w*)\s*\(/y;

/** Throws ExpressionSyntaxError. The first piece is a path with `$`; texts within brackets belong to their path. */
export function splitCalls(text: string): readonly Piece[] {
  const pieces: Piece[] = [];
  let from = 0;
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const char = text[at] as string;
    if (char === "'" || char === '"') at = endOfText(text, at);
    else if (char === "[") depth += 1;
    else if (char === "]") depth -= 1;
    else if (char === "." && depth === 0) {
      callStart.lastIndex = at;
      const [start, name] = callStart.exec(text) ?? [];
      if (start === undefined || name === undefined) continue;
      if (at > from) pieces.push({ path: relative(text.slice(from, at)) });
      const { args, end } = readArguments(text, name, at + start.length);
      pieces.push({ call: knownFunction(name, at), args });
      const problem = argumentsProblem(name, args.length);
      if (problem !== undefined) throw new ExpressionSyntaxError(problem, at);
      if (pieces.length > maxCalls) throw new ExpressionSyntaxError(`a path has at most ${maxCalls} calls`, at);
      from = end;
      at = end - 1;
    }
  }
  if (from < text.length) pieces.push({ path: relative(text.slice(from)) });
  return pieces;
}

function relative(text: string): string {
  return /^\s*\$/.test(text) ? text : `$${text}`;
}

/** `from`: the index behind the opening parenthesis. */
function readArguments(text: string, name: string, from: number): { args: WrittenArgument[]; end: number } {
  const args: WrittenArgument[] = [];
  let start = from;
  let depth = 0;
  for (let at = from; at < text.length; at++) {
    const char = text[at] as string;
    if (char === "'" || char === '"') at = endOfText(text, at);
    else if ("([{".includes(char)) depth += 1;
    else if (depth > 0 && ")]}".includes(char)) depth -= 1;
    else if (depth === 0 && (char === "," || char === ")")) {
      const argument = text.slice(start, at).trim();
      if (argument !== "") args.push(readArgument(argument, start));
      else if (char === "," || args.length > 0) throw new ExpressionSyntaxError(`${name}() lacks an argument`, at);
      if (char === ")") return { args, end: at + 1 };
      start = at + 1;
    }
  }
  throw new ExpressionSyntaxError(`'${name}(' is not closed by ')'`, from);
}

/** Jayway takes objects, numbers and texts in double quotation marks; it skips others in silence, such as `'a'`. */
function readArgument(text: string, at: number): WrittenArgument {
  if (/^[$@]/.test(text)) return { path: text };
  if (!/^[{"\d-]/.test(text)) {
    const message = `an argument is a path ($.a), a number, a text in double quotation marks or an object; found ${text}`;
    throw new ExpressionSyntaxError(message, at);
  }
  try {
    return { value: parseJson(text) };
  } catch (error) {
    throw new ExpressionSyntaxError(`the argument ${text} is not JSON: ${exceptionMessage(error)}`, at);
  }
}

/** Returns the index of the quotation mark that closes the text. */
function endOfText(text: string, from: number): number {
  const quote = text[from];
  for (let at = from + 1; at < text.length; at++) {
    if (text[at] === "\\") at += 1;
    else if (text[at] === quote) return at;
  }
  return text.length;
}
