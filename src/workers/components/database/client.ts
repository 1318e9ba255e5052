/** Gives a message a client of its endpoint's connection: that of the run's transaction, or one of its own. */

import { howToRaise, type Limits } from "../../../shared/limits.ts";
import type { SqlClient } from "../../connectors/sql-client.ts";
import type { Connection, Lease } from "../../engine/connections/connection.ts";
import { FlowException } from "../../engine/exception.ts";
import type { Exchange } from "../../engine/exchange.ts";
import type { Run } from "../../engine/run.ts";
import type { RunTransaction, TransactedResource } from "../../engine/run-transaction.ts";

export type SqlConnection = Connection<SqlClient>;

/** The kinds of connections that statements can be sent to. */
export const sqlKinds = ["postgres", "mysql", "embedded"] as const;

/** A client with its transaction. */
class TransactedClient implements TransactedResource {
  readonly client: SqlClient;
  readonly #lease: Lease<SqlClient>;

  constructor(lease: Lease<SqlClient>) {
    this.client = lease.client;
    this.#lease = lease;
  }

  async commit(): Promise<void> {
    try {
      await this.client.commit();
    } finally {
      this.#lease.release();
    }
  }

  async rollback(): Promise<void> {
    await this.client.rollback();
    this.#lease.release();
  }
}

/** Calls `use` with a client, which nobody else uses meanwhile. `signal`: ends the wait for one. */
export async function withClient<T>(
  connection: SqlConnection,
  { run }: Exchange,
  signal: AbortSignal,
  use: (client: SqlClient) => Promise<T>,
): Promise<T> {
  return await withClientOf(connection, { run, transaction: run.transaction, signal }, use);
}

export interface ClientUse {
  /** undefined: no run uses the client. */
  readonly run: Run<Exchange> | undefined;
  readonly transaction: RunTransaction | undefined;
  readonly signal: AbortSignal;
}

/** As `withClient`, where the run may be over, or there is none. */
export async function withClientOf<T>(
  connection: SqlConnection,
  { run, transaction, signal }: ClientUse,
  use: (client: SqlClient) => Promise<T>,
): Promise<T> {
  if (transaction?.takes(connection) === true) {
    const { name } = connection;
    const begin = async (): Promise<TransactedClient> => {
      const lease = await connection.lend(run, signal);
      try {
        await lease.client.begin();
      } catch (error) {
        lease.release(true);
        throw error;
      }
      return new TransactedClient(lease);
    };
    return await transaction.with({ owner: connection, name, begin }, ({ client }) => use(client));
  }
  const lease = await lendIn(connection, { run, transaction, signal });
  try {
    return await use(lease.client);
  } finally {
    lease.release();
  }
}

/** A statement that waited for a connection until its time was over has not reached the server. */
async function lendIn(connection: SqlConnection, { run, signal }: ClientUse): Promise<Lease<SqlClient>> {
  try {
    return await connection.lend(run, signal);
  } catch (error) {
    if (!(error instanceof StatementLate)) throw error;
    throw new FlowException(
      "org.springframework.jdbc.CannotGetJdbcConnectionException",
      `all connections of '${connection.name}' were in use for ${error.ms} ms: raise its maxConnections, or let the flows that use it end their statements sooner`,
    );
  }
}

/** How long a statement of an endpoint may take. */
export interface StatementTime {
  readonly ms: number;
  /** The option that says it; undefined: the limit outboundTotalMs. */
  readonly option: string | undefined;
}

/** `seconds`: the value of the option; 0: the limit alone counts. */
export function statementTime(option: string, seconds: number, { outboundTotalMs }: Limits): StatementTime {
  const ms = seconds * 1000;
  return seconds > 0 && ms < outboundTotalMs ? { ms, option } : { ms: outboundTotalMs, option: undefined };
}

class StatementLate extends FlowException {
  readonly ms: number;

  constructor({ ms, option }: StatementTime) {
    const bound = `a statement takes at most ${ms} ms`;
    if (option === undefined) super("LimitExceededException", `${bound}: ${howToRaise("outboundTotalMs")}`);
    else
      super(
        "java.sql.SQLTimeoutException",
        `${bound} (${option} of the endpoint): raise it, or make the statement faster`,
      );
    this.ms = ms;
  }
}

/** Calls `work` with a signal that is aborted when the run must end, and when the statement's time is over. */
export async function withDeadline<T>(
  { run }: Exchange,
  time: StatementTime,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const over = new AbortController();
  const timer = setTimeout(() => over.abort(new StatementLate(time)), time.ms);
  try {
    return await work(AbortSignal.any([run.signal, over.signal]));
  } finally {
    clearTimeout(timer);
  }
}
