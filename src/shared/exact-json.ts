/**
 * JSON whose whole numbers keep every digit. One beyond 2^53 is read as a bigint, any other number as a number; in a thread that has
 * this module JSON.stringify writes a bigint as its digits, where JavaScript alone throws.
 */

declare global {
  interface JSON {
    /** A value that JSON.stringify writes as this text (ECMAScript 2026). */
    rawJSON(text: string): object;
  }
}

Object.defineProperty(BigInt.prototype, "toJSON", {
  value(this: bigint): object {
    return JSON.rawJSON(this.toString());
  },
  writable: true,
  configurable: true,
});

/** Of a number in JSON (Jackson's StreamReadConstraints). */
export const maxDigits = 1000;

/** A whole number has more than `maxDigits` digits. */
export class LongNumberError extends Error {
  constructor(digits: number) {
    super(`a number of ${digits} digits, where a whole number has at most ${maxDigits}`);
    this.name = "LongNumberError";
  }
}

/** What JSON.parse calls for each value. */
export interface ParsedFrom {
  /** The text of a number, a boolean, a text or null. */
  readonly source?: string;
}

/** Throws what JSON.parse throws, RangeError for a document with such a number that nests too deep, and LongNumberError. */
export function parseExactly(text: string): unknown {
  return holdsLongNumber(text) ? JSON.parse(text, exactly) : JSON.parse(text);
}

/** For a call of JSON.parse with a reviver: the value that the reviver is given, a long whole number as bigint. */
export function exactly(_key: string, value: unknown, from?: ParsedFrom): unknown {
  if (typeof value !== "number" || Number.isSafeInteger(value)) return value;
  const { source = "" } = from ?? {};
  return wholeNumber.test(source) ? readWhole(source) : value;
}

const wholeNumber = /^-?\d+$/;

/** The number that the digits say, a bigint when it is beyond 2^53. `digits`: with or without a sign. Throws LongNumberError. */
export function readWhole(digits: string): number | bigint {
  const number = Number(digits);
  if (Number.isSafeInteger(number)) return number;
  const plain = digits.startsWith("+") ? digits.slice(1) : digits;
  const count = plain.length - (plain.startsWith("-") ? 1 : 0);
  if (count > maxDigits) throw new LongNumberError(count);
  return narrowed(BigInt(plain));
}

/** A number where that is exact. */
export function narrowed(value: bigint): number | bigint {
  return value >= Number.MIN_SAFE_INTEGER && value <= Number.MAX_SAFE_INTEGER ? Number(value) : value;
}

/** A calculation in two forms. */
interface Calculation {
  doubles(a: number, b: number): number;
  wholes(a: bigint, b: bigint): bigint;
}

const sum: Calculation = { doubles: (a, b) => a + b, wholes: (a, b) => a + b };
const difference: Calculation = { doubles: (a, b) => a - b, wholes: (a, b) => a - b };
const product: Calculation = { doubles: (a, b) => a * b, wholes: (a, b) => a * b };

/** The sign is that of the first. */
const remainder: Calculation = { doubles: (a, b) => a % b, wholes: (a, b) => a % b };
const divided = exact(remainder);

/** Of two whole numbers the result is whole, as long as it has no more digits than a number in JSON; otherwise it is a double. */
export const exactSum = exact(sum);
export const exactDifference = exact(difference);
export const exactProduct = exact(product);
export const exactRemainder = (a: number | bigint, b: number | bigint): number | bigint =>
  b === 0 ? Number.NaN : divided(a, b);

function exact({ doubles, wholes }: Calculation): (a: number | bigint, b: number | bigint) => number | bigint {
  return (a, b) => {
    if (typeof a === "number" && typeof b === "number") {
      const result = doubles(a, b);
      if (Number.isSafeInteger(result) || !Number.isSafeInteger(a) || !Number.isSafeInteger(b)) return result;
    } else if (!isWhole(a) || !isWhole(b)) return doubles(Number(a), Number(b));
    const result = wholes(BigInt(a), BigInt(b));
    return result > -longest && result < longest ? narrowed(result) : doubles(Number(a), Number(b));
  };
}

const longest = 10n ** BigInt(maxDigits);

function isWhole(value: number | bigint): boolean {
  return typeof value === "bigint" || Number.isInteger(value);
}

/** Digits that a whole number beyond 2^53 has at least. */
const run = 16;
const greatest = String(Number.MAX_SAFE_INTEGER);

/** Whether a number in the text may be whole and beyond 2^53. It looks at one character of 16, since no shorter run of digits counts. */
export function holdsLongNumber(text: string): boolean {
  for (let at = run - 1; at < text.length; at += run) {
    if (!isDigit(text, at)) continue;
    let from = at;
    while (isDigit(text, from - 1)) from -= 1;
    let to = at + 1;
    while (isDigit(text, to)) to += 1;
    if (to - from >= run && isLongNumber(text, from, to)) return true;
    at = to - 1;
  }
  return false;
}

/** Not the digits of a decimal, nor those that begin or end a text, except behind a space or a comma of its own. */
function isLongNumber(text: string, from: number, to: number): boolean {
  const start = text[from - 1] === "-" ? from - 1 : from;
  if (start > 0 && !":,[ \n\r\t".includes(text.charAt(start - 1))) return false;
  if (to < text.length && !",]} \n\r\t".includes(text.charAt(to))) return false;
  return to - from > run || text.slice(from, to) > greatest;
}

function isDigit(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= 48 && code <= 57;
}
