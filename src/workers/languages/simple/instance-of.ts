/** The `is` operator: whether a value is of a Java type, by the type as Camel's users know it. */
import { fullTypeName, isPlainObject, javaType } from "../../engine/convert.ts";
import { exceptionType } from "../../engine/exception.ts";
import { FormBody } from "../../engine/form.ts";
import { JsonNode } from "../../engine/json-node.ts";

/** Supertypes of values. */
const tests: Readonly<Record<string, (value: unknown) => boolean>> = {
  "java.lang.Object": (value) => value !== null && value !== undefined,
  "java.lang.Number": (value) => typeof value === "number" || typeof value === "bigint",
  "java.lang.Double": (value) => typeof value === "number" && !Number.isInteger(value),
  // A value that an expression has made of JSON is both a node, as in Camel, and its content.
  "java.util.Map": (value) => isPlainObject(nodeValue(value)) || value instanceof FormBody,
  "java.util.List": (value) => Array.isArray(nodeValue(value)),
  "java.util.Collection": (value) => Array.isArray(nodeValue(value)),
};

function nodeValue(value: unknown): unknown {
  return value instanceof JsonNode ? value.value : value;
}

/** Returns a test of the type; undefined for an unknown type. */
export function instanceTest(typeName: string): ((value: unknown) => boolean) | undefined {
  const name = typeName.trim();
  const type = fullTypeName(name);
  if (type === undefined) return /(?:Exception|Error|Throwable)$/.test(name) ? exceptionTest(name) : undefined;
  return (Object.hasOwn(tests, type) ? tests[type] : undefined) ?? ((value) => javaType(value) === type);
}

/** Tests an exception by full or simple name; Throwable and Exception match any. */
function exceptionTest(name: string): (value: unknown) => boolean {
  const simple = name.slice(name.lastIndexOf(".") + 1);
  if (simple === "Throwable" || simple === "Exception") return (value) => value instanceof Error;
  return (value) => {
    if (!(value instanceof Error)) return false;
    const type = exceptionType(value);
    return type === name || type.slice(type.lastIndexOf(".") + 1) === simple;
  };
}
