/** Opens a query whose rows are read while a message is on its way. */
import type { SqlClient, SqlDialect, SqlRows, SqlStatement } from "../../connectors/sql-client.ts";
import { unlessLost } from "../../engine/connections/connection.ts";
import { FlowException } from "../../engine/exception.ts";
import type { Exchange } from "../../engine/exchange.ts";
import type { StreamedList } from "../../engine/streamed-list.ts";
import { type SqlConnection, StatementWaits, statementTime, withClient } from "./client.ts";
import { streamed } from "./result.ts";

export interface StreamCall {
  readonly statement: (dialect: SqlDialect) => SqlStatement;
  readonly fetchSize: number;
  readonly maxRows: number;
  readonly maxBytes: number;
}

/** Statements that a cursor can be opened for. */
const query = /^\s*(?:select|with|values|table|show|explain|\()/i;

/**
 * Resolves with the rows, undefined for a statement that yields none. The client belongs to the message until the rows are
 * closed. Each wait for rows may take as long as a statement.
 */
export async function openStream(
  connection: SqlConnection,
  exchange: Exchange,
  call: StreamCall,
): Promise<StreamedList | undefined> {
  const { run } = exchange;
  const waits = new StatementWaits(exchange, statementTime("", 0, run.limits));
  const { signal } = waits;
  if (run.transaction !== undefined) {
    const turn = <T>(use: (client: SqlClient) => Promise<T>): Promise<T> =>
      waits.each(() => withClient(connection, exchange, signal, use));
    const opened = await turn((client) => {
      if (client.interleaves) return open(client, call, signal);
      throw new FlowException(
        "java.lang.UnsupportedOperationException",
        "this database reads rows to their end before it runs another statement of the transaction: write outputType=SelectList, or read the rows before transacted",
      );
    });
    if (opened === undefined) return undefined;
    return streamed(exchange, { ...call, rows: opened, turn: (use) => turn(use), closed: () => {} });
  }
  const lease = await connection.lend(run, signal);
  try {
    const rows = await waits.each(() => unlessLost(lease, open(lease.client, call, signal)));
    if (rows !== undefined) {
      const closed = (usable: boolean): void => lease.release(!usable);
      return streamed(exchange, { ...call, rows, turn: (use) => waits.each(() => unlessLost(lease, use())), closed });
    }
  } catch (error) {
    lease.release();
    throw error;
  }
  lease.release();
  return undefined;
}

async function open(
  client: SqlClient,
  { statement, maxBytes, fetchSize, maxRows }: StreamCall,
  signal: AbortSignal,
): Promise<SqlRows | undefined> {
  const bound = statement(client.dialect);
  const call = { signal, maxBytes };
  const size = maxRows > 0 ? Math.min(fetchSize, maxRows) : fetchSize;
  if (query.test(bound.text)) return await client.open(bound, call, size);
  const { rows, columns = [] } = await client.run(bound, call);
  if (rows === undefined) return undefined;
  let left = rows;
  return {
    columns,
    async next() {
      const part = left;
      left = [];
      return part;
    },
    close: async () => true,
  };
}
