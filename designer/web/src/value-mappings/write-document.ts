/** Writes the grid back into its document: what was not edited stays as it is, in the order in which it stands. */
import { stringify } from "../../../../src/client/json.ts";
import { type Cell, sameCell } from "./cell-text.ts";
import { cellOf, declaredColumns, type Fields, isFields, type MappingDocument, own, whenOf } from "./document.ts";
import type { Column, Row, Sheet } from "./sheet.ts";

/** The document as JSON, a row in a line. */
export function documentText(document: MappingDocument): string {
  return jsonText(writeDocument(document));
}

/** JSON with a line for each entry of a field, so that differences are seen row by row. */
export function jsonText(document: Fields): string {
  const lines = Object.entries(document).map(([name, value]) => `  ${stringify(name)}: ${fieldText(value)}`);
  return lines.length === 0 ? "{}\n" : `{\n${lines.join(",\n")}\n}\n`;
}

function fieldText(value: unknown): string {
  if (Array.isArray(value))
    return value.length === 0 ? "[]" : `[\n${value.map((one) => `    ${stringify(one)}`).join(",\n")}\n  ]`;
  if (!isFields(value)) return stringify(value);
  const lines = Object.entries(value).map(([name, one]) => `    ${stringify(name)}: ${stringify(one)}`);
  return lines.length === 0 ? "{}" : `{\n${lines.join(",\n")}\n  }`;
}

export function writeDocument({ fields, content, sheet }: MappingDocument): Fields {
  const rows = contentOf(fields[content], sheet);
  const written = withColumns({ ...fields, [content]: rows }, content, sheet);
  const [before, after] = [isOneWay(fields, content), isOneWay(written, content)];
  // The default of this option follows from the names of the columns, which may have changed.
  return before === after ? written : inserted(written, content, "bidirectional", !before);
}

/** Whether lookups begin in the first column only. */
export function isOneWay(fields: Fields, content: MappingDocument["content"]): boolean {
  const set = own(fields, "bidirectional");
  return typeof set === "boolean" ? !set : isShort(fields, content);
}

/** A document without columns whose rows are pairs of `from` and `to`. */
function isShort(fields: Fields, content: MappingDocument["content"]): boolean {
  if (own(fields, "columns") !== undefined) return false;
  const rows = fields[content];
  return !Array.isArray(rows) || sameNames(namesIn(rows), ["from", "to"]);
}

function contentOf(before: unknown, sheet: Sheet): unknown {
  const map = isFields(before) ? mapOf(sheet) : undefined;
  return map ?? sheet.rows.map((row) => rowOf(row, sheet.columns));
}

/** The rows as a map, when there is one that has them all in their order. */
function mapOf({ columns, rows }: Sheet): Fields | undefined {
  if (columns.length !== 2 || columns.some(({ kind }) => kind === "qualifier")) return undefined;
  const entries: [string, unknown][] = [];
  for (const { cells, source } of rows) {
    const [[key, ...more] = [], value = []] = cells;
    if (typeof key !== "string" || more.length > 0 || value.length === 0) return undefined;
    entries.push([key, spelled(value, source === undefined ? undefined : Object.values(source)[1])]);
  }
  const map = Object.fromEntries(entries);
  return sameNames(
    Object.keys(map),
    entries.map(([key]) => key),
  )
    ? map
    : undefined;
}

function rowOf({ cells, source = {} }: Row, columns: readonly Column[]): Fields {
  const entries: [string, unknown][] = [];
  const qualifiers: [string, unknown][] = [];
  const when = whenOf(source);
  columns.forEach(({ name, kind, was }, at) => {
    const cell = cells[at] ?? [];
    const before = was === undefined ? undefined : own(kind === "qualifier" ? when : source, was);
    // An empty list is a fault that the runtime reports: it stays until the cell is edited.
    if (cell.length === 0 && !(Array.isArray(before) && before.length === 0)) return;
    (kind === "qualifier" ? qualifiers : entries).push([name, spelled(cell, before)]);
  });
  if (qualifiers.length > 0 || (own(source, "when") !== undefined && Object.keys(when).length === 0))
    entries.push(["when", Object.fromEntries(qualifiers)]);
  return Object.fromEntries(inOrderOf(Object.keys(source), entries, columns));
}

/** Entries of a row in the order in which the row has them, new ones behind. */
function inOrderOf(
  names: readonly string[],
  entries: readonly [string, unknown][],
  columns: readonly Column[],
): readonly [string, unknown][] {
  if (names.length === 0) return entries;
  const place = new Map(names.map((name, at) => [name, at]));
  const was = new Map(columns.flatMap((one) => (one.kind === "values" ? [[one.name, one.was ?? ""] as const] : [])));
  const placeOf = ([name]: readonly [string, unknown]): number =>
    place.get(name === "when" ? name : (was.get(name) ?? "")) ?? names.length;
  return entries.toSorted((one, other) => placeOf(one) - placeOf(other));
}

/** A value that has not changed stays in its spelling, such as a list with one value. */
function spelled(cell: Cell, before: unknown): unknown {
  if (before !== undefined && sameCell(cellOf(before), cell)) return before;
  return cell.length === 1 ? cell[0] : cell;
}

function withColumns(written: Fields, content: MappingDocument["content"], { columns }: Sheet): Fields {
  const wanted = columns.filter(({ kind }) => kind === "values");
  const names = wanted.map(({ name }) => name);
  const declared = declaredColumns(written);
  if (declared === "odd") return written;
  if (declared === undefined) {
    const rows = written[content];
    const natural = Array.isArray(rows) ? namesIn(rows) : ["from", "to"];
    return sameNames(natural, names) ? written : inserted(written, content, "columns", names);
  }
  if (sameNames(declared, names)) return written;
  const before = written["columns"];
  if (!isFields(before)) return { ...written, columns: names };
  const map = Object.fromEntries(wanted.map((column) => [column.name, factsOf(before, column, columns)]));
  // An object does not keep the order of names that are numbers; a list does, where nothing else would be lost.
  const isLost = Object.values(map).some((facts) => !isFields(facts) || Object.keys(facts).length > 0);
  return { ...written, columns: sameNames(Object.keys(map), names) || isLost ? map : names };
}

/** What the document says of a column beside its name. A new column does not take over what an old one of its name had. */
export function factsOf(facts: Fields, { name, was }: Column, columns: readonly Column[]): unknown {
  const isTaken = was === undefined && columns.some((other) => other.was === name);
  return isTaken ? {} : (own(facts, was ?? name) ?? {});
}

/** The names in the rows, in the order of their first use. */
function namesIn(rows: readonly unknown[]): readonly string[] {
  const names = new Set<string>();
  for (const row of rows) if (isFields(row)) for (const name of Object.keys(row)) if (name !== "when") names.add(name);
  return [...names];
}

/** Sets a field, before the rows when it is new: they may be many. */
export function inserted(fields: Fields, content: string, name: string, value: unknown): Fields {
  if (Object.hasOwn(fields, name)) return { ...fields, [name]: value };
  return Object.fromEntries(
    Object.entries(fields).flatMap((entry) => (entry[0] === content ? [[name, value] as const, entry] : [entry])),
  );
}

function sameNames(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((name, at) => name === other[at]);
}
