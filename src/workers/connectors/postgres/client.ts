/** A connection to PostgreSQL. */
import pg from "pg";
import { FlowException } from "../../engine/exception.ts";
import { after } from "../../engine/waiting.ts";
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
import { sqlFailure } from "../sql-failure.ts";
import type { PostgresColumn } from "./library.ts";
import { PreparedStatements } from "./prepared-statements.ts";
import { primaryKeyOf } from "./primary-key.ts";
import { parameterOf, typeParsers } from "./values.ts";

const dialect: SqlDialect = {
  name: "postgres",
  placeholder: (index) => `$${index}`,
  backslashes: false,
  dollarQuotes: true,
};

/** How long the server may take to end a cancelled statement; then the connection is given up. */
const cancelMs = 800;
/** How long the begin and the end of a transaction may take; then the connection is given up. */
const commandMs = 10_000;
/** Statements of a batch that are on their way at the same time. */
const batchSize = 200;

export class PostgresClient implements SqlClient {
  readonly dialect = dialect;
  readonly interleaves = true;
  readonly client: pg.Client;
  readonly #cancel: () => void;
  readonly #prepared = new PreparedStatements();
  #cursors = 0;

  /** `cancel`: asks the server to end the statement that runs. */
  constructor(client: pg.Client, cancel: () => void) {
    this.client = client;
    this.#cancel = cancel;
  }

  async run(statement: SqlStatement, call: SqlCall): Promise<SqlResult> {
    if (call.keys === undefined) return await this.#ask(statement, call);
    const { rows, ...result } = await this.#ask({ ...statement, text: returning(statement.text, call.keys) }, call);
    return { ...result, keys: rows ?? [] };
  }

  async runBatch(text: string, lists: readonly (readonly unknown[])[], call: SqlCall): Promise<SqlResult> {
    const own = this.client.getTransactionStatus() === "I";
    if (own) await this.begin();
    try {
      let count = 0;
      const keys: SqlRow[] = [];
      for (let from = 0; from < lists.length; from += batchSize) {
        const part = lists.slice(from, from + batchSize).map((values) => this.run({ text, values }, call));
        for (const settled of await Promise.allSettled(part)) {
          if (settled.status === "rejected") throw settled.reason;
          count += settled.value.count;
          keys.push(...(settled.value.keys ?? []));
        }
      }
      if (own) await this.commit();
      return { count, ...(call.keys !== undefined && { keys }) };
    } catch (error) {
      if (own) await this.rollback();
      throw error;
    }
  }

  async open(statement: SqlStatement, call: SqlCall, fetchSize: number): Promise<SqlRows> {
    const own = this.client.getTransactionStatus() === "I";
    this.#cursors += 1;
    const name = `bulkhead_${this.#cursors}`;
    if (own) await this.begin();
    const end = async (): Promise<boolean> => {
      await this.#command(own ? "commit" : `close ${name}`).catch(() => "");
      return this.client.getTransactionStatus() === (own ? "I" : "T");
    };
    const fetch = (): Promise<SqlResult> =>
      this.#ask({ text: `fetch forward ${fetchSize} from ${name}`, values: [] }, call);
    try {
      await this.#ask({ ...statement, text: `declare ${name} cursor for ${statement.text}` }, call);
      let ready: SqlResult | undefined = await fetch();
      const { columns = [] } = ready;
      return {
        columns,
        async next() {
          const result = ready ?? (await fetch());
          ready = undefined;
          return result.rows ?? [];
        },
        close: end,
      };
    } catch (error) {
      if (own) await this.rollback();
      throw error;
    }
  }

  async begin(): Promise<void> {
    await this.#command("begin");
  }

  async commit(): Promise<void> {
    const command = await this.#command("commit");
    if (command === "COMMIT") return;
    throw new FlowException(
      "org.springframework.transaction.UnexpectedRollbackException",
      "the transaction was rolled back, since one of its statements has failed",
    );
  }

  async rollback(): Promise<void> {
    // A connection that is gone has rolled back, too.
    await this.#command("rollback").catch(() => "");
  }

  async primaryKey(columns: readonly SqlColumn[], call: SqlCall): Promise<readonly string[] | undefined> {
    return await primaryKeyOf(columns as readonly PostgresColumn[], async (text, values) => {
      const { rows = [] } = await this.run({ text, values }, call);
      return rows;
    });
  }

  async #command(text: string): Promise<string> {
    const giveUp = after(commandMs, () => this.client.connection.stream.destroy());
    try {
      return (await this.client.query(text)).command;
    } catch (error) {
      throw failureOf(error);
    } finally {
      giveUp();
    }
  }

  /** One statement. In a transaction none is prepared: a name that the server does not know would end it. */
  async #ask(statement: SqlStatement, call: SqlCall): Promise<SqlResult> {
    const { text } = statement;
    const name = this.client.getTransactionStatus() === "I" ? this.#prepared.nameOf(text) : undefined;
    if (name !== undefined) {
      try {
        return await this.#send(statement, call, name);
      } catch (error) {
        const state = error instanceof FlowException ? String(error.details["SQLState"]) : "";
        if (!this.#prepared.failed(text, state)) throw error;
      }
    }
    const result = await this.#send(statement, call);
    if (result.rows === undefined) this.#prepared.used(text);
    return result;
  }

  /** Its rows are counted as they arrive. `name`: under which it is prepared. */
  #send({ text, values }: SqlStatement, { signal, maxBytes }: SqlCall, name?: string): Promise<SqlResult> {
    return new Promise((resolve, reject) => {
      signal.throwIfAborted();
      const rows = new RowCollector(maxBytes);
      let names: string[] | undefined;
      let giveUp = (): void => {};
      const cancel = (): void => {
        this.#cancel();
        giveUp = after(cancelMs, () => this.client.connection.stream.destroy());
      };
      const config = {
        ...(name !== undefined && { name }),
        text,
        values: values.map((value) => parameterOf(value, maxBytes)),
        types: typeParsers,
        rowMode: "array",
        // Parameters or not: one statement in a text.
        queryMode: "extended",
      };
      const query = new pg.Query<unknown[]>(config);
      const end = (): void => {
        giveUp();
        signal.removeEventListener("abort", cancel);
      };
      query.on("row", (values, result) => {
        names ??= (result as pg.ResultBuilder).fields.map(({ name }) => name);
        if (!rows.isFull && !rows.add(rowOf(names, values as unknown[]))) cancel();
      });
      query.on("error", (error) => {
        end();
        reject(rows.isFull ? rows.tooLarge() : signal.aborted ? signal.reason : failureOf(error));
      });
      query.on("end", (result) => {
        end();
        if (rows.isFull) reject(rows.tooLarge());
        else resolve(resultOf(result, rows.rows));
      });
      signal.addEventListener("abort", cancel, { once: true });
      this.client.query(query);
    });
  }
}

function resultOf({ fields, rowCount, command }: pg.QueryResultBase, rows: readonly SqlRow[]): SqlResult {
  if (fields.length === 0 && command !== "SELECT") return { count: rowCount ?? 0 };
  const columns = fields.map(({ name, tableID, columnID }): PostgresColumn => ({ name, tableID, columnID }));
  return { rows, columns, count: rowCount ?? rows.length };
}

export function failureOf(error: unknown): FlowException {
  if (error instanceof FlowException) return error;
  const { message, code, detail } = error as { message: string; code?: string; detail?: string };
  const state = code !== undefined && /^[0-9A-Z]{5}$/.test(code) ? code : undefined;
  const more = state === "42P18" ? "write a cast behind the parameter, such as :#name::text" : detail;
  return sqlFailure({ message: more === undefined ? message : `${message}: ${more}`, state, cause: error });
}
