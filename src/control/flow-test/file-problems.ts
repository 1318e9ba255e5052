/** What is wrong with a file of tests, for its author. */
import type * as z from "zod";
import { isMatcher, operators } from "../../shared/matcher-operators.ts";
import { closest, didYouMean } from "../../shared/suggest.ts";
import { keysAt } from "./test-schema.ts";
import type { Path } from "./yaml-file.ts";

export interface FileProblem {
  readonly path: Path;
  readonly message: string;
}

const types: Readonly<Record<string, string>> = {
  string: "a text",
  object: "an object",
  record: "an object",
  boolean: "true or false",
  array: "a list",
};

/** `value`: the whole file. */
export function schemaProblems(issue: z.core.$ZodIssue, value: unknown, fixture: boolean): FileProblem[] {
  const path = issue.path.map((part) => (typeof part === "number" ? part : String(part)));
  if (issue.code === "unrecognized_keys") {
    const known = keysAt(issue.path, fixture);
    return issue.keys.map((key) => ({ path: [...path, key], message: `unknown key '${key}'${advice(key, known)}` }));
  }
  const found = path.reduce((at: unknown, key) => (at as Readonly<Record<string, unknown>> | undefined)?.[key], value);
  const missing = issue.code === "invalid_type" && found === undefined;
  return [{ path, message: `${subject(path)} ${missing ? "is missing" : plain(issue.message)}` }];
}

function subject(path: Path): string {
  const last = path.at(-1);
  if (last === undefined) return "the file";
  if (typeof last === "string") return `'${last}'`;
  return path.length === 2 && path[0] === "tests" ? "the test" : "this item";
}

/** What zod says by itself, as the other messages say it. */
function plain(message: string): string {
  const [, expected = ""] = /expected (\w+), received \w+$/.exec(message) ?? [];
  if (expected !== "") return `must be ${types[expected] ?? `a ${expected}`}`;
  return message.replace(/^Invalid option: expected one of (.*)$/, (_, all: string) => `must be one of ${listed(all)}`);
}

/** `"A"|"B"` */
function listed(all: string): string {
  return all.replaceAll('"', "").replaceAll("|", ", ");
}

function advice(key: string, known: readonly string[]): string {
  const near = closest(key, known);
  return near === undefined ? `: there are ${known.join(", ")}` : ` (did you mean '${near}'?)`;
}

/** Of an `expect`: what is no matcher, although it looks like one. Below a `$not` it would pass unseen. */
export function matcherProblems(expected: unknown, path: Path): FileProblem[] {
  if (typeof expected !== "object" || expected === null) return [];
  const inner = Object.entries(expected).map(([key, value]) => ({
    key,
    value,
    path: [...path, Array.isArray(expected) ? Number(key) : key],
  }));
  const dollar = inner.find(({ key }) => key.startsWith("$"));
  if (dollar === undefined || Array.isArray(expected))
    return inner.flatMap(({ value, path: below }) => matcherProblems(value, below));
  if (!isMatcher(expected)) {
    const message = `'${dollar.key}' stands beside other keys: an object of operators has nothing else, and a value that has such a key itself is written as {"$eq": ...}`;
    return [{ path: dollar.path, message }];
  }
  return inner.flatMap(({ key, value, path: below }) => operatorProblems(key, value, below));
}

function operatorProblems(name: string, operand: unknown, path: Path): FileProblem[] {
  const operator = operators.get(name);
  if (operator === undefined)
    return [{ path, message: `unknown operator '${name}'${didYouMean(name, operators.keys())}` }];
  const needed = operator.problem?.(operand);
  if (needed !== undefined) return [{ path, message: `${name} takes ${needed}` }];
  if (name === "$regex") return regexProblem(String(operand), path);
  return ["$eq", "$ne", "$in"].includes(name) ? [] : matcherProblems(operand, path);
}

function regexProblem(pattern: string, path: Path): FileProblem[] {
  try {
    new RegExp(pattern, "u");
    return [];
  } catch (error) {
    return [{ path, message: error instanceof Error ? error.message : String(error) }];
  }
}
