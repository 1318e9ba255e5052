/** Calls by a named connection of the kind http: whom they may reach. */
import type { ConnectionModel } from "../../../shared/connection.ts";
import { connectionRules, rulesWithProxy } from "../../../shared/connections/servers.ts";
import { type Egress, hostOf, hostProblem, portOf } from "../../../shared/egress.ts";
import type { HttpAccess } from "../../connectors/http-access.ts";

/** Adds the servers and the proxy of the connection. Where flows are tested nothing is called that the operator has not named. */
export function egressOf(egress: Egress, { model }: HttpAccess): Egress {
  return egress.closed === true ? egress : { ...egress, rules: [...egress.rules, ...rulesWithProxy(model)] };
}

/** Returns why a URL must not be called by the connection; undefined when it may. */
export function accessProblem({ model, tls }: HttpAccess, url: URL): string | undefined {
  const { name } = model;
  if (tls !== undefined && url.protocol === "http:")
    return `the connection '${name}' has tls, and ${url.origin} is not encrypted: call it over https, or without this connection`;
  return isOf(model, url)
    ? undefined
    : `${url.host} is none of the servers of the connection '${name}': the operator adds it to servers or alsoServers`;
}

function isOf(model: ConnectionModel, url: URL): boolean {
  const rules = connectionRules(model);
  if (rules.length === 0) return true;
  const host = hostOf(url);
  const { isIP } = process.getBuiltinModule("node:net");
  // A range is for addresses: where a name leads is not known here.
  const possible = isIP(host) === 0 ? rules.filter(({ kind }) => kind === "host") : rules;
  return hostProblem({ rules: possible, closed: true }, host, portOf(url)) === undefined;
}
