/** Checks a document that was sent as a message mapping; returns its model, or its problems. */
import { extendPointer } from "../../shared/document-place.ts";
import { AppError } from "../../shared/errors.ts";
import { parseJson } from "../../shared/json.ts";
import type { MappingCheckRequest, MappingCheckResult } from "../../shared/mapping.ts";
import { type MessageMappingModel, pointerOf, writeModel } from "../../shared/mapping-models.ts";
import { isPlainObject } from "../engine/convert.ts";
import { ExpressionSyntaxError } from "../engine/exception.ts";
import { missing, type ValueLookup } from "../engine/mappings.ts";
import { maxDepth } from "../languages/jsonata/evaluator.ts";
import { compileExpression } from "../languages/jsonata/expression.ts";
import { checkSchema } from "./check-schema.ts";
import { type CompiledMapping, compileMessageMapping } from "./compile-message-mapping.ts";
import { reasonOf } from "./mapping-failure.ts";
import { type MessageDocument, readMessageDocument } from "./message-document.ts";
import { allRules, expressionsOf } from "./message-rules.ts";
import { runTest } from "./message-test-run.ts";
import { Findings } from "./value-findings.ts";
import { valueLookup } from "./value-lookup.ts";
import { NotUnderstood } from "./value-shape.ts";

/**
 * Accepts a document of unknown shape with a warning: the mapping then fails in each run. Contradictions are problems.
 * Throws NotLoaded.
 */
export function checkMessageMapping(request: MappingCheckRequest): MappingCheckResult {
  if (request.media === "csv")
    return { problems: ["a message mapping is a JSON document: only value mappings are tables"] };
  const findings = new Findings();
  let document: MessageDocument;
  try {
    const value = parseJson(request.document);
    if (!isPlainObject(value)) {
      return { problems: ['a message mapping is a JSON object, such as {"mappings": {"/order/id": "orderNo"}}'] };
    }
    document = readMessageDocument(value, findings);
  } catch (error) {
    if (error instanceof AppError) return { problems: [error.message], malformed: true };
    if (error instanceof RangeError) return { problems: ["the document nests too deep"] };
    if (!(error instanceof NotUnderstood)) throw error;
    return notUnderstood(error.message);
  }
  const used = checkContent(document, findings);
  if (!findings.sound) return { problems: findings.problems };
  const needs = needed(request, [...used, ...document.uses]);
  return needs.length > 0 ? { needs } : finish(document, [...used], request, findings);
}

/** Checks expressions and schema. Returns the ids of the value mappings that the expressions use. */
export function checkContent(document: MessageDocument, findings: Findings): ReadonlySet<string> {
  const used = checkExpressions(document, findings);
  const { schema } = document.model.target;
  if (schema !== undefined) for (const problem of checkSchema(schema)) findings.problem("", problem);
  return used;
}

function checkExpressions({ places }: MessageDocument, findings: Findings): ReadonlySet<string> {
  const used = new Set<string>();
  for (const [rule, pointer] of places) {
    for (const field of ["when", "forEach", "expr"] as const) {
      const text = rule[field];
      if (text === undefined) continue;
      try {
        for (const id of compileExpression(text, { depth: maxDepth, sequence: 1 }).valueMappings) used.add(id);
      } catch (error) {
        if (!(error instanceof ExpressionSyntaxError)) throw error;
        const place = pointer === "/expression" ? pointer : extendPointer(pointer, field);
        findings.problem(place, `rule ${rule.id} -> ${pointerOf(rule.target) || "/"}: ${reasonOf(error, text)}`);
      }
    }
  }
  return used;
}

/** Returns the ids of value mappings that the request has neither as a table nor as absent. */
export function needed(
  { tables, absent }: Pick<MappingCheckRequest, "tables" | "absent">,
  used: readonly string[],
): readonly string[] {
  const known = new Set([...absent, ...tables.map(({ id }) => id)]);
  return [...new Set(used)].filter((id) => !known.has(id));
}

function finish(
  document: MessageDocument,
  uses: readonly string[],
  request: MappingCheckRequest,
  findings: Findings,
): MappingCheckResult {
  const { name, shared, model, uses: said } = document;
  for (const id of new Set([...uses, ...said].filter((one) => request.absent.includes(one)))) {
    const message = `there is no value mapping '${id}': lookups in it fail until PUT /_api/value-mappings/${id} installs it`;
    findings.warning("unknown_value_mapping", "", message);
  }
  const mapping = compileMessageMapping(request.id, model, request.limits);
  const { passed, failed, untested } = runTests(document, mapping, request, findings);
  if (!findings.sound) return { problems: findings.problems };
  const rules = allRules(mapping.rules);
  const facts = {
    name,
    shared,
    rules: rules.length,
    compiledRules: rules.filter((rule) => expressionsOf(rule).every(({ compiled }) => compiled)).length,
    untestedRules: untested,
    tests: { passed, failed },
    uses,
  };
  return { facts, warnings: findings.warnings, data: writeModel(model) };
}

function runTests(
  document: MessageDocument,
  mapping: CompiledMapping,
  request: MappingCheckRequest,
  findings: Findings,
) {
  const reached = new Set<string>();
  const { values, lost } = lookups(request);
  let passed = 0;
  let failed = 0;
  for (const test of document.tests) {
    lost.clear();
    const problem = runTest(mapping, test, {
      id: request.id,
      limits: request.limits,
      values,
      reached: ({ id }) => reached.add(id),
    });
    const message = `the test '${test.name.slice(0, 100)}' failed: ${problem}`;
    if (problem === undefined) passed += 1;
    else if (lost.size > 0)
      findings.warning(
        "test_not_run",
        test.pointer,
        `it needs the value mapping '${[...lost][0]}', which is not there`,
      );
    else {
      failed += 1;
      if (request.stored === true) findings.warning("failing_test", test.pointer, message);
      else findings.problem(test.pointer, message);
    }
  }
  const untested = allRules(mapping.rules)
    .map(({ rule }) => rule.id)
    .filter((id) => !reached.has(id));
  if (untested.length > 0) {
    const some = untested.slice(0, 10).join(", ");
    const more = untested.length > 10 ? ` and ${untested.length - 10} more` : "";
    findings.warning("untested_rules", "", `no test reaches the rules ${some}${more}`);
  }
  return { passed, failed, untested };
}

/** `lost`: the ids that were looked up and do not exist. */
function lookups({ tables }: MappingCheckRequest) {
  const lost = new Set<string>();
  const made = new Map<string, ValueLookup>();
  const values = (id: string): ValueLookup => {
    const known = made.get(id);
    if (known !== undefined) return known;
    const table = tables.find((one) => one.id === id);
    if (table === undefined) {
      lost.add(id);
      return missing("value", id);
    }
    const lookup = valueLookup(id, table.data);
    made.set(id, lookup);
    return lookup;
  };
  return { values, lost };
}

function notUnderstood(reason: string): MappingCheckResult {
  const short = reason.slice(0, 500);
  const model: MessageMappingModel = {
    notUnderstood: short,
    source: { format: "json" },
    target: { format: "json", validate: "off" },
    rules: [],
    onMissing: "omit",
    onError: "fail",
    limits: {},
  };
  const facts = {
    name: "",
    shared: false,
    rules: 0,
    compiledRules: 0,
    untestedRules: [],
    tests: { passed: 0, failed: 0 },
    uses: [],
  };
  const message = `the document is not understood, so the mapping fails: ${short}`;
  return { facts, warnings: [{ code: "not_understood", message }], data: writeModel(model) };
}
