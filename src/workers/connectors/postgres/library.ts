/** The parts of pg that its types leave out. */
import type { Socket } from "node:net";
import type { ConnectionOptions } from "node:tls";
import pg from "pg";
import type { SqlColumn } from "../sql-client.ts";

/** A column of a result, with the table that it comes from; 0: none. */
export interface PostgresColumn extends SqlColumn {
  readonly tableID: number;
  readonly columnID: number;
}

export interface WireConnection {
  readonly stream: Socket;
  connect(port: number, host: string): void;
  requestSsl(): void;
  cancel(processId: number, secretKey: number): void;
  on(event: "connect" | "sslconnect" | "end" | "authenticationCleartextPassword", listener: () => void): void;
  on(event: "error", listener: (error: Error) => void): void;
}

/** What a session is known by to the server, which cancels its statement for it. */
export interface Session {
  readonly processID: number;
  readonly secretKey: number;
}

export function wireOf(client: pg.Client): WireConnection {
  return client.connection as unknown as WireConnection;
}

export function sessionOf(client: pg.Client): Session {
  return client as unknown as Session;
}

/** Asks the server to end the session's statement, over a connection that is opened for it. Reports nothing. */
export function requestCancel(
  { host, port }: { readonly host: string; readonly port: number },
  ssl: ConnectionOptions | false,
  { processID, secretKey }: Session,
): void {
  const connection = new pg.Connection({ ssl }) as unknown as WireConnection;
  const ask = (): void => connection.cancel(processID, secretKey);
  connection.on("error", () => {});
  connection.on("connect", () => (ssl === false ? ask() : connection.requestSsl()));
  connection.on("sslconnect", ask);
  connection.connect(port, host);
}
