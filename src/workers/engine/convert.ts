/** Camel's type conversion: renders values as text, converts between types, and decides which values are true. */

import { limitTable } from "../../shared/limits.ts";
import { maxDigits, narrow, readWhole } from "../../shared/whole-numbers.ts";
import { exceptionMessage, exceptionType, FlowException } from "./exception.ts";
import { Exchange } from "./exchange.ts";
import { FormBody } from "./form.ts";
import { Headers } from "./headers.ts";
import { containerText, dateText } from "./java-text.ts";
import { elementsOf, JsonNode } from "./json-node.ts";
import { LazyList } from "./lazy-list.ts";
import { JsonText, Message } from "./message.ts";
import { markupOf, XmlNode } from "./xml-value.ts";

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
const encoder = new TextEncoder();
/** For callers without an exchange: the greatest limit that a flow can have. */
const generous = limitTable.messageBodyBytes.ceiling;

/**
 * Renders a value for a template: null as nothing, a JSON text as received, bytes as UTF-8, an exception as `type:
 * message`, other values as Java prints them: `[1, 2]`, `{a=1, b=2}`, `Thu Jan 01 00:00:00 UTC 1970`. Numbers are
 * JavaScript's: `1.0` is `1`. Throws LimitExceededException for a text longer than `maxBytes`.
 */
export function asText(value: unknown, maxBytes: number = generous): string {
  switch (typeof value) {
    case "string":
      return value;
    case "number":
    case "boolean":
    case "bigint":
      return String(value);
    case "object":
      return value === null ? "" : objectText(value, maxBytes);
    default:
      return "";
  }
}

function objectText(value: object, maxBytes: number): string {
  const markup = markupOf(value);
  if (markup !== undefined) return markup;
  const container = value instanceof Headers ? new Map(value.entries()) : value;
  return opaqueText(value) ?? containerText(container, maxBytes, elementText);
}

/** Renders an element of a list or a map that is neither. */
function elementText(value: unknown, maxBytes: number): string {
  if (value === null || value === undefined) return "null";
  return typeof value === "object" ? (opaqueText(value) ?? "") : asText(value, maxBytes);
}

/** Renders an object that is neither a list nor a map. */
function opaqueText(value: object): string | undefined {
  if (value instanceof JsonText) return value.text;
  if (value instanceof Uint8Array) return decoder.decode(value);
  if (value instanceof XmlNode) return value.text;
  if (value instanceof Date) return dateText(value);
  if (value instanceof Error) return `${exceptionType(value)}: ${exceptionMessage(value)}`;
  if (value instanceof Exchange) return `Exchange[${value.id}]`;
  return value instanceof Message ? "Message" : undefined;
}

/**
 * Returns the value to look into: the value of a JSON text, the list of a lazy list, null for undefined, else the value
 * itself.
 */
export function asValue(value: unknown): unknown {
  if (value instanceof LazyList) return value.toArray();
  return value instanceof JsonText ? value.value : (value ?? null);
}

/**
 * Returns the value as an element of a list or a map: JSON text keeps its text there, a lazy list becomes a list,
 * undefined null.
 */
export function asElement(value: unknown): unknown {
  return value instanceof LazyList ? value.toArray() : (value ?? null);
}

/** Whether a value is an object of JSON or of the runtime, without a class or methods. */
export function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== "object" || value === null) return false;
  const prototype = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype;
}

/**
 * Converts a value to a condition (Camel: ExpressionToPredicateAdapter): blank text, "false", null and empty lists are
 * false; 0 and an empty map are true.
 */
export function truthy(value: unknown): boolean {
  if (typeof value === "boolean") return value;
  if (value === null || value === undefined) return false;
  if (typeof value === "string") {
    const text = value.trim();
    return text !== "" && text.toLowerCase() !== "false";
  }
  if (Array.isArray(value)) return value.length > 0;
  if (value instanceof Set) return value.size > 0;
  if (value instanceof JsonText) return truthy(value.value);
  return true;
}

/** Full Java names of the types that values can be converted to, by the names that Camel accepts for them. */
const typeNames = new Map<string, string>();
for (const name of ["String", "Integer", "Long", "Short", "Byte", "Double", "Float", "Number", "Boolean", "Object"]) {
  typeNames.set(name, `java.lang.${name}`).set(`java.lang.${name}`, `java.lang.${name}`);
}
for (const name of ["Map", "List", "Collection", "Set", "Date"]) {
  typeNames.set(name, `java.util.${name}`).set(`java.util.${name}`, `java.util.${name}`);
}
for (const name of ["BigDecimal", "BigInteger"]) {
  typeNames.set(name, `java.math.${name}`).set(`java.math.${name}`, `java.math.${name}`);
}
for (const name of ["HashMap", "LinkedHashMap"]) typeNames.set(`java.util.${name}`, "java.util.Map");
for (const name of ["ArrayList", "LinkedList"]) typeNames.set(`java.util.${name}`, "java.util.List");
for (const name of ["byte[]", "[B"]) typeNames.set(name, "byte[]");
typeNames.set("string", "java.lang.String").set("int", "java.lang.Integer").set("integer", "java.lang.Integer");
for (const name of ["long", "short", "byte", "double", "float", "boolean"]) {
  typeNames.set(name, `java.lang.${name[0]?.toUpperCase()}${name.slice(1)}`);
}

/** Whether `convertTo` supports the type; the check of a flow asks this, so that no run has an unknown type. */
export function isKnownType(name: string): boolean {
  return typeNames.has(name);
}

/** Whether an expression of this resultType is parsed as a predicate (Camel: `simple("...", Boolean.class)`). */
export function isBooleanType(name: string): boolean {
  return typeNames.get(name) === "java.lang.Boolean";
}

/** Returns the full Java name of a supported type; undefined for another. */
export function fullTypeName(name: string): string | undefined {
  return typeNames.get(name);
}

/**
 * Converts a value to another type. null stays null, and the result is null where Camel has no converter (a map to an
 * Integer). Throws TypeConversionException where the conversion fails (`abc` to an Integer) or the number does not fit.
 */
export function convertTo(value: unknown, typeName: string, maxBytes: number = generous): unknown {
  const type = typeNames.get(typeName);
  if (type === undefined) throw new FlowException("java.lang.ClassNotFoundException", `unknown type ${typeName}`);
  if (value === null || value === undefined) return null;
  switch (type) {
    case "java.lang.Object":
      return value;
    case "java.lang.String":
      return asText(value, maxBytes);
    case "java.lang.Boolean":
      return toBoolean(value, maxBytes);
    case "byte[]":
      return value instanceof Uint8Array ? value : encoder.encode(asText(value, maxBytes));
    case "java.util.Map": {
      const inner = asValue(value);
      return isPlainObject(inner) || inner instanceof Map ? inner : null;
    }
    case "java.util.List":
    case "java.util.Collection":
    case "java.util.Set": {
      if (value instanceof JsonNode) return elementsOf(value) ?? null;
      const inner = value instanceof LazyList ? value.toArray(maxBytes) : asValue(value);
      return Array.isArray(inner) ? inner : inner instanceof Set ? [...inner] : null;
    }
    case "java.util.Date":
      // Camel converts Long but not Integer to a date; a time in milliseconds is always a long.
      if (typeof value === "number") return Math.abs(value) > 0x7fffffff ? new Date(value) : null;
      return value instanceof Date ? value : null;
    default:
      return toNumber(value, type);
  }
}

/** A whole number is true if it is above 0; another value is converted by its text, `true` or `false`. Any other text is null. */
function toBoolean(value: unknown, maxBytes: number): boolean | null {
  if (typeof value === "boolean") return value;
  if (typeof value === "bigint" || (typeof value === "number" && Number.isInteger(value))) return value > 0;
  const text = asText(value, maxBytes);
  return /^(?:true|false)$/i.test(text) ? text.toLowerCase() === "true" : null;
}

/** Inclusive bounds of Java's whole numbers; BigInteger has the bounds of a number in JSON. */
const wholeTypes: Readonly<Record<string, readonly [least: number | bigint, greatest: number | bigint]>> = {
  "java.lang.Byte": [-128, 127],
  "java.lang.Short": [-32768, 32767],
  "java.lang.Integer": [-2147483648, 2147483647],
  "java.lang.Long": [-(2n ** 63n), 2n ** 63n - 1n],
  "java.math.BigInteger": [1n - 10n ** BigInt(maxDigits), 10n ** BigInt(maxDigits) - 1n],
};
/** Other types that keep a whole number beyond 2^53. */
const exactTypes: ReadonlySet<string> = new Set(["java.lang.Number", "java.math.BigDecimal"]);
const wholeNumber = /^[+-]?\d+$/;
const decimalNumber = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/;

function toNumber(value: unknown, type: string): number | bigint | null {
  const bounds = wholeTypes[type];
  if (value instanceof Date) return type === "java.lang.Long" ? timeOf(value) : null;
  if (bounds === undefined) return toDecimal(value, type);
  if (Number.isNaN(value)) return null;
  const number = toWhole(value, type);
  if (number !== null && (number < bounds[0] || number > bounds[1])) throw notConvertible(String(value), type);
  return number;
}

/** Returns milliseconds; null for a date that is none, which only a script can make. */
function timeOf(date: Date): number | null {
  const time = date.getTime();
  return Number.isNaN(time) ? null : time;
}

function toWhole(value: unknown, type: string): number | bigint | null {
  if (typeof value === "bigint") return value;
  if (typeof value === "number") {
    const whole = Math.trunc(value);
    return Number.isSafeInteger(whole) || !Number.isFinite(whole) ? whole : narrow(BigInt(whole));
  }
  const text = scalarText(value);
  if (text === undefined) return null;
  if (!wholeNumber.test(text) || text.length > maxDigits) throw notConvertible(text, type);
  return readWhole(text);
}

function toDecimal(value: unknown, type: string): number | bigint | null {
  if (typeof value === "bigint") return exactTypes.has(type) ? value : Number(value);
  if (typeof value === "number") return value;
  const text = scalarText(value)?.trim();
  if (text === undefined) return null;
  const number = exactTypes.has(type) ? numberOf(text) : decimalOf(text);
  if (number === undefined) throw notConvertible(text, type);
  return number;
}

/** Returns the text by which Camel converts a value; undefined for a value without one. */
function scalarText(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  if (value instanceof JsonNode) return undefined;
  if (value instanceof JsonText) return typeof value.value === "string" ? value.value : value.text;
  return value instanceof Uint8Array ? decoder.decode(value) : markupOf(value);
}

/** Reads a number, a whole one beyond 2^53 as bigint; undefined for other text. */
export function numberOf(text: string): number | bigint | undefined {
  const number = decimalOf(text);
  if (number === undefined || Number.isSafeInteger(number) || text.length > maxDigits) return number;
  return wholeNumber.test(text) ? readWhole(text) : number;
}

function decimalOf(text: string): number | undefined {
  return decimalNumber.test(text) ? Number(text) : undefined;
}

function notConvertible(text: string, type: string): FlowException {
  const shown = text.length > 100 ? `${text.slice(0, 100)}...` : text;
  return new FlowException(
    "org.apache.camel.TypeConversionException",
    `cannot convert '${shown}' to ${type}: no such value, or too large for it`,
    { cause: new FlowException("java.lang.NumberFormatException", `For input string: "${shown}"`) },
  );
}

/** Returns the Java class that Camel would report for a value. */
export function javaType(value: unknown): string {
  switch (typeof value) {
    case "string":
      return "java.lang.String";
    case "boolean":
      return "java.lang.Boolean";
    case "bigint":
      return BigInt.asIntN(64, value) === value ? "java.lang.Long" : "java.math.BigInteger";
    case "number":
      if (!Number.isInteger(value)) return "java.lang.Double";
      return Math.abs(value) <= 0x7fffffff ? "java.lang.Integer" : "java.lang.Long";
    default:
      return javaObjectType(value);
  }
}

function javaObjectType(value: unknown): string {
  if (value instanceof JsonNode)
    return `com.fasterxml.jackson.databind.node.${Array.isArray(value.value) ? "Array" : "Object"}Node`;
  if (value instanceof JsonText) return value instanceof FormBody ? "java.util.LinkedHashMap" : "java.lang.String";
  if (value instanceof Uint8Array) return "byte[]";
  if (value instanceof Date) return "java.util.Date";
  if (Array.isArray(value) || value instanceof LazyList) return "java.util.ArrayList";
  if (value instanceof XmlNode) return "org.w3c.dom.Node";
  if (value instanceof Error) return exceptionType(value);
  if (value instanceof Exchange) return "org.apache.camel.Exchange";
  if (value instanceof Message) return "org.apache.camel.Message";
  return value === null || value === undefined ? "null" : "java.util.LinkedHashMap";
}
