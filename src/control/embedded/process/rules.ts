/**
 * What statements of flows may do. SQLite asks for each table, function and pragma that a statement names, while it is
 * prepared.
 */
import { constants } from "node:sqlite";

/** Pragmas that only describe tables. */
const pragmas: ReadonlySet<string> = new Set([
  "table_info",
  "table_xinfo",
  "table_list",
  "index_list",
  "index_info",
  "index_xinfo",
  "foreign_key_list",
  "foreign_key_check",
  "quick_check",
  "integrity_check",
]);
const functions: ReadonlySet<string> = new Set(["load_extension", "fts3_tokenizer"]);

const transactions = "transactions are the runtime's: write transacted steps";
const temporary =
  "temporary tables, views and triggers are not kept between two statements: create a table, and delete its rows";

/** What a statement does, beyond reading. */
export interface StatementKind {
  /** It changes rows or tables. */
  writes: boolean;
  /** It makes, changes or drops tables, indexes, views or triggers: the number of changed rows has no meaning. */
  defines: boolean;
}

/** Judges the statements of one connection. */
export class Rules {
  /** Why the statement that was prepared last is not allowed; undefined: it is. */
  refused: string | undefined;
  kind: StatementKind = { writes: false, defines: false };
  /** true: the runtime's own statement is prepared. */
  own = false;

  /** Call it before a statement is prepared. */
  begin(): void {
    this.refused = undefined;
    this.kind = { writes: false, defines: false };
  }

  /** The callback of `setAuthorizer`. */
  readonly judge = (action: number, first: string | null, second: string | null): number => {
    if (this.own) return constants.SQLITE_OK;
    const why = reasonAgainst(action, first ?? "", second ?? "");
    if (why === undefined) {
      if (changes.has(action)) this.kind.writes = true;
      if (defines.has(action)) this.kind.defines = true;
      return constants.SQLITE_OK;
    }
    this.refused ??= why;
    return constants.SQLITE_DENY;
  };
}

function reasonAgainst(action: number, first: string, second: string): string | undefined {
  switch (action) {
    case constants.SQLITE_ATTACH:
    case constants.SQLITE_DETACH:
      return "a connection has one database: ATTACH, DETACH and VACUUM are not allowed";
    case constants.SQLITE_PRAGMA:
      return pragmas.has(first.toLowerCase())
        ? undefined
        : `PRAGMA ${first} is not allowed: the settings of the database are the runtime's, and its size is the option quotaMiB of the connection`;
    case constants.SQLITE_FUNCTION:
      return functions.has(second.toLowerCase())
        ? `the function ${second} is not allowed: there are no extensions`
        : undefined;
    case constants.SQLITE_CREATE_VTABLE:
    case constants.SQLITE_DROP_VTABLE:
      return "virtual tables are not allowed: create an ordinary table";
    case constants.SQLITE_TRANSACTION:
    case constants.SQLITE_SAVEPOINT:
      return transactions;
    default:
      return temporaries.has(action) ? temporary : undefined;
  }
}

const temporaries: ReadonlySet<number> = new Set([
  constants.SQLITE_CREATE_TEMP_INDEX,
  constants.SQLITE_CREATE_TEMP_TABLE,
  constants.SQLITE_CREATE_TEMP_TRIGGER,
  constants.SQLITE_CREATE_TEMP_VIEW,
  constants.SQLITE_DROP_TEMP_INDEX,
  constants.SQLITE_DROP_TEMP_TABLE,
  constants.SQLITE_DROP_TEMP_TRIGGER,
  constants.SQLITE_DROP_TEMP_VIEW,
]);

const defines: ReadonlySet<number> = new Set([
  constants.SQLITE_CREATE_INDEX,
  constants.SQLITE_CREATE_TABLE,
  constants.SQLITE_CREATE_TRIGGER,
  constants.SQLITE_CREATE_VIEW,
  constants.SQLITE_DROP_INDEX,
  constants.SQLITE_DROP_TABLE,
  constants.SQLITE_DROP_TRIGGER,
  constants.SQLITE_DROP_VIEW,
  constants.SQLITE_ALTER_TABLE,
  constants.SQLITE_ANALYZE,
  constants.SQLITE_REINDEX,
]);

const changes: ReadonlySet<number> = new Set([
  ...defines,
  constants.SQLITE_INSERT,
  constants.SQLITE_UPDATE,
  constants.SQLITE_DELETE,
]);
