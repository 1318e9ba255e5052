/** Reads the URLs by which clients of JMS name brokers. All of them are taken for brokers that speak AMQP 1.0. */
import type { ConnectionServer } from "../../../shared/connection.ts";
import type { OwnConnection } from "./connection.ts";

/** The value of a secret in a flow that is only checked. */
const standIn = "http://secret.invalid";
/** By the schemes: whether the connection is encrypted, and the usual port. */
const schemes: Readonly<Record<string, readonly [tls: boolean, port: number]>> = {
  amqp: [false, 5672],
  amqps: [true, 5671],
  "amqp+ssl": [true, 5671],
  tcp: [false, 61616],
  nio: [false, 61616],
  auto: [false, 61616],
  ssl: [true, 61617],
  "nio+ssl": [true, 61617],
};

/** Returns what is wrong with the URL as the rest of a sentence that begins with it. */
export function readBrokerUrl(url: string): OwnConnection | string {
  if (url.includes(standIn)) return { kind: "amqp", servers: [{ host: "secret.invalid", port: 5672 }] };
  const [, list, single, query = ""] =
    /^(?:failover:)?(?:\/\/)?(?:\(([^)]*)\)|([^?(]+))(?:\?(.*))?$/s.exec(url.trim()) ?? [];
  const texts = (list ?? single ?? "").split(",").map((text) => text.trim());
  const read = texts.map(serverOf);
  const problem = read.find((one) => typeof one === "string");
  if (typeof problem === "string") return problem;
  const servers = read.filter((one) => typeof one === "object");
  const encrypted = new Set(servers.map(({ tls }) => tls));
  if (encrypted.size > 1) return "has brokers with and without encryption: write one kind";
  const parameters = readParameters([query, ...texts.map((text) => text.split("?")[1] ?? "")].join("&"));
  if (typeof parameters === "string") return parameters;
  const { tls, ...more } = parameters;
  return {
    kind: "amqp",
    servers: servers.map(({ host, port }) => ({ host, port })),
    ...((tls || encrypted.has(true)) && { tls: {} }),
    ...more,
  };
}

function serverOf(text: string): (ConnectionServer & { readonly tls: boolean }) | string {
  const [, scheme = "", authority = ""] = /^([a-z+]+):\/\/([^/?]*)/i.exec(text) ?? [];
  const known = schemes[scheme.toLowerCase()];
  if (known === undefined) {
    const what = scheme === "" ? "has no scheme" : `has the scheme '${scheme}', which is not supported`;
    return `${what}: write amqp://host:5672, or amqps:// for an encrypted connection`;
  }
  if (authority.includes("@")) return "has a user before its broker: give username and password for themselves";
  const [, bracketed, plain, digits] = /^(?:\[([^\]]+)\]|([^[\]:]+))(?::(\d{1,5}))?$/.exec(authority) ?? [];
  const host = bracketed ?? plain;
  const [tls, usual] = known;
  const port = Number(digits ?? usual);
  if (host === undefined || port === 0 || port > 65_535) return "names no broker: write host:port behind //";
  return { host, port, tls };
}

type Parameters = Pick<OwnConnection, "username" | "password" | "options"> & { readonly tls: boolean };

/** Names of parameters without their prefixes, which settle what is the runtime's own. */
const without = new Set([
  "randomize",
  "maxreconnectattempts",
  "initialreconnectdelay",
  "warnafterreconnectattempts",
  "reconnectattempts",
  "retryinterval",
  "priority",
]);
const unchecked = new Set(["trustall", "verifyhost", "verifyhostname"]);

function readParameters(query: string): Parameters | string {
  let tls = false;
  const texts: { username?: string; password?: string } = {};
  const options: Record<string, string | number> = {};
  for (const [name, value] of new URLSearchParams(query)) {
    const plain = (name.split(".").at(-1) ?? name).toLowerCase();
    if (plain === "username" || plain === "user") texts.username = value;
    else if (plain === "password") texts.password = value;
    else if (plain === "sslenabled") tls = value.toLowerCase() === "true";
    else if (plain === "idletimeout") options["idleTimeoutMs"] = Number(value);
    else if (plain === "vhost") options["virtualHost"] = value;
    else if (unchecked.has(plain))
      return `has ${name}, and the broker's certificate is always checked: leave it out, and give an authority of your own in a named connection`;
    else if (!without.has(plain))
      return `has the parameter '${name.slice(0, 60)}', which has no effect here: leave it out`;
  }
  return { tls, ...texts, ...(Object.keys(options).length > 0 && { options }) };
}
