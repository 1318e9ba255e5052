/** The named connections of a flow, whose code is loaded with the first endpoint that uses one. */
import type { ConnectionUse } from "../../shared/connection.ts";
import type { Connection, ConnectionNeed } from "../engine/connections/connection.ts";
import { LateModule } from "../engine/late-module.ts";
import type { ConnectionSurroundings, FlowConnections } from "./connections.ts";

const late = new LateModule(() => import("./connections.ts"));

export class LateConnections {
  readonly #around: ConnectionSurroundings;
  #connections: FlowConnections | undefined;
  #sealed = false;

  constructor(around: ConnectionSurroundings) {
    this.#around = around;
  }

  /** In the order of their declarations; undefined: there is none. */
  get uses(): readonly ConnectionUse[] | undefined {
    return this.#connections?.uses;
  }

  /** From now on control has the list. */
  seal(): void {
    this.#sealed = true;
    this.#connections?.seal();
  }

  /** Throws NotLoaded, and what `FlowConnections.use` throws. */
  use(need: ConnectionNeed, routeId: string, stepId: string): Connection<never> {
    if (this.#connections === undefined) {
      this.#connections = new (late.module().FlowConnections)(this.#around);
      if (this.#sealed) this.#connections.seal();
    }
    return this.#connections.use(need, routeId, stepId);
  }
}
