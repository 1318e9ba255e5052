/**
 * Writes a message's values as JSON from which they come back with their types: numbers as they are, bigints, dates,
 * bytes, maps, sets, JSON that came as text, exceptions. Bytes are put aside, so that they are not encoded.
 */
import { isPlainObject } from "./convert.ts";
import { exceptionMessage, exceptionType, FlowException, limitExceeded } from "./exception.ts";
import { FormBody, readForm } from "./form.ts";
import { Headers } from "./headers.ts";
import { JsonNode, jsonNode } from "./json-node.ts";
import { LazyList } from "./lazy-list.ts";
import { JsonText } from "./message.ts";
import { parseJson } from "./parse-json.ts";
import { XmlNode } from "./xml-value.ts";

/** The key of a marked value. An object of a message that has it is kept as a list of its members. */
const mark = "\u0000";
/** The mark as JSON has it: without it, a text has no marked value. */
const writtenMark = JSON.stringify(mark).slice(1, -1);
/** The most levels of marked values inside each other, which are read by recursion; plain JSON may nest deeper. */
const mostMarked = 200;

/** Keeps what only the message's own module knows: an exchange or a message inside a value, and its way back. */
export interface OwnValues {
  /** Returns the tag and JSON; undefined: the value is none of them. */
  write(value: object, writer: ValueWriter, depth: number): readonly [tag: string, json: string] | undefined;
  /** `content`: the value of that JSON. Returns undefined for a tag that it does not know. */
  read(tag: string, content: unknown): unknown;
}

export class ValueWriter {
  /** The bytes that were put aside, which the JSON names by their place. */
  readonly parts: Uint8Array[] = [];
  readonly #maxBytes: number;
  readonly #own: OwnValues;
  #size = 0;
  /** How many bytes were put aside. */
  #aside = 0;

  /** `maxBytes`: the most bytes of all values together. */
  constructor(maxBytes: number, own: OwnValues) {
    this.#maxBytes = maxBytes;
    this.#own = own;
  }

  /** Returns JSON. Throws LimitExceededException for a value that is too large or nests too deep. */
  write(value: unknown, depth = 0): string {
    if (depth > mostMarked) throw tooDeep();
    const size = plainSize(value, this.#maxBytes - this.#size);
    if (size !== undefined) return this.#plain(value, size);
    if (typeof value === "number") return marked("number", Object.is(value, -0) ? '"-0"' : `"${value}"`);
    if (typeof value === "bigint") return marked("whole", this.#text(value.toString()));
    return typeof value === "object" && value !== null ? this.#object(value, depth) : "null";
  }

  /** Returns a list of names and values. */
  members(entries: Iterable<readonly [unknown, unknown]>, depth: number): string {
    const texts: string[] = [];
    for (const [name, value] of entries) texts.push(`[${this.write(name, depth + 1)},${this.write(value, depth + 1)}]`);
    return `[${texts.join(",")}]`;
  }

  #plain(value: unknown, size: number): string {
    this.#count(size);
    try {
      return JSON.stringify(value) ?? "null";
    } catch (error) {
      throw error instanceof RangeError ? tooDeep() : error;
    }
  }

  #text(text: string): string {
    this.#count(text.length + 2);
    return JSON.stringify(text);
  }

  #object(value: object, depth: number): string {
    const own = this.#own.write(value, this, depth + 1);
    if (own !== undefined) return marked(own[0], own[1]);
    if (value instanceof FormBody) return marked("form", this.#text(value.encoded));
    if (value instanceof JsonNode) return marked("node", this.write(value.value, depth + 1));
    if (value instanceof JsonText) return marked("json", this.#text(value.text));
    if (value instanceof Uint8Array) return this.#bytes(value);
    if (value instanceof Date) return marked("date", JSON.stringify(value.getTime()));
    if (value instanceof XmlNode) return this.#text(value.text);
    if (value instanceof Error) return marked("exception", this.#exception(value, depth));
    if (value instanceof Map) return marked("map", this.members(value, depth));
    if (value instanceof Headers) return marked("map", this.members(value.entries(), depth));
    if (value instanceof Set) return marked("set", this.#list(value, depth));
    if (Array.isArray(value) || value instanceof LazyList) return this.#list(value, depth);
    return Object.hasOwn(value, mark)
      ? marked("object", this.members(Object.entries(value), depth))
      : this.#record(value as Readonly<Record<string, unknown>>, depth);
  }

  #bytes(bytes: Uint8Array): string {
    const at = this.#aside;
    this.#count(bytes.length);
    this.#aside += bytes.length;
    this.parts.push(bytes);
    return marked("bytes", `[${at},${bytes.length}]`);
  }

  #exception(error: Error, depth: number): string {
    const details = error instanceof FlowException ? error.details : {};
    return this.write([exceptionType(error), exceptionMessage(error), { ...details }], depth + 1);
  }

  #list(list: Iterable<unknown>, depth: number): string {
    const texts: string[] = [];
    for (const item of list) {
      // At least a byte, so that a list of nothing is bounded, too.
      this.#count(1);
      texts.push(this.write(item, depth + 1));
    }
    return `[${texts.join(",")}]`;
  }

  #record(record: Readonly<Record<string, unknown>>, depth: number): string {
    const texts: string[] = [];
    for (const [name, item] of Object.entries(record)) {
      if (item === undefined || typeof item === "function") continue;
      texts.push(`${this.#text(name)}:${this.write(item, depth + 1)}`);
    }
    return `{${texts.join(",")}}`;
  }

  #count(bytes: number): void {
    this.#size += bytes;
    if (this.#size > this.#maxBytes) throw tooLarge(this.#maxBytes);
  }
}

export class ValueReader {
  readonly #tail: Uint8Array;
  readonly #maxBytes: number;
  readonly #own: OwnValues;

  /** `tail`: the bytes that were put aside; `maxBytes`: the most bytes of a message's body. */
  constructor(tail: Uint8Array, maxBytes: number, own: OwnValues) {
    this.#tail = tail;
    this.#maxBytes = maxBytes;
    this.#own = own;
  }

  /** Returns the value of the JSON that `ValueWriter` has written. */
  parse(json: string): unknown {
    const value: unknown = JSON.parse(json);
    return json.includes(writtenMark) ? this.read(value) : value;
  }

  /** Restores marked values inside of a value. Lists and objects are changed in place. */
  read(value: unknown): unknown {
    if (typeof value !== "object" || value === null) return value;
    if (isMarked(value)) return this.#marked(value);
    const pending: object[] = [value];
    while (pending.length > 0) {
      const holder = pending.pop() as Record<string, unknown>;
      for (const name of Object.keys(holder)) {
        const item = holder[name];
        if (typeof item !== "object" || item === null) continue;
        // The holder has this name as its own, so the assignment calls no setter of a prototype.
        if (isMarked(item)) holder[name] = this.#marked(item);
        else pending.push(item);
      }
    }
    return value;
  }

  entries(list: unknown): [unknown, unknown][] {
    return (list as [unknown, unknown][]).map(([name, value]) => [this.read(name), this.read(value)]);
  }

  #marked({ [mark]: tag, v: json }: Marked): unknown {
    switch (tag) {
      case "number":
        return Number(json);
      case "whole":
        return BigInt(json as string);
      case "date":
        return new Date((json as number | null) ?? Number.NaN);
      case "bytes":
        return this.#bytes(json as [number, number]);
      case "json":
        return new JsonText(json as string, parseJson(json as string));
      case "node":
        return jsonNode(this.read(json), this.#maxBytes);
      case "form":
        return readForm(json as string);
      case "map":
        return new Map(this.entries(json));
      case "set":
        return new Set((this.read(json) as unknown[]) ?? []);
      case "object":
        return Object.fromEntries(this.entries(json) as [string, unknown][]);
      case "exception": {
        const [type, message, details] = this.read(json) as [string, string, Record<string, unknown>];
        return new FlowException(type, message, { details });
      }
      default:
        return this.#own.read(tag, this.read(json));
    }
  }

  /** A copy, so that a small value does not hold the memory of the whole message. */
  #bytes([at, length]: readonly [number, number]): Uint8Array {
    return Uint8Array.from(this.#tail.subarray(at, at + length));
  }
}

interface Marked {
  readonly [mark]: string;
  readonly v: unknown;
}

function marked(tag: string, json: string): string {
  return `{"${writtenMark}":"${tag}","v":${json}}`;
}

function isMarked(value: object): value is Marked {
  return Object.hasOwn(value, mark);
}

/**
 * Returns the size as JSON of a value that JSON itself keeps; undefined for one that has anything else in it. Stops
 * above `most`, since a small value may contain the same list a million times.
 */
function plainSize(root: unknown, most: number): number | undefined {
  if (typeof root === "string") return root.length + 2;
  const pending: unknown[] = [root];
  let size = 0;
  while (pending.length > 0) {
    const value = pending.pop();
    if (typeof value === "string") size += value.length + 3;
    else if (typeof value === "number") {
      if (!Number.isFinite(value) || Object.is(value, -0)) return undefined;
      size += 8;
    } else if (typeof value === "bigint" || typeof value === "function" || typeof value === "symbol") return undefined;
    else if (typeof value !== "object" || value === null) size += 5;
    else if (Array.isArray(value)) {
      if (value.constructor !== Array) return undefined;
      size += value.length + 2;
      if (size > most) return size;
      for (const item of value) pending.push(item);
    } else {
      if (!isPlainObject(value) || isMarked(value)) return undefined;
      size += 2;
      for (const name of Object.keys(value)) {
        size += name.length + 4;
        pending.push(value[name]);
      }
    }
    if (size > most) return size;
  }
  return size;
}

function tooLarge(maxBytes: number): FlowException {
  return limitExceeded("messageBodyBytes", `a message that is kept has at most ${maxBytes} bytes`);
}

function tooDeep(): FlowException {
  return new FlowException("LimitExceededException", "the message nests too deep to be kept");
}
