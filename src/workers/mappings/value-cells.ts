/** Reads and checks the columns, rows and cells of a value mapping. */
import { type Fields, isFields } from "../../shared/document-fields.ts";
import { extendPointer } from "../../shared/document-place.ts";
import { longestValue, type Scalar, type ValueRow } from "../../shared/mapping-models.ts";
import { type Findings, shown } from "./value-findings.ts";
import { anyFields, isScalar, kindOf, NotUnderstood, readPart } from "./value-shape.ts";

const mostColumns = 64;
const longestName = 128;
const mostValues = 1000;
const mostQualifiers = 8;
const longestQualifier = 256;

/** The places of rows in the document, for messages. */
export interface Places {
  row(row: number): string;
  cell(row: number, column: string): string;
}

export function placesIn(pointer: string): Places {
  return {
    row: (row) => extendPointer(pointer, row),
    cell: (row, column) => extendPointer(extendPointer(pointer, row), column),
  };
}

/** Reports each invalid name. */
export function checkColumns(names: readonly string[], where: string, findings: Findings): void {
  if (names.length < 2) findings.problem(where, "a value mapping has at least two columns: name them all");
  if (names.length > mostColumns) findings.problem(where, `a value mapping has at most ${mostColumns} columns`);
  const seen = new Set<string>();
  for (const name of names) {
    if (name === "when" || name.startsWith("when."))
      findings.problem(where, `no column is called ${shown(name)}: 'when' holds the qualifiers of rows`);
    else if (!isName(name)) findings.problem(where, `${shown(name)} is no name of a column: ${nameRule}`);
    else if (seen.has(name)) findings.problem(where, `the column ${shown(name)} is there twice`);
    seen.add(name);
  }
}

const nameRule = `it has 1 to ${longestName} characters, and no blanks at its ends`;

function isName(name: string): boolean {
  return name !== "" && name.trim() === name && name.length <= longestName && name.isWellFormed();
}

/** Lists the names in the rows, in the order of their first use. Throws NotUnderstood. */
export function columnsIn(rows: readonly unknown[], pointer: string, findings: Findings): string[] {
  const names = new Set<string>();
  rows.forEach((row, at) => {
    for (const name of Object.keys(rowFields(row, pointer, at, findings))) if (name !== "when") names.add(name);
    if (names.size > mostColumns)
      throw new NotUnderstood(`${pointer}: the rows have more than ${mostColumns} different names`);
  });
  if (names.size < 2) throw new NotUnderstood(`${pointer}: the rows have fewer than two columns`);
  return [...names];
}

/** Throws NotUnderstood for a row that is not an object, and for an invalid cell. */
export function readRow(
  row: unknown,
  at: number,
  pointer: string,
  columns: ReadonlyMap<string, number>,
  findings: Findings,
): ValueRow {
  const fields = rowFields(row, pointer, at, findings);
  const cells: (readonly Scalar[])[] = new Array(columns.size).fill(none);
  let when: ReadonlyMap<string, Scalar> | undefined;
  for (const name of Object.keys(fields)) {
    const value = fields[name];
    if (name === "when") {
      when = readQualifiers(value, extendPointer(extendPointer(pointer, at), name), findings);
      continue;
    }
    const column = columns.get(name);
    if (column !== undefined)
      cells[column] = readCell(value, () => extendPointer(extendPointer(pointer, at), name), findings);
    else {
      const known = [...columns.keys()].map(shown).join(", ");
      findings.problem(
        extendPointer(extendPointer(pointer, at), name),
        `there is no such column (there are ${known}): add it to 'columns'`,
      );
    }
  }
  return { cells, when };
}

const none: readonly Scalar[] = [];

/** `where` is called only for a fault. Throws NotUnderstood. */
export function readCell(value: unknown, where: () => string, findings: Findings): readonly Scalar[] {
  if (!Array.isArray(value)) {
    if (!isScalar(value)) throw new NotUnderstood(`${where()} is ${kindOf(value)}, not a value or a list of values`);
    return checkValue(value, where, findings) ? [value] : none;
  }
  if (value.length === 0) findings.problem(where(), "the list is empty: leave the cell out");
  if (value.length > mostValues) {
    findings.problem(where(), `a cell has at most ${mostValues} values`);
    return none;
  }
  const list: Scalar[] = [];
  for (const one of value as readonly unknown[]) {
    if (!isScalar(one)) throw new NotUnderstood(`${where()} has ${kindOf(one)} in its list, not values alone`);
    if (one === null) findings.problem(where(), "null stands in a list: leave it out, or let it be the whole cell");
    else if (checkValue(one, where, findings)) list.push(one);
  }
  return list;
}

export function checkValue(value: Scalar, where: () => string, findings: Findings, longest = longestValue): boolean {
  if (typeof value === "string") {
    if (value.length <= longest && value.isWellFormed()) return true;
    const reason = value.isWellFormed() ? `a value has at most ${longest} characters` : "the text has half a character";
    findings.problem(where(), reason);
    return false;
  }
  if (typeof value !== "number" || Number.isSafeInteger(value)) return true;
  if (Number.isFinite(value) && !Number.isInteger(value)) return true;
  findings.problem(
    where(),
    "a number beyond 2^53 is exact when it is written with all its digits: write it so, or as a text",
  );
  return false;
}

const qualifiers = anyFields('{"country": "DE"}');

/** Reads `when`: names with single values. Throws NotUnderstood. */
export function readQualifiers(value: unknown, pointer: string, findings: Findings): ReadonlyMap<string, Scalar> {
  const fields = readPart(qualifiers, value, pointer, findings);
  const names = Object.keys(fields);
  const when = new Map<string, Scalar>();
  if (names.length > mostQualifiers) {
    findings.problem(pointer, `a row has at most ${mostQualifiers} qualifiers`);
    return when;
  }
  for (const name of names) {
    const one = fields[name];
    const where = (): string => extendPointer(pointer, name);
    if (!isScalar(one)) throw new NotUnderstood(`${where()} is ${kindOf(one)}, not a value`);
    if (!isName(name)) findings.problem(where(), `this is no name of a qualifier: ${nameRule}`);
    else if (one === null) findings.problem(where(), "null is no value of a qualifier: leave it out");
    else if (checkValue(one, where, findings, longestQualifier)) when.set(name, one);
  }
  return when;
}

const cells = anyFields('{"crm": "New", "erp": "ZNEW"}');

/** Valid rows skip the schema, since a mapping may have many of them. */
function rowFields(row: unknown, pointer: string, at: number, findings: Findings): Fields {
  return isFields(row) ? row : readPart(cells, row, extendPointer(pointer, at), findings);
}
