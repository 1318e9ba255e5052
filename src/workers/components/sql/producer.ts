/** Sends a statement for each message (Camel: SqlProducer 4.22). */

import type { SqlCall, SqlClient, SqlResult } from "../../connectors/sql-client.ts";
import type { ProducerContext } from "../../engine/component.ts";
import { asText } from "../../engine/convert.ts";
import { FlowException } from "../../engine/exception.ts";
import type { Exchange } from "../../engine/exchange.ts";
import { textIn } from "../../engine/message-text.ts";
import type { Processor } from "../../engine/processor.ts";
import { type SqlConnection, type StatementTime, statementTime, withClient, withDeadline } from "../database/client.ts";
import { connectionOf } from "../database/connection.ts";
import { generatedKeys } from "../database/generated-keys.ts";
import { elementsOf } from "../database/parameters.ts";
import { onlyRow } from "../database/result.ts";
import { BroughtStatements, Statement } from "../database/statement.ts";
import { statementText } from "../database/statement-text.ts";
import { openStream } from "../database/stream.ts";
import { formOf } from "./form.ts";
import type { SqlOptions } from "./options.ts";

/** Throws an Error that names the fault of the endpoint, and ExpressionSyntaxError. */
export function sqlProducer(options: SqlOptions, context: ProducerContext): Processor {
  const endpoint = new SqlEndpoint(options, context);
  return (exchange) => endpoint.process(exchange);
}

class SqlEndpoint {
  readonly #options: SqlOptions;
  readonly #maxBytes: number;
  readonly #time: StatementTime;
  readonly #connection: SqlConnection;
  readonly #statement: Statement | undefined;
  readonly #brought: BroughtStatements;

  constructor(options: SqlOptions, context: ProducerContext) {
    const { limits } = context;
    const { useMessageBodyForSql, batch } = options;
    this.#options = options;
    this.#maxBytes = Math.min(limits.outboundResponseBytes, limits.messageBodyBytes);
    this.#time = statementTime("template.queryTimeout", options["template.queryTimeout"], limits);
    const form = formOf(options, context);
    this.#brought = new BroughtStatements(useMessageBodyForSql ? { ...form, placeholder: undefined } : form);
    this.#statement = useMessageBodyForSql ? undefined : new Statement(statementText(options.query, context), form);
    if (batch && options.outputType === "StreamList") throw new Error("a batch yields no rows: leave outputType out");
    this.#connection = connectionOf(options, context);
  }

  async process(exchange: Exchange): Promise<void> {
    const statement = this.#statementOf(exchange);
    if (this.#options.outputType === "StreamList") return await this.#stream(exchange, statement);
    const keys = generatedKeys(exchange, "CamelSqlRetrieveGeneratedKeys", "CamelSqlGeneratedColumns");
    const result = await withDeadline(exchange, this.#time, async (signal) => {
      const call: SqlCall = { signal, maxBytes: this.#maxBytes, ...(keys !== undefined && { keys }) };
      return await withClient(this.#connection, exchange, signal, (client) =>
        this.#options.batch
          ? this.#runBatch(exchange, statement, client, call)
          : this.#run(exchange, statement, client, call),
      );
    });
    this.#store(exchange, result);
    const { headers } = exchange.message;
    if (keys === undefined) return;
    headers.set("CamelSqlGeneratedKeyRows", result.keys ?? []);
    headers.set("CamelSqlGeneratedKeysRowCount", result.keys?.length ?? 0);
  }

  /** The header CamelSqlQuery comes before the endpoint's statement. */
  #statementOf(exchange: Exchange): Statement {
    const { message } = exchange;
    if (this.#statement === undefined) return this.#brought.of(textIn(exchange, message.body));
    const header = message.headers.get("CamelSqlQuery");
    return header === undefined || header === null ? this.#statement : this.#brought.of(asText(header));
  }

  #valueOf({ message }: Exchange): unknown {
    return this.#statement === undefined ? message.headers.get("CamelSqlParameters") : message.body;
  }

  async #run(exchange: Exchange, statement: Statement, client: SqlClient, call: SqlCall): Promise<SqlResult> {
    return await client.run(statement.bind({ exchange, value: this.#valueOf(exchange) }, client.dialect), call);
  }

  async #runBatch(exchange: Exchange, statement: Statement, client: SqlClient, call: SqlCall): Promise<SqlResult> {
    const parameters = statement.in(client.dialect);
    if (parameters.varies)
      throw new FlowException(
        "java.lang.IllegalArgumentException",
        "a batch has one statement for all elements, so it cannot have :#in: send the elements one by one with split",
      );
    const bound = elementsOf(this.#valueOf(exchange)).map((value) =>
      parameters.bind({ exchange, value }, client.dialect),
    );
    const [first] = bound;
    if (first === undefined) return { count: 0 };
    return await client.runBatch(
      first.text,
      bound.map(({ values }) => values),
      call,
    );
  }

  #store(exchange: Exchange, { rows, columns = [], count }: SqlResult): void {
    const { outputType, outputHeader, noop, batch } = this.#options;
    const { message } = exchange;
    if (rows === undefined || batch) {
      message.headers.set("CamelSqlUpdateCount", count);
      if (outputHeader !== undefined) message.headers.set(outputHeader, null);
      return;
    }
    const most = this.#options["template.maxRows"];
    const taken = most > 0 ? rows.slice(0, most) : rows;
    const data = outputType === "SelectOne" ? onlyRow(taken, columns) : taken;
    message.headers.set("CamelSqlRowCount", taken.length);
    if (outputHeader !== undefined) message.headers.set(outputHeader, data);
    else if (!noop) message.body = data;
  }

  async #stream(exchange: Exchange, statement: Statement): Promise<void> {
    const { outputHeader, noop, fetchSize } = this.#options;
    const list = await openStream(this.#connection, exchange, {
      statement: (dialect) => statement.bind({ exchange, value: this.#valueOf(exchange) }, dialect),
      fetchSize,
      maxRows: this.#options["template.maxRows"],
      maxBytes: this.#maxBytes,
    });
    if (outputHeader !== undefined) exchange.message.headers.set(outputHeader, list ?? null);
    else if (list !== undefined && !noop) exchange.message.body = list;
  }
}
