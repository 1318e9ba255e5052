/**
 * Changes one value of a JSON body. Containers on the path are copied, since exchanges share bodies; other parts are
 * reused.
 */
import { asText, asValue, isPlainObject, javaType } from "../../engine/convert.ts";
import { FlowException } from "../../engine/exception.ts";
import { parseJson } from "../../engine/parse-json.ts";

/**
 * Creates missing objects on the path; a number is an index if the container is a list. null and an empty text count as
 * an empty object, other text is parsed as JSON. Throws TypeConversionException for a body, or a value on the path,
 * that is neither an object nor a list.
 */
export function withValueAt(body: unknown, keys: readonly string[], value: unknown, maxBytes: number): unknown {
  return changed(documentOf(body, maxBytes), keys, 0, value);
}

function documentOf(body: unknown, maxBytes: number): unknown {
  const inner = asValue(body);
  if (typeof inner !== "string" && !(inner instanceof Uint8Array)) return inner;
  const text = asText(inner, maxBytes);
  if (text.trim() === "") return null;
  try {
    return parseJson(text);
  } catch (error) {
    if (error instanceof FlowException) throw error;
    throw noObject("the body is a text that is not JSON");
  }
}

function changed(holder: unknown, keys: readonly string[], at: number, value: unknown): unknown {
  if (at === keys.length) return value;
  const key = keys[at] as string;
  const inner = asValue(holder);
  if (Array.isArray(inner)) {
    const index = /^\d{1,9}$/.test(key) ? Number(key) : -1;
    if (index < 0 || index >= inner.length) {
      throw noObject(`${placeOf(keys, at)} is a list of ${inner.length} elements and has no element '${key}'`);
    }
    return inner.with(index, changed(inner[index], keys, at + 1, value));
  }
  if (inner !== null && !isPlainObject(inner)) {
    throw noObject(`${placeOf(keys, at)} is a ${javaType(holder)}, not an object`);
  }
  const copy: Record<string, unknown> = { ...inner };
  const before = Object.hasOwn(copy, key) ? copy[key] : null;
  const after = changed(before, keys, at + 1, value);
  // An assignment to `__proto__` would not make a member.
  Object.defineProperty(copy, key, { value: after, writable: true, enumerable: true, configurable: true });
  return copy;
}

function placeOf(keys: readonly string[], at: number): string {
  return ["body", ...keys.slice(0, at)].join(".");
}

function noObject(what: string): FlowException {
  return new FlowException("org.apache.camel.TypeConversionException", `${what}, so nothing can be put into it`);
}
