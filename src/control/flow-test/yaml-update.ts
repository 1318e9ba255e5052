/** Writes what tests got into their `expect`; the rest of the text stays as it is, character by character. */
import {
  Document,
  isCollection,
  isMap,
  isNode,
  isPair,
  isScalar,
  isSeq,
  type Node,
  type Pair,
  type YAMLMap,
} from "yaml";
import { literally } from "../../shared/matchers.ts";
import { disappointments, errorPart, failed, type Got, matches } from "./expectation.ts";
import { type FlowTest, parseTestFile, type TestFile } from "./test-file.ts";

/** One with an `expect` that it does not meet, or without one. */
export interface Update {
  readonly test: FlowTest;
  readonly got: Got;
}

/** Throws an Error when it cannot be written so that it would be read as it was meant. */
export function updatedText(file: TestFile, updates: readonly Update[]): string {
  if (file.fixture) throw new Error("a fixture has no 'expect': put it into a file of tests");
  let { text } = file.source;
  // From the end on: what is before keeps its offset.
  for (const { test, got } of [...updates].sort((one, other) => other.test.index - one.test.index))
    text = splice(text, editOf(file, test, got));
  const again = parseTestFile(file.path, text);
  for (const [index, test] of again.tests.entries()) {
    const { got } = updates.find((update) => update.test.index === index) ?? {};
    const before = file.tests[index] as FlowTest;
    if (JSON.stringify(bare(test)) !== JSON.stringify(bare(before)))
      throw new Error(`the test '${before.name}' is too intricate to be changed`);
    const [wrong] = got === undefined ? [] : disappointments(test.expect ?? {}, got);
    if (wrong !== undefined) throw new Error(`the test '${test.name}' would not pass then: ${wrong.message}`);
  }
  return text;
}

interface Edit {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

function splice(text: string, { from, to, text: inserted }: Edit): string {
  const fitting = text.includes("\r\n") ? inserted.replaceAll(/\r?\n/g, "\r\n") : inserted;
  return text.slice(0, from) + fitting + text.slice(to);
}

function bare({ expect: _, line: __, column: ___, ...rest }: FlowTest): object {
  return rest;
}

function editOf({ source, path }: TestFile, { index }: FlowTest, got: Got): Edit {
  const { document, text } = source;
  const test = document.getIn(["tests", index], true);
  if (!isMap(test)) throw new Error("a test is no map");
  const json = path.endsWith(".json");
  const expect = test.items.find(({ key }) => isScalar(key) && key.value === "expect");
  if (expect !== undefined && isMap(expect.value)) {
    const [from = 0, end = 0] = expect.value.range ?? [];
    const old = text.slice(from, end).trimEnd();
    const first = expect.value.items[0];
    // The comments around it stay where they are.
    expect.value.commentBefore = expect.value.comment = null;
    if (isPair(first) && isNode(first.key)) first.key.commentBefore = null;
    correct(document, expect.value as YAMLMap, got);
    const now = json
      ? asJson(expect.value, old.includes("\n") ? indentOf(text, from) : undefined)
      : asYaml(expect.value, columnOf(text, from));
    return { from, to: from + old.length, text: now };
  }
  const value = document.createNode(fresh(got));
  const last = test.items.find(({ key }) => isScalar(key) && (key.value === "invoke" || key.value === "post")) as Pair<
    Node,
    Node
  >;
  const [, end = 0] = (isNode(last.value) ? last.value.range : last.key.range) ?? [];
  if (test.flow === true) {
    const key = json ? '"expect"' : "expect";
    return { from: end, to: end, text: `, ${key}: ${JSON.stringify(fresh(got))}` };
  }
  const indent = columnOf(text, last.key.range?.[0] ?? 0);
  const from = behindComments(text, text[end - 1] === "\n" ? end : endOfLine(text, end), indent);
  const lineEnd = text[from - 1] === "\n" ? "" : "\n";
  const spaces = " ".repeat(indent);
  return { from, to: from, text: `${lineEnd}${spaces}expect:\n${spaces}  ${asYaml(value, indent + 2)}\n` };
}

/** What there is to say of a test that has no `expect`. */
function fresh(got: Got): object {
  const { status, body, error } = got;
  const told = failed(got) && error !== null ? { error: { type: error.type, message: error.message } } : {};
  return typeof status === "number" || error === null ? { status, body: literally(body) } : { status, ...told };
}

/** Keys that are met stay; of the others what is met, below, stays. */
function correct(document: Document, expect: YAMLMap, got: Got): void {
  const expected = expect.toJSON() as Record<string, unknown>;
  const set = (key: string, value: unknown): void => {
    const old = expect.get(key, true) as Node | undefined;
    expect.set(key, merged(document, old, expected[key], value));
  };
  if ("status" in expected ? !matches(expected["status"], got.status) : failed(got) && !("error" in expected))
    set("status", got.status);
  if ("body" in expected && !matches(expected["body"], got.body)) set("body", got.body);
  const headers = expect.get("headers", true);
  if (isMap(headers)) correctHeaders(document, headers, got);
  const error = expect.get("error", true);
  if (got.error === null ? "error" in expected && expected["error"] !== null : isScalar(error)) {
    expect.set(
      "error",
      document.createNode(got.error === null ? null : { type: got.error.type, message: got.error.message }),
    );
  } else if (isMap(error) && got.error !== null) {
    for (const [key, value] of Object.entries(error.toJSON() as object)) {
      const actual = errorPart(got.error, key, value);
      if (!matches(value, actual)) error.set(key, document.createNode(literally(actual)));
    }
  }
}

function correctHeaders(document: Document, headers: YAMLMap, got: Got): void {
  for (const [name, value] of Object.entries(headers.toJSON() as object)) {
    const own = Object.keys(got.headers).find((other) => other.toLowerCase() === name.toLowerCase());
    const actual = own === undefined ? undefined : got.headers[own];
    if (!matches(value, actual, true)) headers.set(name, document.createNode(literally(actual ?? null)));
  }
}

function merged(document: Document, old: unknown, expected: unknown, actual: unknown): Node {
  if (isMap(old) && isPlain(expected) && isPlain(actual) && ![expected, actual].some(hasDollar)) {
    old.items = old.items.filter(({ key }) => String(isScalar(key) ? key.value : key) in actual);
    for (const [key, value] of Object.entries(actual)) {
      const inner = old.get(key, true);
      if (!(key in expected) || !matches(expected[key], value))
        old.set(key, merged(document, inner, expected[key], value));
    }
    return old;
  }
  if (isSeq(old) && Array.isArray(expected) && Array.isArray(actual) && expected.length === actual.length) {
    for (const [index, value] of actual.entries())
      if (!matches(expected[index], value))
        old.set(index, merged(document, old.get(index, true), expected[index], value));
    return old;
  }
  const made = document.createNode(literally(actual)) as Node;
  if (isNode(old)) {
    made.comment = old.comment ?? null;
    made.commentBefore = old.commentBefore ?? null;
    if (old.spaceBefore === true) made.spaceBefore = true;
    if (isCollection(old) && isCollection(made)) made.flow = old.flow === true;
    if (isScalar(old) && typeof old.value === "string" && isScalar(made) && old.type !== undefined)
      made.type = old.type;
  }
  return made;
}

function asYaml(value: Node, indent: number): string {
  return indented(new Document(value).toString({ lineWidth: 0 }).trimEnd(), indent);
}

/** `indent` undefined: on one line. */
function asJson(value: Node, indent: number | undefined): string {
  return indented(JSON.stringify(value.toJSON(), null, indent === undefined ? 0 : 2), indent ?? 0);
}

function indented(text: string, indent: number): string {
  const spaces = " ".repeat(indent);
  return text.replaceAll(/\n(?!\n)/g, `\n${spaces}`);
}

function indentOf(text: string, offset: number): number {
  const line = text.lastIndexOf("\n", offset - 1) + 1;
  return /^ */.exec(text.slice(line))?.[0].length ?? 0;
}

/** From the beginning of a line on: those that belong to what is above. */
function behindComments(text: string, offset: number, indent: number): number {
  const comment = new RegExp(` {${indent + 1},}#.*(?:\\n|$)`, "y");
  comment.lastIndex = offset;
  while (comment.test(text)) offset = comment.lastIndex;
  return offset;
}

function columnOf(text: string, offset: number): number {
  return offset - (text.lastIndexOf("\n", offset - 1) + 1);
}

/** Behind the line's end, if it has one. */
function endOfLine(text: string, offset: number): number {
  const end = text.indexOf("\n", offset);
  return end === -1 ? text.length : end + 1;
}

/** Keys that a matcher has, or that are to be told from a matcher's. */
function hasDollar(value: object): boolean {
  return Object.keys(value).some((key) => key.startsWith("$"));
}

function isPlain(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
