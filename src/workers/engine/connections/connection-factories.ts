/** Beans of well-known ConnectionFactory classes, read as connections of their flow. */
import { listed } from "../../../shared/suggest.ts";
import type { BeanReference } from "../bean.ts";
import { readBrokerUrl } from "./broker-url.ts";
import type { OwnConnection } from "./connection.ts";

type FindBean = (reference: string) => BeanReference | undefined;

/** What a property sets. `target`: another factory; `idle`: nothing, since sessions are not pooled here. */
type Meaning = "url" | "username" | "password" | "target" | "most" | "idle";

const activemq = {
  ...{ brokerURL: "url", userName: "username", username: "username", user: "username", password: "password" },
  ...{ trustAllPackages: "idle", trustedPackages: "idle" },
} as const satisfies Readonly<Record<string, Meaning>>;
const pool = {
  ...{ connectionFactory: "target", targetConnectionFactory: "target", maxConnections: "most" },
  ...{ maxSessionsPerConnection: "idle", maxIdleSessionsPerConnection: "idle", connectionIdleTimeout: "idle" },
  ...{ idleTimeout: "idle", maximumActiveSessionPerConnection: "idle", connectionCheckInterval: "idle" },
} as const satisfies Readonly<Record<string, Meaning>>;
const spring = {
  ...{ targetConnectionFactory: "target", sessionCacheSize: "idle", cacheConsumers: "idle", cacheProducers: "idle" },
  ...{ reconnectOnException: "idle" },
} as const satisfies Readonly<Record<string, Meaning>>;

const classes: ReadonlyMap<string, Readonly<Record<string, Meaning>>> = new Map<
  string,
  Readonly<Record<string, Meaning>>
>([
  ["org.apache.activemq.ActiveMQConnectionFactory", activemq],
  ["org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory", activemq],
  ["org.apache.activemq.artemis.jms.client.ActiveMQJMSConnectionFactory", activemq],
  ["org.apache.activemq.artemis.jms.client.ActiveMQQueueConnectionFactory", activemq],
  [
    "org.apache.qpid.jms.JmsConnectionFactory",
    { remoteURI: "url", brokerURL: "url", username: "username", password: "password" },
  ],
  ["org.apache.activemq.pool.PooledConnectionFactory", { ...pool, brokerURL: "url" }],
  ["org.apache.activemq.jms.pool.PooledConnectionFactory", pool],
  ["org.messaginghub.pooled.jms.JmsPoolConnectionFactory", pool],
  ["org.springframework.jms.connection.CachingConnectionFactory", spring],
  ["org.springframework.jms.connection.SingleConnectionFactory", spring],
  [
    "org.springframework.jms.connection.UserCredentialsConnectionFactoryAdapter",
    { ...spring, username: "username", password: "password" },
  ],
]);

export const connectionFactoryTypes: readonly string[] = [...classes.keys()];

/** The names of a class's properties; undefined for another class. */
export function connectionFactoryProperties(type: string): readonly string[] | undefined {
  const known = classes.get(type);
  return known === undefined ? undefined : Object.keys(known);
}

/** Returns the connection that a bean describes; undefined for a bean of another class. Throws an Error with what to write. */
export function connectionOfFactory(bean: BeanReference, find: FindBean, depth = 0): OwnConnection | undefined {
  const { name = "", type, properties } = bean;
  const known = classes.get(type);
  if (known === undefined) return undefined;
  if (depth > 4) throw new Error(`the bean '${name}' refers to itself`);
  const given = new Map<Meaning, string>();
  for (const [property, value] of Object.entries(properties)) {
    const meaning = Object.hasOwn(known, property) ? known[property] : undefined;
    if (meaning === undefined || typeof value !== "string")
      throw new Error(
        `the bean '${name}' has '${property}', which has no effect here: leave it out; it may have ${listed(Object.keys(known))}`,
      );
    given.set(meaning, value);
  }
  const target = targetOf(given, name, find, depth);
  const username = given.get("username");
  const password = given.get("password");
  const most = Number(given.get("most") ?? 0);
  return {
    ...target,
    ...(username !== undefined && { username }),
    ...(password !== undefined && { password }),
    ...(Number.isInteger(most) && most > 0 && { maxConnections: most }),
  };
}

function targetOf(given: ReadonlyMap<Meaning, string>, name: string, find: FindBean, depth: number): OwnConnection {
  const url = given.get("url");
  if (url !== undefined) {
    const read = readBrokerUrl(url);
    if (typeof read === "string") throw new Error(`the URL of the bean '${name}' ${read}`);
    return read;
  }
  const reference = given.get("target");
  if (reference === undefined)
    throw new Error(`the bean '${name}' names no broker: give its URL, such as amqp://mq.example.org:5672`);
  const target = find(reference.trim());
  const own = target === undefined ? undefined : connectionOfFactory(target, find, depth + 1);
  if (own === undefined)
    throw new Error(`the bean '${name}' refers to '${reference}', which is no ConnectionFactory bean of this flow`);
  return own;
}
