/** Expressions as flows and mappings evaluate them: without the interpreter where that is possible. */
import { ExpressionSyntaxError } from "../../engine/exception.ts";
import { type Bounds, compileJsonata, guardedJsonata } from "./evaluator.ts";
import { type Closure, type Scope, unsure } from "./fast/closure.ts";
import { compileFast } from "./fast/compile.ts";
import { plainResult } from "./plain-result.ts";
import type { SyntaxNode } from "./syntax-tree.ts";

/** An expression: a closure if it is simple, else the guarded interpreter. */
export interface ScopedExpression {
  readonly text: string;
  /** true: it has a closure, and uses the interpreter only for cases that the closure leaves open. */
  readonly compiled: boolean;
  /** Names of its variables, including functions. */
  readonly variables: ReadonlySet<string>;
  /** Ids of its value mappings. */
  readonly valueMappings: readonly string[];
  /** Returns data of a message, undefined for no result. Throws as JsonataExpression.evaluate. */
  evaluate(scope: Scope): unknown;
}

/** Throws NotLoaded, and ExpressionSyntaxError. `interpret`: makes no closure, so that tests can compare both. */
export function compileExpression(text: string, bounds: Bounds, interpret = false): ScopedExpression {
  const expression = compileJsonata(text, bounds);
  const closure = interpret ? undefined : closureOf(expression.tree, bounds);
  const { variables, valueMappings } = expression;
  const interpreted = (scope: Scope): unknown => {
    const result = expression.evaluate(scope.input, { ...scope.variables }, scope.session);
    try {
      return result === undefined ? undefined : plainResult(result);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      throw scope.session.budget.exceeded("is too deep or builds too much");
    }
  };
  return {
    text,
    compiled: closure !== undefined,
    variables,
    valueMappings,
    evaluate:
      closure === undefined
        ? interpreted
        : (scope) => {
            const value = closure(scope);
            return value === unsure ? interpreted(scope) : value;
          },
  };
}

function closureOf(tree: SyntaxNode, { sequence }: Bounds): Closure | undefined {
  try {
    return compileFast(tree, { library: guardedJsonata().library, maxSequence: sequence });
  } catch (error) {
    if (error instanceof RangeError) throw new ExpressionSyntaxError("the expression nests too deep", 0);
    throw error;
  }
}
