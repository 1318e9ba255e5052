/** What a document may be asked to be: Jackson's types without classes. */
import { convertTo, isPlainObject } from "../engine/convert.ts";
import { FlowException } from "../engine/exception.ts";

const anything = ["Object", "java.lang.Object", "com.fasterxml.jackson.databind.JsonNode"];
const maps = ["Map", "java.util.Map", "java.util.HashMap", "java.util.LinkedHashMap", "java.util.TreeMap"];
const lists = ["List", "java.util.List", "java.util.ArrayList", "java.util.LinkedList", "java.util.Collection"];
const scalars = ["String", "Integer", "Long", "Double", "Boolean"].flatMap((name) => [name, `java.lang.${name}`]);
const all = new Set([...anything, ...maps, ...lists, ...scalars]);

/** For messages. */
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

/** A list whose elements are each of the type. */
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
