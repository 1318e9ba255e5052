/**
 * The requests of a client in a flow's thread to the process that has an embedded database open, and the answers. Both
 * are lists, written as JSON (`writeEmbedded`); control passes them on unread.
 *
 * - `hello`: answered by the version of SQLite
 * - `run`, bytes, text, ...values: runs a statement; its rows take at most so many bytes
 * - `batch`, bytes, text, width, ...values: runs it once for each `width` of the values
 * - `open`, bytes, text, cursor, count, ...values: begins a query whose rows are read in parts of `count`
 * - `fetch`, bytes, cursor, count: its next rows; none: it has ended
 * - `shut`, cursor: ends it
 * - `begin`, `commit`, `rollback`
 *
 * Values are texts, numbers, bigint, bytes and null. Numbers without a fraction are stored as whole numbers.
 */
export type EmbeddedRequest = readonly [operation: EmbeddedOperation, ...fields: unknown[]];

export const embeddedOperations = [
  "hello",
  "run",
  "batch",
  "open",
  "fetch",
  "shut",
  "begin",
  "commit",
  "rollback",
] as const;
export type EmbeddedOperation = (typeof embeddedOperations)[number];

/**
 * - `done`, count: the rows that were changed
 * - `rows`, width, (name, table, column) of each column, ...values: rows, one after the other. Table and column are those
 *   that a column comes from; null: it is calculated
 * - `full`: the rows have more bytes than they may have
 */
export type EmbeddedAnswer = readonly [kind: "done" | "rows" | "full", ...fields: unknown[]];

/** Why a request has failed. */
export interface EmbeddedFailure {
  readonly message: string;
  /** SQLite's extended result code; 0: the failure is not SQLite's. */
  readonly code: number;
  /** Five characters of the SQL standard, where `code` does not give them. */
  readonly state?: string;
}

/** The most bytes of a request. */
export const longestEmbeddedRequest = 32 * 1024 * 1024;

/** Writes a request or an answer as JSON, with objects for what JSON does not have: whole numbers beyond 2^53, bytes. */
export function writeEmbedded(list: readonly unknown[]): Uint8Array<ArrayBuffer> {
  const plain = list.every((value) => typeof value === "string" || value === null || isPlainNumber(value));
  return new TextEncoder().encode(JSON.stringify(plain ? list : list.map(tagged)));
}

/** Throws for bytes that are not JSON. */
export function readEmbedded(bytes: Uint8Array): readonly unknown[] {
  const list: unknown = JSON.parse(new TextDecoder().decode(bytes));
  if (!Array.isArray(list)) throw new Error("a request or an answer is a list");
  return list.some((value) => typeof value === "object" && value !== null) ? list.map(untagged) : list;
}

function isPlainNumber(value: unknown): boolean {
  return typeof value === "number" && Number.isFinite(value) && !Object.is(value, -0);
}

function tagged(value: unknown): unknown {
  if (typeof value === "bigint") return { whole: String(value) };
  if (typeof value === "number" && !isPlainNumber(value))
    return { number: Object.is(value, -0) ? "-0" : String(value) };
  if (!(value instanceof Uint8Array)) return value;
  return { bytes: Buffer.from(value.buffer, value.byteOffset, value.length).toString("base64") };
}

function untagged(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  const { whole, number, bytes } = value as Readonly<Record<string, unknown>>;
  if (typeof whole === "string") return BigInt(whole);
  if (typeof number === "string") return Number(number);
  return typeof bytes === "string" ? new Uint8Array(Buffer.from(bytes, "base64")) : value;
}
