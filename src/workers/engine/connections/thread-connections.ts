/** The connections of a flow's thread: their settings as control has sent them, and a pool for each, and for each session of its endpoints. */
import type { ConnectionModel, ConnectionUse } from "../../../shared/connection.ts";
import { ownConnectionModel } from "../../../shared/connections/own-connection.ts";
import { ConnectionFigure, connectionFigure } from "../../../shared/figures.ts";
import type { Limits } from "../../../shared/limits.ts";
import type { ResourceData, ResourceKey } from "../../../shared/mapping.ts";
import type {
  Connection,
  ConnectionDriver,
  ConnectionSession,
  ConnectorDefinition,
  OwnConnection,
} from "./connection.ts";
import type { ConnectionPort } from "./connection-port.ts";
import { HeldByRuns } from "./held-by-runs.ts";
import { ConnectionPool } from "./pool.ts";
import type { InForce } from "./pooled-client.ts";

export interface ThreadConnectionsParts {
  readonly port: ConnectionPort;
  readonly limits: Limits;
  readonly connectors: ReadonlyMap<string, ConnectorDefinition>;
  readonly figures: Int32Array;
}

const utf8 = new TextDecoder();
/** The most sessions of a connection: messages can name endpoints, and so sessions. */
const mostSessions = 100;

/** The pools of one connection, by session, and what is counted in all of them. */
class SessionPools {
  readonly all = new Map<string, ConnectionPool<never>>();
  readonly #counts = new Map<string, readonly [idle: number, waiting: number]>();
  readonly #figures: Int32Array;
  readonly #first: number;

  constructor(figures: Int32Array, row: number) {
    this.#figures = figures;
    this.#first = connectionFigure(row);
  }

  count(session: string, idle: number, waiting: number): void {
    this.#counts.set(session, [idle, waiting]);
    const counts = [...this.#counts.values()];
    this.#figures[this.#first + ConnectionFigure.idle] = counts.reduce((sum, [one]) => sum + one, 0);
    this.#figures[this.#first + ConnectionFigure.waiting] = counts.reduce((sum, [, one]) => sum + one, 0);
  }
}

export class ThreadConnections {
  readonly #parts: ThreadConnectionsParts;
  readonly #held = new HeldByRuns();
  readonly #models = new Map<string, ConnectionModel>();
  readonly #pools = new Map<string, SessionPools>();

  constructor(parts: ThreadConnectionsParts) {
    this.#parts = parts;
  }

  /** The settings of all documents that the flow uses now. */
  get models(): Iterable<ConnectionModel> {
    return this.#models.values();
  }

  /**
   * Returns the pool of a connection that the flow declares. `row`: its index in the manifest. Throws NotLoaded as long as
   * the driver is not loaded.
   */
  pool(
    { id, name }: ConnectionUse,
    row: number,
    own: OwnConnection | undefined,
    session?: ConnectionSession,
  ): Connection<never> {
    const pools = this.#pools.get(id) ?? new SessionPools(this.#parts.figures, row);
    const key = session === undefined ? "" : JSON.stringify(session);
    const known = pools.all.get(key);
    if (known !== undefined) return known;
    if (pools.all.size >= mostSessions)
      throw new Error(
        `the endpoints of a flow have at most ${mostSessions} sessions at the connection '${name ?? id}'`,
      );
    const inForce = own === undefined ? this.#inForce(id) : this.#ofFlow(id, own);
    const { port, limits } = this.#parts;
    const count = (idle: number, waiting: number): void => pools.count(key, idle, waiting);
    const pool = new ConnectionPool<never>(
      name ?? inForce?.model.name ?? id,
      { id, port, limits, held: this.#held, count, ...(session !== undefined && { session }) },
      inForce,
    );
    this.#pools.set(id, pools);
    pools.all.set(key, pool);
    return pool;
  }

  /** Puts changed settings in force. Resolves when the drivers that they need are loaded. */
  async update(changed: readonly ResourceData[], gone: readonly ResourceKey[]): Promise<void> {
    for (const { id } of gone) this.#models.delete(id);
    for (const { id, data } of changed) this.#models.set(id, JSON.parse(utf8.decode(data)) as ConnectionModel);
    const ids = [...gone, ...changed].map(({ id }) => id).filter((id) => this.#pools.has(id));
    const kinds = new Set(ids.map((id) => this.#models.get(id)?.kind).filter((kind) => kind !== undefined));
    await Promise.all([...kinds].map((kind) => this.#parts.connectors.get(kind)?.driver.load()));
    for (const id of ids) for (const pool of this.#of(id)) pool.update(this.#inForce(id));
  }

  /** Notes whether threads elsewhere wait for places of the connection. */
  wanted(id: string, yes: boolean): void {
    for (const pool of this.#of(id)) pool.wanted(yes);
  }

  /** Resolves when the clients that nobody uses are closed. */
  async close(): Promise<void> {
    await Promise.all([...this.#pools.keys()].flatMap((id) => this.#of(id)).map((pool) => pool.close()));
  }

  #of(id: string): readonly ConnectionPool<never>[] {
    return [...(this.#pools.get(id)?.all.values() ?? [])];
  }

  #inForce(id: string): InForce<never> | undefined {
    const model = this.#models.get(id);
    return model && { model, driver: this.#driver(model.kind) };
  }

  #ofFlow(id: string, own: OwnConnection): InForce<never> {
    const { password, privateKey, passphrase } = own;
    const model = ownConnectionModel(id, own);
    const secrets = {
      ...(password !== undefined && { password }),
      ...(privateKey !== undefined && { privateKey }),
      ...(passphrase !== undefined && { passphrase }),
    };
    return { model, driver: this.#driver(own.kind), secrets };
  }

  #driver(kind: string): ConnectionDriver<never> {
    const connector = this.#parts.connectors.get(kind);
    if (connector === undefined) throw new Error(`there is no connector for the kind '${kind}'`);
    return connector.driver.module().driver;
  }
}
