/** Converts lists and maps to bytes as JSON, where Camel has no converter to a stream. */
import type { LimitName } from "../../shared/limits.ts";
import { isPlainObject } from "./convert.ts";
import { FormBody } from "./form.ts";
import { meaning } from "./json-data.ts";
import { JsonNode } from "./json-node.ts";
import { LazyList } from "./lazy-list.ts";
import { writeJson } from "./write-json.ts";
import { markupOf } from "./xml-value.ts";

/** Whether a value is a list or a map that has no text, bytes or markup of its own. */
export function isData(value: unknown): boolean {
  if (Array.isArray(value)) return markupOf(value) === undefined;
  if (value instanceof JsonNode || value instanceof FormBody || value instanceof LazyList) return true;
  return isPlainObject(value) || value instanceof Map || value instanceof Set;
}

/**
 * Returns the JSON of a plain value: maps as objects, bytes as base64, a JSON text as its value. Its size is measured
 * first, against bytes of the setting `limit`.
 */
export function dataJson(value: unknown, maxBytes: number, limit?: LimitName): string {
  return writeJson(value, maxBytes, "", dataOf, limit);
}

function dataOf(holder: unknown, key: string, plain: unknown): unknown {
  const inner = (holder as Record<string, unknown>)[key];
  if (inner instanceof Error) return { message: inner.message };
  const meant = meaning(inner);
  return meant instanceof Uint8Array ? Buffer.from(meant).toString("base64") : plain;
}
