/** Tries a message mapping: returns the result, and the outcome of each rule. */

import { AppError } from "../../shared/errors.ts";
import { parseExactly } from "../../shared/exact-json.ts";
import { parseJson } from "../../shared/json.ts";
import type { Limits } from "../../shared/limits.ts";
import type { MappingData, MappingTrialRequest, MappingTrialResult, TextAnswer } from "../../shared/mapping.ts";
import { readModel } from "../../shared/mapping-models.ts";
import { isPlainObject } from "../engine/convert.ts";
import { FlowException } from "../engine/exception.ts";
import { missing, type ValueLookup } from "../engine/mappings.ts";
import { writeJson } from "../engine/write-json.ts";
import { type CompiledMapping, compileMessageMapping, type Mapped } from "./compile-message-mapping.ts";
import { RuleFailure } from "./mapping-failure.ts";
import { insist } from "./message-mapping.ts";
import { testClock } from "./message-test-run.ts";
import type { RunOptions } from "./run-rules.ts";
import { readTrialDocument } from "./trial-document.ts";
import { valueLookup } from "./value-lookup.ts";

/** Limits of the answer: rules, characters of one value, characters of all values. */
const mostRules = 1000;
const valueCharacters = 4096;
const allCharacters = 1_000_000;

interface TrialError {
  readonly rule?: string;
  readonly target?: string;
  readonly message: string;
}

const usage =
  'a trial is {"input": ...}, with headers, properties, variables and params if the rules ask for them, and document, tests and frozen';
const around = ["headers", "properties", "variables", "params"];
const flags = ["frozen", "tests"];
const known = ["input", "document", ...around, ...flags];

/**
 * Answers the JSON text `{output, rules: [{id, target, matched, value | error | missing}], errors}`, and for a document
 * of the trial's own also `problems` and `warnings`, and `tests` when it asks for them. Throws NotLoaded.
 */
export function tryMessageMapping(request: MappingTrialRequest): MappingTrialResult {
  const { body, limits, mapping: installed, id } = request;
  const parsed = parseTrial(body);
  const brings = "value" in parsed && isPlainObject(parsed.value) && Object.hasOwn(parsed.value, "document");
  if (!brings && installed === undefined) return { unknown: true };
  const trial = "value" in parsed ? readTrial(parsed.value) : parsed;
  if ("problem" in trial) return trial;
  const own = brings ? readTrialDocument(trial.document, request) : undefined;
  if (own !== undefined && "needs" in own) return own;
  if (own !== undefined && "problems" in own)
    return answer({ ...nothing, problems: own.problems, warnings: [] }, limits);
  const compiled = own?.mapping ?? compileMessageMapping(id, readModel((installed as MappingData).data), limits);
  const values = valuesOf(request);
  const { rules, observe } = recorder(limits.messageBodyBytes);
  const session = trial.frozen ? { values, ...testClock } : { values };
  const { output, errors } = outcomeOf(id, compiled, { body: trial.input, around: trial.around, session, observe });
  const more = own && { problems: [], warnings: own.warnings, ...(trial.tests && { tests: own.runTests(values) }) };
  return answer({ output, rules, errors, ...more }, limits);
}

const nothing = { output: null, rules: [], errors: [] };

interface Trial {
  readonly input: unknown;
  readonly around: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** The clock, random numbers and UUIDs are those of tests. */
  readonly frozen: boolean;
  /** Whether the document's tests are run, too. */
  readonly tests: boolean;
  /** The document that is tried in place of the installed one. */
  readonly document: unknown;
}

type Problem = Extract<TextAnswer, { readonly problem: string }>;

function parseTrial(body: Uint8Array): { readonly value: unknown } | Problem {
  try {
    return { value: parseJson(body) };
  } catch (error) {
    if (error instanceof AppError) return { problem: error.message, malformed: true };
    throw error;
  }
}

function readTrial(trial: unknown): Trial | Problem {
  if (!isPlainObject(trial) || !Object.hasOwn(trial, "input")) return { problem: usage };
  const unknown = Object.keys(trial).find((name) => !known.includes(name));
  if (unknown !== undefined) return { problem: `unknown field '${unknown.slice(0, 100)}': ${usage}` };
  const given: Record<string, Readonly<Record<string, unknown>>> = {};
  for (const name of around) {
    const fields = Object.hasOwn(trial, name) ? trial[name] : {};
    if (!isPlainObject(fields)) return { problem: `${name} must be an object: ${usage}` };
    given[name] = fields;
  }
  for (const name of flags) {
    if (Object.hasOwn(trial, name) && typeof trial[name] !== "boolean") return { problem: `${name} is true or false` };
  }
  const { input, frozen, tests, document } = trial;
  return { input, around: given, frozen: frozen === true, tests: tests === true, document };
}

function valuesOf({ tables }: MappingTrialRequest): (id: string) => ValueLookup {
  const made = new Map<string, ValueLookup>();
  return (id) => {
    const lookup =
      made.get(id) ?? valueLookup(id, (tables.find((table) => table.id === id) ?? missing("value", id)).data);
    made.set(id, lookup);
    return lookup;
  };
}

function answer(result: object, limits: Limits): MappingTrialResult {
  try {
    return { answer: writeJson(result, limits.messageBodyBytes + allCharacters * 2) };
  } catch (error) {
    if (!(error instanceof FlowException)) throw error;
    return { problem: `the result cannot be shown: ${error.message}` };
  }
}

function outcomeOf(id: string, mapping: CompiledMapping, run: Parameters<CompiledMapping["run"]>[0]) {
  const errors: TrialError[] = [];
  let output: unknown = null;
  try {
    // Applies all rules, also when the mapping itself stops at the first failure.
    const mapped: Mapped = mapping.run({
      ...run,
      ...(mapping.model.onError === "fail" && { onError: "collect" as const }),
    });
    errors.push(...mapped.errors);
    errors.push(...mapped.invalid.map(({ path, message }) => ({ target: path, message })));
    const failed = mapping.model.onError === "fail" && mapped.errors.length > 0;
    if (mapping.model.target.validate === "fail" && !failed) insist(id, mapped);
    if (!failed) output = mapping.write(mapped);
  } catch (error) {
    if (!(error instanceof FlowException)) throw error;
    if (error instanceof RuleFailure) errors.push(error.ruleError);
    else if (errors.length === 0) errors.push({ message: error.message });
  }
  return { output, errors };
}

function recorder(maxBytes: number) {
  const rules: object[] = [];
  let room = allCharacters;
  const observe: NonNullable<RunOptions["observe"]> = ({ id }, target, outcome) => {
    if (rules.length >= mostRules) return;
    const { matched } = outcome;
    if (!matched) rules.push({ id, target, matched });
    else if ("error" in outcome) rules.push({ id, target, matched, error: outcome.error });
    else if (outcome.value === undefined) rules.push({ id, target, matched, missing: true });
    else rules.push({ id, target, matched, ...shown(outcome.value) });
  };
  const shown = (value: unknown): object => {
    let text: string;
    try {
      text = writeJson(value, maxBytes);
    } catch (error) {
      if (!(error instanceof FlowException)) throw error;
      return { value: null, truncated: true };
    }
    room -= Math.min(text.length, valueCharacters);
    if (room < 0) return { value: null, truncated: true };
    // Copies the value, since later rules may change it.
    if (text.length <= valueCharacters) return { value: parseExactly(text) };
    return { value: text.slice(0, valueCharacters), truncated: true };
  };
  return { rules, observe };
}
