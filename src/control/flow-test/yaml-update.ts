/**
 * Writes the results of tests into their `expect` in their file; the rest of the text stays as it is, character by
 * character.
 */
import { isMap, isScalar, isSeq, type YAMLMap } from "yaml";
import { comparedBody, makeLiteral } from "../../shared/matchers.ts";
import { disappointments, errorPart, failed, type Got, matches } from "./expectation.ts";
import type { FileResult } from "./run-files.ts";
import { type FlowTest, parseTestFile, type TestFile } from "./test-file.ts";
import { BadFile, readText, writeText } from "./text-files.ts";
import { pairOf, YamlEdits } from "./yaml-edits.ts";

/** A test whose `expect` is not met, or which has none. */
export interface Update {
  readonly test: FlowTest;
  readonly got: Got;
}

/** Returns whether there was something to write. Throws BadFile. */
export function writeUpdates({ file, tests }: FileResult): boolean {
  const updates = tests.flatMap(({ test, got, updates: wanted }) =>
    wanted === true && got !== undefined ? [{ test, got }] : [],
  );
  if (updates.length === 0) return false;
  const text = updateText(file, updates);
  if (readText(file.path) !== file.source.text)
    throw new BadFile(`${file.path}: --update leaves it as it is: it was changed while its tests ran`);
  writeText(file.path, text);
  return true;
}

function updateText(...[file, updates]: Parameters<typeof updatedText>): string {
  try {
    return updatedText(file, updates);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new BadFile(`${file.path}: --update cannot write it: ${reason}`);
  }
}

/** Returns the changed text. Throws an Error when it cannot be written so that it would be read as intended. */
export function updatedText(file: TestFile, updates: readonly Update[]): string {
  if (file.fixture) throw new Error("a fixture has no 'expect': put it into a file of tests");
  const edits = new YamlEdits(file.source.text, file.path.endsWith(".json"));
  for (const { test, got } of updates) correct(edits, file, test, got);
  const text = edits.apply();
  const again = parseTestFile(file.path, text);
  for (const [index, test] of again.tests.entries()) {
    const { got } = updates.find((update) => update.test.index === index) ?? {};
    const before = file.tests[index] as FlowTest;
    if (unchangingText(test, got) !== unchangingText(before, got))
      throw new Error(`the test '${before.name}' is too intricate to be changed`);
    const [wrong] = got === undefined ? [] : disappointments(test.expect ?? {}, got);
    if (wrong !== undefined) throw new Error(`the test '${test.name}' would not pass then: ${wrong.message}`);
  }
  return text;
}

/** The parts of a test that must not change; without a result, its `expect`, too. */
function unchangingText({ expect, line: _, column: __, ...rest }: FlowTest, got: Got | undefined): string {
  return JSON.stringify([rest, got === undefined && expect]);
}

/** Corrects the `expect`: expectations that are met stay, and so do the parts of the others that are met. */
function correct(edits: YamlEdits, { source }: TestFile, { index, name }: FlowTest, got: Got): void {
  const { document } = source;
  const tests = document.get("tests", true);
  const test = document.getIn(["tests", index], true);
  if (!isMap(test)) throw new Error(`the test '${name}' is an alias`);
  const inFlow = [document.contents, tests, test].some((node) => (isMap(node) || isSeq(node)) && node.flow === true);
  if (pairOf(test, "expect") === undefined) {
    edits.set(test, "expect", newExpect(got), inFlow, pairOf(test, "invoke") ?? pairOf(test, "post"));
    return;
  }
  const expect = test.get("expect", true);
  if (!isMap(expect)) throw new Error(`the 'expect' of the test '${name}' is an alias`);
  const flow = inFlow || expect.flow === true;
  const expected = expect.toJS(document) as Record<string, unknown>;
  if ("status" in expected ? !matches(expected["status"], got.status) : failed(got) && !("error" in expected))
    edits.set(expect, "status", got.status, inFlow);
  if ("body" in expected) {
    const { body } = expected;
    merge(edits, expect, "body", body, comparedBody(body, got.body), flow);
  }
  const headers = expect.get("headers", true);
  if (isMap(headers)) correctHeaders(edits, headers, expected["headers"] as object, got, flow);
  correctError(edits, expect, expected, got, flow);
}

/** Makes the `expect` of a test without one. */
function newExpect(got: Got): object {
  const { status, body, error } = got;
  const errorFields = failed(got) && error !== null ? { error: { type: error.type, message: error.message } } : {};
  return typeof status === "number" || error === null
    ? { status, body: makeLiteral(body) }
    : { status, ...errorFields };
}

function correctHeaders(edits: YamlEdits, headers: YAMLMap, expected: object, got: Got, flow: boolean): void {
  for (const [name, value] of Object.entries(expected)) {
    const own = Object.keys(got.headers).find((other) => other.toLowerCase() === name.toLowerCase());
    const actual = own === undefined ? undefined : got.headers[own];
    if (!matches(value, actual, true)) edits.set(headers, name, makeLiteral(actual ?? null), flow);
  }
}

function correctError(edits: YamlEdits, expect: YAMLMap, expected: object, { error }: Got, flow: boolean): void {
  const old = expect.get("error", true);
  if (old === undefined) return;
  if (error === null) {
    if (!isScalar(old) || old.value !== null) edits.set(expect, "error", null, flow);
  } else if (isMap(old)) {
    for (const [key, value] of Object.entries((expected as { readonly error: object }).error)) {
      const actual = errorPart(error, key, value);
      if (!matches(value, actual)) edits.set(old, key, makeLiteral(actual), flow);
    }
  } else edits.set(expect, "error", { type: error.type, message: error.message }, flow);
}

function merge(edits: YamlEdits, map: YAMLMap, key: string, expected: unknown, actual: unknown, flow: boolean): void {
  if (matches(expected, actual)) return;
  if (!mergeInner(edits, map.get(key, true), expected, actual, flow)) edits.set(map, key, makeLiteral(actual), flow);
}

/** Corrects within the value; returns whether that was possible, so that it need not be replaced as a whole. */
function mergeInner(edits: YamlEdits, old: unknown, expected: unknown, actual: unknown, inFlow: boolean): boolean {
  if (isMap(old) && isPlain(expected) && isPlain(actual) && ![expected, actual].some(hasDollar)) {
    const gone = old.items.filter(({ key }) => !Object.hasOwn(actual, String(isScalar(key) ? key.value : key)));
    if (gone.length === old.items.length) return false;
    const flow = inFlow || old.flow === true;
    edits.remove(old, gone, inFlow);
    for (const [key, value] of Object.entries(actual)) {
      if (Object.hasOwn(expected, key)) merge(edits, old, key, expected[key], value, flow);
      else edits.set(old, key, makeLiteral(value), inFlow);
    }
    return true;
  }
  if (!isSeq(old) || !Array.isArray(expected) || !Array.isArray(actual) || expected.length !== actual.length)
    return false;
  const flow = inFlow || old.flow === true;
  for (const [index, value] of actual.entries()) {
    const item = old.items[index];
    if (matches(expected[index], value) || mergeInner(edits, item, expected[index], value, flow)) continue;
    edits.replace(item, makeLiteral(value), flow);
  }
  return true;
}

/** Whether an object has keys that are, or look like, those of a matcher. */
function hasDollar(value: object): boolean {
  return Object.keys(value).some((key) => key.startsWith("$"));
}

function isPlain(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
