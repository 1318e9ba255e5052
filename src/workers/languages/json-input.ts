/** Converts a message's value to JSON data, for the languages that read JSON. */
import { asText } from "../engine/convert.ts";
import { FlowException } from "../engine/exception.ts";
import { jsonData } from "../engine/json-data.ts";
import { parseJson } from "../engine/parse-json.ts";
import { XmlNode } from "../engine/xml-value.ts";

/**
 * Parses text and bytes, and converts other values with `jsonData`; null stays null. Throws FlowException of the type
 * `malformed` for text that is not JSON.
 */
export function jsonInput(value: unknown, malformed: string): unknown {
  if (typeof value !== "string" && !(value instanceof Uint8Array) && !(value instanceof XmlNode))
    return jsonData(value);
  const text = asText(value);
  try {
    return parseJson(text);
  } catch (error) {
    if (error instanceof FlowException) throw error;
    const shown = text.length > 40 ? `${text.slice(0, 40)}...` : text;
    throw new FlowException(malformed, `the input is not JSON: '${shown}'`, { cause: error });
  }
}

/** Sets `record[name]`, also for a name with a special meaning in JavaScript (`__proto__`). */
export function setOwn(record: Record<string, unknown>, name: string, value: unknown): void {
  if (name === "__proto__") {
    Object.defineProperty(record, name, { value, enumerable: true, writable: true, configurable: true });
  } else record[name] = value;
}
