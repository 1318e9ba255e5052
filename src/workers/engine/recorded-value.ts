/** The record of a value: plain JSON without secrets. No more of a large value is read than recorded. */
import { hidden, isSecretName, redact } from "../../shared/redact.ts";
import { type Mask, maskMargin, noMask } from "../../shared/secret-mask.ts";
import { boundedText } from "./bounded-text.ts";
import { asText } from "./convert.ts";
import { exceptionMessage } from "./exception.ts";
import { Exchange } from "./exchange.ts";
import { Headers } from "./headers.ts";
import { LazyList } from "./lazy-list.ts";
import { JsonText, Message } from "./message.ts";
import { markupOf } from "./xml-value.ts";

const maxDepth = 64;

export interface RecordedValue {
  /** JSON; a text if it was a text or was cut. */
  readonly value: unknown;
  /** The approximate size as JSON. */
  readonly bytes: number;
  readonly cut: boolean;
  readonly redacted: boolean;
}

/** Returns at most about `budget` bytes of JSON. Never throws: a note replaces a value that cannot be read. */
export function recordedValue(value: unknown, budget: number, mask: Mask): RecordedValue {
  try {
    const text = textOf(value);
    if (text !== undefined) return recordedText(text, budget, mask);
    const copy = new Copy(budget);
    const plain = copy.of(value, 0);
    return copy.left < 0
      ? { ...recordedText(textBound(value, budget), budget, mask), cut: true }
      : clean(plain, copy, mask);
  } catch (error) {
    const problem = recordedText(`(it cannot be read: ${exceptionMessage(error)})`, Math.min(budget, 500), mask);
    return { ...problem, cut: true };
  }
}

/** Cuts a text to this many bytes of UTF-8, without secrets. */
export function recordedText(text: string, budget: number, mask: Mask): RecordedValue {
  const part = withinBytes(text, Math.max(0, budget));
  const shown = redact(mask(part.length < text.length ? text.slice(0, part.length + maskMargin) : text, part.length));
  return { value: shown, bytes: shown.length, cut: part.length < text.length, redacted: shown !== part };
}

/** Returns bytes as base64 of at most about `budget` characters; text in them loses its secrets. */
export function recordedBytes(bytes: Uint8Array, budget: number, mask: Mask): RecordedValue {
  const part = bytes.subarray(0, Math.max(0, Math.floor((budget * 3) / 4)));
  const { text, encoding } = readable(part);
  const shown = redact(mask(text));
  const redacted = shown !== text;
  const value = (redacted ? Buffer.from(shown, encoding) : Buffer.from(part)).toString("base64");
  return { value, bytes: value.length, cut: part.length < bytes.length, redacted };
}

/** Decodes the bytes, since binary data may also contain secrets of texts. */
function readable(bytes: Uint8Array): { readonly text: string; readonly encoding: "utf8" | "latin1" } {
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    return { text, encoding: "utf8" };
  } catch {
    return { text: Buffer.from(bytes).toString("latin1"), encoding: "latin1" };
  }
}

/** Returns the text that a record shows. A node has its markup already, so it is not rendered again. */
function textOf(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  return value instanceof Exchange || value instanceof Message ? asText(value) : markupOf(value);
}

function textBound(value: unknown, budget: number): string {
  const shown = value instanceof LazyList ? firstOf(value, budget) : value;
  return boundedText(shown instanceof JsonText ? shown.value : shown, budget + maskMargin);
}

/** Reads elements of a lazy list, which stays unchanged, as each iteration starts from the beginning. */
function firstOf(list: LazyList, most: number): unknown[] {
  const first: unknown[] = [];
  for (const item of list) {
    if (first.length * 2 > most) break;
    first.push(item);
  }
  return first;
}

/**
 * Makes a copy as plain JSON within the budget. If `left` is below 0, the budget was exceeded and the copy is unusable.
 */
class Copy {
  left: number;
  redacted = false;

  constructor(budget: number) {
    this.left = budget;
  }

  of(value: unknown, depth: number): unknown {
    const text = textOf(value);
    if (text !== undefined) return this.#text(text);
    this.left -= 1;
    if (this.left < 0) return null;
    if (typeof value === "bigint") return this.#scalar(value);
    if (typeof value === "number") return Number.isFinite(value) ? this.#scalar(value) : this.#text(String(value));
    if (typeof value === "boolean") return this.#scalar(value);
    if (typeof value !== "object" || value === null) return this.#scalar(null);
    return this.#object(value, depth);
  }

  #object(value: object, depth: number): unknown {
    if (value instanceof JsonText) return this.of(value.value, depth);
    if (value instanceof Uint8Array) return this.#bytes(value);
    if (value instanceof Date) return this.#text(Number.isNaN(value.getTime()) ? "Invalid Date" : value.toISOString());
    if (value instanceof Error) return this.#text(exceptionMessage(value));
    if (depth === maxDepth) {
      this.left = -1;
      return null;
    }
    if (Array.isArray(value) || value instanceof Set || value instanceof LazyList) return this.#list(value, depth);
    return value instanceof Map || value instanceof Headers
      ? this.#map(value.entries(), depth)
      : this.#record(value as Record<string, unknown>, depth);
  }

  #list(list: Iterable<unknown>, depth: number): unknown[] {
    const copy: unknown[] = [];
    this.left -= 1;
    for (const item of list) {
      copy.push(this.of(item, depth + 1));
      if (this.left < 0) break;
    }
    return copy;
  }

  #map(entries: Iterable<readonly [unknown, unknown]>, depth: number): object {
    const copy: Record<string, unknown> = {};
    this.left -= 1;
    for (const [key, item] of entries) if (!this.#member(copy, String(key), item, depth)) break;
    return copy;
  }

  #record(value: Readonly<Record<string, unknown>>, depth: number): object {
    const copy: Record<string, unknown> = {};
    this.left -= 1;
    for (const name of Object.keys(value)) if (!this.#member(copy, name, value[name], depth)) break;
    return copy;
  }

  /** Returns false without room for the member. */
  #member(copy: Record<string, unknown>, name: string, item: unknown, depth: number): boolean {
    this.left -= name.length + 3;
    if (this.left < 0) return false;
    if (item === undefined || typeof item === "function") return true;
    put(copy, name, isSecretName(name) ? this.#hidden() : this.of(item, depth + 1));
    return true;
  }

  #hidden(): string {
    this.redacted = true;
    return this.#text(hidden);
  }

  #text(text: string): string {
    this.left -= text.length + 2;
    return this.left < 0 ? "" : text;
  }

  #bytes(bytes: Uint8Array): string {
    this.left -= Math.ceil(bytes.length / 3) * 4 + 2;
    if (this.left < 0) return "";
    const { value, redacted } = recordedBytes(bytes, bytes.length * 2, noMask);
    this.redacted ||= redacted;
    return String(value);
  }

  #scalar<T>(value: T): T {
    this.left -= String(value).length;
    return value;
  }
}

/** Checks the whole text for secrets first, since most values have none, and only then walks the value. */
function clean(plain: unknown, copy: Copy, mask: Mask): RecordedValue {
  const text = JSON.stringify(plain) ?? "null";
  const bytes = text.length;
  if (redact(mask(text)) === text) return { value: plain, bytes, cut: false, redacted: copy.redacted };
  const hide = (part: string): string => redact(mask(part));
  const value = rewritten(plain, hide);
  const left = JSON.stringify(value);
  // A secret that spans several values is found in the text only.
  const shown = mask(left);
  return { value: shown === left ? value : shown, bytes, cut: shown !== left, redacted: true };
}

function rewritten(plain: unknown, hide: (text: string) => string): unknown {
  if (typeof plain === "string") return hide(plain);
  if (typeof plain === "number" || typeof plain === "bigint")
    return hide(String(plain)) === String(plain) ? plain : hidden;
  if (typeof plain !== "object" || plain === null) return plain;
  if (Array.isArray(plain)) return plain.map((item) => rewritten(item, hide));
  const copy: Record<string, unknown> = {};
  for (const [name, item] of Object.entries(plain)) put(copy, hide(name), rewritten(item, hide));
  return copy;
}

/** An assignment to `__proto__` would not make a member. */
function put(object: Record<string, unknown>, name: string, value: unknown): void {
  if (name !== "__proto__") object[name] = value;
  else Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });
}

function withinBytes(text: string, budget: number): string {
  if (text.length * 3 <= budget) return text;
  const { read } = encoder.encodeInto(text.slice(0, budget), new Uint8Array(budget));
  return read === text.length ? text : text.slice(0, read);
}

const encoder = new TextEncoder();
