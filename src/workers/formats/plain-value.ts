/** A body as maps, lists and scalars only, for libraries that know nothing of this runtime's values. */
import { JsonText } from "../engine/exchange.ts";
import { LazyList } from "../engine/lazy-list.ts";
import { tooDeep, writeJson } from "../engine/write-json.ts";
import { XmlNode } from "../engine/xml-value.ts";

/** Dates and bytes stay. Throws LimitExceededException for a value that would take more than `maxBytes` or nests too deep. */
export function plainValue(value: unknown, maxBytes: number): unknown {
  writeJson(value, maxBytes);
  try {
    return plain(value);
  } catch (error) {
    throw error instanceof RangeError ? tooDeep() : error;
  }
}

function plain(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value ?? null;
  if (value instanceof Date || value instanceof Uint8Array) return value;
  if (value instanceof JsonText) return value.value;
  if (value instanceof XmlNode) return value.text;
  if (value instanceof Error) return value.message;
  if (Array.isArray(value)) return value.map(plain);
  if (value instanceof Set || value instanceof LazyList) return [...value].map(plain);
  const entries = value instanceof Map ? [...value] : Object.entries(value);
  const map: Record<string, unknown> = Object.create(null);
  for (const [key, inner] of entries) map[String(key)] = plain(inner);
  return map;
}
