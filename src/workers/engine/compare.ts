/**
 * Compares values of different types as Camel does (org.apache.camel.support.ObjectHelper: typeCoerceEquals, Compare,
 * Contains).
 */
import { asText, isPlainObject, numberOf } from "./convert.ts";
import { FlowException } from "./exception.ts";
import { meaning } from "./json-data.ts";
import { JsonNode } from "./json-node.ts";
import { JsonText } from "./message.ts";

const integer = /^-?\d+$/;
/** Digits that a JavaScript number holds exactly. */
const exactDigits = 15;
/** The most values that one comparison of lists or maps reads. */
const maxCompared = 1_000_000;

/**
 * Compares texts of digits as numbers ('0001' equals '001'), a text with a number as numbers, and a text with a boolean
 * as booleans.
 */
export function coercedEquals(left: unknown, right: unknown, ignoreCase = false): boolean {
  const a = operand(left, right);
  const b = operand(right, left);
  if (a === b) return true;
  if (a === null || b === null) return false;
  if (typeof a === "boolean" || typeof b === "boolean") return asFlag(a) === asFlag(b);
  if (typeof a === "string") {
    if (typeof b === "string") return textEquals(a, b, ignoreCase);
    if (typeof b === "number" || typeof b === "bigint") return sameNumber(numberOf(a), b);
    return rendersAs(b, a);
  }
  if (typeof b === "string") return coercedEquals(b, a, ignoreCase);
  if (typeof a === "bigint" || typeof b === "bigint") return sameNumber(a, b);
  if (a instanceof Date || b instanceof Date) return timeOf(a) === timeOf(b);
  return typeof a === "object" && typeof b === "object" && deepEquals(a, b);
}

/** Whether both are equal numbers; either may be a bigint. */
function sameNumber(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  return isNumber(a) && isNumber(b) && typeof a !== typeof b && orderOf(a, b) === 0;
}

function isNumber(value: unknown): value is number | bigint {
  return typeof value === "number" || typeof value === "bigint";
}

/** Returns NaN for numbers without an order. */
function orderOf(a: number | bigint, b: number | bigint): number {
  if (typeof a === "number" && typeof b === "number") return a - b;
  return a < b ? -1 : a > b ? 1 : Number.isNaN(a) || Number.isNaN(b) ? Number.NaN : 0;
}

/** Whether a list, a map or a date prints as this text. Reads no more of it than the text's length. */
function rendersAs(value: unknown, text: string): boolean {
  try {
    return asText(value, text.length) === text;
  } catch (error) {
    if (error instanceof FlowException && error.type === "LimitExceededException") return false;
    throw error;
  }
}

function textEquals(a: string, b: string, ignoreCase: boolean): boolean {
  if (integer.test(a) && integer.test(b)) return compareDigits(a, b) === 0;
  return ignoreCase && a.toLowerCase() === b.toLowerCase();
}

/**
 * Converts a value that is compared with a boolean: `true` as text, a whole number above 0; undefined for a value that
 * is neither true nor false.
 */
function asFlag(value: unknown): boolean | undefined {
  if (typeof value === "boolean") return value;
  if (typeof value === "string") return value.toLowerCase() === "true";
  if (typeof value === "bigint") return value > 0;
  return typeof value === "number" && Number.isInteger(value) ? value > 0 : undefined;
}

/**
 * Returns a negative number, 0 or a positive one. null is the least; values that can be read as numbers compare as
 * numbers, others as text. Decimals are compared exactly, where Camel cuts 1.5 to 1 in a comparison with a whole
 * number.
 */
export function coercedCompare(left: unknown, right: unknown): number {
  const a = operand(left, right);
  const b = operand(right, left);
  if (a === null || b === null) return a === b ? 0 : a === null ? -1 : 1;
  if (isNumber(a) && isNumber(b)) return orderOf(a, b);
  if (typeof a === "string" && typeof b === "string" && integer.test(a) && integer.test(b)) return compareDigits(a, b);
  if (typeof a === "boolean" || typeof b === "boolean") {
    const [x, y] = [asFlag(a), asFlag(b)];
    if (x !== undefined && y !== undefined) return Number(x) - Number(y);
  }
  const x = numeric(a);
  const y = x === undefined ? undefined : numeric(b);
  if (x !== undefined && y !== undefined) return orderOf(x, y);
  const s = asText(a);
  const t = asText(b);
  return s < t ? -1 : s > t ? 1 : 0;
}

/** Whether a text contains the text, a list the element, or another value equals it. */
export function coercedContains(left: unknown, right: unknown, ignoreCase = false): boolean {
  if (left === null || left === undefined || right === null || right === undefined) {
    return (left ?? null) === (right ?? null);
  }
  const container = left instanceof JsonText && typeof left.value !== "object" ? left.text : unwrapJson(left);
  if (Array.isArray(container)) {
    return container.some((element) =>
      ignoreCase ? textContains(asText(element), asText(right), true) : coercedEquals(element, right),
    );
  }
  // A JSON object that came as text counts as text.
  const isText = typeof left === "string" || left instanceof JsonText || left instanceof Uint8Array;
  return isText ? textContains(asText(left), asText(right), ignoreCase) : coercedEquals(left, right, ignoreCase);
}

function textContains(text: string, part: string, ignoreCase: boolean): boolean {
  return ignoreCase ? text.toLowerCase().includes(part.toLowerCase()) : text.includes(part);
}

function unwrapJson(value: unknown): unknown {
  return value instanceof JsonText ? value.value : value;
}

/**
 * Converts JSON text to text for a comparison with a scalar, and to its value for one with a list or a map; bytes
 * become text.
 */
function operand(value: unknown, beside: unknown): unknown {
  if (value === undefined) return null;
  if (value instanceof JsonNode && beside instanceof JsonNode) return value.value;
  if (value instanceof JsonText) return Array.isArray(beside) || isPlainObject(beside) ? value.value : value.text;
  return value instanceof Uint8Array ? asText(value) : value;
}

function compareDigits(a: string, b: string): number {
  if (a.length <= exactDigits && b.length <= exactDigits) return Number(a) - Number(b);
  const [x, y] = [trimZeros(a), trimZeros(b)];
  if (x.negative !== y.negative) return x.negative ? -1 : 1;
  const size = x.digits.length - y.digits.length;
  const order = size !== 0 ? size : x.digits < y.digits ? -1 : x.digits > y.digits ? 1 : 0;
  return x.negative ? -order : order;
}

/** Long digits compare by length, then as text, since BigInt takes quadratic time for a megabyte of them. */
function trimZeros(text: string): { negative: boolean; digits: string } {
  const negative = text.startsWith("-");
  let from = negative ? 1 : 0;
  while (from < text.length && text.charCodeAt(from) === 48) from++;
  const digits = text.slice(from);
  return { negative: negative && digits !== "", digits };
}

function numeric(value: unknown): number | bigint | undefined {
  if (isNumber(value)) return value;
  if (typeof value === "string") return numberOf(value);
  return value instanceof Date ? value.getTime() : undefined;
}

function timeOf(value: unknown): unknown {
  return value instanceof Date ? value.getTime() : value;
}

function deepEquals(left: object, right: object): boolean {
  const pending: unknown[] = [left, right];
  for (let seen = 0; pending.length > 0; seen++) {
    if (seen > maxCompared) {
      throw new FlowException("LimitExceededException", `lists are compared up to ${maxCompared} values`);
    }
    const b = meaning(pending.pop());
    const a = meaning(pending.pop());
    if (Object.is(a, b)) continue;
    if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
    if (Array.isArray(a) && Array.isArray(b)) {
      if (a.length !== b.length) return false;
      for (let i = 0; i < a.length; i++) pending.push(a[i], b[i]);
    } else if (isPlainObject(a) && isPlainObject(b)) {
      const keys = Object.keys(a);
      if (keys.length !== Object.keys(b).length) return false;
      for (const key of keys) {
        if (!Object.hasOwn(b, key)) return false;
        pending.push(a[key], b[key]);
      }
    } else if (!(a instanceof Date && b instanceof Date && a.getTime() === b.getTime())) return false;
  }
  return true;
}
