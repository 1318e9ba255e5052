/** The rows of keys, which repositories of keys and those of values have in common: found, put, evicted, listed and removed. */
import type { Claims } from "./claims.ts";
import type { AddedColumn, GroupDatabase } from "./group-database.ts";
import { type KeptKey, type Owner, StateFailure } from "./operations.ts";
import type { Repositories, RepositoryContent, RepositoryRow } from "./repositories.ts";
import type { StateBounds, SubjectParts } from "./subject-parts.ts";

export const keyTables = [
  `CREATE TABLE IF NOT EXISTS keys (
    repository INTEGER NOT NULL, key TEXT NOT NULL, run TEXT NOT NULL, at INTEGER NOT NULL,
    PRIMARY KEY (repository, key)) STRICT, WITHOUT ROWID`,
  "CREATE INDEX IF NOT EXISTS keys_by_age ON keys (repository, at)",
];

export const keyColumns: readonly AddedColumn[] = [{ table: "keys", name: "value", type: "TEXT" }];

/** How many of the oldest keys go at once when a repository that evicts is full: so that not every message has to make room. */
const evictedTogether = 16;

/** Greater than every character that a key may have. */
const last = "\u{10ffff}";

export interface KeyRow {
  readonly run: string;
  /** null: it has none. */
  readonly value: string | null;
}

export class KeyRows implements RepositoryContent {
  readonly #database: GroupDatabase;
  readonly #repositories: Repositories;
  readonly #claims: Claims;
  readonly #bounds: StateBounds;

  constructor({ database, repositories, claims, bounds }: SubjectParts) {
    this.#database = database;
    this.#repositories = repositories;
    this.#claims = claims;
    this.#bounds = bounds;
    for (const kind of ["idempotent", "values"] as const) repositories.contents.set(kind, this);
  }

  find(owner: Owner, name: string, key: string): KeyRow | undefined {
    const repository = this.#repositories.find(owner, name);
    if (repository === undefined) return undefined;
    const find = "SELECT run, value FROM keys WHERE repository = ? AND key = ?";
    return this.#database.statement(find).get(repository.id, key) as KeyRow | undefined;
  }

  /** Adds a key without a value. The row of one that is there stays as it is. */
  add(repository: RepositoryRow, key: string, run: string): void {
    const insert = "INSERT INTO keys (repository, key, run, at) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING";
    const { changes } = this.#database.statement(insert).run(repository.id, key, run, Date.now());
    if (changes === 1) this.#repositories.count(repository, 1, bytesOf(key, null));
  }

  /** Puts a value in place of what a key has. `keys` and `bytes`: how much more that is. */
  put(repository: RepositoryRow, key: string, value: string, keys: number, bytes: number): void {
    const insert = `INSERT INTO keys (repository, key, run, at, value) VALUES (?, ?, '', ?, ?)
      ON CONFLICT DO UPDATE SET run = excluded.run, at = excluded.at, value = excluded.value`;
    this.#database.statement(insert).run(repository.id, key, Date.now(), value);
    this.#repositories.count(repository, keys, bytes);
  }

  /** Removes the oldest keys of a full repository. Makes no room where other repositories of the flow take it all. */
  makeRoom(owner: Owner, name: string, keys: number, bytes: number): void {
    const repository = this.#repositories.find(owner, name);
    if (repository === undefined || !this.#isFull(owner, keys, bytes)) return;
    const find = "SELECT key FROM keys WHERE repository = ? ORDER BY at LIMIT ?";
    this.#removeEach(repository, this.#database.statement(find).all(repository.id, evictedTogether));
  }

  /** Fails with `limit` when the flow has no room for so many keys and bytes more. */
  refuseMore(owner: Owner, keys: number, bytes: number): void {
    if (!this.#isFull(owner, keys, bytes)) return;
    const { mostKeys, mostBytes } = this.#bounds;
    const bound = `a flow keeps at most ${mostKeys} keys (limit stateKeys) and ${mostBytes} bytes (limit stateBytes)`;
    const out = "remove keys that are not needed any more, or give the repository's bean the property eviction: oldest";
    throw new StateFailure("limit", `${bound}: ${out}`);
  }

  oldest({ id }: RepositoryRow): number | undefined {
    const find = "SELECT min(at) AS at FROM keys WHERE repository = ?";
    return (this.#database.statement(find).get(id) as { at: number | null }).at ?? undefined;
  }

  list({ id }: RepositoryRow, prefix: string, limit: number): readonly KeptKey[] {
    const find =
      "SELECT key, at, run, value FROM keys WHERE repository = ? AND key >= ? AND key < ? ORDER BY key LIMIT ?";
    return this.#database.statement(find).all(id, prefix, prefix + last, limit) as unknown as KeptKey[];
  }

  removeKey(repository: RepositoryRow, key: string): number {
    const remove = "DELETE FROM keys WHERE repository = ? AND key = ? RETURNING value";
    const row = this.#database.statement(remove).get(repository.id, key) as { value: string | null } | undefined;
    if (row === undefined) return 0;
    this.#repositories.count(repository, -1, -bytesOf(key, row.value));
    return 1;
  }

  removeSome(repository: RepositoryRow, most: number): number {
    const find = "SELECT key FROM keys WHERE repository = ? ORDER BY key LIMIT ?";
    return this.#removeEach(repository, this.#database.statement(find).all(repository.id, most));
  }

  #removeEach(repository: RepositoryRow, rows: readonly unknown[]): number {
    for (const { key } of rows as { key: string }[]) this.removeKey(repository, key);
    return rows.length;
  }

  #isFull(owner: Owner, moreKeys: number, moreBytes: number): boolean {
    const { keys, bytes } = this.#repositories.total(owner);
    const claimed = this.#claims.of(owner);
    const { mostKeys, mostBytes } = this.#bounds;
    const isLong = moreBytes > 0 && bytes + claimed.bytes + moreBytes > mostBytes;
    return isLong || (moreKeys > 0 && keys + claimed.keys + moreKeys > mostKeys);
  }
}

/** About what a key takes in the file: it is in the table and in the index of ages, its value in the table. */
export function bytesOf(key: string, value: string | null): number {
  return 2 * Buffer.byteLength(key) + 64 + (value === null ? 0 : Buffer.byteLength(value));
}
