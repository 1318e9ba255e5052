/**
 * Parses the path after a value into steps: `.name`, `.name(args)`, `[0]`, `[last-1]`, `[key]`, `?.name` (Camel:
 * OgnlHelper).
 */
import { ExpressionSyntaxError } from "../../engine/exception.ts";
import { type Argument, splitArguments } from "./arguments.ts";
import { bracketEnd, unquote } from "./scan.ts";

export type PathStep =
  | { readonly kind: "member"; readonly name: string; readonly safe: boolean; readonly index: number }
  | {
      readonly kind: "call";
      readonly name: string;
      readonly arguments: readonly Argument[];
      readonly safe: boolean;
      readonly index: number;
    }
  | { readonly kind: "key"; readonly key: string; readonly safe: boolean; readonly index: number };

const name = /[A-Za-z_$][\w$-]*/y;

/** Throws ExpressionSyntaxError. `base`: the position of `text` in the whole expression. */
export function parsePath(text: string, base: number): PathStep[] {
  const steps: PathStep[] = [];
  /** In `?.get('list')[0]` the question mark also applies to the index after the member. */
  let safe = false;
  for (let at = 0; at < text.length; ) {
    const index = base + at;
    const question = text[at] === "?";
    if (question) at += 1;
    if (text[at] === "[") {
      const end = bracketEnd(text, at);
      if (end < 0) throw new ExpressionSyntaxError("the bracket has no closing ']'", index);
      const key = text.slice(at + 1, end).trim();
      if (key === "") throw new ExpressionSyntaxError("an index or a key is missing between the brackets", index);
      safe ||= question;
      steps.push({ kind: "key", key: unquote(key), safe, index: base + at + 1 });
      at = end + 1;
      continue;
    }
    name.lastIndex = at + 1;
    const found = text[at] === "." ? name.exec(text)?.[0] : undefined;
    if (found === undefined) {
      throw new ExpressionSyntaxError(`expected .name or [key], found '${text.slice(at, at + 40)}'`, base + at);
    }
    safe = question;
    at += 1 + found.length;
    if (text[at] !== "(") {
      steps.push({ kind: "member", name: found, safe, index });
      continue;
    }
    const end = bracketEnd(text, at);
    if (end < 0) throw new ExpressionSyntaxError(`${found}( has no closing ')'`, base + at);
    const inner = text.slice(at + 1, end);
    const list = inner.trim() === "" ? [] : splitArguments(inner, base + at + 1);
    steps.push({ kind: "call", name: found, arguments: list, safe, index });
    at = end + 1;
  }
  return steps;
}
