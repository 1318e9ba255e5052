/** Sends the statement that is a message's body (Camel: JdbcProducer 4.22). */

import type { SqlCall, SqlResult } from "../../connectors/sql-client.ts";
import type { ProducerContext } from "../../engine/component.ts";
import { asValue, isPlainObject } from "../../engine/convert.ts";
import type { Exchange } from "../../engine/exchange.ts";
import { textIn } from "../../engine/message-text.ts";
import type { Processor } from "../../engine/processor.ts";
import { RunTransaction } from "../../engine/run-transaction.ts";
import { type SqlConnection, type StatementTime, statementTime, withClient, withDeadline } from "../database/client.ts";
import { connectionOf } from "../database/connection.ts";
import { generatedKeys } from "../database/generated-keys.ts";
import { onlyRow } from "../database/result.ts";
import { BroughtStatements, type Statement } from "../database/statement.ts";
import { openStream } from "../database/stream.ts";
import type { JdbcOptions } from "./options.ts";

/** Throws an Error that names the fault of the endpoint. */
export function jdbcProducer(options: JdbcOptions, context: ProducerContext): Processor {
  const endpoint = new JdbcEndpoint(options, context);
  return (exchange) => endpoint.process(exchange);
}

class JdbcEndpoint {
  readonly #options: JdbcOptions;
  readonly #maxBytes: number;
  readonly #time: StatementTime;
  readonly #maxRows: number;
  readonly #connection: SqlConnection;
  readonly #statements: BroughtStatements;

  constructor(options: JdbcOptions, context: ProducerContext) {
    const { limits } = context;
    this.#options = options;
    this.#maxBytes = Math.min(limits.outboundResponseBytes, limits.messageBodyBytes);
    this.#time = statementTime("statement.queryTimeout", options["statement.queryTimeout"], limits);
    const bounds = [options.readSize, options["statement.maxRows"]].filter((rows) => rows > 0);
    this.#maxRows = bounds.length > 0 ? Math.min(...bounds) : 0;
    this.#statements = new BroughtStatements({
      placeholder: undefined,
      names: options.allowNamedParameters,
      ...(!options.useHeadersAsParameters && { marks: false }),
      separator: ",",
      simple: (text) => context.expression("simple", text),
    });
    const { dataSourceName } = options;
    const isDefault = dataSourceName === "default" || dataSourceName === "dataSource";
    this.#connection = connectionOf(
      { dataSource: isDefault ? undefined : dataSourceName, tls: false },
      context,
      "dataSourceName",
    );
  }

  async process(exchange: Exchange): Promise<void> {
    this.#transact(exchange);
    const { message } = exchange;
    const statement = this.#statements.of(textIn(exchange, message.body));
    if (this.#options.outputType === "StreamList") return await this.#stream(exchange, statement);
    const keys = generatedKeys(exchange, "CamelRetrieveGeneratedKeys", "CamelGeneratedColumns");
    const result = await withDeadline(exchange, this.#time, async (signal) => {
      const call: SqlCall = { signal, maxBytes: this.#maxBytes, ...(keys !== undefined && { keys }) };
      return await withClient(this.#connection, exchange, signal, (client) =>
        client.run(statement.bind({ exchange, value: valuesOf(exchange) }, client.dialect), call),
      );
    });
    this.#store(exchange, result);
    if (keys === undefined) return;
    message.headers.set("CamelGeneratedKeysRows", result.keys ?? []);
    message.headers.set("CamelGeneratedKeysRowCount", result.keys?.length ?? 0);
  }

  #transact(exchange: Exchange): void {
    const { run } = exchange;
    if (!this.#options.transacted || run.transaction !== undefined) return;
    const transaction = new RunTransaction();
    run.transaction = transaction;
    exchange.onDone((failed) => {
      run.transaction = undefined;
      return transaction.end(!failed && !exchange.rollback);
    });
  }

  /** An update leaves the body as it is. */
  #store({ message }: Exchange, { rows, columns = [], count }: SqlResult): void {
    if (rows === undefined) {
      message.headers.set("CamelJdbcUpdateCount", count);
      return;
    }
    const taken = this.#maxRows > 0 ? rows.slice(0, this.#maxRows) : rows;
    if (this.#options.outputType === "SelectOne") {
      message.body = onlyRow(taken, columns);
      return;
    }
    message.headers.set("CamelJdbcRowCount", taken.length);
    message.headers.set(
      "CamelJdbcColumnNames",
      columns.map(({ name }) => name),
    );
    message.body = taken;
  }

  async #stream(exchange: Exchange, statement: Statement): Promise<void> {
    const list = await openStream(this.#connection, exchange, {
      statement: (dialect) => statement.bind({ exchange, value: valuesOf(exchange) }, dialect),
      fetchSize: this.#options["statement.fetchSize"],
      maxRows: this.#maxRows,
      maxBytes: this.#maxBytes,
    });
    if (list !== undefined) exchange.message.body = list;
  }
}

/** The map in CamelJdbcParameters comes before headers; a list there has the values of `?`. */
function valuesOf({ message: { headers } }: Exchange): unknown {
  const given = asValue(headers.get("CamelJdbcParameters"));
  return isPlainObject(given) || given instanceof Map || Array.isArray(given) ? given : null;
}
