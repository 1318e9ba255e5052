/** A file of tests: read, and every problem told with its line and column. */
import { readFileSync } from "node:fs";
import type * as z from "zod";
import { closest } from "../../shared/suggest.ts";
import {
  type FileDocument,
  type FixtureDocument,
  fileSchema,
  fixtureSchema,
  keysAt,
  type TestDocument,
} from "./test-schema.ts";
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

/** A file, an argument or an answer with which no test can be run; the message says where. */
export class BadFile extends Error {}

/** Throws BadFile with a line for each problem. */
export function readTestFile(path: string): TestFile {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    throw new BadFile(`${path}: it cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
  return parseTestFile(path, text);
}

export function parseTestFile(path: string, text: string): TestFile {
  const source = new YamlFile(text);
  const at = (place: Place, message: string): string => `${path}:${place.line}:${place.column}: ${message}`;
  if (source.problem !== undefined) throw new BadFile(at(source.problem, source.problem.message));
  const value = readValue(source, path);
  const fixture = isObject(value) && "flowId" in value && !("tests" in value);
  const read = (fixture ? fixtureSchema : fileSchema).safeParse(value);
  if (!read.success) {
    const problems = read.error.issues
      .flatMap((issue) => told(issue, fixture))
      .map(({ path: where, message }) => ({ place: source.place(where), message }))
      .sort(({ place: one }, { place: other }) => one.line - other.line || one.column - other.column);
    throw new BadFile(problems.map(({ place, message }) => at(place, message)).join("\n"));
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
    return source.value();
  } catch (error) {
    throw new BadFile(`${path}:1:1: ${error instanceof Error ? error.message : String(error)}`);
  }
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

interface Told {
  readonly path: Path;
  readonly message: string;
}

function told(issue: z.core.$ZodIssue, fixture: boolean): Told[] {
  const path = issue.path.map((part) => (typeof part === "number" ? part : String(part)));
  if (issue.code === "unrecognized_keys") {
    const known = keysAt(issue.path, fixture);
    return issue.keys.map((key) => ({ path: [...path, key], message: `unknown key '${key}'${advice(key, known)}` }));
  }
  const missing = issue.code === "invalid_type" && /received undefined/.test(issue.message);
  const last = path.at(-1);
  const subject =
    last === undefined
      ? "the file"
      : typeof last === "number"
        ? path.length === 2
          ? "the test"
          : "this item"
        : `'${last}'`;
  return [{ path, message: `${subject} ${missing ? "is missing" : plain(issue.message)}` }];
}

/** What zod says by itself, as the other messages say it. */
function plain(message: string): string {
  const [, expected] = /expected (\w+), received \w+$/.exec(message) ?? [];
  return expected === undefined ? message : `must be of the type ${expected}`;
}

function advice(key: string, known: readonly string[]): string {
  const near = closest(key, known);
  return near === undefined ? `: there are ${known.join(", ")}` : ` (did you mean '${near}'?)`;
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
