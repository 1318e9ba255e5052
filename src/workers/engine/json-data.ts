/** Converts a message's values to JSON data, the common form for languages, mappings and comparisons. */

import { exceptionMessage, FlowException } from "./exception.ts";
import { Exchange } from "./exchange.ts";
import { changesInPlace } from "./in-place.ts";
import { LazyList } from "./lazy-list.ts";
import { JsonText, Message } from "./message.ts";
import { XmlNode } from "./xml-value.ts";

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/**
 * Lists and maps that were converted before, with the length of the list at that time. Most hold only data and are not
 * walked again.
 */
const known = new WeakMap<object, { readonly data: unknown; readonly length: number }>();

/**
 * Returns maps, lists and scalars only, at any depth: JSON text becomes its value, an exchange or a message its body,
 * bytes UTF-8 text, a date ISO 8601, XML its markup, an exception its message, undefined null. Values that are data
 * already are returned as they are, and none is changed. Throws LimitExceededException for a value that nests too deep.
 */
export function jsonData(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value ?? null;
  if (value instanceof JsonText) return value.value;
  // A long list is not cached with the lazy list that makes it.
  if (value instanceof LazyList) return readable(value.toArray());
  const length = Array.isArray(value) ? value.length : 0;
  if (changesInPlace()) return readable(value);
  const seen = known.get(value);
  if (seen !== undefined && seen.length === length) return seen.data;
  const data = readable(value);
  known.set(value, { data, length });
  return data;
}

function readable(value: object): unknown {
  try {
    return dataOf(value, asData);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new FlowException("LimitExceededException", "the value nests too deep to be read as JSON");
  }
}

/** Converts dates and bytes. */
type Leaf = (value: Date | Uint8Array) => unknown;

/** As `jsonData`, with dates and bytes converted by `leaf`. Throws RangeError for a value that nests too deep. */
export function dataOf(value: unknown, leaf: Leaf): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (value instanceof JsonText) return value.value;
  if (Array.isArray(value)) return listData(value, leaf);
  if (value instanceof Date || value instanceof Uint8Array) return leaf(value);
  const meant = meaning(value);
  return meant === value ? mapData(value, leaf) : dataOf(meant, leaf);
}

/**
 * Converts a value of the runtime to its JSON counterpart, without its elements; other values are returned unchanged.
 */
export function meaning(value: unknown): unknown {
  if (typeof value !== "object") return value;
  if (value instanceof JsonText) return value.value;
  if (value instanceof Map) return Object.fromEntries(value);
  if (value instanceof Set) return [...value];
  if (value instanceof LazyList) return value.toArray();
  if (value instanceof XmlNode) return value.text;
  if (value instanceof Message) return meaning(value.body);
  if (value instanceof Exchange) return meaning(value.message.body);
  return value instanceof Error ? exceptionMessage(value) : value;
}

function asData(value: Date | Uint8Array): unknown {
  return value instanceof Date ? value.toJSON() : decoder.decode(value);
}

function listData(list: readonly unknown[], leaf: Leaf): readonly unknown[] {
  let copy: unknown[] | undefined;
  for (let at = 0; at < list.length; at++) {
    const value = list[at];
    if (typeof value !== "object" || value === null) continue;
    const data = dataOf(value, leaf);
    if (data === value) continue;
    copy ??= list.slice();
    copy[at] = data;
  }
  return copy ?? list;
}

function mapData(map: object, leaf: Leaf): object {
  const fields = map as Readonly<Record<string, unknown>>;
  let changed: Map<string, unknown> | undefined;
  for (const name in fields) {
    const value = fields[name];
    if (typeof value !== "object" || value === null || !Object.hasOwn(fields, name)) continue;
    const data = dataOf(value, leaf);
    if (data === value) continue;
    changed ??= new Map();
    changed.set(name, data);
  }
  if (changed === undefined) return map;
  return Object.fromEntries([...Object.entries(fields), ...changed]);
}
