/** Gives a message a client of its endpoint's connection: that of the run's transaction, or one of its own. */

import { howToRaise, type Limits } from "../../../shared/limits.ts";
import type { SqlClient } from "../../connectors/sql-client.ts";
import { type Connection, type Lease, unlessLost } from "../../engine/connections/connection.ts";
import { FlowException } from "../../engine/exception.ts";
import type { Exchange } from "../../engine/exchange.ts";
import type { Run } from "../../engine/run.ts";
import type { RunTransaction, TransactedResource } from "../../engine/run-transaction.ts";
import { after, endAs, within } from "../../engine/waiting.ts";

export type SqlConnection = Connection<SqlClient>;

/** The kinds of connections that statements can be sent to. */
export const sqlKinds = ["postgres", "mysql", "embedded"] as const;

/** A client with its transaction. */
class TransactedClient implements TransactedResource {
  readonly client: SqlClient;
  readonly #lease: Lease<SqlClient>;
  readonly #run: Run<Exchange> | undefined;
  #isStuck = false;

  /** `run`: the run that the transaction belongs to; undefined: it belongs to a consumer. */
  constructor(lease: Lease<SqlClient>, run: Run<Exchange> | undefined) {
    this.client = lease.client;
    this.#lease = lease;
    this.#run = run;
  }

  /** Calls `use` with the client. One that does not answer any more belongs to nobody when the transaction has ended. */
  async use<T>(signal: AbortSignal, use: (client: SqlClient) => Promise<T>): Promise<T> {
    return await unlessStuck(this.#lease, use(this.client), signal, () => {
      this.#isStuck = true;
    });
  }

  async commit(): Promise<void> {
    try {
      await this.#end((client) => client.commit());
    } finally {
      this.#lease.release(this.#isStuck);
    }
  }

  async rollback(): Promise<void> {
    // A connection that is gone has rolled back.
    if (!this.#isStuck) await this.#end((client) => client.rollback()).catch(() => {});
    this.#lease.release(this.#isStuck);
  }

  #end(work: (client: SqlClient) => Promise<void>): Promise<void> {
    const whole = this.#run?.signal ?? new AbortController().signal;
    return within(endMs, whole, unconfirmed, (signal) => this.use(signal, work));
  }
}

function unconfirmed(): FlowException {
  return new FlowException(
    "org.springframework.transaction.TransactionSystemException",
    `the server has not confirmed the end of the transaction within ${endMs} ms: whether it was committed is not known`,
  );
}

/** How long a transaction may take to end. */
const endMs = 10_000;
/**
 * How long a statement that is cancelled may take to end: less than control leaves a run, so that a server that does not answer any more
 * costs a connection and no thread.
 */
const graceMs = 1000;

/**
 * Settles like `work`, which uses the client. Rejects when the client is lost, and, after calling `stuck`, when `work` has not settled some
 * time after the signal was aborted: then nobody may use the client any more.
 */
function unlessStuck<T>(
  { ended }: Lease<SqlClient>,
  work: Promise<T>,
  signal: AbortSignal,
  stuck: () => void,
): Promise<T> {
  return new Promise((resolve, reject) => {
    let giveUp = (): void => {};
    const wait = (): void => {
      giveUp = after(graceMs, () => {
        stuck();
        reject(signal.reason);
      });
    };
    if (signal.aborted) wait();
    else signal.addEventListener("abort", wait, { once: true });
    // A connection that is lost by the cancel says less than what the cancel was for.
    const fail = (error: unknown): void => reject(signal.aborted && ended.aborted ? signal.reason : error);
    const end = (): void => {
      giveUp();
      signal.removeEventListener("abort", wait);
    };
    endAs(unlessLost({ ended }, work), end, resolve, fail);
  });
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
      const transacted = new TransactedClient(lease, run);
      try {
        await transacted.use(signal, (client) => client.begin());
      } catch (error) {
        lease.release(true);
        throw error;
      }
      return transacted;
    };
    return await transaction.with({ owner: connection, name, begin }, (transacted) => transacted.use(signal, use));
  }
  const lease = await lendIn(connection, { run, transaction, signal });
  let isStuck = false;
  try {
    return await unlessStuck(lease, use(lease.client), signal, () => {
      isStuck = true;
    });
  } finally {
    lease.release(isStuck);
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

/** Waits for a server, one after the other: each may take as long as a statement. */
export class StatementWaits {
  /** Aborted when the run must end, and when a wait takes too long. */
  readonly signal: AbortSignal;
  readonly #time: StatementTime;
  readonly #over = new AbortController();

  constructor({ run }: Exchange, time: StatementTime) {
    this.#time = time;
    this.signal = AbortSignal.any([run.signal, this.#over.signal]);
  }

  async each<T>(work: () => Promise<T>): Promise<T> {
    const cancel = after(this.#time.ms, () => this.#over.abort(new StatementLate(this.#time)));
    try {
      return await work();
    } finally {
      cancel();
    }
  }
}

/** Calls `work` with a signal that is aborted when the run must end, and when the statement's time is over. */
export async function withDeadline<T>(
  { run }: Exchange,
  time: StatementTime,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  return await within(time.ms, run.signal, () => new StatementLate(time), work);
}
