/** The interface of connections for the management API, and what it answers. */

import type { ConnectionServer, ProbeAnswer } from "../../shared/connection.ts";
import type { Fields } from "../../shared/document-fields.ts";

/** Where a flow uses a connection. `stepId` "": the route's `from`. */
export interface ConnectionUser {
  readonly flowId: string;
  readonly routeId: string;
  readonly stepId: string;
}

export interface ConnectionState {
  /** `unknown`: nobody has opened it since the start; `failing`: the last attempt to open it has failed. */
  readonly status: "unknown" | "ok" | "failing";
  readonly open: number;
  /** Open connections that nobody uses. */
  readonly idle: number;
  /** Runs that wait for one. */
  readonly waiting: number;
  /** Attempts that failed, and open connections that were lost, since the start of the runtime. */
  readonly errors: number;
  readonly failingSince: string | null;
  readonly lastError: { readonly message: string; readonly at: string } | null;
}

export interface ConnectionSummary {
  readonly name: string;
  readonly kind: string;
  readonly servers: readonly ConnectionServer[];
  readonly default: boolean;
  /** null: the document cannot be used. */
  readonly maxConnections: number | null;
  /** null: flows of its own group may use it. */
  readonly flows: readonly string[] | null;
  readonly usedBy: readonly ConnectionUser[];
  readonly lastModified: string;
  readonly hash: string;
  readonly revision: number;
  readonly state: ConnectionState;
  /** Why no flow can use it. */
  readonly error?: string;
}

export interface ConnectionDetail {
  /** As it was sent. */
  readonly document: Fields;
  readonly hash: string;
  readonly revision: number;
  readonly state: ConnectionState;
  readonly usedBy: readonly ConnectionUser[];
}

export interface ConnectionWarning {
  readonly code: string;
  readonly message: string;
}

export interface PutConnection {
  readonly name: string;
  readonly hash: string;
  readonly revision: number;
  readonly usedBy: readonly ConnectionUser[];
  readonly warnings: readonly ConnectionWarning[];
  readonly created: boolean;
}

export interface ConnectionConditions {
  /** `If-Match` / `If-None-Match` as sent. */
  readonly ifMatch?: string | undefined;
  readonly ifNoneMatch?: string | undefined;
}

/** Errors are AppErrors: not_found, connection_invalid, connection_in_use, precondition_failed, disk_full, ... */
export interface ConnectionService {
  list(): Promise<readonly ConnectionSummary[]>;
  get(name: string): Promise<ConnectionDetail>;
  put(name: string, document: Fields, conditions: ConnectionConditions): Promise<PutConnection>;
  /** `force`: stops the routes that use it. Returns them. */
  remove(
    name: string,
    options: ConnectionConditions & { readonly force?: boolean | undefined },
  ): Promise<readonly ConnectionUser[]>;
  /** Connects from a thread. `sent`: a document that is tried in place of the one that is kept; it may be a new one. */
  test(name: string, sent?: Fields): Promise<ProbeAnswer>;
}
