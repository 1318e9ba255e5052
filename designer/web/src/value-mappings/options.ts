/** Everything in the document of a value mapping beside its rows: what is known by name, and what is not. */
import { declaredColumns, type Fields, isFields, type MappingDocument, own } from "./document.ts";
import type { Column } from "./sheet.ts";
import { factsOf, inserted, isOneWay } from "./write-document.ts";

export const missingModes = ["error", "default", "passthrough", "null"] as const;
export type MissingMode = (typeof missingModes)[number];

/** Fields that have a form; others are shown as they are, and stay. */
const known = new Set([
  ...["name", "shared", "columns", "match", "typed", "bidirectional", "lookups", "onMissing", "default"],
  ...["onAmbiguous", "tests", "description"],
]);

/** Sets a field of the document; undefined: takes it away. */
export function setField(document: MappingDocument, name: string, value: unknown): MappingDocument {
  const { fields, content } = document;
  if (value !== undefined) return { ...document, fields: inserted(fields, content, name, value) };
  const { [name]: _gone, ...rest } = fields;
  return { ...document, fields: rest };
}

/** Sets `caseSensitive` or `trim`; the default is left out. */
export function setMatch(
  document: MappingDocument,
  name: "caseSensitive" | "trim",
  value: boolean | undefined,
): MappingDocument {
  const before = own(document.fields, "match");
  const { [name]: _gone, ...rest } = isFields(before) ? before : {};
  const match = value === undefined ? rest : { ...rest, [name]: value };
  return setField(document, "match", Object.keys(match).length === 0 ? undefined : match);
}

export function matchOf({ fields }: MappingDocument, name: "caseSensitive" | "trim"): boolean {
  const match = own(fields, "match");
  const value = isFields(match) ? own(match, name) : undefined;
  return typeof value === "boolean" ? value : name === "caseSensitive";
}

export function setOneWay(document: MappingDocument, oneWay: boolean): MappingDocument {
  const without = setField(document, "bidirectional", undefined);
  const isDefault = isOneWay(without.fields, document.content) === oneWay;
  return isDefault ? without : setField(document, "bidirectional", !oneWay);
}

/** The entries of a list of objects, `lookups` or `tests`; undefined: it is something else. */
export function entriesOf({ fields }: MappingDocument, name: "lookups" | "tests"): readonly Fields[] | undefined {
  const list = own(fields, name) ?? [];
  return Array.isArray(list) && list.every(isFields) ? list : undefined;
}

export function setEntries(
  document: MappingDocument,
  name: "lookups" | "tests",
  entries: readonly Fields[],
): MappingDocument {
  return setField(document, name, entries.length === 0 ? undefined : entries);
}

/** Sets fields of an object; those that are undefined are taken away. */
export function changed(entry: Fields, change: Fields): Fields {
  return Object.fromEntries(Object.entries({ ...entry, ...change }).filter(([, value]) => value !== undefined));
}

/** A column keeps its rules and tests under its new name. */
export function renameInOptions(fields: Fields, before: string, name: string): Fields {
  const renamed = (list: unknown): unknown =>
    Array.isArray(list)
      ? list.map((entry: unknown) =>
          isFields(entry)
            ? {
                ...entry,
                ...(own(entry, "from") === before && { from: name }),
                ...(own(entry, "to") === before && { to: name }),
              }
            : entry,
        )
      : list;
  return {
    ...fields,
    ...(Object.hasOwn(fields, "lookups") && { lookups: renamed(fields["lookups"]) }),
    ...(Object.hasOwn(fields, "tests") && { tests: renamed(fields["tests"]) }),
  };
}

/** What the document says of a column, such as its agency. */
export function columnFacts({ fields, sheet }: MappingDocument, column: Column): Fields {
  const columns = own(fields, "columns");
  const facts = isFields(columns) ? factsOf(columns, column, sheet.columns) : {};
  return isFields(facts) ? facts : {};
}

/** A document whose columns are a list, or are not named, gets them as a map then. */
export function setColumnFact(
  document: MappingDocument,
  column: Column,
  name: string,
  value: string | undefined,
): MappingDocument {
  const { fields, content, sheet } = document;
  const isSet = isFields(own(fields, "columns"));
  if (!isSet && value === undefined) return document;
  const known = isSet ? (fields["columns"] as Fields) : undefined;
  const columns = Object.fromEntries(
    sheet.columns
      .filter(({ kind }) => kind === "values")
      .map((one) => {
        const before = known === undefined ? {} : factsOf(known, one, sheet.columns);
        return [
          one.was ?? one.name,
          one === column && isFields(before) ? changed(before, { [name]: value }) : before,
        ] as const;
      }),
  );
  const isOneWayNow = isOneWay(fields, content);
  const written = { ...document, fields: inserted(fields, content, "columns", columns) };
  return declaredColumns(fields) === undefined ? setOneWay(written, isOneWayNow) : written;
}

/** Fields of the document that have no form here. */
export function otherFields({ fields, content }: MappingDocument): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !known.has(name) && name !== content));
}
