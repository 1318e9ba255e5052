/**
 * Named connections, as components use them: clients that a flow's thread opens, lends to runs, and closes. Drivers open
 * the clients of a kind; everything else is the same for all kinds.
 */
import type {
  ConnectionModel,
  ConnectionProbe,
  ConnectionSettings,
  ConnectionTls,
} from "../../../shared/connection.ts";
import type { OptionValue } from "../../../shared/connections/kind.ts";
import type { Limits } from "../../../shared/limits.ts";
import type { Exchange } from "../exchange.ts";
import type { LateModule } from "../late-module.ts";
import type { Run } from "../run.ts";
import { endAs } from "../waiting.ts";
import type { DatabaseLine } from "./database-line.ts";

/**
 * What an endpoint opens its clients with, beside the connection's settings: what a protocol settles at the login, and what
 * belongs to the endpoint, such as the name of its session. Clients of one session are never lent for another.
 */
export type ConnectionSession = Readonly<Record<string, OptionValue>>;

/** What an endpoint needs a connection for. */
export interface ConnectionNeed {
  /** The kinds that the component can use. */
  readonly kinds: readonly string[];
  /** `#orders` or `orders`, as the flow writes it; absent: the default of these kinds. */
  readonly reference?: string | undefined;
  /** The option that names the connection, for messages. */
  readonly option?: string;
  /** Present: the endpoint names the server itself. `reference` is absent then. */
  readonly own?: OwnConnection | undefined;
  /** Absent: the clients can be lent to every endpoint without a session. */
  readonly session?: ConnectionSession;
}

/** A connection that the flow itself describes, with the values of its secrets. */
export interface OwnConnection {
  readonly kind: string;
  readonly servers: ConnectionModel["servers"];
  readonly database?: string | undefined;
  readonly username?: string | undefined;
  readonly password?: string | undefined;
  readonly privateKey?: string | undefined;
  readonly passphrase?: string | undefined;
  readonly tls?: ConnectionTls | undefined;
  /** Options of the kind; those that are absent have their defaults. */
  readonly options?: Readonly<Record<string, string | number | boolean>>;
  readonly maxConnections?: number;
}

/** Clients of one connection, which all endpoints of a flow share in its thread. */
export interface Connection<Client> {
  /** For messages. */
  readonly name: string;
  /** The kind that is in force; undefined when there is no such connection now, and in threads that only check flows. */
  readonly kind: string | undefined;
  /**
   * Lends an open client. `run`: the run that uses it; undefined: none does, as in a consumer that looks for messages.
   * Waits while all connections are in use. Rejects with the failure of the attempt to connect, with a FlowException
   * when there is no such connection, and with the reason of `signal`, by default the run's.
   */
  lend(run: Run<Exchange> | undefined, signal?: AbortSignal): Promise<Lease<Client>>;
  /**
   * Lends the thread's one open client that many runs use at the same time, for clients that keep requests apart. It takes one place, however
   * many use it. One that is lost, or has settings of before, stays with those who have it, and the next run gets a new one. Rejects as `lend`.
   */
  share(run: Run<Exchange> | undefined, signal?: AbortSignal): Promise<Lease<Client>>;
}

/** The connection has other settings than the client was opened with. */
export class ConnectionChanged extends Error {}

export interface Lease<Client> {
  readonly client: Client;
  /** The settings that the client was opened with. */
  readonly model: ConnectionModel;
  /**
   * Aborted when the client is lost, or when the connection has other settings: a source that keeps its client gives it
   * back then. The reason is the failure, or ConnectionChanged.
   */
  readonly ended: AbortSignal;
  /** The run uses the client from here on: one that asks for another client then is known to have this one. */
  belongsTo(run: Run<Exchange>): void;
  /** Gives the client back; only the first call counts. `broken`: nobody may use it any more, and it is closed. */
  release(broken?: boolean): void;
}

/**
 * Settles like `work`, which uses the client, or rejects as soon as the client is lost: what waits for its answer may never hear of that.
 * Other settings of the connection let it go on.
 */
export function unlessLost<T>({ ended }: Pick<Lease<unknown>, "ended">, work: Promise<T>): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const lost = (): void => {
      if (!(ended.reason instanceof ConnectionChanged)) reject(ended.reason);
    };
    if (ended.aborted) lost();
    ended.addEventListener("abort", lost, { once: true });
    const end = (): void => ended.removeEventListener("abort", lost);
    endAs(work, end, resolve, reject);
  });
}

/** Opens clients of one kind. */
export interface ConnectionDriver<Client> {
  /**
   * Opens one connection and logs in. Rejects with the exact cause, as a FlowException where Camel's users know its
   * class.
   */
  open(settings: ConnectionSettings, opening: Opening): Promise<Client>;
  /** Resolves when the connection is closed. */
  close(client: Client): Promise<void> | void;
  /** Asks the server for its version. */
  probe(client: Client): Promise<ConnectionProbe>;
}

export interface Opening {
  /** Aborted when connecting takes too long: the driver then closes what it has opened. */
  readonly signal: AbortSignal;
  readonly limits: Limits;
  /** To the database, if the connection is an embedded one. */
  readonly database: DatabaseLine;
  /** Of the endpoint that needs the client; without entries: of none. */
  readonly session: ConnectionSession;
  /** Must be called when the connection is lost after it was opened. */
  lost(error: unknown): void;
}

/** A kind of connections and its driver, which is loaded with the first flow of a thread that uses one. */
export interface ConnectorDefinition {
  readonly kind: string;
  readonly driver: LateModule<{ readonly driver: ConnectionDriver<never> }>;
}

export function defineConnector<Client>(
  kind: string,
  driver: LateModule<{ readonly driver: ConnectionDriver<Client> }>,
): ConnectorDefinition {
  // Clients of one kind only meet the driver that has opened them.
  return { kind, driver: driver as LateModule<unknown> as ConnectorDefinition["driver"] };
}
