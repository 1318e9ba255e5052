/** Evaluates `result`: how the last run ended that the session began. */

import { readOwn } from "../../shared/document-fields.ts";
import { bodyMismatches, type How, headerMismatches, type Mismatch, mismatches } from "../../shared/matchers.ts";
import type { AssessedAssertion, AssessedResult } from "../../shared/mock.ts";
import { shortJson } from "../../shared/short-json.ts";
import { fullClassName } from "../engine/exception-classes.ts";
import type { ExpectedResult } from "./assertion.ts";
import type { Evidence } from "./evidence.ts";
import { matching, mismatchesText, verdictOf } from "./judge-call.ts";

const shownCharacters = 300;

export function assessResult(expected: ExpectedResult, { result, budget }: Evidence): AssessedAssertion {
  if (result === null) {
    const message =
      "result: no run that the session began has ended: begin one by POST /_api/test/invoke, or by a request with X-Test-Session";
    return { passed: false, actual: null, message };
  }
  const { runId, status, httpStatus, error } = result;
  const how = matching(budget);
  const found = [
    ...compared("status", expected.status, status, how),
    ...compared("httpStatus", expected.httpStatus, httpStatus, how),
    ...(expected.body === undefined ? [] : bodyOf(expected.body, result, how)),
    ...(expected.headers === undefined ? [] : headerMismatches(expected.headers, result.headers, how)),
    ...(expected.error === undefined ? [] : errorMismatches(expected.error, error, how)),
  ];
  const verdict = verdictOf(found, budget);
  const shownError = error === null ? null : { ...error, message: error.message.slice(0, shownCharacters) };
  return {
    passed: verdict.kind === "fits",
    actual: { runId, status, httpStatus, error: shownError },
    message: `result of run ${runId}: ${messageOf(verdict.kind === "fits", found, expected, error)}`,
  };
}

function compared(path: string, expected: unknown, actual: unknown, how: How): readonly Mismatch[] {
  return expected === undefined ? [] : mismatches(expected, actual, { ...how, path });
}

function messageOf(
  fits: boolean,
  found: readonly Mismatch[],
  expected: ExpectedResult,
  error: AssessedResult["error"],
) {
  if (fits) {
    const names = Object.entries(expected).filter(([, value]) => value !== undefined);
    return `${names.map(([name]) => name).join(", ")} as expected`;
  }
  const mismatches = mismatchesText(found);
  if (error === null || expected.error !== undefined) return mismatches;
  const at = error.stepId === null ? "" : ` at step '${error.stepId}'`;
  return `${mismatches}; it failed${at}: ${shortJson(`${error.type}: ${error.message}`, shownCharacters)}`;
}

function bodyOf(expected: unknown, { body, cut }: AssessedResult, how: How): readonly Mismatch[] {
  if (cut !== true) return bodyMismatches(expected, body, { ...how, path: "body" });
  return [
    {
      path: "body",
      expected: "a body that can be compared",
      actual: "one that is too large to be kept",
      doubtful: true,
    },
  ];
}

function errorMismatches(
  expected: NonNullable<ExpectedResult["error"]> | null,
  error: AssessedResult["error"],
  how: How,
): readonly Mismatch[] {
  if (expected === null) return compared("error", null, error, how);
  if (error === null) return [{ path: "error", expected: shortJson(expected, shownCharacters), actual: "none" }];
  return (["type", "message", "stepId"] as const).flatMap((name) => {
    const wanted = readOwn(expected, name);
    if (name === "type" && sameClass(wanted, error.type)) return [];
    return compared(`error.${name}`, wanted, error[name], how);
  });
}

/** A name without a package matches the class in any package. */
function sameClass(expected: unknown, type: string): boolean {
  if (typeof expected !== "string") return false;
  return fullClassName(expected) === fullClassName(type) || type.slice(type.lastIndexOf(".") + 1) === expected;
}
