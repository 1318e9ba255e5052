/** Compiles binary operators to conditions. A fixed right side is read once. */
import { coercedCompare } from "../../engine/compare.ts";
import { asText, fullTypeName, isPlainObject, javaType } from "../../engine/convert.ts";
import { ExpressionSyntaxError, exceptionMessage, exceptionType, FlowException } from "../../engine/exception.ts";
import { FormBody } from "../../engine/form.ts";
import { JsonNode } from "../../engine/json-node.ts";
import { readable } from "../../engine/message-text.ts";
import { compileRegex, regexCache } from "../../engine/regex.ts";
import { type Eval, simpleText, type Test } from "./eval.ts";
import { comparisons } from "./operators.ts";
import type { BinaryNode, Node } from "./tree.ts";

/** Compiles an operator. Throws ExpressionSyntaxError for an invalid type, range or regular expression. */
export function compileBinary(node: BinaryNode, left: Eval, right: Eval): Test {
  const compare = Object.hasOwn(comparisons, node.operator) ? comparisons[node.operator] : undefined;
  if (compare !== undefined) {
    return (exchange, body) =>
      compare(readable(exchange, left(exchange, body)), readable(exchange, right(exchange, body)));
  }
  const negated = node.operator.startsWith("!");
  const test = special(negated ? node.operator.slice(1) : node.operator, node, left, right);
  return negated ? (exchange, body) => !test(exchange, body) : test;
}

function special(operator: string, node: BinaryNode, left: Eval, right: Eval): Test {
  if (operator === "regex") return regexTest(node, left, right);
  const text = fixedText(node.right);
  if (text === undefined || node.right.kind === "literal") {
    throw new ExpressionSyntaxError(`the right side of '${operator}' is a fixed text in quotes`, node.right.index);
  }
  if (operator === "range") return rangeTest(text, node, left);
  const isInstance = instanceTest(text);
  if (isInstance === undefined) {
    throw new ExpressionSyntaxError(`unknown type '${text}': write String, java.util.Map, ...`, node.index);
  }
  return (exchange, body) => isInstance(left(exchange, body));
}

function regexTest(node: BinaryNode, left: Eval, right: Eval): Test {
  const pattern = fixedText(node.right);
  if (pattern === undefined) {
    const compiled = regexCache();
    return (exchange, body) => {
      const value = left(exchange, body);
      return (
        value !== null &&
        value !== undefined &&
        compiled(simpleText(right(exchange, body), exchange)).matches(simpleText(value, exchange))
      );
    };
  }
  try {
    const regex = compileRegex(pattern);
    return (exchange, body) => {
      const value = left(exchange, body);
      return value !== null && value !== undefined && regex.matches(simpleText(value, exchange));
    };
  } catch (error) {
    if (error instanceof FlowException) throw new ExpressionSyntaxError(exceptionMessage(error), node.right.index);
    throw error;
  }
}

const rangeText = /^\s*(-?\d{1,15})\.\.(-?\d{1,15})\s*$/;

function rangeTest(text: string, node: BinaryNode, left: Eval): Test {
  const found = rangeText.exec(text);
  if (found === null) {
    throw new ExpressionSyntaxError(`'${text}' is no range: write two whole numbers, '100..200'`, node.right.index);
  }
  const [from, to] = [Number(found[1]), Number(found[2])];
  return (exchange, body) => {
    const value = left(exchange, body) ?? null;
    return value !== null && coercedCompare(value, from) >= 0 && coercedCompare(value, to) <= 0;
  };
}

/** Returns the text of a side without functions; undefined for one with them. */
function fixedText(node: Node): string | undefined {
  if (node.kind === "literal") return asText(node.value);
  if (node.kind !== "template" || node.pieces.length > 1) return undefined;
  const text = node.pieces[0] ?? "";
  return typeof text === "string" ? text : undefined;
}

/** Tests of Java types that several kinds of values have. */
const tests: Readonly<Record<string, (value: unknown) => boolean>> = {
  "java.lang.Object": (value) => value !== null && value !== undefined,
  "java.lang.Number": (value) => typeof value === "number" || typeof value === "bigint",
  "java.lang.Double": (value) => typeof value === "number" && !Number.isInteger(value),
  // A value that an expression has made of JSON is both a Jackson node, as in Camel, and its content.
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
