/** Reads a file of tests, and reports every problem with its line and column. */
import { isFields } from "../../shared/document-fields.ts";
import { isMatcher, operators } from "../../shared/matcher-operators.ts";
import { type Note, readDocument } from "../../shared/read-document.ts";
import { didYouMean } from "../../shared/suggest.ts";
import { type FileDocument, fileSchema, fixtureSchema, type TestDocument } from "./test-schema.ts";
import { BadFile, readText } from "./text-files.ts";
import { type Path, type Place, YamlFile } from "./yaml-file.ts";

export interface TestFile extends Omit<FileDocument, "tests" | "with"> {
  /** The path as it was given. */
  readonly path: string;
  /** The flow under test, and the flows that must be installed too. */
  readonly flows: readonly string[];
  readonly tests: readonly FlowTest[];
  readonly source: YamlFile;
  /** true: it is a document of `GET /_api/runs/:id/fixture`. */
  readonly fixture: boolean;
}

export interface FlowTest extends TestDocument, Place {
  /** The test's index in its file; 0 in a fixture. */
  readonly index: number;
  /** For a fixture: where it was recorded. */
  readonly recordedFrom?: unknown;
  /** For a fixture: what could not be recorded. */
  readonly notes?: readonly string[] | undefined;
}

/** Reads a test file. Throws BadFile with a line for each problem. */
export function readTestFile(path: string): TestFile {
  return parseTestFile(path, readText(path));
}

export function parseTestFile(path: string, text: string): TestFile {
  const source = new YamlFile(text);
  const at = (place: Place, message: string): string => `${path}:${place.line}:${place.column}: ${message}`;
  if (source.problem !== undefined) throw new BadFile(at(source.problem, source.problem.message));
  const value = readValue(source, path);
  const fixture = isFields(value) && "flowId" in value && !("tests" in value);
  const read = readDocument<FileDocument>(fixture ? fixtureSchema : fileSchema, value);
  const found = [...read.warnings, ...read.problems].map(asFileProblem);
  const problems = found.length > 0 || fixture ? found : expectations(read.value?.tests ?? []);
  if (read.value === undefined || problems.length > 0) {
    const lines = problems
      .map(({ path: where, message }) => ({ place: source.place(where), message }))
      .sort(({ place: one }, { place: other }) => one.line - other.line || one.column - other.column);
    throw new BadFile(lines.map(({ place, message }) => at(place, message)).join("\n"));
  }
  const { flow, with: others = [], tests, ...rest } = read.value;
  return {
    ...rest,
    path,
    flow,
    flows: [...new Set([...others, flow])],
    tests: tests.map((test, index) => ({ ...test, index, ...source.place(fixture ? [] : ["tests", index]) })),
    source,
    fixture,
  };
}

/** Returns the place of something in a test, by its keys within the test. */
export function placeIn({ source, fixture }: TestFile, { index }: FlowTest, path: Path): Place {
  if (!fixture) return source.place(["tests", index, ...path]);
  return source.place(path[0] === "assert" ? ["assertions", ...path.slice(1)] : path);
}

function readValue(source: YamlFile, path: string): unknown {
  try {
    const value = source.value();
    // A value that refers to itself cannot be sent.
    JSON.stringify(value);
    return value;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new BadFile(
      `${path}:1:1: ${reason.includes("circular") ? "an alias stands inside of what it stands for" : reason}`,
    );
  }
}

function expectations(tests: readonly TestDocument[]): FileProblem[] {
  return tests.flatMap(({ expect = {} }, index) =>
    Object.entries(expect).flatMap(([key, value]) => matcherProblems(value, ["tests", index, "expect", key])),
  );
}

/** A problem of a test file, for its author. */
interface FileProblem {
  readonly path: Path;
  readonly message: string;
}

/** Makes a file's problem of a reader's note. */
function asFileProblem({ path, code, message }: Note): FileProblem {
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
function matcherProblems(expected: unknown, path: Path): FileProblem[] {
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
