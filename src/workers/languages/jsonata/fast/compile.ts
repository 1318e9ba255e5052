/**
 * Compiles common expressions to closures: paths, literals, lists, objects, `&`, comparisons, conditions, arithmetic, and
 * the calls of functions.ts. Reads the library's own syntax tree. A closure decides only what is certain and leaves the rest to the
 * interpreter.
 */

import type { Jsonata } from "../library.ts";
import { isFunction } from "../plain-result.ts";
import type { SyntaxNode } from "../syntax-tree.ts";
import { onlyHas } from "../syntax-tree.ts";
import { compileList, compileObject } from "./build.ts";
import { type Closure, unsure, variableNames } from "./closure.ts";
import { compileCall } from "./functions.ts";
import { compilePath } from "./path.ts";
import { both, calculate, compare, concat, condition, contained, equal } from "./scalar.ts";

export interface FastContext {
  readonly library: Jsonata;
  readonly maxSequence: number;
}

/** Returns undefined for an expression that needs the interpreter. */
export function compileFast(node: SyntaxNode, context: FastContext): Closure | undefined {
  switch (node.type) {
    case "string":
    case "number":
    case "value":
      return onlyHas(node, ["type", "value", "position"]) ? () => node.value : undefined;
    case "variable":
      return variable(node);
    case "path":
      return compilePath(node, context.maxSequence, variable, (inner) => compileFast(inner, context));
    case "binary":
      return onlyHas(node, ["type", "value", "position", "lhs", "rhs"]) ? binary(node, context) : undefined;
    case "unary":
      return unary(node, context);
    case "condition":
      return conditional(node, context);
    case "block":
      return block(node, context);
    case "function":
      return call(node, context);
    default:
      return undefined;
  }
}

/** Other variables are functions, or undefined. */
function variable(node: SyntaxNode): Closure | undefined {
  if (node.type !== "variable" || !onlyHas(node, ["type", "value", "position"])) return undefined;
  const { value: name } = node;
  // The library marks the list that wraps an input with a field of this name.
  if (name === "") return (scope) => (isMarked(scope.context) ? unsure : scope.context);
  if (name === "$") return (scope) => scope.input;
  const known = variableNames.find((one) => one === name);
  return known && ((scope) => scope.variables[known]);
}

function isMarked(value: unknown): boolean {
  return typeof value === "object" && value !== null && ("outerWrapper" in value || isFunction(value));
}

function binary({ value, lhs, rhs }: SyntaxNode, context: FastContext): Closure | undefined {
  const [left, right] = all([lhs, rhs], context) ?? [];
  if (left === undefined || right === undefined) return undefined;
  switch (value) {
    case "&":
      return concat(left, right);
    case "=":
    case "!=":
      return equal(left, right, value === "=");
    case "and":
    case "or":
      return both(left, right, value);
    case "in":
      return contained(left, right);
    default:
      return compare(left, right, String(value)) ?? calculate(left, right, String(value));
  }
}

function unary(node: SyntaxNode, context: FastContext): Closure | undefined {
  const compile = (inner: SyntaxNode): Closure | undefined => compileFast(inner, context);
  switch (node.value) {
    case "-":
      return onlyHas(node, ["type", "value", "position", "expression"]) ? negative(node, context) : undefined;
    case "[":
      return compileList(node, context.maxSequence, compile);
    case "{":
      return compileObject(node, compile);
    default:
      return undefined;
  }
}

function negative({ expression }: SyntaxNode, context: FastContext): Closure | undefined {
  const operand = expression && compileFast(expression, context);
  if (operand === undefined) return undefined;
  return (scope) => {
    const value = operand(scope);
    if (value === undefined) return undefined;
    return Number.isFinite(value) ? -(value as number) : unsure;
  };
}

function conditional(node: SyntaxNode, context: FastContext): Closure | undefined {
  if (!onlyHas(node, ["type", "position", "condition", "then", "else"])) return undefined;
  const [test, then] = all([node.condition, node.then], context) ?? [];
  const otherwise = node.else === undefined ? () => undefined : compileFast(node.else, context);
  if (test === undefined || then === undefined || otherwise === undefined) return undefined;
  return condition(test, then, otherwise);
}

/** An expression in parentheses. */
function block(node: SyntaxNode, context: FastContext): Closure | undefined {
  const [only, ...more] = node.expressions ?? [];
  if (only === undefined || more.length > 0 || !onlyHas(node, ["type", "position", "expressions"])) return undefined;
  return compileFast(only, context);
}

function call(node: SyntaxNode, context: FastContext): Closure | undefined {
  if (!onlyHas(node, ["type", "name", "value", "position", "arguments", "procedure"])) return undefined;
  const { procedure } = node;
  if (procedure?.type !== "variable" || typeof procedure.value !== "string") return undefined;
  const given = all(node.arguments ?? [], context);
  return given && compileCall(procedure.value, given, context.library);
}

function all(nodes: readonly (SyntaxNode | undefined)[], context: FastContext): readonly Closure[] | undefined {
  const closures: Closure[] = [];
  for (const node of nodes) {
    const closure = node && compileFast(node, context);
    if (closure === undefined) return undefined;
    closures.push(closure);
  }
  return closures;
}
