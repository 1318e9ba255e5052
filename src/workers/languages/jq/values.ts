/** jq's values, which are JSON's: their kinds, order and arithmetic, and the errors that these raise. */

import { exactDifference, exactProduct, exactRemainder, exactSum } from "../../../shared/whole-numbers.ts";
import { writeJson } from "../../engine/write-json.ts";
import type { Budget } from "../budget.ts";
import { setOwn } from "../input.ts";

export type Json = unknown;
export type JsonObject = Record<string, unknown>;

/** An error of a jq program, which may be any value. */
export class JqError extends Error {
  readonly value: Json;

  constructor(value: Json) {
    super(typeof value === "string" ? value : `(not a string) ${shorten(value, 200)}`);
    this.value = value;
  }
}

/** Bytes that an element of a list or an object counts. */
const elementBytes = 8;

let budget: Budget | undefined;

/** Makes `own` the budget of everything that is evaluated within `evaluate`. */
export function withBudget<T>(own: Budget, evaluate: () => T): T {
  const outer = budget;
  budget = own;
  try {
    return evaluate();
  } finally {
    budget = outer;
  }
}

export function tick(): void {
  budget?.tick();
}

/** Charges a new text to the budget. */
export function chargeText(text: string): string {
  budget?.checkSize(text.length);
  budget?.keep(text.length);
  return text;
}

/** Charges a new list to the budget. */
export function chargeList<T extends readonly unknown[]>(list: T): T {
  budget?.checkSize(list.length * elementBytes);
  budget?.keep(list.length * elementBytes);
  return list;
}

/** How deeply the steps of `recurse`, `repeat`, `while` and `until` may nest. */
const maxSteps = 100_000;

export function checkSteps(count: number): void {
  if (count > maxSteps) throw budget?.exceeded(`repeats a step at most ${maxSteps} times inside each other`);
  tick();
}

/** Checks a text's length before it is built. */
export function checkLength(length: number): void {
  budget?.checkSize(length);
}

export function isObject(value: Json): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function typeOf(value: Json): "null" | "boolean" | "number" | "string" | "array" | "object" {
  if (value === null || value === undefined) return "null";
  if (Array.isArray(value)) return "array";
  const type = typeof value;
  if (type === "bigint") return "number";
  return type === "boolean" || type === "number" || type === "string" ? type : "object";
}

/** Accepts bigints, which are whole numbers beyond 2^53. */
export function isNumber(value: Json): value is number | bigint {
  return typeof value === "number" || typeof value === "bigint";
}

/** Converts a bigint key to a number: no list is long enough for a larger index. */
export function asPlace(key: Json): Json {
  return typeof key === "bigint" ? Number(key) : key;
}

export function isTrue(value: Json): boolean {
  return value !== null && value !== false && value !== undefined;
}

/** Serializes a value as JSON. Throws LimitExceededException. */
export function toJson(value: Json): string {
  if (typeof value === "number") return numberText(value);
  return chargeText(writeJson(value, budget?.maxBytes ?? 10_000, "", (_holder, _key, plain) => clampInfinity(plain)));
}

/** Replaces infinities, which JSON does not have, by the greatest numbers, as jq does. */
function clampInfinity(value: Json): Json {
  return typeof value === "number" && !Number.isFinite(value)
    ? Number.isNaN(value)
      ? null
      : Math.sign(value) * Number.MAX_VALUE
    : value;
}

export function numberText(value: number): string {
  if (Number.isNaN(value)) return "null";
  if (!Number.isFinite(value)) return value > 0 ? "1.7976931348623157e+308" : "-1.7976931348623157e+308";
  return Object.is(value, -0) ? "-0" : String(value);
}

export function toText(value: Json): string {
  return typeof value === "string" ? value : toJson(value);
}

/** Formats a value for an error's message. */
export function shorten(value: Json, length = 11): string {
  let text: string;
  try {
    text = typeof value === "number" ? numberText(value) : writeJson(value, 100_000);
  } catch {
    text = "...";
  }
  return text.length > length ? `${text.slice(0, length - 3)}...` : text;
}

/** Formats a value with its type: `string ("abc")`. */
export function describeValue(value: Json): string {
  return `${typeOf(value)} (${shorten(value)})`;
}

const order = ["null", "false", "true", "number", "string", "array", "object"];

/** Compares by jq's order of all values; returns a negative number, 0 or a positive one. */
export function compare(a: Json, b: Json): number {
  tick();
  const kind = rank(a);
  if (kind !== rank(b)) return kind - rank(b);
  if (isNumber(a) && isNumber(b)) return Number.isNaN(a) ? -1 : Number.isNaN(b) ? 1 : a < b ? -1 : a > b ? 1 : 0;
  if (typeof a === "string" && typeof b === "string") return compareTexts(a, b);
  if (Array.isArray(a) && Array.isArray(b)) {
    for (let i = 0; i < a.length && i < b.length; i++) {
      const difference = compare(a[i], b[i]);
      if (difference !== 0) return difference;
    }
    return a.length - b.length;
  }
  if (!isObject(a) || !isObject(b)) return 0;
  const [keysOfA, keysOfB] = [sortedKeys(a), sortedKeys(b)];
  const byKeys = compare(keysOfA, keysOfB);
  if (byKeys !== 0) return byKeys;
  for (const key of keysOfA) {
    const difference = compare(a[key], b[key]);
    if (difference !== 0) return difference;
  }
  return 0;
}

function rank(value: Json): number {
  return order.indexOf(typeof value === "boolean" ? String(value) : typeOf(value));
}

/** Compares by code points, where JavaScript compares code units. */
function compareTexts(a: string, b: string): number {
  if (a === b) return 0;
  if (!surrogates.test(a) || !surrogates.test(b)) return a < b ? -1 : 1;
  const [left, right] = [[...a], [...b]];
  for (let i = 0; i < left.length && i < right.length; i++) {
    const difference = (left[i]?.codePointAt(0) ?? 0) - (right[i]?.codePointAt(0) ?? 0);
    if (difference !== 0) return difference;
  }
  return left.length - right.length;
}

export const surrogates = /[\ud800-\udfff]/;

export function sortedKeys(value: JsonObject): string[] {
  return Object.keys(value).sort(compareTexts);
}

export function sorted<T>(list: readonly T[], by: (element: T) => Json): T[] {
  checkLength(elementBytes * list.length);
  return chargeList(list.map((element) => ({ element, key: by(element) })))
    .sort((a, b) => compare(a.key, b.key))
    .map(({ element }) => element);
}

type Combine = (left: Json, right: Json) => Json;

export const arithmetic: Readonly<Record<string, Combine>> = {
  "+": (a, b) => {
    if (a === null) return b;
    if (b === null) return a;
    if (isNumber(a) && isNumber(b)) return exactSum(a, b);
    if (typeof a === "string" && typeof b === "string") return chargeText(a + b);
    if (Array.isArray(a) && Array.isArray(b)) return chargeList([...a, ...b]);
    if (isObject(a) && isObject(b)) return merged(a, b);
    throw new JqError(`${describeValue(a)} and ${describeValue(b)} cannot be added`);
  },
  "-": (a, b) => {
    if (isNumber(a) && isNumber(b)) return exactDifference(a, b);
    if (Array.isArray(a) && Array.isArray(b)) return a.filter((one) => !b.some((other) => compare(one, other) === 0));
    throw new JqError(`${describeValue(a)} and ${describeValue(b)} cannot be subtracted`);
  },
  "*": (a, b) => {
    if (isNumber(a) && isNumber(b)) return exactProduct(a, b);
    if (typeof a === "string" && isNumber(b)) return repeated(a, Number(b));
    if (isNumber(a) && typeof b === "string") return repeated(b, Number(a));
    if (isObject(a) && isObject(b)) return deepMerged(a, b);
    throw new JqError(`${describeValue(a)} and ${describeValue(b)} cannot be multiplied`);
  },
  "/": (a, b) => {
    if (isNumber(a) && isNumber(b)) {
      if (b === 0)
        throw new JqError(`${describeValue(a)} and ${describeValue(b)} cannot be divided because the divisor is zero`);
      return Number(a) / Number(b);
    }
    if (typeof a === "string" && typeof b === "string") return a === "" ? [] : splitText(a, b);
    throw new JqError(`${describeValue(a)} and ${describeValue(b)} cannot be divided`);
  },
  "%": (a, b) => {
    if (!isNumber(a) || !isNumber(b))
      throw new JqError(`${describeValue(a)} and ${describeValue(b)} cannot be divided`);
    if (Number.isNaN(a) || Number.isNaN(b)) return Number.NaN;
    const divisor = toInt64(b);
    if (divisor === 0)
      throw new JqError(`${describeValue(a)} and ${describeValue(b)} cannot be divided because the divisor is zero`);
    const rest = exactRemainder(toInt64(a), divisor);
    return typeof rest === "number" ? rest + 0 : rest;
  },
  "==": (a, b) => compare(a, b) === 0,
  "!=": (a, b) => compare(a, b) !== 0,
  "<": (a, b) => compare(a, b) < 0,
  "<=": (a, b) => compare(a, b) <= 0,
  ">": (a, b) => compare(a, b) > 0,
  ">=": (a, b) => compare(a, b) >= 0,
};

/** Converts as C converts a double to a 64-bit integer. */
function toInt64(value: number | bigint): number | bigint {
  if (typeof value === "bigint") return value;
  return Math.trunc(Math.max(-(2 ** 63), Math.min(2 ** 63, value)));
}

function repeated(text: string, times: number): Json {
  if (Number.isNaN(times) || times <= 0) return null;
  const count = times < 1 ? 1 : Math.floor(times);
  checkLength(text.length * count);
  return chargeText(text.repeat(count));
}

/** Splits a text; an empty separator splits it into characters. */
export function splitText(text: string, separator: string): string[] {
  checkLength(8 * (text.length / Math.max(1, separator.length) + 1));
  return chargeList(separator === "" ? [...text] : text.split(separator));
}

function merged(a: JsonObject, b: JsonObject): JsonObject {
  const result = copyOf(a);
  for (const key of Object.keys(b)) setOwn(result, key, b[key]);
  return result;
}

function deepMerged(a: JsonObject, b: JsonObject): JsonObject {
  tick();
  const result = copyOf(a);
  for (const key of Object.keys(b)) {
    const [old, value] = [Object.hasOwn(result, key) ? result[key] : undefined, b[key]];
    setOwn(result, key, isObject(old) && isObject(value) ? deepMerged(old, value) : value);
  }
  return result;
}

export function copyOf(value: JsonObject): JsonObject {
  const keys = chargeList(Object.keys(value));
  const copy: JsonObject = {};
  for (const key of keys) setOwn(copy, key, value[key]);
  return copy;
}
