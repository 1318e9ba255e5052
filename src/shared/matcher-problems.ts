/** Finds objects in a document that look like matchers but are not valid. */
import type * as z from "zod";
import { type ComparedPlace, deepestMatcher, keysOf } from "./comparison.ts";
import type { Path } from "./document-place.ts";
import { isMatcher, isObject, operators } from "./matcher-operators.ts";
import type { MockProblem } from "./mock.ts";
import { shortJson } from "./short-json.ts";
import { didYouMean, listed } from "./suggest.ts";

/** Operators whose operand is compared literally. */
const literal: ReadonlySet<string> = new Set(["$eq", "$ne", "$in"]);

export function matcherProblems(matcher: unknown, place: ComparedPlace, problems: Problems, depth = 0): void {
  if (problems.full || typeof matcher !== "object" || matcher === null) return;
  if (depth > deepestMatcher) {
    problems.bad(place, `it is nested deeper than ${deepestMatcher} levels`);
  } else if (Array.isArray(matcher)) {
    for (const [key, item] of matcher.entries()) matcherProblems(item, { above: place, key }, problems, depth + 1);
  } else if (isMatcher(matcher)) {
    for (const [key, operand] of Object.entries(matcher)) {
      operatorProblems(key, operand, { above: place, key }, problems, depth);
    }
  } else if (isObject(matcher)) objectProblems(matcher, place, problems, depth);
}

function objectProblems(
  value: Readonly<Record<string, unknown>>,
  place: ComparedPlace,
  problems: Problems,
  depth: number,
) {
  const [operator] = Object.keys(value).filter((key) => key.startsWith("$"));
  if (operator !== undefined) {
    const other = Object.keys(value).find((key) => !key.startsWith("$"));
    const message = `'${operator.slice(0, 60)}' stands beside '${other?.slice(0, 60)}': an object of operators has nothing else, and a value that has such a key itself is written as {"$eq": ...}`;
    problems.bad(place, message);
    return;
  }
  for (const [key, inner] of Object.entries(value)) {
    matcherProblems(inner, { above: place, key }, problems, depth + 1);
  }
}

function operatorProblems(
  name: string,
  operand: unknown,
  place: ComparedPlace,
  problems: Problems,
  depth: number,
): void {
  const operator = operators.get(name);
  if (operator === undefined) {
    const near = didYouMean(name.slice(0, 60), operators.keys());
    problems.bad(place, `unknown operator${near}; there are ${listed(operators.keys())}`);
    return;
  }
  const needed = operator.problem?.(operand);
  if (needed !== undefined) problems.expected(place, needed, operand);
  else if (name === "$regex") problems.pattern(place, String(operand));
  else if (!literal.has(name)) matcherProblems(operand, place, problems, depth + 1);
}

/** Checks the matchers of headers, by name. */
export function headerProblems(value: unknown, place: ComparedPlace, problems: Problems): void {
  if (!isObject(value)) {
    problems.expected(place, "an object of headers by name", value);
    return;
  }
  for (const [key, matcher] of Object.entries(value)) {
    const below = { above: place, key };
    if (operators.has(key))
      problems.bad(below, `headers are named here, and ${key} is for one of them: {"name": {"${key}": ...}}`);
    else matcherProblems(matcher, below, problems);
  }
}

/**
 * Makes a refinement for zod's `superRefine`: it adds the problems that `check` finds in a value. Below a `$not` an invalid matcher
 * would match without notice. `compile`: as of Problems; `params`: those of the issues.
 */
export function refinedBy(
  check: typeof matcherProblems | typeof headerProblems,
  compile: (pattern: string) => unknown,
  params?: Record<string, unknown>,
) {
  return (value: unknown, { addIssue }: Pick<z.RefinementCtx, "addIssue">): void => {
    const problems = new Problems(compile);
    check(value, undefined, problems);
    for (const { path, message } of problems.all)
      addIssue({ code: "custom", path: [...path], message, ...(params !== undefined && { params }) });
  };
}

const mostProblems = 50;
const shownCharacters = 80;
const messageCharacters = 500;

/** Collects the problems of mocks and matchers, with their places. */
export class Problems {
  readonly all: MockProblem[] = [];
  readonly #compile: (pattern: string) => unknown;

  /** `compile`: of the regular expressions that will be used; throws an Error with the reason. */
  constructor(compile: (pattern: string) => unknown) {
    this.#compile = compile;
  }

  get full(): boolean {
    return this.all.length >= mostProblems;
  }

  bad(place: ComparedPlace, message: string): undefined {
    this.add(keysOf(place), message);
  }

  add(path: Path, message: string): void {
    if (!this.full) this.all.push({ path, message: message.slice(0, messageCharacters) });
  }

  /** Reports what is wrong with a regular expression. */
  pattern(place: ComparedPlace, pattern: string): void {
    try {
      this.#compile(pattern);
    } catch (error) {
      this.bad(place, error instanceof Error ? error.message : String(error));
    }
  }

  /** Reports a value that is not `what`. */
  expected(place: ComparedPlace, what: string, found: unknown): undefined {
    this.bad(place, `${what} is expected; found ${shortJson(found, shownCharacters)}`);
  }
}
