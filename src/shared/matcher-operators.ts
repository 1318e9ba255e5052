/** The operators of matchers. */

import { type ComparedPlace, type Comparison, formatValue } from "./comparison.ts";
import { shortJson } from "./short-json.ts";
import { readWhole } from "./whole-numbers.ts";

/** `exact`: objects are not read as matchers. `part`: objects and lists may hold more than expected. */
export type Mode = "exact" | "part" | undefined;

/** The operations on the actual value that an operator may use. */
export interface Question {
  readonly operand: unknown;
  readonly actual: unknown;
  readonly place: ComparedPlace;
  readonly found: Comparison;
  /** Whether the value, or `actual` in its place, is as expected. */
  holds(expected: unknown, mode?: Mode, actual?: unknown): boolean;
  /** Whether the value is certainly not as expected. */
  fails(expected: unknown, mode?: Mode): boolean;
  /** Adds the mismatches. */
  addMismatches(expected: unknown, mode?: Mode): void;
}

interface Operator {
  /** Describes the expected value for people, after the word `expected`. */
  text(operand: unknown): string;
  /** Describes the required operand; undefined when it is valid. */
  problem?(operand: unknown): string | undefined;
  /** Whether the operator holds; undefined when it has added mismatches itself. */
  ask(question: Question): boolean | undefined;
}

export const valueTypes = ["string", "number", "integer", "boolean", "null", "object", "array"] as const;

export const operators: ReadonlyMap<string, Operator> = new Map<string, Operator>([
  [
    "$eq",
    {
      text: formatValue,
      ask: ({ operand, addMismatches }) => {
        addMismatches(operand, "exact");
        return undefined;
      },
    },
  ],
  [
    "$ne",
    { text: (operand) => `anything but ${formatValue(operand)}`, ask: ({ operand, fails }) => fails(operand, "exact") },
  ],
  ["$not", { text: (operand) => `not ${describe(operand)}`, ask: ({ operand, fails }) => fails(operand) }],
  ["$contains", { text: (operand) => `something that contains ${describe(operand)}`, ask: contains }],
  [
    "$regex",
    {
      text: pattern,
      problem: (operand) => (typeof operand === "string" ? undefined : "a regular expression, as a text"),
      ask: matchesRegex,
    },
  ],
  ["$gt", ordered("more than", (order) => order > 0)],
  ["$gte", ordered("at least", (order) => order >= 0)],
  ["$lt", ordered("less than", (order) => order < 0)],
  ["$lte", ordered("at most", (order) => order <= 0)],
  [
    "$in",
    {
      text: (operand) => `one of ${formatValue(operand)}`,
      problem: (operand) => (Array.isArray(operand) ? undefined : "a list of values"),
      ask: ({ operand, holds }) => Array.isArray(operand) && operand.some((one) => holds(one, "exact")),
    },
  ],
  [
    "$exists",
    {
      text: (operand) => (operand === false ? "nothing" : "something to be there"),
      problem: (operand) => (typeof operand === "boolean" ? undefined : "true or false"),
      ask: ({ operand, actual }) => (actual !== undefined) === operand,
    },
  ],
  [
    "$type",
    {
      text: (operand) => `a value of type ${typeof operand === "string" ? operand : formatValue(operand)}`,
      problem: (operand) =>
        valueTypes.some((type) => type === operand) ? undefined : `one of ${valueTypes.join(", ")}, as a text`,
      ask: ({ operand, actual }) =>
        operand === "integer"
          ? typeof actual === "bigint" || Number.isInteger(actual)
          : actual !== undefined && typeOf(actual) === operand,
    },
  ],
]);

/** Operators that must hold for all values of a header's list, not only for one. */
export const negations: ReadonlySet<string> = new Set(["$ne", "$not"]);

/** Whether a value is a matcher: an object with keys that all begin with `$`. */
export function isMatcher(value: unknown): value is Readonly<Record<string, unknown>> {
  if (!isObject(value)) return false;
  const keys = Object.keys(value);
  return keys.length > 0 && keys.every((key) => key.startsWith("$"));
}

/** Whether a value is a JSON object. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== "object" || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** Describes the expected value for people. */
export function describe(expected: unknown): string {
  if (!isMatcher(expected)) return formatValue(expected);
  const texts = Object.keys(expected).map((name) => operators.get(name)?.text(expected[name]) ?? name);
  return texts.slice(0, operators.size).join(" and ").slice(0, 500);
}

function typeOf(value: unknown): string {
  if (value === null) return "null";
  if (typeof value === "bigint") return "number";
  return Array.isArray(value) ? "array" : typeof value;
}

function contains({ operand, actual, found, holds, addMismatches }: Question): boolean | undefined {
  const part = found.how.headers === true && !isObject(operand) && !Array.isArray(operand) ? String(operand) : operand;
  if (typeof part === "string" && typeof actual === "string") return actual.includes(part);
  if (Array.isArray(actual) && !Array.isArray(operand)) return actual.some((item) => holds(operand, "part", item));
  const alike = (isObject(operand) && isObject(actual)) || (Array.isArray(operand) && Array.isArray(actual));
  if (alike) addMismatches(operand, "part");
  return alike ? undefined : false;
}

function matchesRegex({ operand, actual, place, found }: Question): boolean {
  const text = found.how.headers === true && isScalar(actual) ? String(actual) : actual;
  if (typeof text !== "string" || typeof operand !== "string") return false;
  try {
    return found.enters(place, 0, text.length >> 6) && found.how.regex(operand)(text);
  } catch (error) {
    found.fail(place, pattern(operand), shortJson(String(error), 200));
    return false;
  }
}

function pattern(operand: unknown): string {
  return `a text that matches ${typeof operand === "string" ? `/${operand.slice(0, 100)}/` : formatValue(operand)}`;
}

/** Orders numbers by value and texts by their characters' codes; for a header, also a numeric text with a number. */
function ordered(words: string, fits: (order: number) => boolean): Operator {
  return {
    text: (operand) => `${words} ${formatValue(operand)}`,
    problem: (operand) => (isNumber(operand) || typeof operand === "string" ? undefined : "a number or a text"),
    ask: ({ operand, actual, found }) => {
      if (isNumber(operand)) {
        const number = found.how.headers === true && typeof actual === "string" ? numberOf(actual) : actual;
        return (
          isNumber(number) && fits(number < operand ? -1 : number > operand ? 1 : number === operand ? 0 : Number.NaN)
        );
      }
      const text = found.how.headers === true && isScalar(actual) ? String(actual) : actual;
      if (typeof operand !== "string" || typeof text !== "string") return false;
      return fits(text < operand ? -1 : text > operand ? 1 : 0);
    },
  };
}

function numberOf(text: string): number | bigint | undefined {
  if (/^\s*[+-]?\d{1,400}\s*$/.test(text)) return readWhole(text.trim());
  return /^\s*[+-]?\d{1,400}(\.\d{1,400})?(e[+-]?\d{1,3})?\s*$/i.test(text) ? Number(text) : undefined;
}

function isNumber(value: unknown): value is number | bigint {
  return typeof value === "number" || typeof value === "bigint";
}

export function isScalar(value: unknown): value is string | number | bigint | boolean {
  return typeof value === "string" || isNumber(value) || typeof value === "boolean";
}
