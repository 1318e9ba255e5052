/** The connections of a flow's thread: their settings as control has sent them, and a pool for each. */
import type { ConnectionModel, ConnectionUse } from "../../../shared/connection.ts";
import { ownConnectionModel } from "../../../shared/connections/own-connection.ts";
import { ConnectionFigure, connectionFigure } from "../../../shared/figures.ts";
import type { Limits } from "../../../shared/limits.ts";
import type { ResourceData, ResourceKey } from "../../../shared/mapping.ts";
import type { Connection, ConnectionDriver, ConnectorDefinition, OwnConnection } from "./connection.ts";
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

export class ThreadConnections {
  readonly #parts: ThreadConnectionsParts;
  readonly #held = new HeldByRuns();
  readonly #models = new Map<string, ConnectionModel>();
  readonly #pools = new Map<string, ConnectionPool<never>>();

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
  pool({ id, name }: ConnectionUse, row: number, own: OwnConnection | undefined): Connection<never> {
    const known = this.#pools.get(id);
    if (known !== undefined) return known;
    const inForce = own === undefined ? this.#inForce(id) : this.#ofFlow(id, own);
    const { port, limits, figures } = this.#parts;
    const first = connectionFigure(row);
    const count = (idle: number, waiting: number): void => {
      figures[first + ConnectionFigure.idle] = idle;
      figures[first + ConnectionFigure.waiting] = waiting;
    };
    const pool = new ConnectionPool<never>(
      name ?? inForce?.model.name ?? id,
      { id, port, limits, held: this.#held, count },
      inForce,
    );
    this.#pools.set(id, pool);
    return pool;
  }

  /** Puts changed settings in force. Resolves when the drivers that they need are loaded. */
  async update(changed: readonly ResourceData[], gone: readonly ResourceKey[]): Promise<void> {
    for (const { id } of gone) this.#models.delete(id);
    for (const { id, data } of changed) this.#models.set(id, JSON.parse(utf8.decode(data)) as ConnectionModel);
    const ids = [...gone, ...changed].map(({ id }) => id).filter((id) => this.#pools.has(id));
    const kinds = new Set(ids.map((id) => this.#models.get(id)?.kind).filter((kind) => kind !== undefined));
    await Promise.all([...kinds].map((kind) => this.#parts.connectors.get(kind)?.driver.load()));
    for (const id of ids) this.#pools.get(id)?.update(this.#inForce(id));
  }

  /** Notes whether threads elsewhere wait for places of the connection. */
  wanted(id: string, yes: boolean): void {
    this.#pools.get(id)?.wanted(yes);
  }

  /** Resolves when the clients that nobody uses are closed. */
  async close(): Promise<void> {
    await Promise.all([...this.#pools.values()].map((pool) => pool.close()));
  }

  #inForce(id: string): InForce<never> | undefined {
    const model = this.#models.get(id);
    return model && { model, driver: this.#driver(model.kind) };
  }

  #ofFlow(id: string, own: OwnConnection): InForce<never> {
    const { password } = own;
    const model = ownConnectionModel(id, own);
    return { model, driver: this.#driver(own.kind), secrets: password === undefined ? {} : { password } };
  }

  #driver(kind: string): ConnectionDriver<never> {
    const connector = this.#parts.connectors.get(kind);
    if (connector === undefined) throw new Error(`there is no connector for the kind '${kind}'`);
    return connector.driver.module().driver;
  }
}
