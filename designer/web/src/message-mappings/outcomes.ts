/** What came of each rule, and where problems belong. */
import type { TrialAnswer } from "./mapping-api.ts";
import { stepsOfPointer } from "./model/names.ts";
import { exprFields, type Rule, ruleKey, targetFields } from "./model/rules.ts";
import type { TrialState } from "./trial.ts";

type Outcome = TrialAnswer["rules"][number];
type Problem = TrialState["problems"][number];

export interface RuleOutcome {
  /** One, or one for each item that the rule was applied to. */
  readonly outcomes: readonly Outcome[];
  /** Of its expression with an item, or of a result that does not fit the schema. */
  readonly errors: readonly string[];
}

export function outcomeOf(result: TrialAnswer | undefined, { id }: Rule): RuleOutcome {
  const outcomes = result?.rules.filter((one) => one.id === id) ?? [];
  const errors = outcomes.flatMap(({ error }) => (error === undefined ? [] : [error]));
  return { outcomes, errors: [...new Set(errors)] };
}

export type ProblemField = "target" | "expr" | "forEach" | "when" | "rule";

export interface RuleProblem {
  readonly field: ProblemField;
  readonly message: string;
}

/** The problems of each rule by its key; under "" those of the document itself. */
export function problemsByRule(
  problems: readonly Problem[],
  rules: readonly Rule[],
): ReadonlyMap<string, readonly RuleProblem[]> {
  const found = new Map<string, RuleProblem[]>();
  for (const { pointer, message } of problems) {
    const steps = stepsOfPointer(pointer);
    // The innermost rule that the place is in.
    const owner = rules.findLast(
      ({ path }) => path.length <= steps.length && path.every((key, at) => String(key) === steps[at]),
    );
    const key = owner === undefined ? "" : ruleKey(owner);
    const field = owner === undefined ? "rule" : fieldOf(steps[owner.path.length], owner);
    const list = found.get(key) ?? [];
    list.push({
      field,
      message: owner === undefined && pointer !== "" ? `${pointer}: ${message}` : said(message, owner),
    });
    found.set(key, list);
  }
  return found;
}

function fieldOf(name: string | undefined, { form }: Rule): ProblemField {
  if (name === undefined) return form === "expression" ? "expr" : "rule";
  if (name === "when" || name === "forEach") return name;
  if (exprFields.some((one) => one === name)) return "expr";
  return targetFields.some((one) => one === name) ? "target" : "rule";
}

/** Without the name of the rule, beside which it is shown. */
function said(message: string, owner: Rule | undefined): string {
  const prefix = owner === undefined ? "" : `rule ${owner.id} -> `;
  if (prefix === "" || !message.startsWith(prefix)) return message;
  const rest = message.slice(prefix.length);
  const colon = rest.indexOf(": ");
  return colon === -1 ? rest : rest.slice(colon + 2);
}

/** The place that a message names, from 1: `(line 2, column 5)`, `(column 5)`. */
export function placeIn(message: string): { readonly line: number; readonly column: number } | undefined {
  const found = /\((?:line (\d+), )?column (\d+)\)$/.exec(message);
  return found === null ? undefined : { line: Number(found[1] ?? 1), column: Number(found[2]) };
}
