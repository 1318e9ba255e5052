/** A connection to an embedded database: its requests go to the process that has the database open. */
import {
  type EmbeddedAnswer,
  type EmbeddedRequest,
  longestEmbeddedRequest,
  readEmbedded,
  writeEmbedded,
} from "../../../shared/embedded.ts";
import type { DatabaseLine } from "../../engine/connections/database-line.ts";
import { limitExceeded } from "../../engine/exception.ts";
import { returning } from "../returning.ts";
import { RowCollector, rowOf } from "../row-collector.ts";
import type {
  SqlCall,
  SqlClient,
  SqlColumn,
  SqlDialect,
  SqlResult,
  SqlRow,
  SqlRows,
  SqlStatement,
} from "../sql-client.ts";
import { failureOf } from "./failure.ts";
import { type EmbeddedColumn, primaryKeyOf } from "./primary-key.ts";
import { parameterOf } from "./values.ts";

const dialect: SqlDialect = { name: "sqlite", placeholder: () => "?", backslashes: false, dollarQuotes: false };

/** The most values of a part of a batch. */
const mostValues = 2000;

export class EmbeddedClient implements SqlClient {
  readonly dialect = dialect;
  readonly interleaves = true;
  readonly #line: DatabaseLine;
  #inTransaction = false;
  #cursors = 0;

  constructor(line: DatabaseLine) {
    this.#line = line;
  }

  async run({ text, values }: SqlStatement, call: SqlCall): Promise<SqlResult> {
    const { keys, maxBytes } = call;
    const own = keys === undefined ? text : returning(text, keys);
    const result = resultOf(await this.#ask(call, "run", maxBytes, own, ...parameters(values, maxBytes)), maxBytes);
    return keys === undefined ? result : { count: result.count, keys: result.rows ?? [] };
  }

  async runBatch(text: string, lists: readonly (readonly unknown[])[], call: SqlCall): Promise<SqlResult> {
    const { keys, maxBytes } = call;
    const width = lists[0]?.length ?? 0;
    // Statements without values are run one by one.
    const atOnce = width === 0 ? 1 : Math.max(1, Math.floor(mostValues / width));
    const own = !this.#inTransaction;
    if (own) await this.begin();
    try {
      let count = 0;
      const collected = new RowCollector(maxBytes);
      for (let from = 0; from < lists.length; from += atOnce) {
        const part = lists.slice(from, from + atOnce);
        const result = await this.#batch(keys === undefined ? text : returning(text, keys), part, call);
        count += result.count;
        for (const row of result.rows ?? []) if (!collected.add(row)) throw collected.tooLarge();
      }
      if (own) await this.commit();
      return { count, ...(keys !== undefined && { keys: collected.rows }) };
    } catch (error) {
      if (own) await this.rollback();
      throw error;
    }
  }

  async open({ text, values }: SqlStatement, call: SqlCall, fetchSize: number): Promise<SqlRows> {
    this.#cursors += 1;
    const cursor = this.#cursors;
    const { maxBytes } = call;
    const first = await this.#ask(call, "open", maxBytes, text, cursor, fetchSize, ...parameters(values, maxBytes));
    let ready: SqlResult | undefined = resultOf(first, maxBytes);
    const { columns = [] } = ready;
    return {
      columns,
      next: async () => {
        const result = ready ?? resultOf(await this.#ask(call, "fetch", maxBytes, cursor, fetchSize), maxBytes);
        ready = undefined;
        return result.rows ?? [];
      },
      close: async () => {
        try {
          await this.#ask(undefined, "shut", cursor);
          return true;
        } catch {
          return false;
        }
      },
    };
  }

  async begin(): Promise<void> {
    await this.#ask(undefined, "begin");
    this.#inTransaction = true;
  }

  async commit(): Promise<void> {
    try {
      await this.#ask(undefined, "commit");
      this.#inTransaction = false;
    } catch (error) {
      // The client is used again.
      await this.rollback();
      throw error;
    }
  }

  async rollback(): Promise<void> {
    this.#inTransaction = false;
    // A connection that is gone has rolled back, too.
    await this.#ask(undefined, "rollback").catch(() => {});
  }

  async primaryKey(columns: readonly SqlColumn[], call: SqlCall): Promise<readonly string[] | undefined> {
    return await primaryKeyOf(columns as readonly EmbeddedColumn[], async (text, values) => {
      const { rows = [] } = await this.run({ text, values }, call);
      return rows;
    });
  }

  /** Returns the version of SQLite. */
  async hello(signal: AbortSignal | undefined): Promise<string> {
    const answer = await this.#ask(signal && { signal }, "hello");
    return String(answer.at(-1));
  }

  async #batch(text: string, lists: readonly (readonly unknown[])[], call: SqlCall): Promise<SqlResult> {
    const { maxBytes } = call;
    const width = lists[0]?.length ?? 0;
    if (width === 0) return resultOf(await this.#ask(call, "run", maxBytes, text), maxBytes);
    const values = lists.flatMap((list) => parameters(list, maxBytes));
    return resultOf(await this.#ask(call, "batch", maxBytes, text, width, ...values), maxBytes);
  }

  async #ask(call: Pick<SqlCall, "signal"> | undefined, ...request: EmbeddedRequest): Promise<EmbeddedAnswer> {
    const content = writeEmbedded(request);
    if (content.length > longestEmbeddedRequest)
      throw limitExceeded(
        "messageBodyBytes",
        `a statement with its values has at most ${longestEmbeddedRequest} bytes, and this one has ${content.length}`,
      );
    try {
      return readEmbedded(await this.#line.ask(content, call?.signal)) as EmbeddedAnswer;
    } catch (error) {
      throw failureOf(error);
    }
  }
}

function parameters(values: readonly unknown[], maxBytes: number): readonly unknown[] {
  return values.map((value) => parameterOf(value, maxBytes));
}

function resultOf([kind, ...fields]: EmbeddedAnswer, maxBytes: number): SqlResult {
  if (kind === "done") return { count: Number(fields[0]) };
  const collected = new RowCollector(maxBytes);
  if (kind === "full") throw collected.tooLarge();
  const width = Number(fields[0]);
  const columns = Array.from({ length: width }, (_, index): EmbeddedColumn => {
    const [name, table, column] = fields.slice(1 + 3 * index) as [string, string | null, string | null];
    return { name, table, column };
  });
  const names = columns.map(({ name }) => name);
  for (let at = 1 + 3 * width; at < fields.length; at += width) {
    const row: SqlRow = rowOf(names, fields.slice(at, at + width));
    if (!collected.add(row)) throw collected.tooLarge();
  }
  return { rows: collected.rows, columns, count: collected.rows.length };
}
