/** The problems of a test file, for its author. */
import { isMatcher, operators } from "../../shared/matcher-operators.ts";
import type { Note } from "../../shared/read-document.ts";
import { didYouMean } from "../../shared/suggest.ts";
import type { Path } from "./yaml-file.ts";

export interface FileProblem {
  readonly path: Path;
  readonly message: string;
}

/** Makes a file's problem of a reader's note. */
export function asFileProblem({ path, code, message }: Note): FileProblem {
  const of = code === "unknown_field" ? ":" : "";
  return { path, message: `${subject(path)}${of} ${message}` };
}

function subject(path: Path): string {
  const last = path.at(-1);
  if (last === undefined) return "the file";
  if (typeof last === "string") return `'${last}'`;
  return path.length === 2 && path[0] === "tests" ? "the test" : "this item";
}

/** Finds parts of an `expect` that look like matchers and are not. Below a `$not` they would pass unnoticed. */
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
