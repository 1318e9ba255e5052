/** One group's SQLite file: how it is opened, changed in transactions, and set aside when it is damaged. */
import { closeSync, existsSync, mkdirSync, openSync, readdirSync, renameSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { backup, DatabaseSync, type StatementSync } from "node:sqlite";
import { setImmediate as nextTurn } from "node:timers/promises";
import { StateFailure } from "./operations.ts";

/** The version of the tables. A file of a newer runtime is refused, not set aside. */
const version = 1;

/** Files up to this size are read as a whole when they are opened; damage in larger ones is noticed when its page is read. */
const mostChecked = 64 * 1024 * 1024;

/** How much of a copy is made while others wait: 256 KiB. */
const pagesAtOnce = 64;
/** How much is taken out of a file while others wait: 1 MiB. */
const pagesErased = 256;
/** The value of `PRAGMA auto_vacuum`. */
const incremental = 2;
/** How often a copy is begun. */
const mostAttempts = 1000;

/** SQLite's primary result codes (https://www.sqlite.org/rescode.html). */
const damage: ReadonlySet<number> = new Set([11, 26]);
const full = 13;

/** A column that files of earlier runtimes do not have. These go on with it: they name the columns that they write and read. */
export interface AddedColumn {
  readonly table: string;
  readonly name: string;
  readonly type: string;
}

export interface Tables {
  /** Statements that make the tables unless they are there. */
  readonly make: readonly string[];
  readonly added: readonly AddedColumn[];
}

export class GroupDatabase {
  readonly #database: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();
  /** How many pages were free after the last part that was erased. */
  #free = Number.POSITIVE_INFINITY;

  /** `path`: undefined for a database in memory. Throws SQLite's errors. */
  constructor(path: string | undefined, tables: Tables) {
    if (path !== undefined) makeFile(path);
    this.#database = new DatabaseSync(path ?? ":memory:", { timeout: 0 });
    try {
      this.#open(path, tables);
    } catch (error) {
      this.#database.close();
      throw error;
    }
  }

  #open(path: string | undefined, { make, added }: Tables): void {
    // Before the journal makes the file: it can give free pages back, so that nothing of what was removed stays in it.
    this.#database.exec("PRAGMA auto_vacuum = INCREMENTAL; PRAGMA secure_delete = FAST");
    // Nobody else may have the file open: an index in shared memory is not needed then.
    this.#database.exec("PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL");
    this.#database.exec("PRAGMA journal_size_limit = 16777216; PRAGMA cache_size = -4096; PRAGMA trusted_schema = OFF");
    if (path !== undefined && statSync(path).size <= mostChecked) {
      this.#check();
      this.#letGiveBack();
    }
    const { user_version: found } = this.#database.prepare("PRAGMA user_version").get() as { user_version: number };
    if (found > version) {
      const message = `its file is of a newer version of this runtime (tables ${found}, known: ${version}): start that one`;
      throw new StateFailure("store_failed", message);
    }
    this.#database.exec("BEGIN IMMEDIATE");
    for (const table of make) this.#database.exec(table);
    for (const column of added) this.#add(column);
    if (found < version) this.#database.exec(`PRAGMA user_version = ${version}`);
    this.#database.exec("COMMIT");
  }

  #add({ table, name, type }: AddedColumn): void {
    const present = this.#database.prepare("SELECT 1 FROM pragma_table_info(?) WHERE name = ?").get(table, name);
    if (present === undefined) this.#database.exec(`ALTER TABLE ${table} ADD COLUMN ${name} ${type}`);
  }

  /** Writes a file anew that an earlier version has made, which gives nothing back. Without room it stays as it is until it is opened again. */
  #letGiveBack(): void {
    const { auto_vacuum: mode } = this.#database.prepare("PRAGMA auto_vacuum").get() as { auto_vacuum: number };
    if (mode === incremental) return;
    try {
      this.#database.exec("PRAGMA auto_vacuum = INCREMENTAL; VACUUM");
    } catch (error) {
      if (!isFull(error)) throw error;
    }
  }

  #check(): void {
    const [row] = this.#database.prepare("PRAGMA quick_check(1)").all() as { quick_check: string }[];
    if (row?.quick_check !== "ok") throw new Damaged(row?.quick_check ?? "it does not answer");
  }

  /** Returns the statement of this text, which is prepared once. Texts are the runtime's own; values are bound. */
  statement(sql: string): StatementSync {
    let statement = this.#statements.get(sql);
    if (statement === undefined) {
      statement = this.#database.prepare(sql);
      this.#statements.set(sql, statement);
    }
    return statement;
  }

  begin(): void {
    this.statement("BEGIN IMMEDIATE").run();
  }

  /** What was written since `begin` survives a loss of power when this returns. */
  commit(): void {
    this.statement("COMMIT").run();
  }

  /** SQLite has rolled back itself after some errors. */
  rollback(): void {
    if (this.#database.isTransaction) this.#database.exec("ROLLBACK");
  }

  /**
   * Takes a part of what was removed out of the file and its journal. Returns false when nothing of it is left there. Called between
   * transactions.
   */
  erase(): boolean {
    this.#database.exec(`PRAGMA incremental_vacuum(${pagesErased})`);
    this.#database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
    const { freelist_count: free } = this.statement("PRAGMA freelist_count").get() as { freelist_count: number };
    const isLess = free < this.#free;
    this.#free = free > 0 && isLess ? free : Number.POSITIVE_INFINITY;
    return free > 0 && isLess;
  }

  /**
   * Copies the database to another file, a part at a time, as of the moment when it fulfils. It can be used meanwhile: what is changed goes into the copy,
   * too. Rejects with SQLite's errors.
   */
  async copy(path: string): Promise<void> {
    for (let attempts = 1; ; attempts += 1) {
      try {
        await backup(this.#database, path, { rate: pagesAtOnce });
        return;
      } catch (error) {
        // A copy that meets a transaction with its very first part fails without a code; later ones wait for its end.
        if (attempts === mostAttempts || !isSqliteError(error) || resultCode(error) !== 0) throw error;
        await nextTurn();
      }
    }
  }

  close(): void {
    this.#statements.clear();
    this.#database.close();
  }
}

/** A file whose content is not that of a database. */
class Damaged extends Error {}

export function isDamage(error: unknown): boolean {
  return error instanceof Damaged || damage.has(resultCode(error));
}

/** Whether the disk has no room. */
export function isFull(error: unknown): boolean {
  const { code } = error as Partial<NodeJS.ErrnoException>;
  return resultCode(error) === full || code === "ENOSPC" || code === "EDQUOT";
}

/** Returns what an error of SQLite or of the file system means for who has asked. The message has no path. */
export function failureOf(error: unknown): StateFailure {
  if (error instanceof StateFailure) return error;
  const code = resultCode(error);
  const { code: name = "", message = "" } = error as Partial<NodeJS.ErrnoException>;
  if (isFull(error)) {
    const wanted = "free space, and it goes on";
    return new StateFailure("disk_full", `the disk is full; what was stored before is intact: ${wanted}`);
  }
  const what = code === 0 ? name || "unknown error" : `SQLite: ${message}`;
  return new StateFailure("store_failed", `the state of the flow's group cannot be read or written (${what})`);
}

function isSqliteError(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === "ERR_SQLITE_ERROR";
}

function resultCode(error: unknown): number {
  const { errcode } = error as { readonly errcode?: unknown };
  return typeof errcode === "number" ? errcode & 0xff : 0;
}

/** Only the runtime's user may read what flows keep. SQLite gives the files beside it the same mode. */
function makeFile(path: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  if (!existsSync(path)) closeSync(openSync(path, "wx", 0o600));
}

const besides = ["-wal", "-shm", "-journal"];

/** Gives a damaged file another name, with the files beside it. Returns the new name. */
export function setAside(path: string): string {
  const stamp = new Date().toISOString().replaceAll(/[:.]/g, "-");
  const aside = `${path}.corrupt-${stamp}`;
  renameSync(path, aside);
  for (const end of besides) {
    // What was not yet in the file itself can be recovered only together with it.
    if (existsSync(path + end)) renameSync(path + end, aside + end);
  }
  return basename(aside);
}

/** Lists the files of the group that were set aside and are still there. */
export function filesAside(path: string): string[] {
  const prefix = `${basename(path)}.corrupt-`;
  return readdirSync(dirname(path)).filter(
    (name) => name.startsWith(prefix) && !besides.some((end) => name.endsWith(end)),
  );
}

export function databasePath(directory: string, group: string): string {
  return join(directory, `${group}.sqlite`);
}
