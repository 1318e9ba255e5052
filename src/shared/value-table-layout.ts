/**
 * How a value mapping's table lies in bytes; little-endian 32-bit words, offsets and lengths in bytes.
 *
 *     header   headerWords words, see `HeaderWord`
 *     slots    1 word each: 0, or the number of an entry, counted from 1; a power of two of them, at most half of them taken
 *     entries  entryWords words each: hash, group, offset and length of the key's text in the pool, row
 *     cells    2 words each, row by row: offset and length of the primary value's JSON text in the pool; length 0: no value
 *     meta     the columns and the rules, a TableMeta as JSON
 *     pool     texts in UTF-8
 *
 * An entry is a value that rows are found by. Its group says the column and the set of qualifiers: set * columns + column.
 */
import { parseExactly } from "./exact-json.ts";
import type { LookupRule, MissingRule, Scalar, ValueMappingModel } from "./mapping-models.ts";
import { LookupError, type MissingMode, missingModes } from "./value-lookup.ts";

export const magic = 0x31544d56;
export const HeaderWord = {
  magic: 0,
  seed: 1,
  rows: 2,
  columns: 3,
  slots: 4,
  entries: 5,
  metaBytes: 6,
  poolBytes: 7,
} as const;
export const headerWords = 8;
export const entryWords = 5;
/** The most probes of a lookup. A table whose values collide more often is refused when it is built. */
export const mostProbes = 1000;

/** The columns and rules of a table, read from untrusted bytes. */
export interface TableMeta extends Omit<ValueMappingModel, "rows"> {
  /** Names of qualifiers, sorted in each set; the largest sets first. */
  readonly qualifierSets: readonly (readonly string[])[];
}

type Match = Pick<ValueMappingModel, "caseSensitive" | "trim" | "typed">;

/**
 * Returns the text that represents a value in comparisons. A number becomes its text; with `typed`, texts get a mark
 * that numbers do not have.
 */
export function normalText(value: string | number | bigint | boolean, match: Match): string {
  const isText = typeof value === "string";
  let text = isText ? value : String(value);
  if (match.trim) text = text.trim();
  if (!match.caseSensitive) text = text.toLowerCase();
  return match.typed && isText ? `"${text}` : text;
}

/** The key of a row that has qualifiers. */
export function qualifiedText(text: string, qualifiers: readonly string[]): string {
  return JSON.stringify([text, ...qualifiers]);
}

/** FNV-1a with a seed and the finish of MurmurHash3, so that all bits count. */
export function hashOf(bytes: Uint8Array, from: number, to: number, group: number, seed: number): number {
  let hash = (0x811c9dc5 ^ seed ^ Math.imul(group, 0x9e3779b1)) | 0;
  for (let at = from; at < to; at++) hash = Math.imul(hash ^ (bytes[at] as number), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) | 0;
}

export function sameBytes(a: Uint8Array, atA: number, b: Uint8Array, atB: number, length: number): boolean {
  for (let at = 0; at < length; at++) if (a[atA + at] !== b[atB + at]) return false;
  return true;
}

/** Throws LookupError `data` for bytes that are not the meta section of a table. */
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

/** Whether a value can be looked up. */
export function isLookedUp(value: unknown): value is Exclude<Scalar, null> {
  if (typeof value === "number" || typeof value === "bigint") return true;
  return typeof value === "string" || typeof value === "boolean";
}

function modeOf(value: unknown): MissingMode {
  const mode = missingModes.find((one) => one === value);
  if (mode === undefined) throw broken();
  return mode;
}

/** Throws LookupError `data` for a value that a cell cannot hold. */
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
