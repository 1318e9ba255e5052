/** One client's connection to a database, and what its requests do. */
import { closeSync, existsSync, openSync, statSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import type { EmbeddedAnswer, EmbeddedRequest } from "../../../shared/embedded.ts";
import { RequestFailure } from "./failure.ts";
import { Rules } from "./rules.ts";
import { type Prepared, Statements } from "./statements.ts";

export interface SessionOptions {
  readonly path: string;
  readonly quotaBytes: number;
}

type Value = string | number | bigint | Uint8Array | null;
type Row = readonly Value[];

interface Cursor {
  readonly prepared: Prepared;
  readonly rows: Iterator<Row>;
}

const pageBytes = 4096;
/** The most bytes of a text, a blob or a statement. */
const longestValue = 16 * 1024 * 1024;
const mostCursors = 16;

export class Session {
  readonly #options: SessionOptions;
  readonly #database: DatabaseSync;
  readonly #rules = new Rules();
  readonly #statements: Statements;
  readonly #cursors = new Map<number, Cursor>();

  /** Throws SQLite's errors. */
  constructor(options: SessionOptions) {
    this.#options = options;
    // SQLite gives the files beside it the same mode.
    if (!existsSync(options.path)) closeSync(openSync(options.path, "wx", 0o600));
    this.#database = new DatabaseSync(options.path, {
      // Who waits is in the queue of the process, which goes on meanwhile.
      ...{ timeout: 0, allowExtension: false, enableForeignKeyConstraints: true },
      ...{ enableDoubleQuotedStringLiterals: false, readBigInts: true, returnArrays: true },
    });
    try {
      this.#prepare();
    } catch (error) {
      this.#database.close();
      throw error;
    }
    this.#statements = new Statements(this.#database, this.#rules);
  }

  #prepare(): void {
    const database = this.#database;
    const { quotaBytes } = this.#options;
    database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA journal_size_limit = 16777216");
    database.exec("PRAGMA cache_size = -4096; PRAGMA temp_store = MEMORY; PRAGMA trusted_schema = OFF");
    database.exec(`PRAGMA max_page_count = ${Math.floor(quotaBytes / pageBytes)}`);
    const { limits, enableDefensive } = database as Partial<DatabaseSync>;
    // Before Node 26 the limit of the process's memory is what ends a statement with larger values.
    if (limits !== undefined) Object.assign(limits, { length: longestValue, sqlLength: longestValue, attach: 0 });
    enableDefensive?.call(database, true);
    database.setAuthorizer(this.#rules.judge);
  }

  /** true: it has begun a transaction, which no other connection may do until its end. */
  get isInTransaction(): boolean {
    return this.#database.isTransaction;
  }

  /** Throws SQLite's errors and RequestFailure. */
  execute(request: EmbeddedRequest): EmbeddedAnswer {
    this.#rules.begin();
    try {
      return this.#execute(request);
    } catch (error) {
      const { refused } = this.#rules;
      // Some of what is not allowed shows only when the statement runs.
      throw refused === undefined ? error : new RequestFailure(refused, "42501");
    }
  }

  #execute([operation, ...fields]: EmbeddedRequest): EmbeddedAnswer {
    switch (operation) {
      case "hello":
        return this.#hello();
      case "run": {
        const [bytes, text, ...values] = fields;
        return this.#run(this.#statements.get(String(text)), valuesOf(values), Number(bytes));
      }
      case "batch": {
        const [bytes, text, width, ...values] = fields;
        return this.#batch(String(text), Number(width), valuesOf(values), Number(bytes));
      }
      case "open": {
        const [bytes, text, cursor, count, ...values] = fields;
        return this.#open(Number(cursor), String(text), valuesOf(values), Number(bytes), Number(count));
      }
      case "fetch": {
        const [bytes, cursor, count] = fields;
        return this.#fetch(Number(cursor), Number(bytes), Number(count));
      }
      case "shut":
        this.#shut(Number(fields[0]));
        return ["done", 0];
      case "begin":
        this.#refuseLongLog();
        this.#own("BEGIN IMMEDIATE");
        return ["done", 0];
      case "commit":
        this.#own("COMMIT");
        return ["done", 0];
      case "rollback":
        this.#rollback();
        return ["done", 0];
      default:
        operation satisfies never;
        throw new RequestFailure("there is no such request", "0A000");
    }
  }

  /** Closes it; a transaction is rolled back. */
  end(): void {
    for (const cursor of [...this.#cursors.keys()]) this.#shut(cursor);
    this.#database.close();
  }

  #hello(): EmbeddedAnswer {
    const [version = ""] = this.#database.prepare("select sqlite_version()").get() as unknown as readonly string[];
    return ["rows", 1, "version", null, null, version];
  }

  #run(prepared: Prepared, values: readonly Value[], mostBytes: number): EmbeddedAnswer {
    this.#check(prepared, values.length);
    const { statement, width, defines } = prepared;
    if (width === 0) {
      const { changes } = statement.run(...values);
      return ["done", defines ? 0 : Number(changes)];
    }
    return this.#collect(prepared, statement.iterate(...values) as unknown as Iterator<Row>, mostBytes, Infinity);
  }

  #batch(text: string, width: number, values: readonly Value[], mostBytes: number): EmbeddedAnswer {
    const prepared = this.#statements.get(text);
    let count = 0;
    let bytes = 0;
    const all: Value[] = [];
    for (let at = 0; at < values.length; at += width) {
      const [kind, first, ...rest] = this.#run(prepared, values.slice(at, at + width), mostBytes - bytes);
      if (kind === "full") return ["full"];
      if (kind === "done") count += Number(first);
      else {
        const rows = rest.slice(prepared.columns.length) as Value[];
        for (const value of rows) bytes += bytesOf(value);
        all.push(...rows);
      }
    }
    return prepared.width === 0 ? ["done", count] : ["rows", prepared.width, ...prepared.columns, ...all];
  }

  #open(cursor: number, text: string, values: readonly Value[], mostBytes: number, count: number): EmbeddedAnswer {
    if (this.#cursors.size >= mostCursors || this.#cursors.has(cursor))
      throw new RequestFailure(`at most ${mostCursors} queries are read at a time`, "54000");
    const prepared = this.#statements.prepare(text);
    this.#check(prepared, values.length);
    if (prepared.width === 0) {
      const { changes } = prepared.statement.run(...values);
      return ["done", prepared.defines ? 0 : Number(changes)];
    }
    const rows = prepared.statement.iterate(...values) as unknown as Iterator<Row>;
    // A statement that writes is over only when its last row was read.
    const given = prepared.writes ? this.#collect(prepared, rows, mostBytes, Infinity) : undefined;
    if (given?.[0] === "full") return given;
    this.#cursors.set(cursor, { prepared, rows: given === undefined ? rows : none });
    return given ?? this.#fetch(cursor, mostBytes, count);
  }

  #fetch(cursor: number, mostBytes: number, count: number): EmbeddedAnswer {
    const found = this.#cursors.get(cursor);
    if (found === undefined) throw new RequestFailure("the query has ended", "24000");
    return this.#collect(found.prepared, found.rows, mostBytes, count, Math.min(mostBytes, partBytes));
  }

  #shut(cursor: number): void {
    this.#cursors.get(cursor)?.rows.return?.();
    this.#cursors.delete(cursor);
  }

  /** Reads rows up to `count`, or until they have `partBytes`. */
  #collect(
    { width, columns }: Prepared,
    rows: Iterator<Row>,
    mostBytes: number,
    count: number,
    part = Infinity,
  ): EmbeddedAnswer {
    const values: Value[] = [];
    let bytes = 0;
    for (let row = 0; row < count && bytes < part; row += 1) {
      const { done, value } = rows.next() as IteratorResult<Row, null>;
      if (done === true) break;
      for (const one of value as Row) {
        bytes += bytesOf(one);
        values.push(typeof one === "bigint" ? numberOf(one) : one);
      }
      if (bytes > mostBytes) {
        rows.return?.();
        return ["full"];
      }
    }
    return ["rows", width, ...columns, ...values];
  }

  #check({ writes, parameters }: Prepared, given: number): void {
    if (parameters > given)
      throw new RequestFailure(`the statement has ${parameters} parameters, and ${given} values are given`, "07001");
    if (writes && !this.isInTransaction) this.#refuseLongLog();
  }

  /** As long as a query is read, what others write stays in the log beside the file. */
  #refuseLongLog(): void {
    const log = statSync(`${this.#options.path}-wal`, { throwIfNoEntry: false });
    if (log === undefined || log.size <= Math.max(this.#options.quotaBytes, 4 * longestValue)) return;
    throw new RequestFailure(
      `the database is full: its log has ${log.size} bytes, since a query has been read for long`,
      "53100",
    );
  }

  #own(text: string): void {
    this.#rules.own = true;
    try {
      this.#database.exec(text);
    } finally {
      this.#rules.own = false;
    }
  }

  /** SQLite has rolled back itself after some errors. */
  #rollback(): void {
    for (const cursor of [...this.#cursors.keys()]) this.#shut(cursor);
    if (this.isInTransaction) this.#own("ROLLBACK");
  }
}

/** About how many bytes of rows are sent at a time. */
const partBytes = 512 * 1024;
const none: Iterator<Row> = { next: () => ({ done: true, value: undefined }) };

function numberOf(value: bigint): number | bigint {
  return value >= Number.MIN_SAFE_INTEGER && value <= Number.MAX_SAFE_INTEGER ? Number(value) : value;
}

function bytesOf(value: Value): number {
  if (typeof value === "string") return value.length + 8;
  return value instanceof Uint8Array ? value.byteLength + 8 : 8;
}

/** A thread may have sent anything. Whole numbers are stored as such. */
function valuesOf(values: readonly unknown[]): readonly Value[] {
  return values.map((value) => {
    if (Number.isNaN(value)) throw new RequestFailure("NaN is no value of SQLite, which would store null", "22000");
    if (typeof value === "number") return Number.isSafeInteger(value) ? BigInt(value) : value;
    if (typeof value === "string" || typeof value === "bigint" || value === null) return value;
    if (value instanceof Uint8Array) return value;
    throw new RequestFailure("a value is a text, a number, bytes or null", "22000");
  });
}
