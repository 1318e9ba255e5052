/** Beans of RabbitMQ's ConnectionFactory classes, read as connections of their flow. */
import type { ConnectionServer } from "../../../shared/connection.ts";
import { listed } from "../../../shared/suggest.ts";
import type { BeanReference } from "../bean.ts";
import type { OwnConnection } from "./connection.ts";

/** What a property sets. `idle`: nothing, since channels, confirms and lost connections are the runtime's. */
type Meaning = "uri" | "servers" | "host" | "port" | "database" | "username" | "password" | "heartbeat" | "idle";

const common = {
  ...{ uri: "uri", host: "host", port: "port", username: "username", password: "password", virtualHost: "database" },
} as const satisfies Readonly<Record<string, Meaning>>;

const classes: ReadonlyMap<string, Readonly<Record<string, Meaning>>> = new Map<
  string,
  Readonly<Record<string, Meaning>>
>([
  [
    "org.springframework.amqp.rabbit.connection.CachingConnectionFactory",
    {
      ...common,
      ...{ addresses: "servers", requestedHeartBeat: "heartbeat", channelCacheSize: "idle", cacheMode: "idle" },
      ...{
        connectionCacheSize: "idle",
        publisherConfirmType: "idle",
        publisherReturns: "idle",
        channelCheckoutTimeout: "idle",
      },
    },
  ],
  [
    "com.rabbitmq.client.ConnectionFactory",
    {
      ...common,
      ...{ requestedHeartbeat: "heartbeat", automaticRecoveryEnabled: "idle", topologyRecoveryEnabled: "idle" },
      ...{ networkRecoveryInterval: "idle", requestedChannelMax: "idle" },
    },
  ],
]);

/** The value of a secret in a flow that is only checked. */
const standIn = "http://secret.invalid";

export const rabbitFactoryTypes: readonly string[] = [...classes.keys()];

/** The names of a class's properties; undefined for another class. */
export function rabbitFactoryProperties(type: string): readonly string[] | undefined {
  const known = classes.get(type);
  return known === undefined ? undefined : Object.keys(known);
}

/** Returns the connection that a bean describes; undefined for a bean of another class. Throws an Error with what to write. */
export function connectionOfRabbitFactory({ name = "", type, properties }: BeanReference): OwnConnection | undefined {
  const known = classes.get(type);
  if (known === undefined) return undefined;
  const given = new Map<Meaning, string>();
  for (const [property, value] of Object.entries(properties)) {
    const meaning = Object.hasOwn(known, property) ? known[property] : undefined;
    if (meaning === undefined || typeof value !== "string") {
      const has = listed(Object.keys(known));
      throw new Error(
        `the bean '${name}' has '${property}', which has no effect here: leave it out; it may have ${has}`,
      );
    }
    given.set(meaning, value);
  }
  const uri = given.get("uri");
  const target = uri === undefined ? { tls: false } : readUri(uri);
  if (typeof target === "string") throw new Error(`the URI of the bean '${name}' ${target}`);
  const usual = target.tls ? 5671 : 5672;
  const port = given.get("port") ?? String(usual);
  const addresses = given.get("servers") ?? `${given.get("host") ?? "localhost"}:${port}`;
  const servers =
    target.server === undefined ? addresses.split(",").map((text) => serverOf(text.trim(), usual)) : [target.server];
  if (servers.some((server) => server === undefined))
    throw new Error(`the bean '${name}' names no server that can be read: write host:port`);
  const username = given.get("username") ?? target.username;
  const heartbeat = Number(given.get("heartbeat") ?? 60);
  return {
    kind: "rabbitmq",
    servers: servers.filter((server) => server !== undefined),
    database: given.get("database") ?? target.database,
    username: username ?? "guest",
    password: given.get("password") ?? target.password ?? (username === undefined ? "guest" : undefined),
    ...(target.tls && { tls: {} }),
    ...(Number.isInteger(heartbeat) && heartbeat >= 0 && heartbeat <= 3600 && { options: { heartbeat } }),
  };
}

interface Target {
  readonly server?: ConnectionServer;
  readonly database?: string;
  readonly username?: string;
  readonly password?: string;
  readonly tls: boolean;
}

/** Returns what is wrong with the URI as the rest of a sentence that begins with it. */
function readUri(uri: string): Target | string {
  if (uri.includes(standIn)) return { server: { host: "secret.invalid", port: 5672 }, tls: false };
  const [, scheme = "", user, authority = "", path = ""] =
    /^(amqps?):\/\/(?:([^@/]*)@)?([^/?]*)(?:\/([^?]*))?$/i.exec(uri.trim()) ?? [];
  const tls = scheme.toLowerCase() === "amqps";
  const server = serverOf(authority, tls ? 5671 : 5672);
  if (scheme === "" || server === undefined) return "is none of the form amqp://host:5672 or amqps://host:5671";
  const [username, password] = (user ?? "").split(":").map(decodeURIComponent);
  return {
    ...{ server, tls },
    ...(path !== "" && { database: decodeURIComponent(path) }),
    ...(username !== undefined && username !== "" && { username }),
    ...(password !== undefined && { password }),
  };
}

function serverOf(text: string, usual: number): ConnectionServer | undefined {
  if (text.includes(standIn)) return { host: "secret.invalid", port: usual };
  const [, bracketed, plain, digits] = /^(?:\[([^\]]+)\]|([^[\]:]+))(?::(\d{1,5}))?$/.exec(text) ?? [];
  const host = bracketed ?? plain;
  const port = Number(digits ?? usual);
  return host === undefined || port === 0 || port > 65_535 ? undefined : { host, port };
}
