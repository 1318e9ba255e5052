/** Applies the rules of a mapping to one message, in their order. */
import { type MappingRule, type OnError, type OnMissing, pointerOf } from "../../shared/mapping-models.ts";
import type { Bounds } from "../languages/jsonata/evaluator.ts";
import type { ScopedExpression } from "../languages/jsonata/expression.ts";
import type { Scope } from "../languages/jsonata/fast/closure.ts";
import { holds } from "../languages/jsonata/fast/scalar.ts";
import { isLimit, MissingValue, type RuleError, RuleFailure, reasonOf, typeOf } from "./mapping-failure.ts";
import { MessageOutput } from "./message-output.ts";
import type { CompiledRule } from "./message-rules.ts";

export interface RunOptions {
  /** The mapping's id. */
  readonly mapping: string;
  readonly onMissing: OnMissing;
  readonly onError: OnError;
  /** A forEach may have as many items as a list may have elements. */
  readonly bounds: Required<Pick<Bounds, "sequence" | "moreElements">>;
  /** Called with the outcome of each rule; for a nested rule once per item. */
  readonly observe?: ((rule: MappingRule, target: string, outcome: RuleOutcome) => void) | undefined;
}

export type RuleOutcome =
  | { readonly matched: false }
  | { readonly matched: true; readonly value: unknown }
  | { readonly matched: true; readonly error: string };

/** The place that targets of rules are relative to: the whole result, or an item of a list. */
interface Place {
  readonly outer: Place | undefined;
  readonly steps: readonly (string | number)[];
}

/** The most failures that are listed. */
const mostErrors = 100;
/** The least bytes that a value of the result counts. */
const leastValue = 16;

export class RuleRun {
  readonly #options: RunOptions;
  readonly errors: RuleError[] = [];

  constructor(options: RunOptions) {
    this.#options = options;
  }

  /** Returns the result, undefined when no rule has set a value. Throws RuleFailure. */
  run(rules: readonly CompiledRule[], scope: Scope, at: Place | undefined = undefined): unknown {
    const output = new MessageOutput();
    for (const rule of rules) this.#apply(rule, scope, output, at);
    return output.value;
  }

  #apply(compiled: CompiledRule, scope: Scope, output: MessageOutput, outer: Place | undefined): void {
    const { rule, when } = compiled;
    const { observe } = this.#options;
    const place = { outer, steps: rule.target };
    // The expression to name if the rule fails.
    let current = when;
    try {
      scope.session.budget.tick();
      scope.session.budget.keep(leastValue);
      if (when !== undefined && !holds(when.evaluate(scope))) {
        observe?.(rule, targetOf(place), { matched: false });
        return;
      }
      current = compiled.forEach ?? compiled.expr;
      const found = compiled.forEach === undefined ? current?.evaluate(scope) : this.#list(compiled, scope, place);
      const value = found === undefined ? this.#missing(rule, current) : found;
      if (value !== undefined) output.set(rule.target, value);
      observe?.(rule, targetOf(place), { matched: true, value });
    } catch (error) {
      this.#fail(rule, current, place, error);
      if (this.#options.onError === "null") setNull(output, rule.target);
    }
  }

  /** Applies the rule to each item of its list; returns undefined when `forEach` has no value. */
  #list({ rule, forEach, rules, expr }: CompiledRule, scope: Scope, place: Place): unknown[] | undefined {
    const found = forEach?.evaluate(scope);
    if (found === undefined || found === null) return undefined;
    const items: readonly unknown[] = Array.isArray(found) ? found : [found];
    const { sequence, moreElements } = this.#options.bounds;
    const { budget } = scope.session;
    if (items.length > sequence) throw budget.exceeded(`has at most ${sequence} items of a forEach: ${moreElements}`);
    const list: unknown[] = [];
    items.forEach((item, index) => {
      const variables = { ...scope.variables, index, parent: scope.context };
      const inner = { context: item, input: item, variables, session: scope.session };
      const at = { outer: place, steps: [index] };
      if (expr === undefined) list.push(this.run(rules, inner, at) ?? {});
      else this.#element(rule, expr, inner, at, list);
    });
    return list;
  }

  /** An expression in place of rules yields the element itself. */
  #element(rule: MappingRule, expr: ScopedExpression, scope: Scope, at: Place, list: unknown[]): void {
    try {
      scope.session.budget.tick();
      scope.session.budget.keep(leastValue);
      const found = expr.evaluate(scope);
      const value = found === undefined ? this.#nothing(expr) : found;
      if (value !== undefined) list.push(value);
    } catch (error) {
      this.#fail(rule, expr, at, error);
      if (this.#options.onError === "null") list.push(null);
    }
  }

  #missing({ required, ...rule }: MappingRule, expression: ScopedExpression | undefined): unknown {
    if (rule.default !== undefined) return rule.default;
    if (required === true) throw new MissingValue(expression?.text ?? "");
    return this.#nothing(expression);
  }

  #nothing(expression: ScopedExpression | undefined): unknown {
    const { onMissing } = this.#options;
    if (onMissing === "error") throw new MissingValue(expression?.text ?? "");
    return onMissing === "null" ? null : undefined;
  }

  /** Throws the failure, or records it when onError continues. */
  #fail(rule: MappingRule, expression: ScopedExpression | undefined, place: Place, error: unknown): void {
    if (error instanceof RuleFailure) throw error;
    const target = targetOf(place);
    const ruleError = { rule: rule.id, target, message: reasonOf(error, expression?.text ?? "") };
    const { mapping, onError, observe } = this.#options;
    observe?.(rule, target, { matched: true, error: ruleError.message });
    if (onError === "fail" || isLimit(error)) {
      throw new RuleFailure(mapping, rule.name, ruleError, typeOf(error), error);
    }
    if (this.errors.length < mostErrors) this.errors.push(ruleError);
  }
}

/** Ignores a target that an earlier rule has made impossible, since the failure is recorded already. */
function setNull(output: MessageOutput, target: readonly string[]): void {
  try {
    output.set(target, null);
  } catch {}
}

function targetOf(place: Place): string {
  const steps: (string | number)[] = [];
  for (let at: Place | undefined = place; at !== undefined; at = at.outer) steps.unshift(...at.steps);
  return pointerOf(steps);
}
