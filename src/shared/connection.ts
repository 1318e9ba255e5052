/** Named connections to servers, as control and the threads of flows exchange them. Their documents: shared/connections/. */

export interface ConnectionServer {
  readonly host: string;
  readonly port: number;
}

/** How a connection is encrypted. The server's certificate is always checked. */
export interface ConnectionTls {
  /** Certificates of authorities, as PEM; absent: those of the runtime. */
  readonly ca?: string;
  /** The name that the server's certificate must have; absent: the host's. */
  readonly serverName?: string;
}

/** A connection as a flow's thread has it, without secrets. */
export interface ConnectionModel {
  /** As messages, health and metrics name it. */
  readonly name: string;
  readonly kind: string;
  /** Of its document; 0: the flow itself declares it. */
  readonly revision: number;
  /** In the order in which they are tried; empty for a kind without servers. */
  readonly servers: readonly ConnectionServer[];
  /** Patterns of further addresses, which its servers announce. */
  readonly alsoServers: readonly string[];
  readonly database?: string;
  readonly username?: string;
  /** Absent: the connection is not encrypted. */
  readonly tls?: ConnectionTls;
  /** Options of the kind, with their defaults. */
  readonly options: Readonly<Record<string, string | number | boolean>>;
  /** The most open connections, over all threads of all flows. */
  readonly maxConnections: number;
}

/** Values that are read anew for each connection that is opened. */
export interface ConnectionSecrets {
  readonly password?: string;
  /** The user's key, as OpenSSH or PEM has it, and what it is encrypted with. */
  readonly privateKey?: string;
  readonly passphrase?: string;
  /** The client's certificate and key, as PEM. */
  readonly cert?: string;
  readonly key?: string;
}

export type ConnectionSettings = ConnectionModel & ConnectionSecrets;

/** A connection that a flow uses, as its manifest declares it. */
export interface ConnectionUse {
  /** Names it between the thread and control. */
  readonly id: string;
  /** The kinds that its user can work with. */
  readonly kinds: readonly string[];
  /** The name of a document; absent: the default of the kinds, or one that the flow itself declares. */
  readonly name?: string;
  /** Present: the flow itself declares it. */
  readonly own?: OwnUse;
  readonly routeId: string;
  /** "": the route's `from`. */
  readonly stepId: string;
}

export interface OwnUse {
  readonly kind: string;
  /** The bean's name, or the server's address, without secrets. */
  readonly label: string;
  readonly maxConnections: number;
}

/** What became of an open connection, or of the attempt to open one. */
export const connectionEvents = ["opened", "closed", "failed"] as const;
export type ConnectionEvent = (typeof connectionEvents)[number];

/** How many open connections a run has, by the connection's id. */
export type HeldByRun = readonly (readonly [id: string, count: number])[];

/** The most characters of a connection's id in frames, and of what failed. */
export const longestConnectionId = 300;
export const longestConnectionFailure = 1000;
/** The most connections that a flow may declare. */
export const mostConnections = 20;
/** The most requests for connections of a thread that are not answered. */
export const mostPermitsAsked = 1024;

/** Whether the connections in a thread's manifest are possible. */
export function areConnectionUses(value: unknown): value is readonly ConnectionUse[] {
  return Array.isArray(value) && value.length <= mostConnections && value.every(isConnectionUse);
}

function isConnectionUse(value: unknown): value is ConnectionUse {
  const { id, kinds, name = "", own, routeId, stepId } = (value ?? {}) as Partial<ConnectionUse>;
  const isText = (text: unknown): boolean => typeof text === "string" && text.length <= longestConnectionId;
  if (![id, name, routeId, stepId].every(isText)) return false;
  if (!Array.isArray(kinds) || !kinds.every(isText)) return false;
  if (own === undefined) return true;
  return isText(own.kind) && isText(own.label) && Number.isInteger(own.maxConnections) && own.maxConnections > 0;
}

/** What a trial of a connection has found. */
export interface ConnectionProbe {
  readonly serverVersion: string;
  /** The version of TLS; null: the connection is not encrypted. */
  readonly tls: string | null;
}

/** A trial's answer as it is sent between threads: what was found, or the cause of the failure. */
export type ProbeAnswer =
  | (ConnectionProbe & { readonly connectMs: number; readonly latencyMs: number })
  | { readonly failure: string };

/** The id of the default connection of these kinds. */
export function defaultConnectionId(kinds: readonly string[]): string {
  return `default ${[...kinds].sort().join(" ")}`;
}
