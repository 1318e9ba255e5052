/** The statements that mark rows when their runs have ended (Camel: DefaultSqlProcessingStrategy). */
import { blankExchange } from "../../engine/blank-exchange.ts";
import { FlowException, limitExceeded } from "../../engine/exception.ts";
import type { Exchange } from "../../engine/exchange.ts";
import type { RunTransaction } from "../../engine/run-transaction.ts";
import type { SourceContext } from "../../engine/source.ts";
import { within } from "../../engine/waiting.ts";
import { type SqlConnection, withClientOf } from "../database/client.ts";
import { Statement } from "../database/statement.ts";
import { statementText } from "../database/statement-text.ts";
import { formOf } from "./form.ts";
import type { SqlOptions } from "./options.ts";

export class Marks {
  readonly #context: SourceContext;
  readonly #connection: SqlConnection;
  readonly #expected: number;
  readonly #done: Statement | undefined;
  readonly #failed: Statement | undefined;
  readonly #complete: Statement | undefined;

  /** Throws an Error that names the fault of a statement, and ExpressionSyntaxError. */
  constructor(options: SqlOptions, context: SourceContext, connection: SqlConnection) {
    const form = formOf(options, context);
    const statement = (text: string | undefined): Statement | undefined =>
      text === undefined ? undefined : new Statement(statementText(text, context), form);
    this.#context = context;
    this.#connection = connection;
    this.#expected = options.expectedUpdateCount;
    this.#done = statement(options.onConsume);
    this.#failed = statement(options.onConsumeFailed);
    this.#complete = statement(options.onConsumeBatchComplete);
  }

  /** Resolves false without a statement. Rejects when the row could not be marked. `ended`: the row's exchange. */
  async done(row: unknown, ended: Exchange | undefined, transaction: RunTransaction | undefined): Promise<boolean> {
    if (this.#done === undefined) return false;
    const count = await this.#run(this.#done, row, ended, transaction);
    if (this.#expected < 0 || count === this.#expected) return true;
    throw new FlowException(
      "java.sql.SQLException",
      `onConsume has changed ${count} rows, and expectedUpdateCount is ${this.#expected}`,
    );
  }

  async failed(row: unknown, ended: Exchange | undefined): Promise<boolean> {
    if (this.#failed === undefined) return false;
    await this.#run(this.#failed, row, ended, undefined);
    return true;
  }

  /** All rows of a poll are done. */
  async complete(): Promise<void> {
    if (this.#complete !== undefined) await this.#run(this.#complete, null, undefined, undefined);
  }

  /** Resolves with the number of rows that have changed. */
  async #run(
    statement: Statement,
    row: unknown,
    ended: Exchange | undefined,
    transaction: RunTransaction | undefined,
  ): Promise<number> {
    const { limits } = this.#context;
    const ms = limits.outboundTotalMs;
    const late = (): Error => limitExceeded("outboundTotalMs", `a statement takes at most ${ms} ms`);
    const exchange = ended ?? blankExchange(limits);
    return await within(ms, undefined, late, (signal) =>
      withClientOf(this.#connection, { run: undefined, transaction, signal }, async (client) => {
        const call = { signal, maxBytes: limits.outboundResponseBytes };
        return (await client.run(statement.bind({ exchange, value: row }, client.dialect), call)).count;
      }),
    );
  }
}
