/** Splits a jq text into tokens. Strings keep their interpolations as token lists of their own. */
import { ExpressionSyntaxError } from "../../engine/exception.ts";

export interface Token {
  readonly kind: "op" | "name" | "field" | "variable" | "format" | "number" | "string" | "end";
  /** The operator, the name (without `.`, `$`, `@`), or the number as written. */
  readonly text: string;
  /** For a string: texts alternating with the token lists between them. */
  readonly parts?: readonly (string | readonly Token[])[];
  readonly index: number;
}

const operators = /\?\/\/=|\?\/\/|\/\/=|\|=|\+=|-=|\*=|\/=|%=|==|!=|<=|>=|\/\/|\.\.|[|,+\-*/%=<>()[\]{}:;.?]/y;
const space = /(?:\s|#(?:[^\n\\\r]|\\(?:\r\n|[\s\S]))*)+/y;
const name = /[A-Za-z_]\w*(?:::[A-Za-z_]\w*)*/y;
const number = /(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?/y;

/** Returns the tokens of a text. Throws ExpressionSyntaxError. */
export function tokenize(text: string): Token[] {
  const { list, end } = readTokens(text, 0, false);
  list.push({ kind: "end", text: "end of the expression", index: end });
  return list;
}

/** Reads to the end, or within a string to the parenthesis that closes the interpolation. */
function readTokens(text: string, from: number, inString: boolean): { list: Token[]; end: number } {
  const list: Token[] = [];
  let depth = 0;
  let at = from;
  const take = (pattern: RegExp, offset = 0): string | undefined => {
    pattern.lastIndex = at + offset;
    return pattern.exec(text)?.[0];
  };
  while (at < text.length) {
    const index = at;
    const blank = take(space);
    if (blank !== undefined) {
      at += blank.length;
      continue;
    }
    const char = text[at] as string;
    const push = (kind: Token["kind"], value: string, length: number): void => {
      list.push({ kind, text: value, index });
      at += length;
    };
    if (char === '"') {
      const { parts, end } = readString(text, at);
      list.push({ kind: "string", text: "a string", parts, index });
      at = end;
      continue;
    }
    const digits = take(number);
    if (digits !== undefined) {
      push("number", digits, digits.length);
      continue;
    }
    const word = ".$@".includes(char) ? take(name, 1) : take(name);
    if (word !== undefined && char !== "$") {
      if (char === ".") push("field", word, word.length + 1);
      else if (char === "@") push("format", word, word.length + 1);
      else push("name", word, word.length);
      continue;
    }
    if (char === "$" && word !== undefined) {
      push("variable", word, word.length + 1);
      continue;
    }
    const operator = take(operators);
    if (operator === undefined) throw new ExpressionSyntaxError(`unexpected character '${char}'`, at);
    if (operator === "(") depth += 1;
    if (operator === ")") {
      if (inString && depth === 0) {
        list.push({ kind: "end", text: ")", index });
        return { list, end: at + 1 };
      }
      depth -= 1;
    }
    push("op", operator, operator.length);
  }
  if (inString) throw new ExpressionSyntaxError("the interpolation '\\(' is not closed", from);
  return { list, end: at };
}

const escapes: Readonly<Record<string, string>> = {
  '"': '"',
  "\\": "\\",
  "/": "/",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
};

function readString(text: string, from: number): { parts: (string | readonly Token[])[]; end: number } {
  const parts: (string | readonly Token[])[] = [];
  let literal = "";
  for (let at = from + 1; at < text.length; at++) {
    const char = text[at] as string;
    if (char === '"') {
      parts.push(literal);
      return { parts, end: at + 1 };
    }
    if (char !== "\\") {
      literal += char;
      continue;
    }
    at += 1;
    const escaped = text[at] ?? "";
    if (escaped === "(") {
      const { list, end } = readTokens(text, at + 1, true);
      parts.push(literal, list);
      literal = "";
      at = end - 1;
    } else if (escaped === "u") {
      const hex = /^[0-9a-fA-F]{4}/.exec(text.slice(at + 1, at + 5))?.[0];
      if (hex === undefined) throw new ExpressionSyntaxError("'\\u' needs four hexadecimal digits", at);
      literal += String.fromCharCode(Number.parseInt(hex, 16));
      at += 4;
    } else {
      const meaning = escapes[escaped];
      if (meaning === undefined) throw new ExpressionSyntaxError(`unknown escape '\\${escaped}'`, at - 1);
      literal += meaning;
    }
  }
  throw new ExpressionSyntaxError("the string is not closed", from);
}
