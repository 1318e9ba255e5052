/** A document that was sent as a value mapping -> its table, or what is wrong with it. */
import { AppError } from "../../shared/errors.ts";
import { parseJson } from "../../shared/json.ts";
import type { Limits } from "../../shared/limits.ts";
import type { MappingCheckRequest, MappingCheckResult } from "../../shared/mapping.ts";
import { ValueTable } from "../../shared/value-table.ts";
import { buildValueTable, type Clash } from "../../shared/value-table-build.ts";
import { isPlainObject } from "../engine/convert.ts";
import { findAmbiguities } from "./value-ambiguity.ts";
import { readValueCsv } from "./value-csv.ts";
import { readValueDocument, type ValueDocument } from "./value-document.ts";
import { Findings, shown } from "./value-findings.ts";
import { NotUnderstood } from "./value-shape.ts";
import { checkSize } from "./value-size.ts";
import { runTests } from "./value-tests.ts";

interface Received {
  readonly document: ValueDocument;
  readonly kept?: string;
}

/** A document of a shape that is not known is accepted with a warning, and lookups in it fail; contradictions are problems. */
export function checkValueMapping(request: MappingCheckRequest): MappingCheckResult {
  const findings = new Findings();
  // What was accepted once is read again whatever the limit is by now.
  const limits = request.stored === true ? { ...request.limits, mappingRows: Number.MAX_SAFE_INTEGER } : request.limits;
  try {
    const received = receive(request, limits, findings);
    if (received !== undefined) checkSize(received.document.model, limits, findings);
    return findings.sound && received !== undefined ? finish(received, findings) : { problems: findings.problems };
  } catch (error) {
    if (error instanceof AppError) return { problems: [error.message], malformed: true };
    if (!(error instanceof NotUnderstood)) throw error;
    return notUnderstood(error.message);
  }
}

/** Throws AppError for what is no JSON. */
function receive({ media, document }: MappingCheckRequest, limits: Limits, findings: Findings): Received | undefined {
  if (media === "csv") return readValueCsv(document, limits, findings);
  const value = parseJson(document);
  if (isPlainObject(value)) return { document: readValueDocument(value, limits, findings) };
  findings.problem("", 'a value mapping is a JSON object, such as {"entries": {"DE": "Germany"}}');
  return undefined;
}

function finish({ document, kept }: Received, findings: Findings): MappingCheckResult {
  const { name, shared, model, tests } = document;
  const onClash = clashes(document, findings);
  findAmbiguities(model, onClash);
  let data: Uint8Array;
  try {
    data = buildValueTable(model, onClash);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return { problems: [error.message] };
  }
  const passed = runTests(tests, new ValueTable(data), findings);
  if (!findings.sound) return { problems: findings.problems };
  const { columns, rows } = model;
  const facts = {
    name,
    shared,
    rows: rows.length,
    columns,
    tests: { passed, failed: tests.length - passed },
    uses: [],
  };
  return { facts, warnings: findings.warnings, data, ...(kept !== undefined && { kept }) };
}

function clashes({ model, places, onAmbiguous }: ValueDocument, findings: Findings): Clash {
  return (column, row, earlier, value) => {
    const name = model.columns[column] as string;
    const where = places.cell(row, name);
    const message = `${shown(value)} stands in ${places.row(earlier)} too`;
    if (onAmbiguous === "first") findings.warning("ambiguous", where, `${message}: that row counts`);
    else {
      const advice = `write one row with lists, tell the rows apart by 'when', or set "onAmbiguous": "first"`;
      findings.problem(where, `${message}, so a lookup from ${shown(name)} has no one answer: ${advice}`);
    }
  };
}

function notUnderstood(reason: string): MappingCheckResult {
  const rules = { caseSensitive: true, trim: false, typed: false, oneWay: false, lookups: [] };
  const short = reason.slice(0, 500);
  const message = `the document is not understood, so lookups fail: ${short}`;
  return {
    facts: { name: "", shared: false, rows: 0, columns: [], tests: { passed: 0, failed: 0 }, uses: [] },
    warnings: [{ code: "not_understood", message }],
    data: buildValueTable({ columns: [], rows: [], ...rules, notUnderstood: short }),
  };
}
