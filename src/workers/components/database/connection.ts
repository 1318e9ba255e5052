/** The connection of an endpoint: a named one, or one to a server that the endpoint names itself. */
import type { ConnectionNeed, OwnConnection } from "../../engine/connections/connection.ts";
import type { EndpointContext } from "../../engine/endpoint-context.ts";
import { type SqlConnection, sqlKinds } from "./client.ts";

export interface DatabaseOptions {
  readonly dataSource?: string | undefined;
  readonly kind?: "postgres" | "mysql" | undefined;
  readonly host?: string | undefined;
  readonly port?: number | undefined;
  readonly databaseName?: string | undefined;
  readonly username?: string | undefined;
  readonly password?: string | undefined;
  readonly tls: boolean;
}

/** The options in which secrets may stand. */
export const databaseSecrets = { host: "text", databaseName: "text", username: "text", password: "text" } as const;

const ports = { postgres: 5432, mysql: 3306 } as const;

/** Throws an Error for options that contradict each other. */
export function connectionOf(
  options: DatabaseOptions,
  context: Pick<EndpointContext, "connection">,
  option = "dataSource",
): SqlConnection {
  const { dataSource } = options;
  const own = ownOf(options);
  if (own !== undefined && dataSource !== undefined)
    throw new Error(`${option} names a connection, and host a server of its own: leave one of them out`);
  const need: ConnectionNeed = { kinds: sqlKinds, option, reference: dataSource, own };
  return context.connection(need);
}

function ownOf(options: DatabaseOptions): OwnConnection | undefined {
  const { kind, host, port, databaseName, username, password, tls } = options;
  if (host === undefined) {
    const given = Object.entries({ kind, port, databaseName, username, password }).find(
      ([, value]) => value !== undefined,
    );
    if (given === undefined) return undefined;
    throw new Error(
      `${given[0]} describes a server of the endpoint's own: write host and kind, too, or dataSource in its place`,
    );
  }
  if (kind === undefined) throw new Error("host needs kind: postgres or mysql");
  return {
    kind,
    servers: [{ host, port: port ?? ports[kind] }],
    database: databaseName,
    username,
    password,
    ...(tls && { tls: {} }),
  };
}
