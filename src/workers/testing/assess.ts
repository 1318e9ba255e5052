/** Evaluates the assertions of a session against its recorded evidence. */
import type { AssessedAssertion, AssessRequest } from "../../shared/mock.ts";
import { formatNote, readDocument } from "../../shared/read-document.ts";
import { type Assertion, assertionSchema } from "./assertion.ts";
import { assessCalls } from "./assess-calls.ts";
import { assessResult } from "./assess-result.ts";
import { type Evidence, evidenceOf, type Target, targetNamed, unknownTarget } from "./evidence.ts";

const noAssertion = { path: [], message: "there is nothing to evaluate" };
const messageBytes = 4096;
const encoder = new TextEncoder();

/** Returns one outcome for each assertion, in their order. An assertion that cannot be read fails with the reason. */
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
  /** undefined: the target was never called, or none of its calls is recorded. */
  readonly seq: number | undefined;
  /** true: no unrecorded call can have come earlier. */
  readonly certain: boolean;
}

/** Evaluates `mockOrder`: the order of the targets' first calls. */
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
  const sentences = [
    `expected first calls in the order ${names.map((name) => `'${cut(name)}'`).join(", ")}; found ${found || "none"}`,
    ...(never.length > 0 ? [`never called: ${quoted(never)}`] : []),
    ...(unsure.length > 0
      ? [`the order is uncertain for ${quoted(unsure)}, whose first calls may have no record`]
      : []),
  ];
  return {
    passed: inOrder && unsure.length === 0,
    actual: called.map(({ name }) => name),
    message: sentences.join("; "),
  };
}

/** A call without a record may have come earlier when a number before this one is missing. */
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
