/** A connection to MySQL or MariaDB. */
import type { Readable } from "node:stream";
import type mysql from "mysql2";
import { FlowException } from "../../engine/exception.ts";
import { after } from "../../engine/waiting.ts";
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
import { wholeValue } from "../sql-values.ts";
import { failureOf } from "./failure.ts";
import { type MysqlColumn, primaryKeyOf } from "./primary-key.ts";
import { isReadable } from "./readable.ts";
import { parameterOf } from "./values.ts";

const dialect: SqlDialect = { name: "mysql", placeholder: () => "?", backslashes: true, dollarQuotes: false };

/** How long the server may take to end a cancelled statement; then the connection is given up. */
const cancelMs = 800;
/** How long the begin and the end of a transaction may take; then the connection is given up. */
const commandMs = 10_000;
/** The server cannot prepare this statement; it is sent as text then. */
const notPreparable = 1295;

/** A statement that runs; the library's types have no events of it. */
interface Command {
  on(event: "fields", listener: (fields: readonly MysqlColumn[] | undefined) => void): void;
  on(event: "result", listener: (result: unknown) => void): void;
  on(event: "error", listener: (error: Error) => void): void;
  on(event: "end", listener: () => void): void;
  stream(options: { readonly highWaterMark: number }): Readable;
}

interface Header {
  readonly affectedRows: number;
  readonly insertId: number | string;
}

/** One of the results of a statement, as it arrives. */
interface Arriving {
  readonly columns: readonly MysqlColumn[] | undefined;
  readonly rows: RowCollector;
  header: Header | undefined;
}

export class MysqlClient implements SqlClient {
  readonly dialect = dialect;
  readonly interleaves = false;
  readonly connection: mysql.Connection;
  readonly #cancel: () => void;
  #inTransaction = false;

  /** `cancel`: asks the server to end the statement that runs. */
  constructor(connection: mysql.Connection, cancel: () => void) {
    this.connection = connection;
    this.#cancel = cancel;
  }

  async run(statement: SqlStatement, call: SqlCall): Promise<SqlResult> {
    try {
      return await this.#ask("execute", statement, call);
    } catch (error) {
      const { errorCode } = error instanceof FlowException ? error.details : {};
      if (errorCode !== notPreparable || statement.values.length > 0) throw error;
      return await this.#ask("query", statement, call);
    }
  }

  async runBatch(text: string, lists: readonly (readonly unknown[])[], call: SqlCall): Promise<SqlResult> {
    const own = !this.#inTransaction;
    if (own) await this.begin();
    try {
      let count = 0;
      const keys: SqlRow[] = [];
      for (const values of lists) {
        const result = await this.run({ text, values }, call);
        count += result.count;
        keys.push(...(result.keys ?? []));
      }
      if (own) await this.commit();
      return { count, ...(call.keys !== undefined && { keys }) };
    } catch (error) {
      if (own) await this.rollback();
      throw error;
    }
  }

  async open(statement: SqlStatement, call: SqlCall, fetchSize: number): Promise<SqlRows> {
    const command = this.#command("execute", statement, call.maxBytes);
    const rows = command.stream({ highWaterMark: fetchSize });
    const { signal } = call;
    let columns: readonly MysqlColumn[] = [];
    let ended = false;
    const over = new Promise<void>((resolve) => {
      const end = (): void => {
        ended = true;
        resolve();
      };
      command.on("end", end);
      // The stream reports it, as long as there is one.
      command.on("error", end);
    });
    const cancel = (): void => {
      this.#cancel();
      rows.destroy(signal.reason as Error);
    };
    const lost = (error?: Error): void => void rows.destroy(error ?? new Error("the server has closed the connection"));
    signal.addEventListener("abort", cancel, { once: true });
    this.connection.on("error", lost).on("end", lost);
    const names: string[] = [];
    command.on("fields", (fields) => {
      columns = fields ?? [];
      names.push(...columns.map(({ name }) => name));
    });
    const next = async (): Promise<readonly SqlRow[]> => {
      try {
        if (!(await isReadable(rows))) return [];
      } catch (error) {
        throw signal.aborted ? signal.reason : failureOf(error);
      }
      const part: SqlRow[] = [];
      for (let values = rows.read(); values !== null; values = part.length < fetchSize ? rows.read() : null)
        part.push(rowOf(names, values as unknown[]));
      return part;
    };
    let ready: readonly SqlRow[] | undefined = await next();
    return {
      columns,
      async next() {
        const part = ready ?? (await next());
        ready = undefined;
        return part;
      },
      close: async () => {
        signal.removeEventListener("abort", cancel);
        this.connection.off("error", lost).off("end", lost);
        if (ended) return true;
        this.#cancel();
        rows.destroy();
        let stop = (): void => {};
        await Promise.race([over, new Promise<void>((resolve) => (stop = after(cancelMs, resolve)))]);
        stop();
        return ended;
      },
    };
  }

  async begin(): Promise<void> {
    await this.#simple("start transaction");
    this.#inTransaction = true;
  }

  async commit(): Promise<void> {
    this.#inTransaction = false;
    await this.#simple("commit");
  }

  async rollback(): Promise<void> {
    this.#inTransaction = false;
    // A connection that is gone has rolled back, too.
    await this.#simple("rollback").catch(() => {});
  }

  async primaryKey(columns: readonly SqlColumn[], call: SqlCall): Promise<readonly string[] | undefined> {
    return await primaryKeyOf(columns as readonly MysqlColumn[], async (text, values) => {
      const { rows = [] } = await this.run({ text, values }, call);
      return rows;
    });
  }

  #simple(text: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const giveUp = after(commandMs, () => {
        this.connection.destroy();
        reject(failureOf(new Error("the server does not answer")));
      });
      this.connection.query(text, (error) => {
        giveUp();
        if (error === null) resolve();
        else reject(failureOf(error));
      });
    });
  }

  #command(how: "execute" | "query", { text, values }: SqlStatement, maxBytes: number): Command {
    const options = { sql: text, values: values.map((value) => parameterOf(value, maxBytes)) };
    return (how === "execute"
      ? this.connection.execute(options)
      : this.connection.query(options)) as unknown as Command;
  }

  #ask(how: "execute" | "query", statement: SqlStatement, call: SqlCall): Promise<SqlResult> {
    const { signal, maxBytes } = call;
    return new Promise((resolve, reject) => {
      signal.throwIfAborted();
      const results: Arriving[] = [];
      let giveUp = (): void => {};
      let tooLarge: Error | undefined;
      let isOver = false;
      /** The first call counts. `error` undefined: the statement has ended well. */
      const end = (error: Error | undefined): void => {
        if (isOver) return;
        isOver = true;
        giveUp();
        signal.removeEventListener("abort", cancel);
        this.connection.off("error", end).off("end", closed);
        const [first, ...more] = results.map((result) => resultOf(result, statement.text, call.keys));
        if (tooLarge !== undefined) reject(tooLarge);
        else if (error === undefined) resolve({ count: 0, ...first, ...(more.length > 0 && { more }) });
        else reject(signal.aborted ? signal.reason : failureOf(error));
      };
      const closed = (): void => end(new Error("the server has closed the connection"));
      const cancel = (): void => {
        this.#cancel();
        giveUp = after(cancelMs, () => {
          this.connection.destroy();
          closed();
        });
      };
      // A connection that is closed reports that itself, and not its statements.
      this.connection.on("error", end).on("end", closed);
      let command: Command;
      try {
        command = this.#command(how, statement, maxBytes);
      } catch (error) {
        end(error as Error);
        return;
      }
      command.on("fields", (columns) => results.push({ columns, rows: new RowCollector(maxBytes), header: undefined }));
      command.on("result", (result) => {
        const last = results.at(-1);
        if (last?.columns === undefined) {
          if (last !== undefined) last.header = result as Header;
        } else if (
          !last.rows.isFull &&
          !last.rows.add(
            rowOf(
              last.columns.map(({ name }) => name),
              result as unknown[],
            ),
          )
        ) {
          tooLarge = last.rows.tooLarge();
          cancel();
        }
      });
      command.on("error", end);
      command.on("end", () => end(undefined));
      signal.addEventListener("abort", cancel, { once: true });
    });
  }
}

function resultOf({ columns, rows, header }: Arriving, text: string, keys: SqlCall["keys"]): SqlResult {
  if (columns !== undefined) return { columns, rows: rows.rows, count: rows.rows.length };
  const count = header?.affectedRows ?? 0;
  return { count, ...(keys !== undefined && { keys: keysOf(header, text, keys) }) };
}

/** The server gives the first of the keys; the others follow it. */
function keysOf(header: Header | undefined, text: string, keys: true | readonly string[]): readonly SqlRow[] {
  const first = BigInt(header?.insertId ?? 0);
  if (header === undefined || first === 0n) return [];
  const name = keys === true ? "GENERATED_KEY" : (keys[0] ?? "GENERATED_KEY");
  const inserted = /\bon\s+duplicate\s+key\b/i.test(text) ? 1 : header.affectedRows;
  return Array.from({ length: inserted }, (_, index) => ({ [name]: wholeValue(String(first + BigInt(index))) }));
}
