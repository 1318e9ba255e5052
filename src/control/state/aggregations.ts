/** The groups of `aggregate` steps (Camel: AggregationRepository): their messages in the order in which they came, until the steps have run. */
import type { Claims } from "./claims.ts";
import type { FailedMessages } from "./failed-messages.ts";
import type { Added, MessageFailure, NewMessage } from "./failed-operations.ts";
import type { GroupDatabase } from "./group-database.ts";
import {
  foreignGroups,
  type GroupAnswer,
  type GroupEnd,
  type GroupOperations,
  type JoiningMessage,
  type OpenedGroup,
} from "./group-operations.ts";
import type { HeldGroups } from "./held-groups.ts";
import { type KeptKey, type Owner, StateFailure } from "./operations.ts";
import type { Repositories, RepositoryContent, RepositoryRow } from "./repositories.ts";
import { Seal } from "./sealed-content.ts";
import type { Implemented } from "./subject.ts";
import type { StateBounds, SubjectParts } from "./subject-parts.ts";

export const aggregationTables = [
  `CREATE TABLE IF NOT EXISTS aggregations (
    place INTEGER PRIMARY KEY, repository INTEGER NOT NULL, id TEXT NOT NULL, key TEXT NOT NULL, fingerprint TEXT NOT NULL,
    at INTEGER NOT NULL, messages INTEGER NOT NULL, bytes INTEGER NOT NULL, deadline INTEGER NOT NULL, completed TEXT NOT NULL,
    takeovers INTEGER NOT NULL, UNIQUE (repository, id)) STRICT`,
  "CREATE UNIQUE INDEX IF NOT EXISTS aggregations_open ON aggregations (repository, key) WHERE completed = ''",
  "CREATE INDEX IF NOT EXISTS aggregations_by_key ON aggregations (repository, key)",
  // By themselves, so that lists read small rows.
  `CREATE TABLE IF NOT EXISTS aggregated (
    aggregation INTEGER NOT NULL, seq INTEGER NOT NULL, message BLOB NOT NULL, PRIMARY KEY (aggregation, seq)) STRICT`,
];

/** About what a group takes beside its messages, and a message beside its bytes. */
const groupBytes = 200;
const messageBytes = 40;
/** The most bytes of messages in one answer; a message that is larger comes alone. */
const mostRead = 2 * 1024 * 1024;
/** How many groups are removed in one turn. */
const mostRemoved = 20;
/** Greater than every character that a key may have. */
const last = "\u{10ffff}";

interface Row {
  readonly place: number;
  readonly id: string;
  readonly key: string;
  readonly messages: number;
  readonly bytes: number;
  readonly deadline: number;
  readonly completed: string;
  readonly takeovers: number;
}

const columns = "place, id, key, messages, bytes, deadline, completed, takeovers";

interface Parts extends SubjectParts {
  readonly failedMessages: Pick<FailedMessages, "add">;
}

export class Aggregations implements Implemented<GroupOperations>, RepositoryContent {
  readonly #database: GroupDatabase;
  readonly #repositories: Repositories;
  readonly #claims: Claims;
  readonly #held: HeldGroups;
  readonly #bounds: StateBounds;
  readonly #seal: Seal;
  readonly #failed: Parts["failedMessages"];

  constructor({ database, repositories, claims, held, bounds, dataKeys, failedMessages }: Parts) {
    this.#database = database;
    this.#repositories = repositories;
    this.#claims = claims;
    this.#held = held;
    this.#bounds = bounds;
    this.#seal = new Seal(dataKeys);
    this.#failed = failedMessages;
    repositories.contents.set("aggregation", this);
  }

  open(owner: Owner, name: string, claimant: number, fingerprint: string): string {
    const repository = this.#repositories.find(owner, name);
    if (repository === undefined) return "[]";
    const others = this.foreign(owner, name, fingerprint);
    if (others > 0) throw new StateFailure("store_failed", foreignGroups(others, owner.flowId, name));
    const find = `SELECT ${columns} FROM aggregations WHERE repository = ? AND fingerprint = ? ORDER BY place`;
    const rows = this.#database.statement(find).all(repository.id, fingerprint) as unknown as Row[];
    const mine = rows.filter(({ id, completed }) => {
      return completed === "" || (this.#held.holder(owner, name, id) ?? claimant) === claimant;
    });
    const opened = mine.map((row): OpenedGroup => {
      const { place, id, key, messages, deadline, completed, takeovers } = row;
      if (completed === "") return [id, key, messages, deadline, "", 0];
      const isHeld = this.#held.holder(owner, name, id) === claimant;
      if (isHeld) return [id, key, messages, deadline, completed, takeovers];
      this.#database.statement("UPDATE aggregations SET takeovers = takeovers + 1 WHERE place = ?").run(place);
      this.#held.add(owner, name, id, claimant);
      return [id, key, messages, deadline, completed, takeovers + 1];
    });
    return JSON.stringify(opened);
  }

  read(owner: Owner, name: string, reads: readonly (readonly [group: string, from: number])[]): Uint8Array {
    const parts: Uint8Array[] = [];
    let bytes = 0;
    for (const [at, [id, from]] of reads.entries()) {
      const row = this.#row(owner, name, id);
      if (row === undefined) continue;
      const find = "SELECT seq, message FROM aggregated WHERE aggregation = ? AND seq >= ? ORDER BY seq";
      const rows = this.#database.statement(find).iterate(row.place, from);
      for (const { seq, message } of rows as Iterable<{ seq: number; message: Uint8Array }>) {
        const opened = this.#seal.open(sealName(id, seq), message);
        if (bytes > 0 && bytes + opened.length > mostRead) return Buffer.concat(parts);
        const head = Buffer.alloc(8);
        head.writeUInt32LE(at, 0);
        head.writeUInt32LE(opened.length, 4);
        parts.push(head, opened);
        bytes += opened.length;
      }
    }
    return Buffer.concat(parts);
  }

  append(owner: Owner, name: string, claimant: number, message: JoiningMessage, bytes: Uint8Array): GroupAnswer {
    const { group, key, messages, deadline, by, others, fingerprint } = message;
    const present = this.#row(owner, name, group);
    if (!this.#isOpen(present, messages) || (present === undefined && this.#openWith(owner, name, key))) return "stale";
    if (!others.every(([id, known]) => this.#isPresent(owner, name, id, known))) return "stale";
    const sealed = this.#seal.close(sealName(group, messages), bytes);
    const size = sealed.length + messageBytes + (present === undefined ? groupBytes + 2 * Buffer.byteLength(key) : 0);
    this.#refuseMore(owner, present === undefined ? 1 : 0, size);
    const repository = this.#repositories.make(owner, name, "aggregation");
    const place = present?.place ?? this.#begin(repository, group, key, fingerprint);
    this.#database
      .statement("INSERT INTO aggregated (aggregation, seq, message) VALUES (?, ?, ?)")
      .run(place, messages, sealed);
    const update =
      "UPDATE aggregations SET messages = messages + 1, bytes = bytes + ?, deadline = ?, completed = ? WHERE place = ?";
    this.#database.statement(update).run(size, deadline, by, place);
    this.#repositories.count(repository, present === undefined ? 1 : 0, size);
    if (by !== "") this.#held.add(owner, name, group, claimant);
    this.#end(owner, name, claimant, others);
    return "";
  }

  complete(owner: Owner, name: string, claimant: number, ends: readonly GroupEnd[]): GroupAnswer {
    if (!ends.every(([id, known]) => this.#isPresent(owner, name, id, known))) return "stale";
    this.#end(owner, name, claimant, ends);
    return "";
  }

  drop(owner: Owner, name: string, groups: readonly string[]): void {
    const repository = this.#repositories.find(owner, name);
    for (const id of groups) {
      const row = this.#row(owner, name, id);
      if (row !== undefined && repository !== undefined) this.#remove(repository, row);
      this.#held.free(owner, name, id);
    }
  }

  fail(owner: Owner, name: string, group: string, message: NewMessage, failure: MessageFailure): Added {
    const added = this.#failed.add(owner, message, failure);
    this.drop(owner, name, [group]);
    return added;
  }

  abandon(owner: Owner, claimant: number): readonly string[] {
    return this.#held.abandon(owner, claimant);
  }

  foreign(owner: Owner, name: string, fingerprint: string): number {
    const repository = this.#repositories.find(owner, name);
    if (repository === undefined) return 0;
    const find = "SELECT id, completed FROM aggregations WHERE repository = ? AND fingerprint <> ?";
    const rows = this.#database.statement(find).all(repository.id, fingerprint) as unknown as Row[];
    return rows.filter(({ id, completed }) => completed === "" || this.#held.holder(owner, name, id) === undefined)
      .length;
  }

  oldest({ id }: RepositoryRow): number | undefined {
    const find = "SELECT min(at) AS at FROM aggregations WHERE repository = ?";
    return (this.#database.statement(find).get(id) as { at: number | null }).at ?? undefined;
  }

  list({ id }: RepositoryRow, prefix: string, limit: number): readonly KeptKey[] {
    const find = `SELECT key, at, '' AS run, NULL AS value FROM aggregations WHERE repository = ? AND key >= ? AND key < ?
      ORDER BY key, place LIMIT ?`;
    return this.#database.statement(find).all(id, prefix, prefix + last, limit) as unknown as KeptKey[];
  }

  removeKey(repository: RepositoryRow, key: string): number {
    const find = `SELECT ${columns} FROM aggregations WHERE repository = ? AND key = ?`;
    return this.#removeEach(repository, this.#database.statement(find).all(repository.id, key));
  }

  removeSome(repository: RepositoryRow, most: number): number {
    const find = `SELECT ${columns} FROM aggregations WHERE repository = ? ORDER BY place LIMIT ?`;
    return this.#removeEach(repository, this.#database.statement(find).all(repository.id, Math.min(most, mostRemoved)));
  }

  #removeEach(repository: RepositoryRow, rows: readonly unknown[]): number {
    for (const row of rows as Row[]) this.#remove(repository, row);
    return rows.length;
  }

  #remove(repository: RepositoryRow, { place, bytes, id }: Row): void {
    this.#database.statement("DELETE FROM aggregations WHERE place = ?").run(place);
    this.#database.statement("DELETE FROM aggregated WHERE aggregation = ?").run(place);
    this.#repositories.count(repository, -1, -bytes);
    this.#held.free(repository.owner, repository.name, id);
  }

  #row(owner: Owner, name: string, id: string): Row | undefined {
    const repository = this.#repositories.find(owner, name);
    if (repository === undefined) return undefined;
    const find = `SELECT ${columns} FROM aggregations WHERE repository = ? AND id = ?`;
    return this.#database.statement(find).get(repository.id, id) as unknown as Row | undefined;
  }

  #isOpen(row: Row | undefined, messages: number): boolean {
    return row === undefined ? messages === 0 : row.completed === "" && row.messages === messages;
  }

  #isPresent(owner: Owner, name: string, id: string, messages: number): boolean {
    const row = this.#row(owner, name, id);
    return row !== undefined && this.#isOpen(row, messages);
  }

  /** Whether a group with the key is open. */
  #openWith(owner: Owner, name: string, key: string): boolean {
    const repository = this.#repositories.find(owner, name);
    if (repository === undefined) return false;
    const find = "SELECT 1 FROM aggregations WHERE repository = ? AND key = ? AND completed = ''";
    return this.#database.statement(find).get(repository.id, key) !== undefined;
  }

  #begin({ id: repository }: RepositoryRow, id: string, key: string, fingerprint: string): number {
    const insert = `INSERT INTO aggregations (repository, id, key, fingerprint, at, messages, bytes, deadline, completed, takeovers)
      VALUES (?, ?, ?, ?, ?, 0, 0, 0, '', 0)`;
    return Number(this.#database.statement(insert).run(repository, id, key, fingerprint, Date.now()).lastInsertRowid);
  }

  #end(owner: Owner, name: string, claimant: number, ends: readonly GroupEnd[]): void {
    for (const [id, , by] of ends) {
      const row = this.#row(owner, name, id) as Row;
      this.#database.statement("UPDATE aggregations SET completed = ? WHERE place = ?").run(by, row.place);
      this.#held.add(owner, name, id, claimant);
    }
  }

  #refuseMore(owner: Owner, groups: number, size: number): void {
    const { keys, bytes } = this.#repositories.total(owner);
    const claimed = this.#claims.of(owner);
    const { mostKeys, mostBytes } = this.#bounds;
    if (keys + claimed.keys + groups <= mostKeys && bytes + claimed.bytes + size <= mostBytes) return;
    const bound = `a flow keeps at most ${mostKeys} keys and groups (limit stateKeys) and ${mostBytes} bytes (limit stateBytes)`;
    throw new StateFailure("limit", `${bound}: complete or discard groups, or raise the limit`);
  }
}

/** A message's bytes cannot stand in another place. */
function sealName(group: string, seq: number): string {
  return `${group} ${seq}`;
}
