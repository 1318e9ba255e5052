/** Runs the tests of a message mapping on the engine of flows, with a fixed clock and fixed random numbers. */

import { isDeepStrictEqual } from "node:util";
import { parseExactly } from "../../shared/exact-json.ts";
import type { Limits } from "../../shared/limits.ts";
import type { MappingRule } from "../../shared/mapping-models.ts";
import { exceptionMessage, FlowException } from "../engine/exception.ts";
import type { ValueLookup } from "../engine/mappings.ts";
import { writeJson } from "../engine/write-json.ts";
import type { Frozen } from "../languages/jsonata/session.ts";
import { type CompiledMapping, type Mapped, readSource } from "./compile-message-mapping.ts";
import { RuleFailure } from "./mapping-failure.ts";
import { insist } from "./message-mapping.ts";
import type { MessageTest } from "./message-test-document.ts";

/** The fixed values of `$now()`, `$millis()`, `$random()` and `$uuid()`. */
export const testClock: { readonly now: number; readonly frozen: Frozen } = {
  now: Date.UTC(2026, 0, 1),
  frozen: { random: 0.5, uuid: "00000000-0000-4000-8000-000000000000" },
};

/** The most characters of a value in a message. */
const mostShown = 400;

export interface TestSurroundings {
  readonly id: string;
  readonly limits: Limits;
  /** Throws FlowException for an id without a value mapping. */
  values(id: string): ValueLookup;
  /** Called for each rule that was applied. */
  reached(rule: MappingRule): void;
}

/** Returns why the test fails, undefined when it passes. Throws NotLoaded. */
export function runTest(
  mapping: CompiledMapping,
  test: MessageTest,
  surroundings: TestSurroundings,
): string | undefined {
  const outcome = outcomeOf(mapping, test, surroundings);
  if (test.expectError !== undefined) return failureProblem(test.expectError, outcome);
  if (outcome.failures.length > 0) return `it fails: ${outcome.failures[0]?.message}`;
  const expected = comparable(test.expect?.value, mapping, surroundings.limits);
  if (isDeepStrictEqual(outcome.value, expected)) return undefined;
  return `expected ${shown(expected)}, but the mapping gives ${shown(outcome.value)}`;
}

interface Failure {
  readonly rule: string | undefined;
  readonly target: string | undefined;
  readonly message: string;
}

interface CaseOutcome {
  readonly value: unknown;
  readonly failures: readonly Failure[];
}

function outcomeOf(
  mapping: CompiledMapping,
  test: MessageTest,
  { id, limits, values, reached }: TestSurroundings,
): CaseOutcome {
  const { headers, properties, variables, params } = test;
  let mapped: Mapped;
  try {
    mapped = mapping.run({
      body: test.input,
      around: { headers, properties, variables, params },
      session: { values, ...testClock },
      observe: (rule, _target, { matched }) => matched && reached(rule),
    });
    const { validate } = mapping.model.target;
    if (validate === "fail") insist(id, mapped);
    const written = mapping.write(mapped);
    const failures = mapping.model.onError === "null" ? [] : mapped.errors;
    return { value: comparable(written, mapping, limits), failures };
  } catch (error) {
    if (!(error instanceof FlowException)) throw error;
    const { rule, target } = error instanceof RuleFailure ? error.ruleError : {};
    return { value: undefined, failures: [{ rule, target, message: error.message }] };
  }
}

/** Converts a value to the form that JSON gives it. XML, as text or in its form, becomes its form. */
function comparable(value: unknown, { model }: CompiledMapping, limits: Limits): unknown {
  const read = model.target.format === "xml" && typeof value === "string" ? readSource(value, "xml", limits) : value;
  return parseExactly(writeJson(read ?? null, limits.messageBodyBytes));
}

function failureProblem(
  expected: NonNullable<MessageTest["expectError"]>,
  { value, failures }: CaseOutcome,
): string | undefined {
  const wanted = Object.entries(expected)
    .filter(([, text]) => text !== undefined)
    .map(([field, text]) => `${field} ${shown(text)}`)
    .join(", ");
  if (failures.length === 0)
    return `expected a failure${wanted && ` with ${wanted}`}, but the mapping gives ${shown(value)}`;
  const fits = failures.some(
    ({ rule, target, message }) =>
      (expected.target === undefined || expected.target === target) &&
      (expected.rule === undefined || expected.rule === rule) &&
      (expected.message === undefined || message.includes(expected.message)),
  );
  return fits ? undefined : `expected a failure with ${wanted}, but it fails so: ${failures[0]?.message}`;
}

function shown(value: unknown): string {
  let text: string;
  try {
    text = JSON.stringify(value) ?? "nothing";
  } catch (error) {
    text = exceptionMessage(error);
  }
  return text.length > mostShown ? `${text.slice(0, mostShown)}...` : text;
}
