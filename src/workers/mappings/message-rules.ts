/** Compiles the expressions of a mapping's rules. */

import type { MappingRule } from "../../shared/mapping-models.ts";
import type { Bounds } from "../languages/jsonata/evaluator.ts";
import { compileExpression, type ScopedExpression } from "../languages/jsonata/expression.ts";

export interface CompiledRule {
  readonly rule: MappingRule;
  readonly when: ScopedExpression | undefined;
  readonly forEach: ScopedExpression | undefined;
  readonly expr: ScopedExpression | undefined;
  readonly rules: readonly CompiledRule[];
}

/** Throws NotLoaded, and ExpressionSyntaxError. `interpret`: makes no closures. */
export function compileRules(
  rules: readonly MappingRule[],
  bounds: Bounds,
  interpret = false,
): readonly CompiledRule[] {
  const compile = (text: string | undefined): ScopedExpression | undefined =>
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

export function expressionsOf({ when, forEach, expr }: CompiledRule): readonly ScopedExpression[] {
  return [when, forEach, expr].filter((expression) => expression !== undefined);
}
