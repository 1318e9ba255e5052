/** jq's binary operators. */
import type { Node } from "./syntax.ts";

/** Binary operators by precedence; those of an assignment or a comparison do not chain. */
const levels: ReadonlyMap<string, number> = new Map(
  Object.entries({
    "//": 2,
    "=": 3,
    "|=": 3,
    "+=": 3,
    "-=": 3,
    "*=": 3,
    "/=": 3,
    "%=": 3,
    "//=": 3,
    or: 4,
    and: 5,
    "==": 6,
    "!=": 6,
    "<": 6,
    "<=": 6,
    ">": 6,
    ">=": 6,
    "+": 7,
    "-": 7,
    "*": 8,
    "/": 8,
    "%": 8,
  }),
);
export const alternativeLevel = 2;
const assignLevel = 3;
const compareLevel = 6;

/** Returns an operator's precedence; undefined for a text that is not an operator. */
export function levelOf(text: string): number | undefined {
  return levels.get(text);
}

/** Whether an operator of this precedence must not follow another of the same. */
export function isSingle(level: number): boolean {
  return level === assignLevel || level === compareLevel;
}

export function combine(operator: string, level: number, left: Node, right: Node): Node {
  if (level === assignLevel) return { kind: "assign", operator, left, right };
  if (operator === "and" || operator === "or") return { kind: operator, left, right };
  if (operator === "//") return { kind: "alternative", left, right };
  return { kind: "binary", operator, left, right };
}
