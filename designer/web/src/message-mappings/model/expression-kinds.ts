/** What an expression is, so that it can be edited without its language: a field, a constant, a lookup, or anything else. */
import { endOfText, pathNames, quoted, unquoted } from "./names.ts";

export interface Lookup {
  readonly mapping: string;
  readonly from: string;
  readonly to: string;
  /** Expressions. */
  readonly value: string;
  readonly qualifiers: string | undefined;
}

export type ExpressionKind =
  | { readonly kind: "copy"; readonly names: readonly string[] }
  /** As JSON has it. */
  | { readonly kind: "constant"; readonly value: string | number | boolean | null; readonly source: string }
  | { readonly kind: "lookup"; readonly lookup: Lookup }
  | { readonly kind: "expression" };

export function kindOf(expression: string): ExpressionKind {
  const text = expression.trim();
  const literal = unquoted(text);
  if (literal !== undefined) return { kind: "constant", value: literal, source: text };
  if (/^(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?)$/.test(text)) {
    return { kind: "constant", value: JSON.parse(text) as number | boolean | null, source: text };
  }
  const lookup = lookupOf(text);
  if (lookup !== undefined) return { kind: "lookup", lookup };
  const names = pathNames(text);
  return names === undefined ? { kind: "expression" } : { kind: "copy", names };
}

function lookupOf(text: string): Lookup | undefined {
  const call = /^\$vmap\s*\(/.exec(text);
  if (call === null || !text.endsWith(")")) return undefined;
  const parts = argumentsOf(text.slice(call[0].length, -1));
  if (parts === undefined || parts.length < 4 || parts.length > 5) return undefined;
  const [mapping, from, to] = parts.slice(0, 3).map(unquoted);
  const [value = "", qualifiers] = parts.slice(3);
  if (mapping === undefined || from === undefined || to === undefined) return undefined;
  return { mapping, from, to, value, qualifiers };
}

/** The arguments of a call; undefined: brackets do not fit, so that the call ends somewhere else. */
function argumentsOf(text: string): readonly string[] | undefined {
  const parts: string[] = [];
  let open = 0;
  let begun = 0;
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (/["'`]/.test(character)) at = endOfText(text, at) - 1;
    else if (/[([{]/.test(character)) open += 1;
    else if (/[)\]}]/.test(character)) open -= 1;
    else if (character === "," && open === 0) {
      parts.push(text.slice(begun, at).replace(/^ /, ""));
      begun = at + 1;
    }
    if (open < 0) return undefined;
  }
  return open === 0 ? [...parts, text.slice(begun).replace(/^ /, "")] : undefined;
}

export function lookupExpression({ mapping, from, to, value, qualifiers }: Lookup): string {
  const parts = [quoted(mapping), quoted(from), quoted(to), value];
  if (qualifiers !== undefined) parts.push(qualifiers);
  return `$vmap(${parts.join(", ")})`;
}

/** The literal of a constant. A number is given as it is typed. */
export function constantExpression(type: "text" | "number" | "boolean" | "null", value: string): string {
  if (type === "text") return quoted(value);
  if (type === "null") return "null";
  if (type === "boolean") return value === "true" ? "true" : "false";
  return /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?$/.test(value.trim()) ? value.trim() : "0";
}
