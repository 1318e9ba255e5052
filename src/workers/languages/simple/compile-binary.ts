/** Compiles binary operators with their values to conditions; a fixed right side is read once. */
import { coercedCompare } from "../../engine/compare.ts";
import { asText } from "../../engine/convert.ts";
import { ExpressionSyntaxError, exceptionMessage, FlowException } from "../../engine/exception.ts";
import { compileRegex, regexCache } from "../../engine/regex.ts";
import { type Eval, type Test, textOf } from "./eval.ts";
import { instanceTest } from "./instance-of.ts";
import { comparisons } from "./operators.ts";
import type { BinaryNode, Node } from "./tree.ts";

/** Compiles an operator. Throws ExpressionSyntaxError for an invalid type, range or regular expression. */
export function compileBinary(node: BinaryNode, left: Eval, right: Eval): Test {
  const compare = Object.hasOwn(comparisons, node.operator) ? comparisons[node.operator] : undefined;
  if (compare !== undefined) return (exchange, body) => compare(left(exchange, body), right(exchange, body));
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
        compiled(asText(right(exchange, body))).matches(textOf(value, exchange))
      );
    };
  }
  try {
    const regex = compileRegex(pattern);
    return (exchange, body) => {
      const value = left(exchange, body);
      return value !== null && value !== undefined && regex.matches(textOf(value, exchange));
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
