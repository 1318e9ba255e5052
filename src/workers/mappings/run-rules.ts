/** One message through the rules of a mapping, in their order. */
import { type MappingRule, type OnError, type OnMissing, pointerOf } from "../../shared/mapping-models.ts";
import type { Bounds } from "../languages/jsonata/evaluator.ts";
import type { Scope } from "./fast/closure.ts";
import { holds } from "./fast/scalar.ts";
import { isLimit, MissingValue, type RuleError, RuleFailure, reasonOf, typeOf } from "./mapping-failure.ts";
import type { RuleExpression } from "./message-expression.ts";
import { MessageOutput } from "./message-output.ts";
import type { CompiledRule } from "./message-rules.ts";

export interface RunOptions {
  /** The mapping's id. */
  readonly mapping: string;
  readonly onMissing: OnMissing;
  readonly onError: OnError;
  /** A forEach has as many items as a list has elements. */
  readonly bounds: Required<Pick<Bounds, "sequence" | "moreElements">>;
  /** Told what became of each rule, of a nested one for each item. */
  readonly observe?: ((rule: MappingRule, target: string, outcome: RuleOutcome) => void) | undefined;
}

export type RuleOutcome =
  | { readonly matched: false }
  | { readonly matched: true; readonly value: unknown }
  | { readonly matched: true; readonly error: string };

/** Where the targets of rules begin: nowhere, or in an item of a list. */
interface Place {
  readonly outer: Place | undefined;
  readonly steps: readonly (string | number)[];
}

/** Failures that are listed: so many say enough. */
const mostErrors = 100;
/** What a value of the result takes at least. */
const leastValue = 16;

export class RuleRun {
  readonly #options: RunOptions;
  readonly errors: RuleError[] = [];

  constructor(options: RunOptions) {
    this.#options = options;
  }

  /** The result, undefined when no rule has set anything. Throws RuleFailure. */
  run(rules: readonly CompiledRule[], scope: Scope, at: Place | undefined = undefined): unknown {
    const output = new MessageOutput();
    for (const rule of rules) this.#apply(rule, scope, output, at);
    return output.value;
  }

  #apply(compiled: CompiledRule, scope: Scope, output: MessageOutput, outer: Place | undefined): void {
    const { rule, when } = compiled;
    const { observe } = this.#options;
    const place = { outer, steps: rule.target };
    // For the message of a failure.
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

  /** A list, however many items there are; undefined when there is nothing to go through. */
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

  /** With an expression in place of rules: its value is the element. */
  #element(rule: MappingRule, expr: RuleExpression, scope: Scope, at: Place, list: unknown[]): void {
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

  #missing({ required, ...rule }: MappingRule, expression: RuleExpression | undefined): unknown {
    if (rule.default !== undefined) return rule.default;
    if (required === true) throw new MissingValue(expression?.text ?? "");
    return this.#nothing(expression);
  }

  #nothing(expression: RuleExpression | undefined): unknown {
    const { onMissing } = this.#options;
    if (onMissing === "error") throw new MissingValue(expression?.text ?? "");
    return onMissing === "null" ? null : undefined;
  }

  /** Throws on, or notes the failure. */
  #fail(rule: MappingRule, expression: RuleExpression | undefined, place: Place, error: unknown): void {
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

/** A place that an earlier rule has made impossible stays as it is: that is the failure that is listed. */
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
