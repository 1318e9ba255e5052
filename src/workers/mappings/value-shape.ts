/** Reading the parts of a document whose shape nobody promises. Pointers are RFC 6901. */

import type { Scalar } from "../../shared/value-mapping-model.ts";
import { isPlainObject } from "../engine/convert.ts";
import type { Findings } from "./value-findings.ts";

/** The document has a shape that is not known: it is kept, and every lookup in it fails. */
export class NotUnderstood extends Error {}

export type Fields = Readonly<Record<string, unknown>>;

/** `key` below `pointer`. */
export function below(pointer: string, key: string | number): string {
  return `${pointer}/${String(key).replaceAll("~", "~0").replaceAll("/", "~1")}`;
}

export function fieldsOf(value: unknown, pointer: string, example: string): Fields {
  if (isPlainObject(value)) return value;
  throw new NotUnderstood(`${pointer} is ${kindOf(value)}, not an object such as ${example}`);
}

export function listOf(value: unknown, pointer: string): readonly unknown[] {
  if (Array.isArray(value)) return value;
  throw new NotUnderstood(`${pointer} is ${kindOf(value)}, not a list`);
}

/** An own field; undefined when there is none. */
export function fieldOf(fields: Fields, name: string): unknown {
  return Object.hasOwn(fields, name) ? fields[name] : undefined;
}

export function textOf(fields: Fields, name: string, pointer: string): string | undefined {
  const value = fieldOf(fields, name);
  if (value === undefined || typeof value === "string") return value;
  throw new NotUnderstood(`${below(pointer, name)} is ${kindOf(value)}, not a text`);
}

export function flagOf(fields: Fields, name: string, pointer: string): boolean | undefined {
  const value = fieldOf(fields, name);
  if (value === undefined || typeof value === "boolean") return value;
  throw new NotUnderstood(`${below(pointer, name)} is ${kindOf(value)}, not true or false`);
}

export function isScalar(value: unknown): value is Scalar {
  if (typeof value === "number" || typeof value === "bigint") return true;
  return typeof value === "string" || typeof value === "boolean" || value === null;
}

/** One of `words`. Another one is warned of and read as the first. */
export function wordOf<const T extends string>(
  fields: Fields,
  name: string,
  pointer: string,
  words: readonly [T, ...T[]],
  findings: Findings,
): T | undefined {
  const value = textOf(fields, name, pointer);
  if (value === undefined) return undefined;
  const word = words.find((one) => one === value);
  if (word !== undefined) return word;
  findings.warning("unknown_value", below(pointer, name), `it is one of ${words.join(", ")}; read as ${words[0]}`);
  return words[0];
}

/** Warns of fields that are not `known`. */
export function warnOfOthers(fields: Fields, known: readonly string[], pointer: string, findings: Findings): void {
  for (const name of Object.keys(fields)) {
    if (known.includes(name)) continue;
    findings.warning("unknown_field", below(pointer, name), `not a field here (${known.join(", ")}): it has no effect`);
  }
}

export function kindOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}
