/** Reads the rows of a poll: as many as fit into a page, so that a large backlog is never in memory as a whole. */
import { createHash } from "node:crypto";
import type { SqlCall, SqlClient, SqlColumn, SqlRow } from "../../connectors/sql-client.ts";
import { blankExchange } from "../../engine/blank-exchange.ts";
import { limitExceeded } from "../../engine/exception.ts";
import type { SourceContext } from "../../engine/source.ts";
import { within } from "../../engine/waiting.ts";
import { weightOf } from "../../engine/weight.ts";
import { writeJson } from "../../engine/write-json.ts";
import { type SqlConnection, withClientOf } from "../database/client.ts";
import { connectionOf } from "../database/connection.ts";
import { onlyRow } from "../database/result.ts";
import { Statement } from "../database/statement.ts";
import { statementText } from "../database/statement-text.ts";
import { formOf } from "./form.ts";
import type { SqlOptions } from "./options.ts";

/** Rows and bytes of a page; the rows that come again are added. */
const pageRows = 1000;
const pageBytes = 1024 * 1024;

export interface Rows {
  /** The bodies of the messages. */
  readonly messages: readonly unknown[];
  /** true: the query has further rows. */
  readonly isPart: boolean;
  /** Returns the key by which a message is known again. */
  readonly key: (body: unknown) => string;
}

export class PolledRows {
  readonly connection: SqlConnection;
  readonly #options: SqlOptions;
  readonly #context: SourceContext;
  readonly #statement: Statement;
  readonly #maxBytes: number;
  /** The columns that identify a row, from the first rows on. */
  #keyColumns: readonly string[] | undefined;

  /** Throws an Error that names the fault of the endpoint, and ExpressionSyntaxError. */
  constructor(options: SqlOptions, context: SourceContext) {
    const { outputType, useIterator, deliveryKey, maxMessagesPerPoll } = options;
    if (outputType === "StreamList" && !useIterator)
      throw new Error("outputType=StreamList makes a message of each row: leave useIterator out, or write SelectList");
    if (maxMessagesPerPoll < 0) throw new Error("maxMessagesPerPoll is the number of rows, 0 for all");
    this.#options = options;
    this.#context = context;
    this.#statement = new Statement(statementText(options.query, context), formOf(options, context));
    this.#maxBytes = Math.min(context.limits.outboundResponseBytes, context.limits.messageBodyBytes);
    this.connection = connectionOf(options, context);
    if (deliveryKey === undefined) return;
    this.#keyColumns = deliveryKey.split(",").map((name) => name.trim());
    if (this.#keyColumns.includes(""))
      throw new Error("deliveryKey has the names of columns, with commas between them");
  }

  /** Rejects when the database cannot be reached now, so that the rows of a page do not fail one after another. */
  async reach(): Promise<void> {
    const lease = await this.connection.lend(undefined, AbortSignal.timeout(this.#context.limits.outboundConnectMs));
    lease.release();
  }

  /** `again`: how many rows come again, and stand before others. */
  async read(again: number): Promise<Rows> {
    const ms = this.#context.limits.outboundTotalMs;
    const late = (): Error => limitExceeded("outboundTotalMs", `a poll takes at most ${ms} ms`);
    return await within(ms, undefined, late, (signal) =>
      withClientOf(this.connection, { run: undefined, transaction: undefined, signal }, (client) =>
        this.#page(client, { signal, maxBytes: this.#maxBytes }, again),
      ),
    );
  }

  async #page(client: SqlClient, call: SqlCall, again: number): Promise<Rows> {
    const { outputType, useIterator, routeEmptyResultSet, fetchSize } = this.#options;
    const exchange = blankExchange(this.#context.limits);
    const statement = this.#statement.bind({ exchange, value: null }, client.dialect);
    const opened = await client.open(statement, call, fetchSize);
    const rows: SqlRow[] = [];
    let isPart = false;
    try {
      const most = this.#most(again);
      let bytes = 0;
      read: for (let part = await opened.next(); part.length > 0; part = await opened.next()) {
        for (const row of part) {
          if (rows.length >= most.rows || (bytes >= most.bytes && rows.length > 0)) {
            isPart = true;
            break read;
          }
          bytes += weightOf(row, this.#maxBytes);
          rows.push(row);
        }
      }
      if (isPart && most.isAll)
        throw limitExceeded(
          "outboundResponseBytes",
          `the rows of a poll have at most ${this.#maxBytes} bytes unless onConsume marks them: write onConsume or maxMessagesPerPoll`,
        );
    } finally {
      await opened.close();
    }
    const { columns } = opened;
    if (rows.length > 0) this.#keyColumns ??= await this.#primaryKey(client, columns, call);
    const isList = outputType === "SelectOne" || !useIterator;
    const list = outputType === "SelectOne" ? (rows.length > 0 ? [onlyRow(rows, columns)] : []) : [rows];
    const messages = isList ? (rows.length > 0 || routeEmptyResultSet ? list : []) : rows;
    return {
      messages,
      isPart: isPart && this.#options.maxMessagesPerPoll === 0,
      key: (body) => this.#keyOf(isList ? rows : [body as SqlRow]),
    };
  }

  #most(again: number): { readonly rows: number; readonly bytes: number; readonly isAll: boolean } {
    const { maxMessagesPerPoll, useIterator, outputType, onConsume } = this.#options;
    if (maxMessagesPerPoll > 0 && useIterator) return { rows: maxMessagesPerPoll, bytes: this.#maxBytes, isAll: false };
    const isAll = outputType === "SelectOne" || !useIterator || onConsume === undefined;
    if (isAll) return { rows: Number.POSITIVE_INFINITY, bytes: this.#maxBytes, isAll };
    return { rows: pageRows + again, bytes: pageBytes * (1 + again / pageRows), isAll };
  }

  async #primaryKey(client: SqlClient, columns: readonly SqlColumn[], call: SqlCall): Promise<readonly string[]> {
    const key = await client.primaryKey(columns, call);
    if (key !== undefined) return key;
    throw new Error(
      "the rows of the query have no primary key among their columns, by which one is known again: write deliveryKey with the columns that identify a row",
    );
  }

  #keyOf(rows: readonly SqlRow[]): string {
    const columns = this.#keyColumns ?? [];
    const values = rows.map((row) => columns.map((name) => row[name] ?? null));
    const text = writeJson(values.length === 1 ? values[0] : values, this.#maxBytes);
    return text.length <= 200 ? text : createHash("sha256").update(text).digest("base64url");
  }
}
