/** The part of a table that says what its columns and rules are, read from bytes that may be anything. */
import { parseExactly } from "./exact-json.ts";
import { LookupError, type MissingMode, missingModes } from "./value-lookup.ts";
import type { LookupRule, MissingRule, Scalar } from "./value-mapping-model.ts";
import type { TableMeta } from "./value-table-layout.ts";

/** Throws LookupError `data`. */
export function readMeta(text: string): TableMeta {
  let value: unknown;
  try {
    value = parseExactly(text);
  } catch {
    throw broken();
  }
  const fields = fieldsOf(value);
  const { notUnderstood } = fields;
  return {
    columns: listOf(fields["columns"], textOf),
    caseSensitive: fields["caseSensitive"] === true,
    trim: fields["trim"] === true,
    typed: fields["typed"] === true,
    oneWay: fields["oneWay"] === true,
    lookups: listOf(fields["lookups"], lookupOf),
    qualifierSets: listOf(fields["qualifierSets"], (set) => listOf(set, textOf)),
    ...(notUnderstood !== undefined && { notUnderstood: textOf(notUnderstood) }),
    ...ruleOf(fields),
  };
}

export function broken(): LookupError {
  return new LookupError("data", "the table's bytes are damaged: install the mapping again");
}

function lookupOf(value: unknown): LookupRule {
  const fields = fieldsOf(value);
  return { from: textOf(fields["from"]), to: textOf(fields["to"]), ...ruleOf(fields) };
}

function ruleOf({ onMissing, default: value }: Readonly<Record<string, unknown>>): MissingRule {
  return {
    ...(onMissing !== undefined && { onMissing: modeOf(onMissing) }),
    ...(value !== undefined && { default: scalarOf(value) }),
  };
}

/** What can be looked up. */
export function isLookedUp(value: unknown): value is Exclude<Scalar, null> {
  if (typeof value === "number" || typeof value === "bigint") return true;
  return typeof value === "string" || typeof value === "boolean";
}

function modeOf(value: unknown): MissingMode {
  const mode = missingModes.find((one) => one === value);
  if (mode === undefined) throw broken();
  return mode;
}

/** Throws LookupError `data`. */
export function scalarOf(value: unknown): Scalar {
  if (value === null || isLookedUp(value)) return value;
  throw broken();
}

function textOf(value: unknown): string {
  if (typeof value !== "string") throw broken();
  return value;
}

function listOf<T>(value: unknown, read: (element: unknown) => T): readonly T[] {
  if (!Array.isArray(value)) throw broken();
  return value.map(read);
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw broken();
  return value as Readonly<Record<string, unknown>>;
}
