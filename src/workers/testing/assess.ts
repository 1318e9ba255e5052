/** Evaluates the assertions of a session against what it has seen. */
import type { AssessedAssertion, AssessRequest } from "../../shared/mock.ts";
import { formatNote, readDocument } from "../../shared/read-document.ts";
import { type Assertion, assertionSchema } from "./assertion.ts";
import { assessCalls } from "./assess-calls.ts";
import { assessResult } from "./assess-result.ts";
import { type Evidence, evidenceOf, type Target, targetNamed, unknownTarget } from "./evidence.ts";

const noAssertion = { path: [], message: "there is nothing to evaluate" };
const messageBytes = 4096;
const encoder = new TextEncoder();

/** One for each, in their order; one that cannot be read fails and says why. */
export function assessAll(request: AssessRequest): readonly AssessedAssertion[] {
  const evidence = evidenceOf(request);
  return request.assertions.map((sent) => {
    const { value: assertion, problems } = readDocument(assertionSchema, sent);
    if (assertion === undefined) {
      return { passed: false, actual: null, message: formatNote(problems[0] ?? noAssertion, "the assertion") };
    }
    const assessed = assessOne(assertion, evidence);
    return { ...assessed, message: withinBytes(assessed.message) };
  });
}

function assessOne(assertion: Assertion, evidence: Evidence): AssessedAssertion {
  switch (assertion.kind) {
    case "mockCalled":
      return assessCalls(assertion, evidence);
    case "mockOrder":
      return assessOrder(assertion.names, evidence);
    case "result":
      return assessResult(assertion.expected, evidence);
  }
}

function withinBytes(message: string): string {
  const { read } = encoder.encodeInto(message, new Uint8Array(messageBytes));
  return read === message.length ? message : `${message.slice(0, read - 6)}...`;
}

interface First {
  readonly name: string;
  /** undefined: never called, or nothing is recorded of it. */
  readonly seq: number | undefined;
  /** Whether this is known for certain. */
  readonly certain: boolean;
}

/** Evaluates `mockOrder`: whose first call came first. */
function assessOrder(names: readonly string[], evidence: Evidence): AssessedAssertion {
  const firsts: First[] = [];
  for (const name of names) {
    const target = targetNamed(name, evidence);
    if (target !== undefined) firsts.push(firstOf(name, target, evidence));
    else
      return { passed: false, actual: null, message: `'${cut(name)}': ${unknownTarget({ stepId: name }, evidence)}` };
  }
  const called = firsts.filter(({ seq }) => seq !== undefined).sort((a, b) => Number(a.seq) - Number(b.seq));
  const unsure = firsts.filter(({ certain }) => !certain);
  const never = firsts.filter(({ seq, certain }) => seq === undefined && certain);
  const inOrder = called.length === names.length && called.every(({ name }, i) => name === names[i]);
  const found = called.map(({ name, seq }) => `'${cut(name)}' (call ${seq})`).join(", ");
  const told = [
    `expected first calls in the order ${names.map((name) => `'${cut(name)}'`).join(", ")}; found ${found || "none"}`,
    ...(never.length > 0 ? [`never called: ${quoted(never)}`] : []),
    ...(unsure.length > 0 ? [`it cannot be told of ${quoted(unsure)}, whose first calls may have no record`] : []),
  ];
  return {
    passed: inOrder && unsure.length === 0,
    actual: called.map(({ name }) => name),
    message: told.join("; "),
  };
}

/** One that has no record may have come before, if a number is missing there. */
function firstOf(name: string, { count, calls }: Target, { firstUnseen }: Evidence): First {
  const seq = calls[0]?.seq;
  return { name, seq, certain: count <= calls.length || (seq !== undefined && seq < firstUnseen) };
}

function quoted(firsts: readonly First[]): string {
  return firsts.map(({ name }) => `'${cut(name)}'`).join(", ");
}

function cut(name: string): string {
  return name.slice(0, 100);
}
