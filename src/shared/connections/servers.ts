/** Servers of connections as documents name them, and the addresses that they open in the egress gate. */
import type { ConnectionModel, ConnectionServer } from "../connection.ts";
import { type EgressRule, parseEgressAllow } from "../egress.ts";

/** Reads `host:port` or `host`, whose port is then 0. Returns what is wrong with anything else. */
export function readServer(value: unknown): ConnectionServer | string {
  const expected = "a server is expected as host:port, such as db.example.org:5432";
  if (typeof value !== "string") return expected;
  if (value.includes("://") || value.includes("@"))
    return "write the server alone, as host:port: users and passwords are fields of their own (username, passwordRef)";
  const [, bracketed, plain, digits] =
    /^(?:\[([^\]]+)\]|([^[\]:]+|[0-9a-fA-F:]*:[0-9a-fA-F:]*:[0-9a-fA-F:.]*))(?::(\d{1,5}))?$/.exec(value) ?? [];
  const host = bracketed ?? plain ?? "";
  const port = Number(digits ?? 0);
  if (host === "" || host.includes("*") || port > 65_535 || (digits !== undefined && port === 0)) return expected;
  return ruleOf(host, port || 1) === undefined ? expected : { host, port };
}

/** Returns why a value is no pattern of servers. */
export function patternProblem(value: unknown): string | undefined {
  const expected = "a pattern with a port is expected, such as *.db.example.org:5432 or 10.0.0.0/8:5432";
  if (typeof value !== "string" || /[\s,]/.test(value)) return expected;
  const { rules } = parseEgressAllow(value);
  const [rule] = rules;
  return rule?.port === undefined || rule.scheme !== undefined ? expected : undefined;
}

/** Returns the rules that open a connection's servers, each with its port. */
export function connectionRules({
  servers,
  alsoServers,
}: Pick<ConnectionModel, "servers" | "alsoServers">): EgressRule[] {
  const own = servers.map(({ host, port }) => ruleOf(host, port)).filter((rule) => rule !== undefined);
  return [...own, ...parseEgressAllow(alsoServers.join(" ")).rules];
}

function ruleOf(host: string, port: number): EgressRule | undefined {
  const { rules } = parseEgressAllow(`${host.includes(":") ? `[${host}]` : host}:${port}`);
  return /[\s,/]/.test(host) ? undefined : rules[0];
}
