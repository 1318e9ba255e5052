/** Reads `tests` of a message mapping's document: messages with their expected results. */
import type { Fields } from "../../shared/document-fields.ts";
import { extendPointer } from "../../shared/document-place.ts";
import type { Findings } from "./value-findings.ts";
import { anyFields, anything, list, NotUnderstood, part, readPart, text } from "./value-shape.ts";

const mostTests = 1000;

export interface MessageTest {
  readonly pointer: string;
  readonly name: string;
  readonly input: unknown;
  readonly headers: Fields;
  readonly properties: Fields;
  readonly variables: Fields;
  readonly params: Fields;
  /** Present: the expected result. */
  readonly expect?: { readonly value: unknown };
  /** Present: the mapping, or one of its rules, must fail. */
  readonly expectError?: ExpectedError;
}

interface ExpectedError {
  /** The target of the rule that must fail. */
  readonly target: string | undefined;
  readonly rule: string | undefined;
  /** A text that the failure's message must contain. */
  readonly message: string | undefined;
}

const surroundings = anyFields('{"name": "value"}').nullish();
const test = part(
  {
    ...{ name: text, description: anything, input: anything, expect: anything, expectError: anything },
    ...{ headers: surroundings, properties: surroundings, variables: surroundings, params: surroundings },
  },
  '{"input": {}, "expect": {}}',
);
const failure = part({ target: text, rule: text, message: text }, '{"target": "/order/id"}');

/** Throws NotUnderstood. */
export function readTests(value: unknown, findings: Findings): readonly MessageTest[] {
  if (value === undefined) return [];
  const elements = readPart(list, value, "/tests", findings);
  if (elements.length > mostTests) throw new NotUnderstood(`/tests has more than ${mostTests} elements`);
  return elements.map((element, index) => {
    const pointer = extendPointer("/tests", index);
    const sent = readPart(test, element, pointer, findings);
    const expected = "expect" in sent;
    const { name = `test ${index + 1}`, input, expect, expectError: error } = sent;
    if (!("input" in sent)) findings.problem(pointer, "the test has no input");
    if (!expected && error === undefined) findings.problem(pointer, "say what is expected: 'expect' or 'expectError'");
    return {
      pointer,
      name,
      input,
      headers: sent.headers ?? {},
      properties: sent.properties ?? {},
      variables: sent.variables ?? {},
      params: sent.params ?? {},
      ...(expected && { expect: { value: expect } }),
      ...(error !== undefined && { expectError: readError(error, extendPointer(pointer, "expectError"), findings) }),
    };
  });
}

/** true: any failure; a text: a part of the failure's message. */
function readError(value: unknown, pointer: string, findings: Findings): ExpectedError {
  if (value === true) return { target: undefined, rule: undefined, message: undefined };
  if (typeof value === "string") return { target: undefined, rule: undefined, message: value };
  const { target, rule, message } = readPart(failure, value, pointer, findings);
  return { target, rule, message };
}
