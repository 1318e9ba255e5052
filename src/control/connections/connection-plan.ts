/** Checks the connections of a set as they will be together, before any of them is in force. */
import type { Fields } from "../../shared/document-fields.ts";
import { AppError } from "../../shared/errors.ts";
import type { AccessToConnections } from "../flows/missing-connections.ts";
import type { DocumentVersion } from "../stores/documents.ts";
import { contentHash } from "../stores/stores.ts";
import { type ConnectionRegister, hintOf, type KnownConnection, problemOf } from "./connection-register.ts";
import type { ConnectionWarning } from "./connection-service.ts";
import { type UsingFlow, usersOf, warnOfLost } from "./connection-users.ts";
import { readConnection, refuseSecondDefault } from "./read-connection.ts";

/** A connection of a set, or one that it removes. */
export interface ConnectionOrder {
  readonly name: string;
  /** null: the connection is removed. */
  readonly document: Fields | null;
}

export interface PlannedConnection {
  readonly name: string;
  readonly text: string | null;
  /** The connection as it is; undefined: there is none. */
  readonly before: KnownConnection | undefined;
  /** false: the connection is the one that is in force. */
  readonly changed: boolean;
  /** Puts it in force. `version`: what the store has made of it; undefined: it was removed. */
  install(version: DocumentVersion | undefined): void;
}

export interface ConnectionPlan {
  readonly connections: readonly PlannedConnection[];
  /** What flows get once the set is in force. */
  readonly access: AccessToConnections;
  /** Throws connection_in_use when a flow uses a connection that the set removes. */
  refuseUsed(flows: Iterable<UsingFlow>): void;
  /** Warns of flows that have a connection now that the set changes, and get none in its place. */
  losses(connection: PlannedConnection, flows: Iterable<UsingFlow>): readonly ConnectionWarning[];
}

/** Throws connection_invalid. */
export function planConnections(register: ConnectionRegister, orders: readonly ConnectionOrder[]): ConnectionPlan {
  const next = register.copy();
  for (const { name, document } of orders) if (document === null) next.delete(name);
  const connections = orders.map((order) => planConnection(order, register, next));
  for (const { name, document } of next.held()) refuseSecondDefault(name, document, next);
  return {
    connections,
    access: {
      loaded: Promise.resolve(),
      problem: (flowId, use) => problemOf(next, flowId, use),
      hint: (use) => hintOf(next, use),
    },
    losses({ name, text, changed }, flows) {
      if (text === null || !changed) return [];
      return warnOfLost(usersOf(name, flows, register, (flowId, use) => problemOf(next, flowId, use) !== undefined));
    },
    refuseUsed(flows) {
      const all = [...flows];
      for (const { name, text } of connections) {
        const [user] = text === null ? usersOf(name, all, register) : [];
        if (user === undefined) continue;
        throw new AppError(
          "connection_in_use",
          `the connection '${name}' is not in the set any more, and the flow '${user.flowId}' uses it: change that first, or leave out prune`,
        );
      }
    },
  };
}

function planConnection(
  { name, document: sent }: ConnectionOrder,
  register: ConnectionRegister,
  next: ConnectionRegister,
): PlannedConnection {
  const before = register.get(name);
  if (sent === null) {
    const install = (): void => register.delete(name);
    return { name, text: null, before, changed: before !== undefined, install };
  }
  const document = readConnection(name, sent);
  const text = JSON.stringify(sent);
  const unkept = { id: name, revision: 0, hash: "", lastModified: "", bytes: 0 };
  next.set({ name, document, version: unkept });
  return {
    ...{ name, text, before },
    changed: before?.problem !== undefined || before?.version?.hash !== contentHash(text),
    install(version) {
      if (version !== undefined) register.set({ name, document, version });
    },
  };
}
