/** The connection of an endpoint of a server of files, and its directory there. */
import { readServer } from "../../../shared/connections/servers.ts";
import type { FileClient } from "../../connectors/file-client.ts";
import type { Connection, ConnectionNeed, OwnConnection } from "../../engine/connections/connection.ts";
import type { EndpointContext } from "../../engine/endpoint-context.ts";
import { directoryName } from "../file/area.ts";

/** What stands for a secret in a flow that is only checked. */
const standIn = "http://secret.invalid";

export interface RemoteAddress {
  readonly host?: string | undefined;
  readonly port?: number | undefined;
  readonly directoryName?: string | undefined;
  readonly connection?: string | undefined;
  readonly username?: string | undefined;
  readonly password?: string | undefined;
}

/** How a scheme connects. */
export interface RemoteScheme {
  readonly kind: "sftp" | "ftp";
  readonly port: number;
  /** What the endpoint's own connection has beside server, user and password. */
  readonly own: Omit<Partial<OwnConnection>, "kind" | "servers" | "username" | "password">;
  /** The options of `own`, which have no effect with a named connection. */
  readonly given: readonly string[];
  readonly session?: ConnectionNeed["session"];
}

export interface RemoteEndpoint {
  readonly connection: Connection<FileClient>;
  readonly directory: string;
  /** For headers: the server's name, as far as the endpoint has it. */
  readonly host: string | undefined;
}

/** Throws an Error for options that contradict each other. */
export function endpointOf(
  options: RemoteAddress,
  scheme: RemoteScheme,
  context: Pick<EndpointContext, "connection">,
): RemoteEndpoint {
  const { connection: reference } = options;
  const own = ownOf(options, scheme);
  const [given] = scheme.given;
  if (own.connection !== undefined && reference !== undefined)
    throw new Error("connection names a connection, and host a server of its own: leave one of them out");
  if (own.connection === undefined && given !== undefined)
    throw new Error(
      `${given} describes a server of the endpoint's own: write host, too, or leave it to the connection`,
    );
  const { kind, session } = scheme;
  const connection = context.connection<FileClient>({
    kinds: [kind],
    option: "connection",
    reference,
    own: own.connection,
    ...(session !== undefined && { session }),
  });
  return { connection, directory: directoryName(own.directory), host: own.connection?.servers[0]?.host };
}

/** Reads `user@host:port/directory`; without a host it is a directory alone. */
function ownOf(
  { host, port, directoryName: named, username, password }: RemoteAddress,
  { kind, port: usual, own }: RemoteScheme,
): { readonly connection: OwnConnection | undefined; readonly directory: string } {
  if (host === undefined) {
    const given = Object.entries({ port, username, password }).find(([, value]) => value !== undefined);
    if (given !== undefined)
      throw new Error(
        `${given[0]} describes a server of the endpoint's own: write host, too, or connection in its place`,
      );
    return { connection: undefined, directory: named ?? "" };
  }
  const address = host.replaceAll(standIn, "secret.invalid");
  const slash = address.indexOf("/");
  const server = slash < 0 ? address : address.slice(0, slash);
  const behind = slash < 0 ? undefined : address.slice(slash + 1);
  if (behind !== undefined && behind !== "" && named !== undefined)
    throw new Error("the directory is in host already: leave directoryName out");
  const at = server.lastIndexOf("@");
  const user = at < 0 ? undefined : server.slice(0, at);
  if (user?.includes(":") === true)
    throw new Error("a password in the address would be shown: write username and password as options");
  const read = readServer(server.slice(at + 1));
  if (typeof read === "string") throw new Error(read);
  if (port !== undefined && read.port !== 0) throw new Error("the port is in host already: leave port out");
  return {
    connection: {
      ...own,
      kind,
      servers: [{ host: read.host, port: port ?? (read.port || usual) }],
      username: username ?? user,
      password,
    },
    directory: named ?? behind ?? "",
  };
}
