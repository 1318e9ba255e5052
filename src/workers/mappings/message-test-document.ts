/** `tests` of a message mapping's document: messages with what must become of them. */
import type { Findings } from "./value-findings.ts";
import { below, type Fields, fieldOf, fieldsOf, listOf, NotUnderstood, textOf, warnOfOthers } from "./value-shape.ts";

const mostTests = 1000;

export interface MessageTest {
  readonly pointer: string;
  readonly name: string;
  readonly input: unknown;
  readonly headers: Fields;
  readonly properties: Fields;
  readonly variables: Fields;
  readonly params: Fields;
  /** Present: the result. */
  readonly expect?: { readonly value: unknown };
  /** Present: the mapping, or one of its rules, fails. */
  readonly expectError?: ExpectedError;
}

interface ExpectedError {
  /** Where the rule's value would have gone. */
  readonly target: string | undefined;
  readonly rule: string | undefined;
  /** A part of the message. */
  readonly message: string | undefined;
}

const around = ["headers", "properties", "variables", "params"] as const;
const known = ["name", "description", "input", ...around, "expect", "expectError"];

/** Throws NotUnderstood. */
export function readTests(value: unknown, findings: Findings): readonly MessageTest[] {
  if (value === undefined) return [];
  const list = listOf(value, "/tests");
  if (list.length > mostTests) throw new NotUnderstood(`/tests has more than ${mostTests} elements`);
  return list.map((element, index) => {
    const pointer = below("/tests", index);
    const fields = fieldsOf(element, pointer, '{"input": {}, "expect": {}}');
    warnOfOthers(fields, known, pointer, findings);
    const expected = Object.hasOwn(fields, "expect");
    const error = fieldOf(fields, "expectError");
    if (!Object.hasOwn(fields, "input")) findings.problem(pointer, "the test has no input");
    if (!expected && error === undefined) findings.problem(pointer, "say what is expected: 'expect' or 'expectError'");
    return {
      pointer,
      name: textOf(fields, "name", pointer) ?? `test ${index + 1}`,
      input: fieldOf(fields, "input"),
      headers: surrounding(fields, "headers", pointer),
      properties: surrounding(fields, "properties", pointer),
      variables: surrounding(fields, "variables", pointer),
      params: surrounding(fields, "params", pointer),
      ...(expected && { expect: { value: fields["expect"] } }),
      ...(error !== undefined && { expectError: readError(error, below(pointer, "expectError"), findings) }),
    };
  });
}

function surrounding(fields: Fields, name: (typeof around)[number], pointer: string): Fields {
  return fieldsOf(fieldOf(fields, name) ?? {}, below(pointer, name), '{"name": "value"}');
}

/** true: any failure; a text: a part of the message. */
function readError(value: unknown, pointer: string, findings: Findings): ExpectedError {
  if (value === true) return { target: undefined, rule: undefined, message: undefined };
  if (typeof value === "string") return { target: undefined, rule: undefined, message: value };
  const fields = fieldsOf(value, pointer, '{"target": "/order/id"}');
  warnOfOthers(fields, ["target", "rule", "message"], pointer, findings);
  const [target, rule, message] = ["target", "rule", "message"].map((name) => textOf(fields, name, pointer));
  return { target, rule, message };
}
