/** The current connections in memory, and which of them a flow means. */
import type { ConnectionUse } from "../../shared/connection.ts";
import { groupOf, wildcard } from "../../shared/ids.ts";
import type { ResourceData } from "../../shared/mapping.ts";
import type { DocumentVersion } from "../stores/documents.ts";
import { type ConnectionDocument, connectionModel } from "./connection-document.ts";

export interface HeldConnection {
  readonly name: string;
  readonly version: DocumentVersion;
  readonly document: ConnectionDocument;
  readonly problem?: undefined;
}

/** No flow gets it. */
export interface BrokenConnection {
  readonly name: string;
  readonly problem: string;
  /** undefined: the file cannot be read. */
  readonly version?: DocumentVersion | undefined;
}

export type KnownConnection = HeldConnection | BrokenConnection;

/** The connection that a flow means, or why it gets none, with what to do. */
export type Resolved = HeldConnection | string;

export class ConnectionRegister {
  readonly #known = new Map<string, KnownConnection>();

  /** A register with the same connections, which changes by itself. */
  copy(): ConnectionRegister {
    const copy = new ConnectionRegister();
    for (const known of this.#known.values()) copy.set(known);
    return copy;
  }

  get(name: string): KnownConnection | undefined {
    return this.#known.get(name);
  }

  set(connection: KnownConnection): void {
    this.#known.set(connection.name, connection);
  }

  delete(name: string): void {
    this.#known.delete(name);
  }

  /** Sorted by name. */
  all(): readonly KnownConnection[] {
    return [...this.#known.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  held(): readonly HeldConnection[] {
    return this.all().filter((known) => known.problem === undefined);
  }

  resolve(flowId: string, { name, kinds }: Pick<ConnectionUse, "name" | "kinds">): Resolved {
    return name === undefined ? this.#default(flowId, kinds) : this.#named(flowId, name, kinds);
  }

  /** The connection that is the default of the kind for the group, other than this one. */
  otherDefault(name: string, kind: string): HeldConnection | undefined {
    return this.held().find(
      (other) =>
        other.name !== name &&
        other.document.default &&
        other.document.kind === kind &&
        groupOf(other.name) === groupOf(name),
    );
  }

  #named(flowId: string, name: string, kinds: readonly string[]): Resolved {
    const known = this.get(name);
    if (known === undefined) return `there is no connection '${name}': PUT /_api/connections/${name} installs it`;
    if (known.problem !== undefined) return `the connection '${name}' cannot be used: ${known.problem}`;
    if (!mayUse(flowId, known))
      return `the connection '${name}' is not for the flow '${flowId}': add it to "flows" of the connection`;
    if (kinds.includes(known.document.kind)) return known;
    return `the connection '${name}' is of the kind ${known.document.kind}, and ${kinds.join(", ")} is expected`;
  }

  /** A default of the flow's own group comes before others. */
  #default(flowId: string, kinds: readonly string[]): Resolved {
    const found = this.held().filter(
      (known) => known.document.default && kinds.includes(known.document.kind) && mayUse(flowId, known),
    );
    const own = found.filter(({ name }) => groupOf(name) === groupOf(flowId));
    const choice = own.length > 0 ? own : found;
    const [only] = choice;
    const group = groupOf(flowId) === "" ? "flows without a group" : `flows of group '${groupOf(flowId)}'`;
    if (only === undefined)
      return `no connection of the kinds ${kinds.join(", ")} is the default for ${group}: name one in the endpoint, or install one with "default": true`;
    if (choice.length === 1) return only;
    return `${choice.map(({ name }) => `'${name}'`).join(" and ")} are all defaults for ${group} here: name one in the endpoint`;
  }
}

export function mayUse(flowId: string, { name, document: { flows } }: HeldConnection): boolean {
  if (flows === undefined) return groupOf(name) === groupOf(flowId);
  return flows.some((pattern) => wildcard(pattern, flowId));
}

/** Returns why a flow does not get a connection that it uses; undefined: it does. */
export function problemOf(register: ConnectionRegister, flowId: string, use: ConnectionUse): string | undefined {
  if (use.own !== undefined) return undefined;
  const meant = register.resolve(flowId, use);
  return typeof meant === "string" ? meant : undefined;
}

/** Returns a hint for a server that has the name of a connection: the connection was meant, most likely. undefined: there is none. */
export function hintOf(register: ConnectionRegister, { own, kinds }: ConnectionUse): string | undefined {
  const host = /^([^,:]+):\d+$/.exec(own?.label ?? "")?.[1];
  const named = host === undefined ? undefined : register.get(host);
  if (named === undefined || named.problem !== undefined || !kinds.includes(named.document.kind)) return undefined;
  return `'${host}' counts as the name of a server here, and a connection '${host}' exists. To use it, name it with #: connection: "#${host}", or '#${host}' in place of the address`;
}

const utf8 = new TextEncoder();

/** Makes what threads of a flow get. `id`: the connection's in the flow's manifest. */
export function resourceOf(id: string, { name, version, document }: HeldConnection): ResourceData {
  const { revision, hash } = version;
  const data = utf8.encode(JSON.stringify(connectionModel(name, revision, document)));
  return { kind: "connection", id, revision, hash: `${hash} ${name}`, data };
}
