/** Reads the input of an expression: the source that it names, and the JSON data of a value. */

import { asText } from "../engine/convert.ts";
import { FlowException } from "../engine/exception.ts";
import { jsonData } from "../engine/json-data.ts";
import type { LanguageContext } from "../engine/language.ts";
import { parseJson } from "../engine/parse-json.ts";
import type { Expression } from "../engine/processor.ts";
import { getVariable, requireReadable } from "../engine/variables.ts";
import { XmlNode } from "../engine/xml-value.ts";
import { headerOrProperty } from "./header.ts";

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

const quotedShared = /(["'`])((?:global|route):[^"'`]{1,200})\1/g;

/** Declares the variables that runs share whose names are quoted in the text of a program. */
export function declareQuoted(text: string, { useVariable }: Pick<LanguageContext, "useVariable">): void {
  for (const [, , name = ""] of text.matchAll(quotedShared)) useVariable(name);
}

/** Reads what `source` names; a name without a prefix is a variable. Throws Error for a source of another form. */
export function sourceReader(
  source: string | undefined,
  { useVariable }: Pick<LanguageContext, "useVariable">,
): Expression {
  if (source === undefined || source === "body") return (exchange) => exchange.message.body ?? null;
  const colon = source.indexOf(":");
  const name = source.slice(colon + 1).trim();
  switch (name === "" ? "" : colon < 0 ? "variable" : source.slice(0, colon)) {
    case "header":
      return (exchange) => headerOrProperty(exchange, name) ?? null;
    case "property":
    case "exchangeProperty":
      return (exchange) => exchange.properties.get(name) ?? null;
    case "variable":
      requireReadable(name, useVariable);
      return (exchange) => getVariable(exchange, name);
    default:
      throw new Error(`source is header:name, property:name or variable:name; found '${source}'`);
  }
}
