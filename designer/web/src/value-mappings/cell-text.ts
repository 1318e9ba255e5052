/**
 * Cells as texts, and back. A text is itself; several values stand between bars (`Done|Closed`, as in CSV, where `\|` is
 * a bar of a value); what no plain text can be stands behind an equals sign as JSON: `=5`, `=null`, `=""`, `=["a",1]`.
 */
import { parse, stringify } from "../../../../src/client/json.ts";

/** A whole number beyond 2^53 is a bigint. */
export type Scalar = string | number | bigint | boolean | null;

/** The values of a cell, the primary one first; none: the row has no value there. */
export type Cell = readonly Scalar[];

export const emptyCell: Cell = [];

/** The text that `parseCell` reads as the same cell when it is typed over it. */
export function cellText(cell: Cell): string {
  const [only] = cell;
  if (only === undefined) return "";
  if (cell.every((value) => typeof value === "string")) {
    const text = joined(cell);
    // The text would be read as something else.
    if (text !== "" && literalOf(text) === undefined) return text;
  } else if (kindOf(cell) !== undefined) return cell.map(String).join("|");

  return `=${stringify(cell.length === 1 ? only : cell)}`;
}

/**
 * Reads what was typed or pasted. `before`: what stood there: a number that is typed over a number is one, too. Numbers
 * that would be written in another way (`007`, `1.50`) are texts.
 */
export function parseCell(text: string, before: Cell = emptyCell): Cell {
  if (text === "") return emptyCell;
  const literal = literalOf(text);
  if (literal !== undefined) return literal;
  const parts = splitBars(text);
  const kind = kindOf(before);
  if (kind === undefined) return parts;
  const values = parts.map((part) => typed(part, kind));
  return values.every((value) => value !== undefined) ? values : parts;
}

/** A cell of one value, such as that of a qualifier: a bar is a bar. */
export function parseScalar(text: string, before?: Scalar): Scalar {
  const literal = literalOf(text);
  if (literal?.length === 1) return literal[0] as Scalar;
  const kind = before === undefined ? undefined : kindOf([before]);
  return (kind === undefined ? undefined : typed(text, kind)) ?? text;
}

/** The text that `parseScalar` reads as the same value when it is typed over it. */
export function scalarText(value: Scalar): string {
  if (typeof value === "string") return value === "" || literalOf(value)?.length === 1 ? `=${stringify(value)}` : value;
  return value === null ? "=null" : String(value);
}

export function sameCell(one: Cell, other: Cell): boolean {
  return one === other || (one.length === other.length && one.every((value, at) => Object.is(value, other[at])));
}

/** How a cell is shown beside its text: what is no text is seen. */
export function kindOf(cell: Cell): "number" | "boolean" | undefined {
  if (cell.length === 0) return undefined;
  if (cell.every((value) => typeof value === "number" || typeof value === "bigint")) return "number";
  return cell.every((value) => typeof value === "boolean") ? "boolean" : undefined;
}

/** Joins texts by bars; backslashes before a bar are doubled, as CSV of the runtime has them. */
export function joined(texts: Cell): string {
  const last = texts.length - 1;
  return texts
    .map((text, at) => {
      const inner = String(text).replace(/(\\*)\|/g, "$1$1\\|");
      return at < last ? inner.replace(/\\+$/, "$&$&") : inner;
    })
    .join("|");
}

/** `a|b\|c` -> `a`, `b|c`. */
export function splitBars(text: string): readonly string[] {
  const values: string[] = [];
  let value = "";
  let from = 0;
  for (let bar = text.indexOf("|"); bar >= 0; bar = text.indexOf("|", from)) {
    let slashes = 0;
    while (bar - slashes > from && text[bar - slashes - 1] === "\\") slashes += 1;
    value += text.slice(from, bar - slashes) + "\\".repeat(slashes >> 1);
    if (slashes % 2 === 1) value += "|";
    else {
      values.push(value);
      value = "";
    }
    from = bar + 1;
  }
  values.push(value + text.slice(from));
  return values;
}

export function isScalar(value: unknown): value is Scalar {
  return value === null || ["string", "number", "bigint", "boolean"].includes(typeof value);
}

/** What stands behind an equals sign; undefined: it is a text like any other, such as a formula. */
function literalOf(text: string): Cell | undefined {
  if (!text.startsWith("=")) return undefined;
  let value: unknown;
  try {
    value = parse(text.slice(1));
  } catch {
    return undefined;
  }
  if (isScalar(value)) return [value];
  return Array.isArray(value) && value.length > 0 && value.every(isScalar) ? value : undefined;
}

function typed(text: string, kind: "number" | "boolean"): Scalar | undefined {
  if (kind === "boolean") return text === "true" ? true : text === "false" ? false : undefined;
  if (/^(?:0|-?[1-9]\d*)$/.test(text)) {
    const number = Number(text);
    return Number.isSafeInteger(number) ? number : BigInt(text);
  }
  const number = Number(text);
  return text !== "" && Number.isFinite(number) && String(number) === text ? number : undefined;
}
