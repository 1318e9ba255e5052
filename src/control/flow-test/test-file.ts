/** A file of tests: read, and every problem told with its line and column. */
import { type FileProblem, matcherProblems, schemaProblems } from "./file-problems.ts";
import {
  type FileDocument,
  type FixtureDocument,
  fileSchema,
  fixtureSchema,
  type TestDocument,
} from "./test-schema.ts";
import { BadFile, readText } from "./text-files.ts";
import { type Path, type Place, YamlFile } from "./yaml-file.ts";

export interface TestFile extends Omit<FileDocument, "tests" | "with"> {
  /** As it was named. */
  readonly path: string;
  /** The flow, and those that must be there too. */
  readonly flows: readonly string[];
  readonly tests: readonly FlowTest[];
  readonly source: YamlFile;
  /** It is what `GET /_api/runs/:id/fixture` answers. */
  readonly fixture: boolean;
}

export interface FlowTest extends TestDocument, Place {
  /** In its file; in a fixture 0. */
  readonly index: number;
  /** Of a fixture: where it was recorded. */
  readonly recordedFrom?: unknown;
  /** Of a fixture: what could not be recorded. */
  readonly notes?: readonly string[] | undefined;
}

/** Throws BadFile with a line for each problem. */
export function readTestFile(path: string): TestFile {
  return parseTestFile(path, readText(path));
}

export function parseTestFile(path: string, text: string): TestFile {
  const source = new YamlFile(text);
  const at = (place: Place, message: string): string => `${path}:${place.line}:${place.column}: ${message}`;
  if (source.problem !== undefined) throw new BadFile(at(source.problem, source.problem.message));
  const value = readValue(source, path);
  const fixture = isObject(value) && "flowId" in value && !("tests" in value);
  const read = (fixture ? fixtureSchema : fileSchema).safeParse(value);
  const problems = read.success
    ? expectations(fixture ? [] : (read.data as FileDocument).tests)
    : read.error.issues.flatMap((issue) => schemaProblems(issue, value, fixture));
  if (!read.success || problems.length > 0) {
    const told = problems
      .map(({ path: where, message }) => ({ place: source.place(where), message }))
      .sort(({ place: one }, { place: other }) => one.line - other.line || one.column - other.column);
    throw new BadFile(told.map(({ place, message }) => at(place, message)).join("\n"));
  }
  const {
    flow,
    with: others = [],
    tests,
    ...rest
  } = fixture ? asFile(read.data as FixtureDocument) : (read.data as FileDocument);
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

/** Of something in a test, by its keys in there. */
export function placeIn({ source, fixture }: TestFile, { index }: FlowTest, path: Path): Place {
  if (!fixture) return source.place(["tests", index, ...path]);
  return source.place(path[0] === "assert" ? ["assertions", ...path.slice(1)] : path);
}

function readValue(source: YamlFile, path: string): unknown {
  try {
    const value = source.value();
    // What refers to itself cannot be sent.
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

function asFile({
  flowId,
  name = "recorded run",
  assertions,
  scope: _,
  ttlMs: __,
  ...rest
}: FixtureDocument): FileDocument {
  return { flow: flowId, tests: [{ name, ...rest, ...(assertions && { assert: assertions }) }] };
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
