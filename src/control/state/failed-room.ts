/** The bounds of failed messages: which of a flow go when they are too old or too much. */
import type { Evicted, FailedBounds, FailedState } from "./failed-operations.ts";
import type { GroupDatabase } from "./group-database.ts";

const changeSums = (row: "old" | "new", sign: "" | "-"): string =>
  `INSERT INTO failed_sums (owner, messages, bytes) VALUES (${row}.owner, ${sign}(${row}.attempts > 0), ${sign}(${row}.attempts > 0) * ${row}.bytes)
    ON CONFLICT (owner) DO UPDATE SET messages = messages + excluded.messages, bytes = bytes + excluded.bytes`;

/** What each owner's messages take that have failed, kept by the database: to count thousands of rows for each new one takes longer than to add it. */
export const failedSums = [
  "CREATE TABLE IF NOT EXISTS failed_sums (owner INTEGER PRIMARY KEY, messages INTEGER NOT NULL, bytes INTEGER NOT NULL) STRICT",
  // Of a file that has no sums yet.
  `INSERT OR IGNORE INTO failed_sums (owner, messages, bytes)
    SELECT owner, count(*), sum(bytes) FROM failed WHERE attempts > 0 GROUP BY owner`,
  `CREATE TRIGGER IF NOT EXISTS failed_added AFTER INSERT ON failed BEGIN ${changeSums("new", "")}; END`,
  `CREATE TRIGGER IF NOT EXISTS failed_changed AFTER UPDATE OF attempts, bytes ON failed
    BEGIN ${changeSums("old", "-")}; ${changeSums("new", "")}; END`,
  `CREATE TRIGGER IF NOT EXISTS failed_removed AFTER DELETE ON failed
    BEGIN ${changeSums("old", "-")}; DELETE FROM failed_sums WHERE owner = old.owner AND messages = 0; END`,
];

/** The most rows that one operation removes to make room. */
const mostEvicted = 1000;

export class FailedRoom {
  readonly #database: GroupDatabase;
  readonly #bounds: FailedBounds;

  constructor(database: GroupDatabase, bounds: FailedBounds) {
    this.#database = database;
    this.#bounds = bounds;
  }

  /** Removes what is too old, and what is too much. */
  make(ownerId: number): readonly Evicted[] {
    const { mostMessages, mostBytes } = this.#bounds;
    return [...this.#expire(ownerId), ...this.#evict(ownerId, mostMessages, mostBytes)];
  }

  /** Removes what is too old; with `most` as much more as leaves the flow so many bytes. */
  tidy(ownerId: number, most: number | undefined): readonly Evicted[] {
    const expired = this.#expire(ownerId);
    return most === undefined ? expired : [...expired, ...this.#evict(ownerId, Number.POSITIVE_INFINITY, most)];
  }

  remove(id: string): void {
    this.#database.statement("DELETE FROM failed WHERE id = ?").run(id);
    this.#database.statement("DELETE FROM failed_content WHERE id = ?").run(id);
  }

  #expire(ownerId: number): Evicted[] {
    const find = `SELECT id, route, state FROM failed WHERE owner = ? AND at < ? AND state <> 'retrying' LIMIT ${mostEvicted}`;
    const rows = this.#database.statement(find).all(ownerId, Date.now() - this.#bounds.keptMs) as unknown as Victim[];
    return this.#removeAll(rows);
  }

  /** What was retried or discarded goes first, then the oldest of the route that has most; what is under way stays. */
  #evict(ownerId: number, mostMessages: number, mostBytes: number): Evicted[] {
    const sum = "SELECT messages, bytes FROM failed_sums WHERE owner = ?";
    const find = `SELECT id, route, state FROM failed WHERE owner = ?1 AND state <> 'retrying' AND (state <> 'waiting' OR route =
      (SELECT route FROM failed WHERE owner = ?1 AND state = 'waiting' GROUP BY route ORDER BY sum(bytes) DESC LIMIT 1))
      ORDER BY state = 'waiting', at LIMIT 1`;
    const evicted: Victim[] = [];
    while (evicted.length < mostEvicted) {
      const { messages, bytes } = (this.#database.statement(sum).get(ownerId) ?? noSums) as typeof noSums;
      if (messages <= mostMessages && bytes <= mostBytes) break;
      const victim = this.#database.statement(find).get(ownerId) as unknown as Victim | undefined;
      if (victim === undefined) break;
      this.remove(victim.id);
      evicted.push(victim);
    }
    return counted(evicted);
  }

  #removeAll(rows: readonly Victim[]): Evicted[] {
    for (const { id } of rows) this.remove(id);
    return counted(rows);
  }
}

const noSums = { messages: 0, bytes: 0 };

interface Victim {
  readonly id: string;
  readonly route: string;
  readonly state: FailedState;
}

/** Only messages that still waited are lost. */
function counted(rows: readonly Victim[]): Evicted[] {
  const byRoute = new Map<string, number>();
  for (const { route, state } of rows) if (state === "waiting") byRoute.set(route, (byRoute.get(route) ?? 0) + 1);
  return [...byRoute].map(([routeId, messages]) => ({ routeId, messages }));
}
