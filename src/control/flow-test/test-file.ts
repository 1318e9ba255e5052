/** Reads a file of tests, and reports every problem with its line and column. */
import { isFields } from "../../shared/document-fields.ts";
import { type Note, readDocument } from "../../shared/read-document.ts";
import { flowOfCompanion } from "./test-paths.ts";
import { companionFileSchema, type FileDocument, fileSchema, fixtureSchema, type TestDocument } from "./test-schema.ts";
import { BadFile, readText } from "./text-files.ts";
import { type Path, YamlFile, type YamlPlace } from "./yaml-file.ts";

export interface TestFile extends Omit<FileDocument, "tests" | "with"> {
  /** The path as it was given. */
  readonly path: string;
  /** The flow under test, and the flows that must be installed too. */
  readonly flows: readonly string[];
  /** Empty: a companion file without tests. */
  readonly tests: readonly FlowTest[];
  readonly source: YamlFile;
  /** true: it is a document of `GET /_api/runs/:id/fixture`. */
  readonly fixture: boolean;
}

export interface FlowTest extends TestDocument, YamlPlace {
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
  const at = (place: YamlPlace, message: string): string => `${path}:${place.line}:${place.column}: ${message}`;
  if (source.problem !== undefined) throw new BadFile(at(source.problem, source.problem.message));
  const value = readValue(source, path);
  const fixture = isFields(value) && "flowId" in value && !("tests" in value);
  const companionOf = isFields(value) && !fixture && !("flow" in value) ? flowOfCompanion(path) : undefined;
  const plain = companionOf === undefined ? fileSchema : companionFileSchema(companionOf);
  const read = readDocument<FileDocument>(fixture ? fixtureSchema : plain, value);
  const problems = [...read.warnings, ...read.problems];
  if (read.value === undefined || problems.length > 0) {
    const lines = problems
      .map((note) => ({ place: source.place(note.path), message: formatProblem(note) }))
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
export function placeIn({ source, fixture }: TestFile, { index }: FlowTest, path: Path): YamlPlace {
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

/** Formats a problem for the file's author, who has its place as a line and a column. */
function formatProblem({ path, code, message }: Note): string {
  // Of a value the message says what it must be, of a name what it is.
  const colon = code === "bad_value" ? "" : ":";
  return `${subject(path)}${colon} ${message}`;
}

function subject(path: Path): string {
  const last = path.at(-1);
  if (last === undefined) return "the file";
  if (typeof last === "string") return `'${last}'`;
  return path.length === 2 && path[0] === "tests" ? "the test" : "this item";
}
