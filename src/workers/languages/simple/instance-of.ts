/** The `is` operator: whether a value is of a Java type, by the type that Camel's users know it by. */
import { fullTypeName, isPlainObject, javaType } from "../../engine/convert.ts";
import { exceptionType } from "../../engine/exception.ts";
import { FormBody } from "../../engine/form.ts";
import { JsonNode } from "../../engine/json-node.ts";

/** Types above the one that a value has. */
const tests: Readonly<Record<string, (value: unknown) => boolean>> = {
  "java.lang.Object": (value) => value !== null && value !== undefined,
  "java.lang.Number": (value) => typeof value === "number" || typeof value === "bigint",
  "java.lang.Double": (value) => typeof value === "number" && !Number.isInteger(value),
  // What an expression has made of JSON is both a node, as in Camel, and what it holds.
  "java.util.Map": (value) => isPlainObject(nodeValue(value)) || value instanceof FormBody,
  "java.util.List": (value) => Array.isArray(nodeValue(value)),
  "java.util.Collection": (value) => Array.isArray(nodeValue(value)),
};

function nodeValue(value: unknown): unknown {
  return value instanceof JsonNode ? value.value : value;
}

/** undefined for a type that is not known. */
export function instanceTest(typeName: string): ((value: unknown) => boolean) | undefined {
  const name = typeName.trim();
  const type = fullTypeName(name);
  if (type === undefined) return /(?:Exception|Error|Throwable)$/.test(name) ? exceptionTest(name) : undefined;
  return (Object.hasOwn(tests, type) ? tests[type] : undefined) ?? ((value) => javaType(value) === type);
}

/** By full or simple name; Throwable and Exception are any. */
function exceptionTest(name: string): (value: unknown) => boolean {
  const simple = name.slice(name.lastIndexOf(".") + 1);
  if (simple === "Throwable" || simple === "Exception") return (value) => value instanceof Error;
  return (value) => {
    if (!(value instanceof Error)) return false;
    const type = exceptionType(value);
    return type === name || type.slice(type.lastIndexOf(".") + 1) === simple;
  };
}
