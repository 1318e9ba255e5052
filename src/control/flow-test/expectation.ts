/** Compares what a test got with what it expects. */
import { bodyMismatches, headerMismatches, mismatches, mismatchText } from "../../shared/matchers.ts";
import { shortJson } from "../../shared/short-json.ts";
import type { Expectation } from "./test-schema.ts";

export interface Got {
  /** The run's status for an invocation, the HTTP status for a request. */
  readonly status: string | number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: unknown;
  /** The run's error; null: it has none. */
  readonly error: RunError | null;
}

export interface RunError {
  readonly type: string;
  readonly message: string;
  readonly stepId?: string | null;
}

export interface Disappointment {
  /** `status`, `headers`, `body`, `error`; "": nothing was expected. */
  readonly key: string;
  readonly message: string;
}

/** The tests are their author's own text and run in the author's process, so their patterns need no protection. */
const regex = (pattern: string): ((text: string) => boolean) => {
  const compiled = new RegExp(pattern, "u");
  return (text) => compiled.test(text);
};

export function matches(expected: unknown, actual: unknown, headers = false): boolean {
  return mismatches(expected, actual, { regex, headers, most: 1 }).length === 0;
}

/** `success`: without `status` and `error` expected, a failed run, or an HTTP status from 400 on, is a failure. */
export function disappointments(expected: Expectation, got: Got, success = true): readonly Disappointment[] {
  const found: Disappointment[] = [];
  const note = (key: string, problems: readonly Parameters<typeof mismatchText>[0][]): void => {
    found.push(...problems.map((problem) => ({ key, message: mismatchText(problem) })));
  };
  if ("status" in expected) note("status", mismatches(expected.status, got.status, { regex, path: "status" }));
  else if (success && !("error" in expected) && failed(got)) found.push({ key: "", message: unexpectedFailure(got) });
  if (expected.headers !== undefined) note("headers", headerMismatches(expected.headers, got.headers, { regex }));
  if ("body" in expected) note("body", bodyMismatches(expected.body, got.body, { regex, path: "body" }));
  if (expected.error === null && got.error !== null)
    found.push({ key: "error", message: failure("error: expected none", got.error) });
  if (expected.error) {
    if (got.error === null) found.push({ key: "error", message: "error: expected one, got none" });
    else
      for (const [key, value] of Object.entries(expected.error)) {
        const actual = errorPart(got.error, key, value);
        note("error", mismatches(value, actual, { regex, path: `error.${key}` }));
      }
  }
  return found;
}

/** Returns the part of an error to compare. A class is compared without its package if the expected name has none. */
export function errorPart(error: RunError, key: string, expected: unknown): unknown {
  const actual = error[key as keyof RunError] ?? null;
  const short = key === "type" && typeof expected === "string" && !expected.includes(".");
  return short ? String(actual).replace(/^.*\./, "") : actual;
}

export function failed({ status }: Got): boolean {
  return typeof status === "number" ? status >= 400 : status !== "completed";
}

function unexpectedFailure({ status, error, body }: Got): string {
  const begin = typeof status === "number" ? `it was answered ${status}` : `the run ended as ${status}`;
  if (error !== null) return failure(begin, error);
  if (body === null || body === "") return begin;
  return `${begin}: ${typeof body === "string" ? body.slice(0, 200) : shortJson(body, 200)}`;
}

function failure(begin: string, { type, message, stepId }: RunError): string {
  return `${begin}: ${type}${stepId ? ` at step '${stepId}'` : ""}: ${message}`;
}
