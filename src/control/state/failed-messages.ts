/** Failed messages in a group's database: kept, counted, retried, discarded, and those that make room for others. */
import { createHmac } from "node:crypto";
import type {
  Added,
  Evicted,
  FailedContent,
  FailedFilter,
  FailedOperations,
  FailedState,
  FailedSummary,
  FailedTotals,
  MessageFailure,
  NewMessage,
} from "./failed-operations.ts";
import { FailedRoom, failedSums } from "./failed-room.ts";
import type { GroupDatabase } from "./group-database.ts";
import { lostError } from "./lost-error.ts";
import type { Owner } from "./operations.ts";
import type { Repositories } from "./repositories.ts";
import { packContent, Seal, unpackContent } from "./sealed-content.ts";
import type { Implemented, Subject } from "./subject.ts";
import type { SubjectParts } from "./subject-parts.ts";

export const failedTables = [
  `CREATE TABLE IF NOT EXISTS failed (
    id TEXT PRIMARY KEY, owner INTEGER NOT NULL, route TEXT NOT NULL, revision INTEGER NOT NULL, at INTEGER NOT NULL,
    run TEXT NOT NULL, runs TEXT NOT NULL, trigger TEXT NOT NULL, error TEXT NOT NULL, attempts INTEGER NOT NULL,
    count INTEGER NOT NULL, bytes INTEGER NOT NULL, state TEXT NOT NULL, session TEXT NOT NULL, dead INTEGER NOT NULL,
    same BLOB NOT NULL) STRICT, WITHOUT ROWID`,
  // By itself, so that lists and sums read small rows.
  "CREATE TABLE IF NOT EXISTS failed_content (id TEXT PRIMARY KEY, content BLOB NOT NULL) STRICT",
  "CREATE INDEX IF NOT EXISTS failed_by_age ON failed (owner, at)",
  "CREATE INDEX IF NOT EXISTS failed_alike ON failed (owner, same) WHERE state = 'waiting'",
  ...failedSums,
];

/** About what an entry takes beside its content. */
const entryBytes = 500;
/** The most runs of a message that are kept by id. */
const mostRuns = 100;

const columns = `id, route AS routeId, revision, at, run AS runId, trigger, error, attempts, count, bytes, state, dead`;

interface Row extends Omit<FailedSummary, "deadLetter"> {
  readonly dead: number;
}

interface ContentRow extends Row {
  readonly runs: string;
  readonly content: Uint8Array | null;
}

export class FailedMessages implements Implemented<FailedOperations>, Subject {
  readonly #database: GroupDatabase;
  readonly #repositories: Repositories;
  readonly #room: FailedRoom;
  readonly #session: string;
  readonly #seal: Seal;
  #recovered = false;

  constructor({ database, repositories, failed, session, dataKeys }: SubjectParts) {
    this.#database = database;
    this.#repositories = repositories;
    this.#room = new FailedRoom(database, failed);
    this.#session = session;
    this.#seal = new Seal(dataKeys);
  }

  accept(owner: Owner, message: NewMessage): void {
    this.#insert(this.#ownerId(owner), message, {
      state: "retrying",
      attempts: 0,
      error: "{}",
      dead: 0,
      same: nothing,
    });
  }

  add(owner: Owner, message: NewMessage, failure: MessageFailure): Added {
    const ownerId = this.#ownerId(owner);
    const content = packContent(message);
    const same = this.#sameness(message.routeId, failure, message.alike, content);
    const id = this.#repeat(ownerId, same, failure);
    if (id !== undefined) return { id, count: this.#countOf(id), evicted: [] };
    const { error, deadLetter } = failure;
    const facts = { state: "waiting", attempts: 1, error, dead: Number(deadLetter), same } as const;
    this.#insert(ownerId, message, facts, content);
    return { id: message.id, count: 1, evicted: this.#room.make(ownerId) };
  }

  failed(owner: Owner, id: string, failure: MessageFailure): Added | undefined {
    const row = this.#row(owner, id);
    const ownerId = this.#repositories.owner(owner)?.id;
    if (row === undefined || ownerId === undefined || row.state !== "retrying") return undefined;
    const content = row.content === null ? undefined : this.#seal.open(id, row.content);
    const { alike = "" } = content === undefined ? {} : unpackContent(content);
    const same = content === undefined ? nothing : this.#sameness(row.routeId, failure, alike, content);
    const equal = row.attempts === 0 ? this.#repeat(ownerId, same, failure) : undefined;
    if (equal !== undefined) {
      this.#room.remove(id);
      return { id: equal, count: this.#countOf(equal), evicted: [] };
    }
    const update = `UPDATE failed SET state = 'waiting', attempts = attempts + 1, error = ?, dead = ?, at = ?, run = ?, same = ?
      WHERE id = ?`;
    const { error, deadLetter, at, runId } = failure;
    this.#database.statement(update).run(error, Number(deadLetter), at, runId, same, id);
    return { id, count: row.count, evicted: this.#room.make(ownerId) };
  }

  done(owner: Owner, id: string): void {
    const row = this.#row(owner, id);
    if (row === undefined) return;
    if (row.attempts === 0) this.#room.remove(id);
    else this.#end(id, "retried");
  }

  begin(owner: Owner, id: string, runId: string): (FailedSummary & FailedContent) | "busy" | undefined {
    const row = this.#row(owner, id);
    if (row === undefined) return undefined;
    if (row.state === "retrying") return "busy";
    if (row.state !== "waiting") return undefined;
    const found = this.#withContent(row);
    const runs = JSON.stringify([...found.runs, runId].slice(-mostRuns));
    const update = "UPDATE failed SET state = 'retrying', session = ?, run = ?, runs = ? WHERE id = ?";
    this.#database.statement(update).run(this.#session, runId, runs, id);
    return found;
  }

  giveBack(owner: Owner, id: string): void {
    const row = this.#row(owner, id);
    if (row?.state !== "retrying") return;
    this.#database.statement("UPDATE failed SET state = 'waiting' WHERE id = ?").run(id);
  }

  list(owner: Owner, filter: FailedFilter, limit: number): readonly FailedSummary[] {
    const ownerId = this.#known(owner);
    if (ownerId === undefined) return [];
    const { where, values } = conditionOf(ownerId, filter);
    const find = `SELECT ${columns} FROM failed WHERE ${where} ORDER BY at DESC, id DESC LIMIT ?`;
    return (this.#database.statement(find).all(...values, limit) as unknown as Row[]).map(summaryOf);
  }

  get(owner: Owner, id: string): (FailedSummary & FailedContent) | undefined {
    const row = this.#row(owner, id);
    return row && this.#withContent(row);
  }

  waiting(owner: Owner, filter: FailedFilter): readonly string[] {
    const ownerId = this.#known(owner);
    if (ownerId === undefined) return [];
    const { where, values } = conditionOf(ownerId, { ...filter, state: "waiting" });
    const find = `SELECT id FROM failed WHERE ${where} ORDER BY at, id`;
    return (this.#database.statement(find).all(...values) as unknown as { id: string }[]).map(({ id }) => id);
  }

  discard(owner: Owner, filter: FailedFilter): number {
    const ids = this.waiting(owner, filter);
    for (const id of ids) this.#end(id, "discarded");
    return ids.length;
  }

  tidy(owner: Owner, most: number | undefined): readonly Evicted[] {
    const ownerId = this.#known(owner);
    if (ownerId === undefined) return [];
    return this.#room.tidy(ownerId, most);
  }

  totals(owner: Owner): FailedTotals {
    const ownerId = this.#known(owner);
    if (ownerId === undefined) return { waiting: 0, retrying: 0, bytes: 0, oldest: undefined };
    const find = `SELECT count(*) FILTER (WHERE state = 'waiting') AS waiting, count(*) FILTER (WHERE state = 'retrying') AS retrying,
      coalesce(sum(bytes), 0) AS bytes, min(at) FILTER (WHERE state = 'waiting') AS oldest FROM failed WHERE owner = ?`;
    const row = this.#database.statement(find).get(ownerId) as unknown as Omit<FailedTotals, "oldest"> & {
      oldest: number | null;
    };
    return { ...row, oldest: row.oldest ?? undefined };
  }

  forgetRows(ownerId: number, most: number): number {
    const find = "SELECT id FROM failed WHERE owner = ? LIMIT ?";
    const rows = this.#database.statement(find).all(ownerId, most) as unknown as { id: string }[];
    for (const { id } of rows) this.#room.remove(id);
    return rows.length;
  }

  undone(): void {
    this.#recovered = false;
  }

  /** Finds an owner, and lets what an earlier process had under way wait. */
  #known(owner: Owner): number | undefined {
    this.#recover();
    return this.#repositories.owner(owner)?.id;
  }

  #ownerId(owner: Owner): number {
    return this.#known(owner) ?? this.#repositories.makeOwner(owner).id;
  }

  #recover(): void {
    if (this.#recovered) return;
    const find = "SELECT id, error, attempts FROM failed WHERE state = 'retrying' AND session <> ?";
    const rows = this.#database.statement(find).all(this.#session) as unknown as Pick<
      Row,
      "id" | "error" | "attempts"
    >[];
    const update = "UPDATE failed SET state = 'waiting', error = ?, attempts = ? WHERE id = ?";
    for (const { id, error, attempts } of rows) {
      this.#database.statement(update).run(lostError(attempts === 0 ? undefined : error), Math.max(1, attempts), id);
    }
    this.#recovered = true;
  }

  #row(owner: Owner, id: string): ContentRow | undefined {
    const ownerId = this.#known(owner);
    if (ownerId === undefined) return undefined;
    const find = `SELECT ${columns}, runs, (SELECT content FROM failed_content WHERE failed_content.id = failed.id) AS content
      FROM failed WHERE id = ? AND owner = ?`;
    return this.#database.statement(find).get(id, ownerId) as unknown as ContentRow | undefined;
  }

  #withContent(row: ContentRow): FailedSummary & FailedContent {
    const { content, runs, ...rest } = row;
    const { form, head, body } = content === null ? empty : unpackContent(this.#seal.open(row.id, content));
    return { ...summaryOf(rest), form, head, body, runs: JSON.parse(runs) as string[] };
  }

  #insert(
    ownerId: number,
    message: NewMessage,
    facts: { state: FailedState; attempts: number; error: string; dead: number; same: Uint8Array },
    content = packContent(message),
  ): void {
    const { id, routeId, revision, at, runId, trigger } = message;
    const { state, attempts, error, dead, same } = facts;
    const sealed = this.#seal.close(id, content);
    const insert = `INSERT INTO failed (id, owner, route, revision, at, run, runs, trigger, error, attempts, count, bytes, state, session,
      dead, same) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 1, ?, ?, ?, ?, ?)`;
    const bytes = sealed.length + entryBytes;
    this.#database
      .statement(insert)
      .run(
        ...[id, ownerId, routeId, revision, at, runId, JSON.stringify([runId]), trigger, error, attempts],
        ...[bytes, state, this.#session, dead, same],
      );
    this.#database.statement("INSERT INTO failed_content (id, content) VALUES (?, ?)").run(id, sealed);
  }

  /** Counts the failure with the entry of an equal message that waits. Returns its id; undefined: there is none. */
  #repeat(ownerId: number, same: Uint8Array, { at, runId }: MessageFailure): string | undefined {
    const find = "SELECT id FROM failed WHERE owner = ? AND same = ? AND state = 'waiting'";
    const row = this.#database.statement(find).get(ownerId, same) as { id: string } | undefined;
    if (row === undefined || same === nothing) return undefined;
    const update = "UPDATE failed SET count = count + 1, at = ?, run = ? WHERE id = ?";
    this.#database.statement(update).run(at, runId, row.id);
    return row.id;
  }

  #countOf(id: string): number {
    return (this.#database.statement("SELECT count FROM failed WHERE id = ?").get(id) as { count: number }).count;
  }

  #sameness(routeId: string, { error, deadLetter }: MessageFailure, alike: string, content: Uint8Array): Uint8Array {
    const hash = createHmac("sha256", this.#seal.key);
    const { body } = unpackContent(content);
    hash.update(JSON.stringify([routeId, error, deadLetter, alike, body === null]));
    return hash.update(body ?? "").digest();
  }

  #end(id: string, state: "retried" | "discarded"): void {
    const update = `UPDATE failed SET state = ?, bytes = ${entryBytes}, same = x'' WHERE id = ?`;
    this.#database.statement(update).run(state, id);
    this.#database.statement("DELETE FROM failed_content WHERE id = ?").run(id);
  }
}

const nothing = new Uint8Array();
const empty = { form: "", head: "", body: null };

function summaryOf({ dead, ...row }: Row): FailedSummary {
  return { ...row, deadLetter: dead === 1 };
}

function conditionOf(
  ownerId: number,
  { routeId, state, since, before, ids }: FailedFilter,
): { readonly where: string; readonly values: (string | number)[] } {
  const parts: (readonly [sql: string, value: string | number])[] = [["owner = ?", ownerId]];
  if (routeId !== undefined) parts.push(["route = ?", routeId]);
  if (state !== undefined) parts.push(["state = ?", state]);
  if (since !== undefined) parts.push(["at >= ?", since]);
  if (before !== undefined) parts.push(["at < ?", before]);
  if (ids !== undefined) parts.push(["id IN (SELECT value FROM json_each(?))", JSON.stringify(ids)]);
  return { where: parts.map(([sql]) => sql).join(" AND "), values: parts.map(([, value]) => value) };
}
