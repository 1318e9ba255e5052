/** The binary operators of simple, as a table: how each is written and what it does (Camel: BinaryOperatorType). */
import { coercedCompare, coercedContains, coercedEquals } from "../../engine/compare.ts";
import { asText } from "../../engine/convert.ts";
import { elementsOf } from "../../engine/json-node.ts";

/**
 * The spellings of the operators with their normal forms. Longer ones come first, so that `!=~` is not read as `!=`.
 */
export const operatorSpellings: readonly (readonly [spelling: string, operator: string])[] = (
  [
    ["==", "=="],
    ["=~", "=~"],
    ["!=", "!="],
    ["!=~", "!=~"],
    [">", ">"],
    [">=", ">="],
    ["<", "<"],
    ["<=", "<="],
    ["contains", "contains"],
    ["!contains", "!contains"],
    ["not contains", "!contains"],
    ["~~", "~~"],
    ["!~~", "!~~"],
    ["regex", "regex"],
    ["!regex", "!regex"],
    ["not regex", "!regex"],
    ["in", "in"],
    ["!in", "!in"],
    ["not in", "!in"],
    ["is", "is"],
    ["!is", "!is"],
    ["not is", "!is"],
    ["range", "range"],
    ["!range", "!range"],
    ["not range", "!range"],
    ["startsWith", "startsWith"],
    ["starts with", "startsWith"],
    ["!startsWith", "!startsWith"],
    ["endsWith", "endsWith"],
    ["ends with", "endsWith"],
    ["!endsWith", "!endsWith"],
    ["equals", "equals"],
    ["!equals", "!equals"],
  ] as const
).toSorted((a, b) => b[0].length - a[0].length);

export type Compare = (left: unknown, right: unknown) => boolean;

/** Operators that only compare two values; `regex`, `is` and `range` read their right side at compile time. */
export const comparisons: Readonly<Record<string, Compare>> = {
  "==": coercedEquals,
  "=~": (left, right) => coercedEquals(left, right, true),
  "!=": (left, right) => !coercedEquals(left, right),
  "!=~": (left, right) => !coercedEquals(left, right, true),
  ">": compareOrdered((order) => order > 0, false),
  ">=": compareOrdered((order) => order >= 0, true),
  "<": compareOrdered((order) => order < 0, true),
  "<=": compareOrdered((order) => order <= 0, true),
  contains: coercedContains,
  "!contains": (left, right) => !coercedContains(left, right),
  "~~": (left, right) => coercedContains(left, right, true),
  "!~~": (left, right) => !coercedContains(left, right, true),
  in: isIn,
  "!in": (left, right) => !isIn(left, right),
  startsWith,
  "!startsWith": (left, right) => !startsWith(left, right),
  endsWith,
  "!endsWith": (left, right) => !endsWith(left, right),
  equals: sameText,
  "!equals": (left, right) => !sameText(left, right),
};

/**
 * Makes an ordered comparison. A value is neither above nor below null; two nulls compare as in Camel
 * (PredicateBuilder.isLessThan: true).
 */
function compareOrdered(holds: (order: number) => boolean, ofNulls: boolean): Compare {
  return (left, right) => {
    if (bothThere(left, right)) return holds(coercedCompare(left, right));
    return (left ?? null) === (right ?? null) && ofNulls;
  };
}

/** Whether the right side, a list or comma-separated text, contains the value; `,,` contains an empty element. */
function isIn(left: unknown, right: unknown): boolean {
  if (left === null || left === undefined || right === null || right === undefined) return false;
  const list = elementsOf(right);
  if (list !== undefined) return list.some((element) => coercedEquals(left, element));
  const text = asText(right);
  if (text === "") return false;
  const equal = typeof left === "boolean" ? (part: string) => part.toLowerCase() === String(left) : undefined;
  for (let from = 0; from <= text.length; ) {
    const comma = text.indexOf(",", from);
    const end = comma < 0 ? text.length : comma;
    const part = text.slice(from, end);
    if (equal?.(part) ?? coercedEquals(left, part)) return true;
    from = end + 1;
  }
  return false;
}

function startsWith(left: unknown, right: unknown): boolean {
  if (!bothThere(left, right)) return (left ?? null) === (right ?? null);
  return asText(left).startsWith(asText(right));
}

function endsWith(left: unknown, right: unknown): boolean {
  if (!bothThere(left, right)) return (left ?? null) === (right ?? null);
  return asText(left).endsWith(asText(right));
}

/** Compares texts: '0001' and '001' differ (simple-operators.adoc). */
function sameText(left: unknown, right: unknown): boolean {
  if (!bothThere(left, right)) return (left ?? null) === (right ?? null);
  return asText(left) === asText(right);
}

function bothThere(left: unknown, right: unknown): boolean {
  return left !== null && left !== undefined && right !== null && right !== undefined;
}
