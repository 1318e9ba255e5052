/**
 * JSON whose whole numbers keep every digit. A number beyond 2^53 is read as a bigint, any other as a number; in a
 * thread with this module JSON.stringify writes a bigint as its digits, where JavaScript alone throws.
 */
import { randomHex } from "./ids.ts";
import { readWhole } from "./whole-numbers.ts";

declare global {
  interface JSON {
    /** Makes a value that JSON.stringify writes as this text (ECMAScript 2026). */
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

/** The third argument that JSON.parse passes to a reviver. */
export interface ParsedFrom {
  /** The source text of a number, a boolean, a text or null. */
  readonly source?: string;
}

/** Parses a text. Throws what JSON.parse throws, and LongNumberError. */
export function parseExactly(text: string): unknown {
  const first = nextLongNumber(text, 0);
  if (first === undefined) return JSON.parse(text);
  const marked = withMarks(text, first);
  return marked === undefined ? JSON.parse(text) : withoutMarks(JSON.parse(marked));
}

/** A reviver for JSON.parse: returns the value, a long whole number as a bigint. */
export function reviveExactly(_key: string, value: unknown, from?: ParsedFrom): unknown {
  if (typeof value !== "number" || Number.isSafeInteger(value)) return value;
  const { source = "" } = from ?? {};
  return wholeNumber.test(source) ? readWhole(source) : value;
}

const wholeNumber = /^-?\d+$/;

/** The fewest digits of a whole number beyond 2^53. */
const run = 16;
const greatest = String(Number.MAX_SAFE_INTEGER);

interface Place {
  readonly from: number;
  readonly to: number;
}

/** Whether the text may have a whole number beyond 2^53. */
export function holdsLongNumber(text: string): boolean {
  return nextLongNumber(text, 0) !== undefined;
}

/**
 * Finds a candidate for such a number, which may also be within a text. Reads one character of 16, since no shorter run
 * of digits counts.
 */
function nextLongNumber(text: string, begin: number): Place | undefined {
  for (let at = begin + run - 1; at < text.length; at += run) {
    if (!isDigit(text, at)) continue;
    let from = at;
    while (isDigit(text, from - 1)) from -= 1;
    let to = at + 1;
    while (isDigit(text, to)) to += 1;
    if (to - from >= run && isLongNumber(text, from, to)) return { from: text[from - 1] === "-" ? from - 1 : from, to };
    at = to - 1;
  }
  return undefined;
}

/** Whether the digits are a whole number, and not part of a decimal, a name or a text. */
function isLongNumber(text: string, from: number, to: number): boolean {
  const start = text[from - 1] === "-" ? from - 1 : from;
  if (start > 0 && !":,[ \n\r\t".includes(text.charAt(start - 1))) return false;
  let next = to;
  while (" \n\r\t".includes(text.charAt(next)) && next < text.length) next += 1;
  if (next < text.length && !",]}".includes(text.charAt(next))) return false;
  return text[from] !== "0" && (to - from > run || text.slice(from, to) > greatest);
}

function isDigit(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= 48 && code <= 57;
}

/** A random mark that no text of a message begins with; "" until it is needed, since random numbers take a thread 5 ms to load. */
let mark = "";

/**
 * Replaces the numbers by marked texts, because a reviver takes several times as long as a search for marks afterwards.
 * Returns undefined if all candidates are within texts.
 */
function withMarks(text: string, first: Place): string | undefined {
  mark ||= randomHex(32);
  let marked = "";
  let copied = 0;
  /** The end of the last text that was skipped: numbers from here on are outside texts. */
  let outside = 0;
  for (let place: Place | undefined = first; place !== undefined; place = nextLongNumber(text, place.to)) {
    const { from, to } = place;
    outside = behindTexts(text, outside, from);
    if (outside > from) continue;
    marked += `${text.slice(copied, from)}"${mark}${text.slice(from, to)}"`;
    copied = to;
  }
  return copied === 0 ? undefined : marked + text.slice(copied);
}

/** Skips texts, from a position outside any text to the end of the last one that begins before `until`. */
function behindTexts(text: string, at: number, until: number): number {
  let outside = at;
  for (;;) {
    const open = text.indexOf('"', outside);
    if (open < 0 || open >= until) return outside;
    let close = text.indexOf('"', open + 1);
    while (close >= 0 && isEscaped(text, close)) close = text.indexOf('"', close + 1);
    if (close < 0) return text.length;
    outside = close + 1;
  }
}

function isEscaped(text: string, at: number): boolean {
  let slashes = 0;
  while (text[at - 1 - slashes] === "\\") slashes += 1;
  return slashes % 2 === 1;
}

/** A loop in place of recursion, since a document may be deep. */
function withoutMarks(root: unknown): unknown {
  if (isMarked(root)) return readWhole(root.slice(mark.length));
  const pending: unknown[] = [root];
  const unmark = (value: unknown): unknown => {
    if (typeof value === "object" && value !== null) pending.push(value);
    return isMarked(value) ? readWhole(value.slice(mark.length)) : value;
  };
  while (pending.length > 0) {
    const holder = pending.pop();
    if (Array.isArray(holder)) {
      for (let at = 0; at < holder.length; at++) {
        const value: unknown = holder[at];
        const plain = unmark(value);
        if (plain !== value) holder[at] = plain;
      }
    } else if (isRecord(holder)) {
      for (const name of Object.keys(holder)) {
        const value = holder[name];
        const plain = unmark(value);
        // The object has this name already, so the assignment calls no setter of a prototype.
        if (plain !== value) holder[name] = plain;
      }
    }
  }
  return root;
}

function isMarked(value: unknown): value is string {
  return typeof value === "string" && value.length > mark.length && value.startsWith(mark);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
