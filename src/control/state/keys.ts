/** The keys of idempotent repositories (Camel: IdempotentRepository). */
import type { Claims } from "./claims.ts";
import type { GroupDatabase } from "./group-database.ts";
import { type KeptKey, type KeyOperations, type KeyState, type Owner, StateFailure } from "./operations.ts";
import type { Repositories, RepositoryContent, RepositoryRow } from "./repositories.ts";
import type { Implemented, Subject } from "./subject.ts";
import type { StateBounds, SubjectParts } from "./subject-parts.ts";

export const keyTables = [
  `CREATE TABLE IF NOT EXISTS keys (
    repository INTEGER NOT NULL, key TEXT NOT NULL, run TEXT NOT NULL, at INTEGER NOT NULL,
    PRIMARY KEY (repository, key)) STRICT, WITHOUT ROWID`,
  "CREATE INDEX IF NOT EXISTS keys_by_age ON keys (repository, at)",
];

/** How many of the oldest keys go at once when a repository that evicts is full: so that not every message has to make room. */
const evictedTogether = 16;

/** Greater than every character that a key may have. */
const last = "\u{10ffff}";

export class Keys implements Implemented<KeyOperations>, RepositoryContent, Subject {
  readonly #database: GroupDatabase;
  readonly #repositories: Repositories;
  readonly #claims: Claims;
  readonly #bounds: StateBounds;
  /** The claims whose keys the present transaction stores. */
  readonly #done: (readonly [owner: Owner, name: string, key: string])[] = [];

  constructor({ database, repositories, claims, bounds }: SubjectParts) {
    this.#database = database;
    this.#repositories = repositories;
    this.#claims = claims;
    this.#bounds = bounds;
    repositories.contents.set("idempotent", this);
  }

  claim(
    owner: Owner,
    name: string,
    key: string,
    claimant: number,
    evicts: boolean,
    earlier: readonly string[],
  ): Exclude<KeyState, "none"> | "new" {
    const state = this.look(owner, name, key, earlier);
    if (state !== "none") return state;
    if (!evicts) this.#refuseMore(owner, key);
    this.#claims.add(owner, name, key, claimant, bytesOf(key));
    return "new";
  }

  look(owner: Owner, name: string, key: string, earlier: readonly string[]): KeyState {
    if (this.#claims.has(owner, name, key)) return "taken";
    const repository = this.#repositories.find(owner, name);
    if (repository === undefined) return "none";
    const find = "SELECT run FROM keys WHERE repository = ? AND key = ?";
    const row = this.#database.statement(find).get(repository.id, key) as { run: string } | undefined;
    return row === undefined || earlier.includes(row.run) ? "none" : "stored";
  }

  confirm(owner: Owner, name: string, key: string, evicts: boolean, run: string): void {
    const present = this.#repositories.find(owner, name);
    if (evicts && present !== undefined) this.#makeRoom(owner, present, key);
    if (!this.#claims.has(owner, name, key)) this.#refuseMore(owner, key);
    const repository = this.#repositories.make(owner, name, "idempotent");
    const insert = "INSERT INTO keys (repository, key, run, at) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING";
    const { changes } = this.#database.statement(insert).run(repository.id, key, run, Date.now());
    if (changes === 1) this.#repositories.count(repository, 1, bytesOf(key));
    this.#done.push([owner, name, key]);
  }

  release(owner: Owner, name: string, key: string): void {
    const repository = this.#repositories.find(owner, name);
    if (repository !== undefined) this.removeKey(repository, key);
    this.#claims.free(owner, name, key);
  }

  abandon(owner: Owner, claimant: number): void {
    this.#claims.abandon(owner, claimant);
  }

  /** A message that comes meanwhile must find its twin: among the claims until the key is stored. */
  committed(): void {
    for (const [owner, name, key] of this.#done.splice(0)) this.#claims.free(owner, name, key);
  }

  undone(): void {
    this.#done.length = 0;
  }

  oldest({ id }: RepositoryRow): number | undefined {
    const find = "SELECT min(at) AS at FROM keys WHERE repository = ?";
    return (this.#database.statement(find).get(id) as { at: number | null }).at ?? undefined;
  }

  list({ id }: RepositoryRow, prefix: string, limit: number): readonly KeptKey[] {
    const find = "SELECT key, at, run FROM keys WHERE repository = ? AND key >= ? AND key < ? ORDER BY key LIMIT ?";
    return this.#database.statement(find).all(id, prefix, prefix + last, limit) as unknown as KeptKey[];
  }

  removeKey(repository: RepositoryRow, key: string): number {
    const remove = "DELETE FROM keys WHERE repository = ? AND key = ?";
    const { changes } = this.#database.statement(remove).run(repository.id, key);
    if (changes === 1) this.#repositories.count(repository, -1, -bytesOf(key));
    return Number(changes);
  }

  removeSome(repository: RepositoryRow, most: number): number {
    const find = "SELECT key FROM keys WHERE repository = ? ORDER BY key LIMIT ?";
    return this.#removeEach(repository, this.#database.statement(find).all(repository.id, most));
  }

  /** Removes the oldest keys of a repository that is full. Makes no room where other repositories of the flow take it all. */
  #makeRoom(owner: Owner, repository: RepositoryRow, key: string): void {
    if (!this.#isFull(owner, key)) return;
    const find = "SELECT key FROM keys WHERE repository = ? ORDER BY at LIMIT ?";
    this.#removeEach(repository, this.#database.statement(find).all(repository.id, evictedTogether));
  }

  #removeEach(repository: RepositoryRow, rows: readonly unknown[]): number {
    for (const { key } of rows as { key: string }[]) this.removeKey(repository, key);
    return rows.length;
  }

  #isFull(owner: Owner, key: string): boolean {
    const { keys, bytes } = this.#repositories.total(owner);
    const claimed = this.#claims.of(owner);
    const { mostKeys, mostBytes } = this.#bounds;
    return keys + claimed.keys >= mostKeys || bytes + claimed.bytes + bytesOf(key) > mostBytes;
  }

  #refuseMore(owner: Owner, key: string): void {
    if (!this.#isFull(owner, key)) return;
    const { mostKeys, mostBytes } = this.#bounds;
    const bound = `a flow keeps at most ${mostKeys} keys (limit stateKeys) and ${mostBytes} bytes (limit stateBytes)`;
    const out = "remove keys that are not needed any more, or give the repository's bean the property eviction: oldest";
    throw new StateFailure("limit", `${bound}: ${out}`);
  }
}

/** About what a key takes in the file: it is in the table and in the index of ages. */
function bytesOf(key: string): number {
  return 2 * Buffer.byteLength(key) + 64;
}
