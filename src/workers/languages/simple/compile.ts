/** Compiles trees to closures, so that nothing is parsed when a message passes. */

import { exactSum } from "../../../shared/whole-numbers.ts";
import { asValue, isKnownType, isPlainObject, truthy } from "../../engine/convert.ts";
import { ExpressionSyntaxError, exceptionMessage, FlowException } from "../../engine/exception.ts";
import type { Exchange } from "../../engine/exchange.ts";
import type { LanguageContext } from "../../engine/language.ts";
import { convertIn } from "../../engine/message-text.ts";
import { compileBinary } from "./compile-binary.ts";
import { suggestion } from "./did-you-mean.ts";
import { bounded, type Call, type Eval, maxBytes, type Scope, simpleText, type Test } from "./eval.ts";
import { functions, refusals } from "./functions/index.ts";
import { readPieces, sourceOf } from "./parse-function.ts";
import { readChain } from "./parse-operand.ts";
import { parseInside, parsePredicate, parseTernary } from "./parse-predicate.ts";
import { type ChainNode, type LogicalNode, maxDepth, type Node, type TemplateNode } from "./tree.ts";

/** Compiles the texts of an expression, from the outside in. Its functions throw ExpressionSyntaxError. */
export function outerScope(context: LanguageContext): Scope {
  return scopeAt(0, false, context);
}

interface InnerScope extends Scope {
  readonly depth: number;
}

function scopeAt(depth: number, chained: boolean, context: LanguageContext): InnerScope {
  const inner = (index: number): InnerScope => {
    if (depth === maxDepth) throw new ExpressionSyntaxError(`functions nest at most ${maxDepth} deep`, index);
    return scopeAt(depth + 1, chained, context);
  };
  return {
    depth,
    chained,
    context,
    expression: (text, index) => compileNode(parseTemplate(text, index), inner(index)),
    predicate: (text, index) => {
      const node = parsePredicate(text, index);
      return node === undefined ? () => false : compileTest(node, inner(index));
    },
  };
}

function compileNode(node: Node, scope: InnerScope): Eval {
  switch (node.kind) {
    case "template":
      return compileTemplate(node, scope);
    case "function":
      return compileFunction(node.text, node.index, scope);
    case "literal": {
      const { value } = node;
      return () => value;
    }
    case "unary":
      return unary(compileNode(node.operand, scope), node.add);
    case "chain":
      return compileChain(node, scope);
    case "elvis": {
      const left = compileNode(node.left, scope);
      const right = compileNode(node.right, scope);
      return (exchange, body) => {
        const value = left(exchange, body);
        return elvisTrue(value) ? value : right(exchange, body);
      };
    }
    case "ternary": {
      const test = compileTest(node.test, scope);
      const then = compileNode(node.then, scope);
      const otherwise = compileNode(node.otherwise, scope);
      return (exchange, body) => (test(exchange, body) ? then(exchange, body) : otherwise(exchange, body));
    }
    case "binary":
      return compileBinary(node, compileNode(node.left, scope), compileNode(node.right, scope));
    case "logical":
      return compileLogical(node, scope);
  }
}

function compileTest(node: Node, scope: InnerScope): Test {
  if (node.kind === "logical") return compileLogical(node, scope);
  if (node.kind === "binary") {
    return compileBinary(node, compileNode(node.left, scope), compileNode(node.right, scope));
  }
  const value = compileNode(node, scope);
  return (exchange, body) => truthy(value(exchange, body));
}

/** Evaluates strictly from left to right. An operator whose left side decides it skips only its own right side. */
function compileLogical(node: LogicalNode, scope: InnerScope): Test {
  const first = compileTest(node.first, scope);
  const rest = node.rest.map(({ operator, node: operand }) => ({
    and: operator === "&&",
    test: compileTest(operand, scope),
  }));
  return (exchange, body) => {
    let holds = first(exchange, body);
    for (const { and, test } of rest) if (holds === and) holds = test(exchange, body);
    return holds;
  };
}

/** Compiles a template: text alone is a constant, one node alone yields its raw value, anything else becomes text. */
function compileTemplate({ pieces }: TemplateNode, scope: InnerScope): Eval {
  const [first, second, third] = pieces;
  if (first === undefined) return () => "";
  if (pieces.length === 1) return typeof first === "string" ? () => first : compileNode(first, scope);
  if (pieces.length <= 3 && typeof first === "string" && typeof second === "object" && typeof third !== "object") {
    const value = compileNode(second, scope);
    const end = third ?? "";
    return (exchange, body) => bounded(first + simpleText(value(exchange, body), exchange) + end, maxBytes(exchange));
  }
  // Literal texts alternating with values, beginning with a text.
  const texts: string[] = [""];
  const values: Eval[] = [];
  for (const piece of pieces) {
    if (typeof piece === "string") texts[values.length] = piece;
    else {
      values.push(compileNode(piece, scope));
      texts.push("");
    }
  }
  const start = texts[0] as string;
  return (exchange, body) => {
    const max = maxBytes(exchange);
    let text = start;
    for (let i = 0; i < values.length; i++) {
      text += simpleText((values[i] as Eval)(exchange, body), exchange) + texts[i + 1];
      if (text.length > max) bounded(text, max);
    }
    return text;
  };
}

function unary(operand: Eval, add: number): Eval {
  return (exchange, body) => {
    const value = operand(exchange, body);
    const number = convertIn(exchange, value, "java.lang.Number");
    // What stands behind the point is left out, and a text stays a text (Camel: UnaryExpression).
    if (typeof number === "number" || typeof number === "bigint") {
      const next = exactSum(typeof number === "number" ? Math.trunc(number) : number, add);
      return typeof value === "string" ? String(next) : next;
    }
    throw new FlowException("org.apache.camel.CamelExecutionException", "++ and -- need a number, found null");
  };
}

/**
 * Whether a value is true for elvis: null, false, 0, blank text, an empty list and an empty map are not
 * (simple-operators.adoc).
 */
function elvisTrue(value: unknown): boolean {
  const inner = asValue(value);
  if (inner === null || inner === false || inner === 0) return false;
  if (typeof inner === "string") return inner.trim() !== "";
  return isPlainObject(inner) ? Object.keys(inner).length > 0 : !Array.isArray(inner) || inner.length > 0;
}

function compileChain(node: ChainNode, scope: InnerScope): Eval {
  const first = compileNode(node.first, scope);
  const inner = scopeAt(scope.depth, true, scope.context);
  const links = node.links.map(({ node: link, safe }) => ({ link: compileNode(link, inner), safe }));
  return (exchange, body) => {
    let value = first(exchange, body);
    for (const { link, safe } of links) {
      if (safe && (value === null || value === undefined)) return null;
      value = link(exchange, value ?? null);
    }
    return value;
  };
}

const resultPrefix = /^(int|integer|long|boolean|string):/;
const functionName = /^[A-Za-z][\w-]*/;

/** Compiles the text between the braces; `plain`: without `int:` before it. Throws ExpressionSyntaxError. */
function compileFunction(written: string, at: number, scope: InnerScope, plain = false): Eval {
  const text = written.trim();
  const index = at + written.length - written.trimStart().length;
  const inside = parseInside(text, index);
  if (inside !== undefined) return compileNode(inside, scope);
  const prefix = plain ? null : resultPrefix.exec(text);
  if (prefix !== null)
    return converted(prefix[1] as string, text.slice(prefix[0].length), index + prefix[0].length, scope);
  const name = functionName.exec(text)?.[0];
  if (name === undefined) {
    throw new ExpressionSyntaxError(`Unknown function: ${text.slice(0, 60)}`, index);
  }
  const compile = Object.hasOwn(functions, name) ? functions[name] : undefined;
  if (compile === undefined) {
    const refusal = refusals.get(name);
    const reason = refusal ?? `Unknown function: ${name.slice(0, 60)}${suggestion(name, Object.keys(functions))}`;
    throw new ExpressionSyntaxError(reason, index);
  }
  const call: Call = { name, rest: text.slice(name.length), index: index + name.length, scope };
  try {
    return compile(call);
  } catch (error) {
    // Reports a fixed regular expression or date pattern at compile time.
    if (error instanceof FlowException) throw new ExpressionSyntaxError(exceptionMessage(error), call.index);
    throw error;
  }
}

function converted(type: string, text: string, index: number, scope: InnerScope): Eval {
  const value = compileFunction(text, index, scope, true);
  if (!isKnownType(type)) throw new ExpressionSyntaxError(`unknown type ${type}`, index);
  return (exchange: Exchange, body) => convertIn(exchange, value(exchange, body), type);
}

/**
 * Parses a template, in which operators other than `++ -- ~> ?: ? :` are literal text. Throws ExpressionSyntaxError.
 */
export function parseTemplate(text: string, base: number): Node {
  return parseTernary(text, base) ?? readPieces(sourceOf(text, base), readChain);
}
