/** The on/off features and types of Jackson that have a meaning without Java classes. */

import { convertTo, isPlainObject } from "../engine/convert.ts";
import { FlowException } from "../engine/exception.ts";

/** The supported features. */
export interface Features {
  /** INDENT_OUTPUT */
  readonly indent: boolean;
  /** ORDER_MAP_ENTRIES_BY_KEYS */
  readonly sortKeys: boolean;
  /** WRITE_DATES_AS_TIMESTAMPS is off. */
  readonly textDates: boolean;
  /** ACCEPT_SINGLE_VALUE_AS_ARRAY */
  readonly singleAsList: boolean;
}

/** Features without effect here: they concern classes and their properties, or behaviour that JSON.parse always has. */
const withoutEffect = new Set(["FAIL_ON_UNKNOWN_PROPERTIES", "FAIL_ON_EMPTY_BEANS", "FAIL_ON_IGNORED_PROPERTIES"]);
const supported = [
  "INDENT_OUTPUT",
  "ORDER_MAP_ENTRIES_BY_KEYS",
  "WRITE_DATES_AS_TIMESTAMPS",
  "ACCEPT_SINGLE_VALUE_AS_ARRAY",
];

/** Throws for an unknown feature. */
export function jacksonFeatures(options: {
  readonly enableFeatures?: string | undefined;
  readonly disableFeatures?: string | undefined;
}): Features {
  const on = new Set(["WRITE_DATES_AS_TIMESTAMPS"]);
  for (const name of namesOf(options.enableFeatures)) on.add(name);
  for (const name of namesOf(options.disableFeatures)) on.delete(name);
  return {
    indent: on.has("INDENT_OUTPUT"),
    sortKeys: on.has("ORDER_MAP_ENTRIES_BY_KEYS"),
    textDates: !on.has("WRITE_DATES_AS_TIMESTAMPS"),
    singleAsList: on.has("ACCEPT_SINGLE_VALUE_AS_ARRAY"),
  };
}

function namesOf(list: string | undefined): string[] {
  const names = (list ?? "").split(",").map((name) => name.trim());
  return names.filter((name) => {
    if (name === "" || withoutEffect.has(name)) return false;
    if (supported.includes(name)) return true;
    throw new Error(`Jackson's feature '${name.slice(0, 100)}' is not here; there are: ${supported.join(", ")}`);
  });
}

/** The types that a document may be converted to. */
const anything = ["Object", "java.lang.Object", "com.fasterxml.jackson.databind.JsonNode"];
const maps = ["Map", "java.util.Map", "java.util.HashMap", "java.util.LinkedHashMap", "java.util.TreeMap"];
const lists = ["List", "java.util.List", "java.util.ArrayList", "java.util.LinkedList", "java.util.Collection"];
const scalars = ["String", "Integer", "Long", "Double", "Boolean"].flatMap((name) => [name, `java.lang.${name}`]);
const all = new Set([...anything, ...maps, ...lists, ...scalars]);

/** The list of types for messages. */
export const targets = "java.util.Map, java.util.List, java.lang.Object, String, Integer, Long, Double, Boolean";

export function isKnownTarget(type: string): boolean {
  return all.has(type.trim());
}

/** Throws MismatchedInputException for a value that is not of the type. */
export function checkType(value: unknown, type: string | undefined, singleAsList = false): unknown {
  const name = type?.trim();
  if (name === undefined || value === null || anything.includes(name)) return value;
  if (maps.includes(name)) {
    if (isPlainObject(value)) return value;
  } else if (lists.includes(name)) {
    if (Array.isArray(value)) return value;
    if (singleAsList) return [value];
  } else if (typeof value !== "object") return scalarOf(value, name);
  throw mismatched(value, name);
}

/** Returns a list whose elements all have the type. */
export function listOf(value: unknown, type: string | undefined, singleAsList: boolean): unknown {
  if (value === null) return null;
  const list = singleAsList && !Array.isArray(value) ? [value] : value;
  if (!Array.isArray(list)) throw mismatched(value, "java.util.ArrayList");
  return type === undefined ? list : list.map((element) => checkType(element, type));
}

function scalarOf(value: unknown, type: string): unknown {
  let converted: unknown = null;
  try {
    converted = convertTo(value, type);
  } catch (error) {
    throw mismatched(value, type, error);
  }
  if (converted === null) throw mismatched(value, type);
  return converted;
}

function mismatched(value: unknown, type: string, cause?: unknown): FlowException {
  const kind = Array.isArray(value) ? "Array" : typeof value === "object" ? "Object" : typeof value;
  const message = `Cannot deserialize value of type \`${type}\` from ${kind} value`;
  return new FlowException("com.fasterxml.jackson.databind.exc.MismatchedInputException", message, { cause });
}
