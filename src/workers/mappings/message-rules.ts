/** Compiles the expressions of a mapping's rules. */

import type { MappingRule } from "../../shared/mapping-models.ts";
import { type Bounds, compileJsonata, guardedJsonata } from "../languages/jsonata/evaluator.ts";
import { plainResult } from "../languages/jsonata/plain-result.ts";
import { type Scope, unsure } from "./fast/closure.ts";
import { compileFast } from "./fast/compile.ts";

export interface CompiledRule {
  readonly rule: MappingRule;
  readonly when: RuleExpression | undefined;
  readonly forEach: RuleExpression | undefined;
  readonly expr: RuleExpression | undefined;
  readonly rules: readonly CompiledRule[];
}

/** Throws NotLoaded, and ExpressionSyntaxError. `interpret`: makes no closures. */
export function compileRules(
  rules: readonly MappingRule[],
  bounds: Bounds,
  interpret = false,
): readonly CompiledRule[] {
  const compile = (text: string | undefined): RuleExpression | undefined =>
    text === undefined ? undefined : compileExpression(text, bounds, interpret);
  return rules.map((rule) => ({
    rule,
    when: compile(rule.when),
    forEach: compile(rule.forEach),
    expr: compile(rule.expr),
    rules: compileRules(rule.rules ?? [], bounds, interpret),
  }));
}

/** Lists all rules, an outer one before those inside it. */
export function allRules(rules: readonly CompiledRule[]): readonly CompiledRule[] {
  return rules.flatMap((rule) => [rule, ...allRules(rule.rules)]);
}

export function expressionsOf({ when, forEach, expr }: CompiledRule): readonly RuleExpression[] {
  return [when, forEach, expr].filter((expression) => expression !== undefined);
}

/** The expression of a rule: a closure if it is simple, else the guarded interpreter. */
export interface RuleExpression {
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
export function compileExpression(text: string, bounds: Bounds, interpret = false): RuleExpression {
  const expression = compileJsonata(text, bounds);
  const { library } = guardedJsonata();
  const closure = interpret ? undefined : compileFast(expression.tree, { library, maxSequence: bounds.sequence });
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
