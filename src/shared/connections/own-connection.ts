/** Connections that a flow itself describes: the settings of an endpoint, or of a bean. */
import type { ConnectionModel, ConnectionTls } from "../connection.ts";
import { expectedOption, isOptionValue, type OptionValue, optionDefaults } from "./kind.ts";
import { connectionKind } from "./kinds.ts";

export interface OwnSettings {
  readonly kind: string;
  readonly servers: ConnectionModel["servers"];
  readonly database?: string | undefined;
  readonly username?: string | undefined;
  readonly tls?: ConnectionTls | undefined;
  readonly options?: Readonly<Record<string, OptionValue>>;
  readonly maxConnections?: number | undefined;
}

/** Makes the model of such a connection. `name`: for messages. Throws an Error for an unknown kind or option. */
export function ownConnectionModel(name: string, own: OwnSettings): ConnectionModel {
  const kind = connectionKind(own.kind);
  if (kind === undefined) throw new Error(`there is no kind '${own.kind}' of connections`);
  const { servers, database, username, tls, options = {}, maxConnections = kind.maxConnections } = own;
  if (kind.port !== undefined && servers.length === 0) throw new Error("a server is missing");
  for (const [option, value] of Object.entries(options)) {
    const field = Object.hasOwn(kind.options, option) ? kind.options[option] : undefined;
    if (field === undefined) throw new Error(kind.refused[option] ?? `${kind.title} has no option '${option}'`);
    if (!isOptionValue(field, value)) throw new Error(`${option}: ${expectedOption(field)} is expected`);
  }
  return {
    ...{ name, kind: own.kind, revision: 0, servers, alsoServers: [], maxConnections },
    ...(database !== undefined && { database }),
    ...(username !== undefined && { username }),
    ...(tls !== undefined && { tls }),
    options: { ...optionDefaults(kind), ...options },
  };
}
