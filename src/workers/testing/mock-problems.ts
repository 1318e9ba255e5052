/** Checks the patterns, matchers, expressions and assertions of a session, and reports all problems at once. */
import type { ComparedPlace } from "../../shared/comparison.ts";
import { defaultLimits } from "../../shared/limits.ts";
import { headerProblems, matcherProblems, Problems } from "../../shared/matcher-problems.ts";
import type { Mock, MockCheckRequest, MockCheckResult, MockExpression } from "../../shared/mock.ts";
import { readDocument } from "../../shared/read-document.ts";
import { didYouMean, listed } from "../../shared/suggest.ts";
import { catalog } from "../catalog.ts";
import { expressionCompiler } from "../compile/compile-expression.ts";
import { exceptionMessage } from "../engine/exception.ts";
import { NotLoaded } from "../engine/late-module.ts";
import { namePattern } from "../engine/name-pattern.ts";
import { compileRegex } from "../engine/regex.ts";
import { assertionSchema } from "./assertion.ts";

const nowhere = { line: 0, column: 0, endLine: 0, endColumn: 0 };
/** Compiles without parameters and mappings: only the flow's threads have them. */
const compilers = expressionCompiler(
  { limits: defaultLimits, groups: new Map(), params: {}, useMapping() {}, useVariable() {} },
  { at: nowhere, routeId: "", stepId: "" },
);

/** Throws NotLoaded. */
export function mockProblems({ set, assertions }: MockCheckRequest): MockCheckResult {
  const problems = new Problems(compileRegex);
  const mocks: ComparedPlace = { above: undefined, key: "mocks" };
  const patterns = new Set<string>();
  for (const [key, mock] of set.mocks.entries()) {
    const place = { above: mocks, key };
    const target = set.targets[mock.target];
    if (target !== undefined && "uri" in target && !patterns.has(target.uri)) {
      patterns.add(target.uri);
      patternProblem(target.uri, { above: place, key: "uri" }, problems);
    }
    conditionProblems(mock, { above: place, key: "when" }, problems);
    actionProblems(mock, place, problems);
  }
  for (const [index, assertion] of assertions.entries()) {
    if (problems.full) break;
    const read = readDocument(assertionSchema, assertion, ["assertions", index]);
    for (const { path, message } of read.problems) problems.add(path, message);
  }
  return { problems: problems.all };
}

function patternProblem(pattern: string, place: ComparedPlace, problems: Problems): void {
  try {
    namePattern(pattern);
  } catch (error) {
    const hint = "an endpoint, the beginning of one with * at its end, or a regular expression over all of it";
    problems.bad(place, `${exceptionMessage(error)}; a pattern is ${hint}`);
  }
}

function conditionProblems({ when }: Mock, place: ComparedPlace, problems: Problems): void {
  if (when === undefined) return;
  const { body, headers, expression } = when;
  matcherProblems(body, { above: place, key: "body" }, problems);
  if (headers !== undefined) headerProblems(headers, { above: place, key: "headers" }, problems);
  if (expression !== undefined)
    expressionProblem(expression, "predicate", { above: place, key: "expression" }, problems);
}

function actionProblems({ actions }: Mock, place: ComparedPlace, problems: Problems): void {
  for (const [key, action] of actions.entries()) {
    if (action.kind !== "respond" || action.expression === undefined) continue;
    const at: ComparedPlace = actions.length === 1 ? place : { above: { above: place, key: "sequence" }, key };
    const respond = { above: at, key: "respond" };
    expressionProblem(action.expression, "expression", { above: respond, key: "expression" }, problems);
  }
}

function expressionProblem(
  { language, text }: MockExpression,
  kind: "predicate" | "expression",
  place: ComparedPlace,
  problems: Problems,
): void {
  if (problems.full) return;
  const names = catalog.languages.keys();
  if (!catalog.languages.has(language)) {
    const near = didYouMean(language.slice(0, 60), catalog.languages.keys());
    problems.bad(place, `unknown language '${language.slice(0, 60)}'${near}; there are: ${listed(names)}`);
    return;
  }
  try {
    compilers[kind]({ language, text, options: {}, at: nowhere });
  } catch (error) {
    if (error instanceof NotLoaded) throw error;
    problems.bad({ above: place, key: language }, exceptionMessage(error));
  }
}
