/** Reads the input of an expression: the source that it names, and the JSON data of a value. */

import { FlowException } from "../engine/exception.ts";
import type { Exchange } from "../engine/exchange.ts";
import { jsonData } from "../engine/json-data.ts";
import type { LanguageContext } from "../engine/language.ts";
import { jsonTextOf } from "../engine/message-text.ts";
import { parseJson } from "../engine/parse-json.ts";
import type { Expression } from "../engine/processor.ts";
import { getVariable, requireReadable } from "../engine/variables.ts";
import { XmlNode } from "../engine/xml-value.ts";
import { headerOrProperty } from "./header.ts";

/**
 * Parses text and bytes (`jsonTextOf`), and converts other values with `jsonData`; null stays null. Throws FlowException of the type
 * `malformed` for text that is not JSON.
 */
export function jsonInput(exchange: Exchange, value: unknown, malformed: string): unknown {
  const isDocument = typeof value === "string" || value instanceof Uint8Array;
  return parsedInput(isDocument ? jsonTextOf(exchange, value, malformed) : value, malformed);
}

/** As `jsonInput`, for values that are not bytes. */
export function parsedInput(value: unknown, malformed: string): unknown {
  const text = value instanceof XmlNode ? value.text : value;
  if (typeof text !== "string") return jsonData(value);
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

/**
 * Reads what `source` names; a name without a prefix is a variable. A header or a property that is not there fails the
 * step, a variable is null (Camel: ExpressionBuilder.singleInputExpression). Throws Error for a source of another form.
 */
export function sourceReader(
  source: string | undefined,
  { useVariable }: Pick<LanguageContext, "useVariable">,
): Expression {
  if (source === undefined || source === "body") return (exchange) => exchange.message.body ?? null;
  const colon = source.indexOf(":");
  const name = source.slice(colon + 1).trim();
  switch (name === "" ? "" : colon < 0 ? "variable" : source.slice(0, colon)) {
    case "header":
      return (exchange) => headerOrProperty(exchange, name) ?? missing("Header", `'${name}' header`);
    case "property":
    case "exchangeProperty":
      return (exchange) => exchange.properties.get(name) ?? missing("Property", `'${name}' exchange property`);
    case "variable":
      requireReadable(name, useVariable);
      return (exchange) => getVariable(exchange, name);
    default:
      throw new Error(`source is header:name, property:name or variable:name; found '${source}'`);
  }
}

function missing(kind: "Header" | "Property", what: string): never {
  const type = `org.apache.camel.NoSuch${kind}Exception`;
  const cause = new FlowException(type, `No ${what} available. Exchange[]`);
  throw new FlowException("org.apache.camel.RuntimeCamelException", `${type}: ${cause.message}`, { cause });
}
