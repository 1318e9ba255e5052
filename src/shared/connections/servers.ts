/** Servers of connections as documents name them, and the addresses that they open in the egress gate. */
import type { ConnectionModel, ConnectionServer } from "../connection.ts";
import { type EgressRule, parseEgressAllow } from "../egress.ts";

const name =
  "(?=.{1,253}(?::\\d|$))(?:[A-Za-z0-9_](?:[A-Za-z0-9_-]{0,61}[A-Za-z0-9_])?\\.)*[A-Za-z_](?:[A-Za-z0-9_-]{0,61}[A-Za-z0-9_])?\\.?";
const v4 = "(?:(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)\\.){3}(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)";
const port = "(?:[1-9]\\d{0,3}|[1-5]\\d{4}|6[0-4]\\d{3}|65[0-4]\\d{2}|655[0-2]\\d|6553[0-5])";

/**
 * Regular expressions for documents that publish what is accepted here, made with that of an IPv6 address: `host` without a port, `server`
 * with one or without, `address` with one, and `pattern` of `alsoServers`.
 */
export function serverGrammar(v6: string): Readonly<Record<"host" | "server" | "address" | "pattern", string>> {
  const host = `(?:${name}|${v4})`;
  const range = `(?:(?:\\*\\.)?${name}|${v4}(?:/(?:\\d|[12]\\d|3[0-2]))?)`;
  const range6 = `${v6}(?:/(?:\\d{1,2}|1[01]\\d|12[0-8]))?`;
  return {
    host: `^(?:${host}|${v6}|\\[(?:${host}|${v6})\\])$`,
    server: `^(?:(?:${host}|\\[(?:${host}|${v6})\\])(?::${port})?|${v6})$`,
    address: `^(?:${host}|\\[(?:${host}|${v6})\\]):${port}$`,
    pattern: `^(?:${range}|\\[(?:${range}|${range6})\\]):${port}$`,
  };
}

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

/** The same with the proxy in front of them. */
export function rulesWithProxy(model: Pick<ConnectionModel, "servers" | "alsoServers" | "options">): EgressRule[] {
  const proxy = readServer(model.options["proxy"]);
  const rule = typeof proxy === "string" ? undefined : ruleOf(proxy.host, proxy.port);
  return [...connectionRules(model), ...(rule === undefined ? [] : [rule])];
}

function ruleOf(host: string, port: number): EgressRule | undefined {
  const { rules } = parseEgressAllow(`${host.includes(":") ? `[${host}]` : host}:${port}`);
  return /[\s,/]/.test(host) ? undefined : rules[0];
}
