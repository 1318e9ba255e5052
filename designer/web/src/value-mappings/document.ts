/** The JSON document of a value mapping as a grid, with everything else that is in it. */
import { parse } from "../../../../src/client/json.ts";
import { words } from "../words.ts";
import { type Cell, emptyCell, isScalar, type Scalar } from "./cell-text.ts";
import type { Column, Row, Sheet } from "./sheet.ts";

export type Fields = Readonly<Record<string, unknown>>;

export const contents = ["rows", "entries", "mappings"] as const;

/** Names that a document has beside its rows: one of nothing else is no flat map of values. */
const settings = new Set<string>([
  ...contents,
  ...["version", "name", "description", "shared", "columns", "match", "typed", "bidirectional", "lookups"],
  ...["onMissing", "default", "onAmbiguous", "tests", "labels"],
]);

export interface MappingDocument {
  /** All fields, those that the grid stands for as they were read. */
  readonly fields: Fields;
  /** The field that has the rows. */
  readonly content: (typeof contents)[number];
  readonly sheet: Sheet;
}

export type ReadDocument =
  | { readonly kind: "table"; readonly document: MappingDocument }
  /** The grid cannot show it; it is edited as JSON. */
  | { readonly kind: "text"; readonly why: string };

/** Reads a document in the long form or a short one (docs/value-mappings.md). A flat map of values is read as `entries`. */
export function readDocument(text: string): ReadDocument {
  let value: unknown;
  try {
    value = parse(text);
  } catch (error) {
    return other(words.valueMappings.notJson(error instanceof Error ? error.message : String(error)));
  }
  if (!isFields(value)) return other(words.valueMappings.noObject);
  const content = contents.find((name) => isHolder(own(value, name)));
  if (content !== undefined) return readContent(value, content);
  const isFlat = Object.values(value).every((one) => isScalar(one) || isList(one));
  return isFlat && Object.keys(value).some((name) => !settings.has(name))
    ? readContent({ entries: value }, "entries")
    : other(words.valueMappings.noRows);
}

function readContent(fields: Fields, content: MappingDocument["content"]): ReadDocument {
  const declared = declaredColumns(fields);
  if (declared === "odd") return other(words.valueMappings.oddColumns);
  const rows = rowsIn(fields[content], declared);
  if (rows === undefined || !rows.every(isRow)) return other(words.valueMappings.oddRows);
  const names = new Set(declared ?? []);
  const qualifiers = new Set<string>();
  for (const row of rows) {
    for (const name of Object.keys(row)) if (name !== "when") names.add(name);
    for (const name of Object.keys(whenOf(row))) qualifiers.add(name);
  }
  const columns: Column[] = [
    ...[...names].map((name): Column => ({ name, kind: "values", was: name })),
    ...[...qualifiers].map((name): Column => ({ name, kind: "qualifier", was: name })),
  ];
  const sheet = { columns, rows: rows.map((source): Row => ({ cells: cellsOf(source, columns), source })) };
  return { kind: "table", document: { fields, content, sheet } };
}

/** The names of the columns as the document has them; undefined: it has none. */
export function declaredColumns(fields: Fields): readonly string[] | undefined | "odd" {
  const columns = own(fields, "columns");
  if (columns === undefined) return undefined;
  if (Array.isArray(columns)) return columns.every((name) => typeof name === "string") ? columns : "odd";
  return isFields(columns) ? Object.keys(columns) : "odd";
}

/** The rows as a list; those of a map are pairs of the first two columns. */
function rowsIn(value: unknown, declared: readonly string[] | undefined): readonly Fields[] | undefined {
  if (Array.isArray(value)) return value.every(isFields) ? value : undefined;
  if (!isFields(value)) return undefined;
  const [from = "from", to = "to"] = declared ?? [];
  return Object.entries(value).map(([key, one]) => Object.fromEntries([[from, key] as const, [to, one] as const]));
}

function isRow(row: Fields): boolean {
  return Object.entries(row).every(([name, value]) =>
    name === "when" ? isFields(value) && Object.values(value).every(isScalar) : isScalar(value) || isList(value),
  );
}

function cellsOf(row: Fields, columns: readonly Column[]): readonly Cell[] {
  const when = whenOf(row);
  return columns.map(({ name, kind }) => cellOf(kind === "qualifier" ? own(when, name) : own(row, name)));
}

/** The cell of a value of a row. */
export function cellOf(value: unknown): Cell {
  if (value === undefined) return emptyCell;
  return Array.isArray(value) ? (value as readonly Scalar[]) : [value as Scalar];
}

export function whenOf(row: Fields): Fields {
  const when = own(row, "when");
  return isFields(when) ? when : {};
}

/** A field of the object itself, not one that every object has. */
export function own(fields: Fields, name: string): unknown {
  return Object.hasOwn(fields, name) ? fields[name] : undefined;
}

export function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isHolder(value: unknown): boolean {
  return typeof value === "object" && value !== null;
}

function isList(value: unknown): boolean {
  return Array.isArray(value) && value.every(isScalar);
}

function other(why: string): ReadDocument {
  return { kind: "text", why };
}
