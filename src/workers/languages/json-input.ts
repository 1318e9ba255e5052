/** A message's value as JSON data, for the languages that look into JSON. */
import { asText, asValue } from "../engine/convert.ts";
import { FlowException } from "../engine/exception.ts";
import { parseJson } from "../engine/parse-json.ts";
import { XmlNode } from "../engine/xml-value.ts";

/**
 * Text and bytes are parsed, what is data already is taken as it is; null stays null.
 * Throws FlowException of the type `malformed` for text that is not JSON.
 */
export function jsonInput(value: unknown, malformed: string): unknown {
  const known = asValue(value);
  if (known instanceof Map) return Object.fromEntries(known);
  if (known instanceof Set) return [...known];
  if (typeof known !== "string" && !(known instanceof Uint8Array) && !(known instanceof XmlNode)) return known;
  const text = asText(known);
  try {
    return parseJson(text);
  } catch (error) {
    if (error instanceof FlowException) throw error;
    const shown = text.length > 40 ? `${text.slice(0, 40)}...` : text;
    throw new FlowException(malformed, `the input is not JSON: '${shown}'`, { cause: error });
  }
}

/** `record[name] = value`, also for a name that JavaScript has another meaning for (`__proto__`). */
export function setOwn(record: Record<string, unknown>, name: string, value: unknown): void {
  if (name === "__proto__") {
    Object.defineProperty(record, name, { value, enumerable: true, writable: true, configurable: true });
  } else record[name] = value;
}
