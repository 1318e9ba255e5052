/** The owners and repositories of a group: which there are, and how much each holds. Other subjects count through it. */
import type { RepositoryKind } from "../../shared/state.ts";
import type { AddedColumn, GroupDatabase } from "./group-database.ts";
import { type KeptKey, type Owner, type Repository, type RepositoryOperations, StateFailure } from "./operations.ts";
import { Again, type Implemented, rowsPerTurn, type Subject } from "./subject.ts";
import type { FlowTotal } from "./work-report.ts";

export const repositoryTables = [
  `CREATE TABLE IF NOT EXISTS owners (
    id INTEGER PRIMARY KEY, flow TEXT NOT NULL, incarnation INTEGER NOT NULL, UNIQUE (flow, incarnation)) STRICT`,
  `CREATE TABLE IF NOT EXISTS repositories (
    id INTEGER PRIMARY KEY, owner INTEGER NOT NULL, kind TEXT NOT NULL, name TEXT NOT NULL,
    keys INTEGER NOT NULL, bytes INTEGER NOT NULL, UNIQUE (owner, name)) STRICT`,
];

/**
 * A repository of values has the kind `idempotent` in the file, and this mark: earlier runtimes know no kind `values`, and fail to list and
 * to remove what has one. They take its keys for keys without values.
 */
export const repositoryColumns: readonly AddedColumn[] = [
  { table: "repositories", name: "has_values", type: "INTEGER NOT NULL DEFAULT 0" },
];

export interface RepositoryRow {
  readonly id: number;
  readonly owner: Owner;
  kind: RepositoryKind;
  readonly name: string;
  keys: number;
  bytes: number;
}

interface OwnerRow {
  readonly id: number;
  readonly repositories: Map<string, RepositoryRow>;
}

/** What repositories of one kind hold. What is removed is subtracted with `count`. */
export interface RepositoryContent {
  /** Epoch ms of the oldest key; undefined: there is none. */
  oldest(repository: RepositoryRow): number | undefined;
  /** Lists keys that begin with `prefix`, in their order. */
  list(repository: RepositoryRow, prefix: string, limit: number): readonly KeptKey[];
  /** Returns how many keys it has removed. */
  removeKey(repository: RepositoryRow, key: string): number;
  /** Removes up to `most` keys, and returns their number. */
  removeSome(repository: RepositoryRow, most: number): number;
}

export class Repositories implements Implemented<RepositoryOperations>, Subject {
  /** By kind; the subjects add themselves. */
  readonly contents = new Map<RepositoryKind, RepositoryContent>();
  readonly #database: GroupDatabase;
  /** The owners that were asked for, with all their repositories. */
  readonly #owners = new Map<string, OwnerRow>();
  readonly #changed = new Set<RepositoryRow>();
  readonly #counted = new Set<Owner>();

  constructor(database: GroupDatabase) {
    this.#database = database;
  }

  /** Finds a repository; undefined: nothing was ever stored under the name. */
  find(owner: Owner, name: string): RepositoryRow | undefined {
    return this.owner(owner)?.repositories.get(name);
  }

  /**
   * Finds or makes a repository. Throws for a name that has another kind, but one of keys becomes one of values: earlier runtimes have kept
   * as keys what is a value now.
   */
  make(owner: Owner, name: string, kind: RepositoryKind): RepositoryRow {
    const { id, repositories } = this.owner(owner) ?? this.makeOwner(owner);
    const present = repositories.get(name);
    if (present !== undefined) {
      if (present.kind === "idempotent" && kind === "values") {
        this.#database.statement("UPDATE repositories SET has_values = 1 WHERE id = ?").run(present.id);
        present.kind = kind;
      }
      if (present.kind === kind) return present;
      throw new StateFailure(
        "store_failed",
        `the name '${name}' belongs to a repository of the kind ${present.kind} already`,
      );
    }
    const insert = "INSERT INTO repositories (owner, kind, name, keys, bytes, has_values) VALUES (?, ?, ?, 0, 0, ?)";
    const hasValues = kind === "values";
    const inFile = hasValues ? "idempotent" : kind;
    const { lastInsertRowid } = this.#database.statement(insert).run(id, inFile, name, hasValues ? 1 : 0);
    const row: RepositoryRow = { id: Number(lastInsertRowid), owner, kind, name, keys: 0, bytes: 0 };
    repositories.set(name, row);
    return row;
  }

  /** Counts what was added to a repository, or removed from it. */
  count(repository: RepositoryRow, keys: number, bytes: number): void {
    repository.keys += keys;
    repository.bytes += bytes;
    this.#changed.add(repository);
    this.#counted.add(repository.owner);
  }

  /** Returns how much the repositories of a flow hold together. */
  total(owner: Owner): { readonly keys: number; readonly bytes: number } {
    let keys = 0;
    let bytes = 0;
    for (const row of this.owner(owner)?.repositories.values() ?? []) {
      keys += row.keys;
      bytes += row.bytes;
    }
    return { keys, bytes };
  }

  owners(): readonly Owner[] {
    const all = "SELECT flow AS flowId, incarnation FROM owners";
    return this.#database.statement(all).all() as unknown as Owner[];
  }

  /** Finds an owner's row; undefined: nothing was ever stored for it. */
  owner(owner: Owner): OwnerRow | undefined {
    const name = nameOf(owner);
    const known = this.#owners.get(name);
    if (known !== undefined) return known;
    const find = "SELECT id FROM owners WHERE flow = ? AND incarnation = ?";
    const found = this.#database.statement(find).get(owner.flowId, owner.incarnation) as { id: number } | undefined;
    if (found === undefined) return undefined;
    const all =
      "SELECT id, CASE has_values WHEN 1 THEN 'values' ELSE kind END AS kind, name, keys, bytes FROM repositories WHERE owner = ?";
    const rows = this.#database.statement(all).all(found.id) as unknown as RepositoryRow[];
    const row = { id: found.id, repositories: new Map(rows.map((one) => [one.name, { ...one, owner }])) };
    this.#owners.set(name, row);
    return row;
  }

  makeOwner(owner: Owner): OwnerRow {
    const insert = "INSERT INTO owners (flow, incarnation) VALUES (?, ?)";
    const { lastInsertRowid } = this.#database.statement(insert).run(owner.flowId, owner.incarnation);
    const row: OwnerRow = { id: Number(lastInsertRowid), repositories: new Map() };
    this.#owners.set(nameOf(owner), row);
    return row;
  }

  /** Yields what the owners hold whose repositories have changed since the last call. */
  *changedTotals(): Generator<FlowTotal> {
    for (const owner of this.#counted) yield { ...owner, ...this.total(owner) };
    this.#counted.clear();
  }

  /** Yields what each owner of the file holds. */
  *allTotals(): Generator<FlowTotal> {
    const all =
      "SELECT flow AS flowId, incarnation, sum(keys) AS keys, sum(bytes) AS bytes FROM owners JOIN repositories ON owner = owners.id GROUP BY owners.id";
    yield* this.#database.statement(all).all() as unknown as FlowTotal[];
  }

  flush(): void {
    const update = "UPDATE repositories SET keys = ?, bytes = ? WHERE id = ?";
    for (const { keys, bytes, id } of this.#changed) this.#database.statement(update).run(keys, bytes, id);
    this.#changed.clear();
  }

  undone(): void {
    this.#changed.clear();
    this.#counted.clear();
    this.#owners.clear();
  }

  list(owner: Owner): readonly Repository[] {
    const rows = [...(this.owner(owner)?.repositories.values() ?? [])];
    return rows.map((row) => {
      const { kind, name, keys, bytes } = row;
      return { kind, name, keys, bytes, oldest: this.#content(row).oldest(row) };
    });
  }

  keys(owner: Owner, name: string, prefix: string, limit: number): readonly KeptKey[] | undefined {
    const row = this.find(owner, name);
    return row && this.#content(row).list(row, prefix, limit);
  }

  removeKey(owner: Owner, name: string, key: string): number | undefined {
    const row = this.find(owner, name);
    return row && this.#content(row).removeKey(row, key);
  }

  /** `before`: how many keys earlier turns have removed. */
  remove(owner: Owner, name: string, before = 0): number | undefined | Again {
    const row = this.find(owner, name);
    if (row === undefined) return before > 0 ? before : undefined;
    const removed = before + this.#content(row).removeSome(row, rowsPerTurn);
    if (row.keys > 0) return new Again([name, removed]);
    this.#drop(owner, row);
    return removed;
  }

  /** Removes keys of the owner's repositories; returns false as long as there are some. */
  removeAll(owner: Owner): boolean {
    for (const row of [...(this.owner(owner)?.repositories.values() ?? [])]) {
      this.#content(row).removeSome(row, rowsPerTurn);
      if (row.keys > 0) return false;
      this.#drop(owner, row);
    }
    return true;
  }

  dropOwner(owner: Owner, id: number): void {
    this.#database.statement("DELETE FROM owners WHERE id = ?").run(id);
    this.#owners.delete(nameOf(owner));
  }

  #drop(owner: Owner, row: RepositoryRow): void {
    this.#database.statement("DELETE FROM repositories WHERE id = ?").run(row.id);
    this.#changed.delete(row);
    this.owner(owner)?.repositories.delete(row.name);
  }

  #content({ kind }: RepositoryRow): RepositoryContent {
    return this.contents.get(kind) as RepositoryContent;
  }
}

function nameOf({ flowId, incarnation }: Owner): string {
  return `${flowId}\n${incarnation}`;
}
