/** Tries a value mapping's document before it is installed: what a PUT would find, and a lookup in it. */
import { AppError } from "../../shared/errors.ts";
import { parseJson } from "../../shared/json.ts";
import { type LookupAnswer, type LookupRequest, lookUp } from "../../shared/look-up.ts";
import type { TextAnswer, ValueTrialRequest } from "../../shared/mapping.ts";
import { LookupError, missingModes } from "../../shared/value-lookup.ts";
import { ValueTable } from "../../shared/value-table.ts";
import { isPlainObject } from "../engine/convert.ts";
import { checkSize, makeTable, notUnderstood } from "./check-value-mapping.ts";
import { readValueDocument, type ValueDocument } from "./value-document.ts";
import { Findings } from "./value-findings.ts";
import { NotUnderstood } from "./value-shape.ts";

const usage =
  'a trial is {"document": {...}}, and for a lookup in it also value, from, to, qualifiers, onMissing, default';
const fields = ["document", "value", "from", "to", "qualifiers", "onMissing", "default"];

/**
 * Answers the JSON text `{problems: [{pointer, message}], problemCount, warnings, rows, columns, tests}`, and with
 * `lookup: {value, found, error}` when the trial has a value. A table with problems is looked up in all the same.
 */
export function tryValueMapping({ body, limits }: ValueTrialRequest): TextAnswer {
  let trial: unknown;
  try {
    trial = parseJson(body);
  } catch (error) {
    if (error instanceof AppError) return { problem: error.message, malformed: true };
    throw error;
  }
  if (!isPlainObject(trial)) return { problem: usage };
  const problem = problemOf(trial);
  if (problem !== undefined) return { problem };
  const request = Object.hasOwn(trial, "value") ? (trial as unknown as LookupRequest) : undefined;
  const findings = new Findings();
  let document: ValueDocument;
  try {
    document = readValueDocument(trial["document"] as Readonly<Record<string, unknown>>, limits, findings);
    checkSize(document.model, limits, findings);
  } catch (error) {
    if (!(error instanceof NotUnderstood)) throw error;
    const { warnings, data } = notUnderstood(error.message);
    const lookup = request && lookedUp(data, request);
    return { answer: JSON.stringify({ problems: [], problemCount: 0, warnings, rows: 0, columns: [], lookup }) };
  }
  const table = findings.sound ? makeTable(document, findings) : undefined;
  const { rows, columns } = document.model;
  return {
    answer: JSON.stringify({
      ...{ problems: findings.placed, problemCount: findings.problemCount, warnings: findings.warnings },
      ...{ rows: rows.length, columns, tests: table?.tests },
      lookup: table && request && lookedUp(table.data, request),
    }),
  };
}

function lookedUp(data: Uint8Array, request: LookupRequest): LookupAnswer {
  const { value, from, to, qualifiers, onMissing, default: substitute } = request;
  try {
    return lookUp(new ValueTable(data), { value, from, to, qualifiers, onMissing, default: substitute });
  } catch (error) {
    if (!(error instanceof LookupError)) throw error;
    return { value: null, found: false, error: error.message };
  }
}

function problemOf(trial: Readonly<Record<string, unknown>>): string | undefined {
  const unknown = Object.keys(trial).find((name) => !fields.includes(name));
  if (unknown !== undefined) return `unknown field '${unknown.slice(0, 100)}': ${usage}`;
  if (!isPlainObject(trial["document"])) return `document is no object: ${usage}`;
  const is = (name: string, type: (value: unknown) => boolean): boolean =>
    !Object.hasOwn(trial, name) || type(trial[name]);
  const isText = (value: unknown): boolean => typeof value === "string";
  if (!is("from", isText) || !is("to", isText)) return "from and to are names of columns";
  if (!is("qualifiers", isPlainObject)) return "qualifiers is an object of values by name";
  if (!is("onMissing", (value) => missingModes.some((mode) => mode === value)))
    return `onMissing is one of ${missingModes.join(", ")}`;
  return undefined;
}
