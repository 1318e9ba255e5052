/** A message's values as JSON has them: what every language, mapping and comparison sees, whatever the values were made of. */
import { exceptionMessage, FlowException } from "./exception.ts";
import { Exchange, JsonText, Message } from "./exchange.ts";
import { LazyList } from "./lazy-list.ts";
import { XmlNode } from "./xml-value.ts";

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** Lists and maps that have been looked at, with the length that the list had then: most hold data only, and are not walked again. */
const known = new WeakMap<object, { readonly data: unknown; readonly length: number }>();

/**
 * Maps, lists and scalars only, at any depth: JSON that came as text is its value, an exchange or a message in a list is its body,
 * bytes are UTF-8 text, a date is ISO 8601, XML its markup, an exception its message. What is data already is given back as it is;
 * nothing is written into. undefined is null. Throws LimitExceededException for a value that nests too deep.
 */
export function jsonData(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value ?? null;
  if (value instanceof JsonText) return value.value;
  // A long list is not kept beside what makes it.
  if (value instanceof LazyList) return readable(value.toArray());
  const length = Array.isArray(value) ? value.length : 0;
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

/** What stands in for dates and bytes. */
type Leaf = (value: Date | Uint8Array) => unknown;

/** As `jsonData`, with dates and bytes as `leaf` has them. Throws RangeError for a value that nests too deep. */
export function dataOf(value: unknown, leaf: Leaf): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (value instanceof JsonText) return value.value;
  if (Array.isArray(value)) return listData(value, leaf);
  if (value instanceof Date || value instanceof Uint8Array) return leaf(value);
  const meant = meaning(value);
  return meant === value ? mapData(value, leaf) : dataOf(meant, leaf);
}

/** What a value of the runtime's own stands for in JSON, at its surface; any other value itself. */
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
