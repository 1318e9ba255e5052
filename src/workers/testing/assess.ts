/** The assertions of a session beside what it has seen. */

import type { AssessedAssertion, AssessRequest } from "../../shared/mock.ts";
import { formatNote, readDocument } from "../../shared/read-document.ts";
import { type Assertion, assertionSchema } from "./assertion.ts";
import { assessCalls } from "./assess-calls.ts";
import { assessOrder } from "./assess-order.ts";
import { assessResult } from "./assess-result.ts";
import { type Evidence, evidenceOf } from "./evidence.ts";

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
