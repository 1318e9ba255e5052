/**
 * A connection to a database, as components use it. Each kind of database has one implementation; components do not
 * depend on the kind, except by what `dialect` describes.
 */

/** How a database reads the text of a statement. */
export interface SqlDialect {
  readonly name: "postgres" | "mysql" | "sqlite";
  /** Returns the mark of a parameter in the text; the first one has the index 1. */
  placeholder(index: number): string;
  /** true: a backslash escapes the next character of a quoted text. */
  readonly backslashes: boolean;
  /** true: `$tag$ ... $tag$` is a quoted text. */
  readonly dollarQuotes: boolean;
}

export interface SqlStatement {
  readonly text: string;
  /** Scalars, bytes, dates, lists, and maps, which are written as JSON; `JsonText` is sent as its text. */
  readonly values: readonly unknown[];
}

/** Values are numbers, bigint beyond 2^53, texts, booleans, null, bytes, `JsonText` and lists of these. */
export type SqlRow = Readonly<Record<string, unknown>>;

export interface SqlCall {
  /** Aborted when the statement must end: the database is asked to cancel it. */
  readonly signal: AbortSignal;
  /** The most bytes of memory that the rows of the result take (`weightOf`). */
  readonly maxBytes: number;
  /** Present: the result has the keys that the database has generated: all columns, or these. */
  readonly keys?: true | readonly string[];
}

export interface SqlResult {
  /** undefined: the statement yields no rows, such as an update. */
  readonly rows?: readonly SqlRow[];
  readonly columns?: readonly SqlColumn[];
  /** The rows that the statement has changed, or that it yields. */
  readonly count: number;
  readonly keys?: readonly SqlRow[];
  /** Further results of a procedure. */
  readonly more?: readonly SqlResult[];
}

export interface SqlColumn {
  readonly name: string;
}

/** The rows of a query, which are read as they are taken. The client runs no other statement until `close`, unless the rows say so. */
export interface SqlRows {
  readonly columns: readonly SqlColumn[];
  /** Resolves with the next rows; an empty list is the end. */
  next(): Promise<readonly SqlRow[]>;
  /** Ends the query. Does not reject. Resolves false when the client cannot be used any more. */
  close(): Promise<boolean>;
}

/** All methods reject with a FlowException that has Camel's class, such as `DuplicateKeyException`. */
export interface SqlClient {
  readonly dialect: SqlDialect;
  run(statement: SqlStatement, call: SqlCall): Promise<SqlResult>;
  /** Runs the statement once for each list of values, as one transaction unless one is open. `count` is the sum. */
  runBatch(text: string, lists: readonly (readonly unknown[])[], call: SqlCall): Promise<SqlResult>;
  /**
   * Opens a query whose rows are read as they are taken. `fetchSize`: about how many rows are read at a time. Within a
   * transaction other statements can be run between two calls of `next` if `interleaves` is true.
   */
  open(statement: SqlStatement, call: SqlCall, fetchSize: number): Promise<SqlRows>;
  readonly interleaves: boolean;
  begin(): Promise<void>;
  commit(): Promise<void>;
  rollback(): Promise<void>;
  /**
   * Returns the columns of the primary key of the table that the columns of the last result belong to, by the names of
   * the result; undefined if the result has not all of them.
   */
  primaryKey(columns: readonly SqlColumn[], call: SqlCall): Promise<readonly string[] | undefined>;
}
