/** Checks a document that was sent as a value mapping; returns its table, or its problems. */
import { AppError } from "../../shared/errors.ts";
import { parseJson } from "../../shared/json.ts";
import type { Limits } from "../../shared/limits.ts";
import type { MappingCheckRequest, MappingCheckResult, MappingTests } from "../../shared/mapping.ts";
import type { Scalar, ValueMappingModel, ValueRow } from "../../shared/mapping-models.ts";
import { ValueTable } from "../../shared/value-table.ts";
import { buildValueTable, type Clash } from "../../shared/value-table-build.ts";
import { normalText } from "../../shared/value-table-layout.ts";
import { isPlainObject } from "../engine/convert.ts";
import { readValueCsv } from "./value-csv.ts";
import { readValueDocument, type ValueDocument } from "./value-document.ts";
import { Findings, shown } from "./value-findings.ts";
import { NotUnderstood } from "./value-shape.ts";
import { runTests } from "./value-tests.ts";

interface Received {
  readonly document: ValueDocument;
  readonly kept?: string;
}

/** Accepts a document of unknown shape with a warning: lookups in it then fail. Contradictions are problems. */
export function checkValueMapping(request: MappingCheckRequest): MappingCheckResult {
  const findings = new Findings();
  // A document that was accepted once is read again even if the limit is lower now.
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

/** Throws AppError for a document that is not JSON. */
function receive({ media, document }: MappingCheckRequest, limits: Limits, findings: Findings): Received | undefined {
  if (media === "csv") return readValueCsv(document, limits, findings);
  const value = parseJson(document);
  if (isPlainObject(value)) return { document: readValueDocument(value, limits, findings) };
  findings.problem("", 'a value mapping is a JSON object, such as {"entries": {"DE": "Germany"}}');
  return undefined;
}

function finish({ document, kept }: Received, findings: Findings): MappingCheckResult {
  const table = makeTable(document, findings);
  if (table === undefined || !findings.sound) return { problems: findings.problems };
  const { name, shared, model } = document;
  const { columns, rows } = model;
  const facts = { name, shared, rows: rows.length, columns, tests: table.tests, uses: [] };
  return { facts, warnings: findings.warnings, data: table.data, ...(kept !== undefined && { kept }) };
}

/**
 * Builds the table of a document and runs its tests. Findings are ambiguous rows, of which the first one counts, and
 * failing tests. Returns undefined, with a problem, when no table can be built.
 */
export function makeTable(
  document: ValueDocument,
  findings: Findings,
): { readonly data: Uint8Array; readonly tests: MappingTests } | undefined {
  const { model, tests } = document;
  const onClash = clashes(document, findings);
  findAmbiguities(model, onClash);
  let data: Uint8Array;
  try {
    data = buildValueTable(model, onClash);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    findings.problem("", error.message);
    return undefined;
  }
  const passed = runTests(tests, new ValueTable(data), findings);
  return { data, tests: { passed, failed: tests.length - passed } };
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

/** Facts of a document of unknown shape: every lookup in its table fails with the reason. */
export function notUnderstood(reason: string): Extract<MappingCheckResult, { readonly data: Uint8Array }> {
  const rules = { caseSensitive: true, trim: false, typed: false, oneWay: false, lookups: [] };
  const short = reason.slice(0, 500);
  const message = `the document is not understood, so lookups fail: ${short}`;
  return {
    facts: { name: "", shared: false, rows: 0, columns: [], tests: { passed: 0, failed: 0 }, uses: [] },
    warnings: [{ code: "not_understood", message }],
    data: buildValueTable({ columns: [], rows: [], ...rules, notUnderstood: short }),
  };
}

/**
 * The most cells per row, on average. The number is bounded because every thread that uses the mapping has a copy of
 * its table.
 */
const valuesPerRow = 10;

export function checkSize({ rows, columns }: ValueMappingModel, { mappingRows }: Limits, findings: Findings): void {
  const most = mappingRows * valuesPerRow;
  const fields = rows.length * columns.length;
  if (fields > most) {
    const shape = `${rows.length} rows of ${columns.length} columns`;
    findings.problem("", `${shape} are ${fields} cells: a value mapping has at most ${most}`);
  }
  let values = 0;
  for (const { cells } of rows) for (const cell of cells) values += cell.length;
  if (values > most) findings.problem("", `${values} values in all cells: a value mapping has at most ${most}`);
}

/**
 * Reports rows that may apply together. Rows with identical names of qualifiers are checked while the table is built.
 */
export function findAmbiguities(model: ValueMappingModel, onClash: Clash): void {
  const sets = new Map<string, QualifierSet>();
  model.rows.forEach((row, at) => {
    if (row.when === undefined || row.when.size === 0) return;
    const names = [...row.when.keys()].sort();
    const id = JSON.stringify(names);
    const set = sets.get(id) ?? { names, rows: [] };
    set.rows.push(at);
    sets.set(id, set);
  });
  const all = [...sets.values()];
  all.forEach((one, at) => {
    for (const other of all.slice(at + 1))
      if (one.names.length === other.names.length) compare(model, one, other, onClash);
  });
}

interface QualifierSet {
  readonly names: readonly string[];
  readonly rows: number[];
}

/** Two rows may apply together unless a qualifier of both has different values. */
function compare(model: ValueMappingModel, one: QualifierSet, other: QualifierSet, onClash: Clash): void {
  const common = one.names.filter((name) => other.names.includes(name));
  const first = new Map<string, number>();
  walk(model, one, common, (key, row) => first.set(key, first.get(key) ?? row));
  walk(model, other, common, (key, row, column, value) => {
    const earlier = first.get(key);
    if (earlier !== undefined) onClash(column, Math.max(row, earlier), Math.min(row, earlier), value);
  });
}

function walk(
  model: ValueMappingModel,
  { rows }: QualifierSet,
  common: readonly string[],
  visit: (key: string, row: number, column: number, value: Scalar) => void,
): void {
  const columns = model.oneWay ? 1 : model.columns.length;
  for (const at of rows) {
    const { cells, when } = model.rows[at] as ValueRow;
    const shared = common.map((name) => textOf(when?.get(name) ?? "", model));
    for (let column = 0; column < columns; column++) {
      for (const value of cells[column] ?? []) {
        if (value !== null) visit(JSON.stringify([column, textOf(value, model), ...shared]), at, column, value);
      }
    }
  }
}

function textOf(value: Scalar, model: ValueMappingModel): string {
  return normalText(value ?? "", model);
}
