/** What flows get of the named connections: their settings, their places and their secrets; and how each connection is. */
import type { ConnectionSecrets, ConnectionUse } from "../../shared/connection.ts";
import type { ResourceData } from "../../shared/mapping.ts";
import type { EmbeddedDatabases } from "../embedded/embedded-databases.ts";
import type { LiveFlows } from "../flows/live-flows.ts";
import type { Secrets } from "../stores/secrets.ts";
import type { OpenDatabase } from "../threads/pooled-flow.ts";
import type { ConnectionDocument } from "./connection-document.ts";
import { type ConnectionRegister, type HeldConnection, hintOf, problemOf, resourceOf } from "./connection-register.ts";
import { secretsOf } from "./connection-secrets.ts";
import type { ConnectionState } from "./connection-service.ts";
import { type ConnectionFigures, type NamedState, stateOf } from "./connection-states.ts";
import { documentsOf } from "./connection-users.ts";
import type { Meant, Permits } from "./permits.ts";

export interface AccessParts {
  readonly secrets: Pick<Secrets, "ofConnection">;
  /** A function, since they are built later. */
  readonly permits: () => Permits;
  readonly figures: ConnectionFigures;
  readonly embedded: Pick<EmbeddedDatabases, "client">;
  readonly live: LiveFlows;
}

export class ConnectionAccess {
  readonly #register: ConnectionRegister;
  readonly #parts: AccessParts;

  constructor(register: ConnectionRegister, parts: AccessParts) {
    this.#register = register;
    this.#parts = parts;
  }

  /** Returns what the threads of a flow get of the connections that it uses. */
  resources(flowId: string, uses: readonly ConnectionUse[]): readonly ResourceData[] {
    return documentsOf(uses).flatMap((use) => {
      const meant = this.#register.resolve(flowId, use);
      return typeof meant === "string" ? [] : [resourceOf(use.id, meant)];
    });
  }

  /** Returns why a flow does not get a connection that it uses; undefined: it does. */
  problem(flowId: string, use: ConnectionUse): string | undefined {
    return problemOf(this.#register, flowId, use);
  }

  /** Returns a hint where a server has the name of a connection; undefined: it has none. */
  hint(use: ConnectionUse): string | undefined {
    return hintOf(this.#register, use);
  }

  /** Returns the connection whose places a flow needs, or why there is none. */
  meant(flowId: string, use: ConnectionUse): Meant | string {
    const { own } = use;
    if (own !== undefined) {
      const { label: name, maxConnections } = own;
      return { key: keyOf(flowId, use.id), name, most: () => maxConnections, secrets: async () => ({}) };
    }
    const meant = this.#register.resolve(flowId, use);
    if (typeof meant === "string") return meant;
    const { name } = meant;
    return {
      key: name,
      name,
      most: () => this.#held(name)?.document.maxConnections ?? 0,
      secrets: () => this.secrets(name),
      ...(meant.document.kind === "embedded" && { database: this.database(name) }),
    };
  }

  /** Makes clients of the embedded database that a connection is. `document`: returns the present one. */
  database(
    name: string,
    document: () => ConnectionDocument | undefined = () => this.#held(name)?.document,
  ): OpenDatabase {
    return (lost) => {
      const { kind, options } = document() ?? {};
      if (kind !== "embedded" || options === undefined) throw new Error(`'${name}' is no embedded database any more`);
      const quotaBytes = Number(options["quotaMiB"]) * 2 ** 20;
      const lockWaitMs = Number(options["lockWaitMs"]);
      return this.#parts.embedded.client({ name, quotaBytes, lockWaitMs }, lost);
    };
  }

  /** Returns the connections that have documents, and those that live flows describe. For health and metrics. */
  states(): readonly NamedState[] {
    const documents = this.#register
      .held()
      .map(({ name, document: { kind } }) => ({ name, kind, state: this.state(name) }));
    const ofFlows = [...this.#parts.live.all()].flatMap(({ flowId, manifest: { connections = [] } }) =>
      connections.flatMap((use) => {
        const { id, own } = use;
        if (own === undefined) return [];
        const places = this.#parts.permits().of(keyOf(flowId, id));
        const state = stateOf(
          places,
          this.#parts.figures,
          (other, { id: otherId }) => other === flowId && otherId === id,
        );
        return [{ name: own.label, kind: own.kind, flowId, state }];
      }),
    );
    return [...documents, ...ofFlows];
  }

  /** Returns the state of a connection with a document. */
  state(name: string): ConnectionState {
    const isThis = (flowId: string, use: ConnectionUse): boolean => {
      const meant = use.own === undefined ? this.#register.resolve(flowId, use) : "";
      return typeof meant !== "string" && meant.name === name;
    };
    return stateOf(this.#parts.permits().of(name), this.#parts.figures, isThis);
  }

  /** Reads the secrets of a connection. Rejects with an Error for one that does not exist or cannot be read. */
  async secrets(name: string): Promise<ConnectionSecrets> {
    const held = this.#held(name);
    return held === undefined ? {} : secretsOf(name, held.document, this.#parts.secrets);
  }

  /** Whether a connection exists that has this key of places. */
  isKnown(key: string): boolean {
    const [flowId = "", own] = key.split("/", 2);
    return own === undefined ? this.#register.get(key) !== undefined : this.#parts.live.get(flowId) !== undefined;
  }

  #held(name: string): HeldConnection | undefined {
    const found = this.#register.get(name);
    return found?.problem === undefined ? found : undefined;
  }
}

/** Of a connection that a flow itself describes. No name of a document has a slash. */
function keyOf(flowId: string, id: string): string {
  return `${flowId}/${id}`;
}
