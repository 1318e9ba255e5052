/**
 * The requests of a client in a flow's thread to the process that has an embedded database open, and the answers. Both
 * are lists, packed (packed.ts); control passes them on unread.
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
