/** A connection of the kind http, as components use it: how servers are reached, over sockets that the component opens. */
import type { ConnectionModel } from "../../shared/connection.ts";
import type { ProxyServer, TlsWay } from "../engine/net/server.ts";

export interface HttpAccess {
  readonly model: ConnectionModel;
  /** Absent: as for calls without a connection. */
  readonly tls?: TlsWay;
  readonly proxy?: ProxyServer;
  readonly http2: boolean;
  /** Called when the connection is closed. Each ends what was opened for it. */
  readonly closing: Set<() => Promise<void>>;
}
