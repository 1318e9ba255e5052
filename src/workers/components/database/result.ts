/** What a message gets of a statement's result, in the forms of Camel (DefaultSqlEndpoint, JdbcProducer). */
import type { SqlColumn, SqlRow, SqlRows } from "../../connectors/sql-client.ts";
import { FlowException } from "../../engine/exception.ts";
import type { Exchange } from "../../engine/exchange.ts";
import { StreamedList } from "../../engine/streamed-list.ts";

/** One row as a map, the value of its one column, or null without a row. Throws SQLDataException for several rows. */
export function onlyRow(rows: readonly SqlRow[], columns: readonly SqlColumn[]): unknown {
  const [row] = rows;
  if (rows.length > 1)
    throw new FlowException(
      "java.sql.SQLDataException",
      `the query yields ${rows.length} rows, and outputType=SelectOne takes one: limit the query, or read a list`,
    );
  if (row === undefined) return null;
  return columns.length === 1 ? row[columns[0]?.name as string] : row;
}

export interface Reading {
  readonly rows: SqlRows;
  /** The most rows that are read; 0: all. */
  readonly maxRows: number;
  /** Calls `use` when the client is free for it. */
  readonly turn: <T>(use: () => Promise<T>) => Promise<T>;
  /** Called once, when the rows are closed. `usable`: others can have the client. */
  readonly closed: (usable: boolean) => void;
}

/** A list that reads the rows as it is gone through. It is closed at its end, and when the exchange ends. */
export function streamed(exchange: Exchange, { rows, maxRows, turn, closed }: Reading): StreamedList {
  let open = true;
  let left = maxRows > 0 ? maxRows : Number.POSITIVE_INFINITY;
  const close = async (): Promise<void> => {
    if (!open) return;
    open = false;
    closed(await turn(() => rows.close()).catch(() => false));
  };
  exchange.onDone(close);
  return new StreamedList("the rows of a query", async () => {
    const part = open && left > 0 ? await turn(() => rows.next()) : [];
    const taken = part.slice(0, left);
    left -= taken.length;
    if (taken.length === 0) await close();
    return taken;
  });
}
