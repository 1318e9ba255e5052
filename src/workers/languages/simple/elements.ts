/** Converts a value to a sequence (Camel: ObjectHelper.createIterable). */
import { asValue, isPlainObject } from "../../engine/convert.ts";
import { JsonNode } from "../../engine/json-node.ts";
import { splitter } from "./text-building.ts";

const byComma = splitter(",");

/**
 * Returns the elements of a list, the entries of a map, or the parts of a text between commas; any other value as one
 * element; nothing for null and blank text.
 */
export function elementsOf(value: unknown, max: number): readonly unknown[] {
  if (value instanceof JsonNode) return value.parts();
  const inner = asValue(value);
  if (inner === null) return [];
  if (Array.isArray(inner)) return inner;
  if (inner instanceof Set) return [...inner];
  if (isPlainObject(inner)) return Object.entries(inner).map(([key, entry]) => ({ key, value: entry }));
  if (typeof inner !== "string") return [inner];
  if (inner.trim() === "") return [];
  return inner.includes(",") ? byComma(inner, max) : [inner];
}
