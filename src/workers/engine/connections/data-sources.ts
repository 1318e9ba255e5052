/** Beans of well-known DataSource classes, read as connections of their flow. Libraries of the JVM have no part in it. */
import { listed } from "../../../shared/suggest.ts";
import type { BeanReference } from "../bean.ts";
import type { OwnConnection } from "./connection.ts";
import { type DataSourceKind, type DataSourceMeaning, dataSourceClass } from "./data-source-classes.ts";
import { type JdbcTarget, readJdbcUrl } from "./jdbc-url.ts";

const ports: Readonly<Record<DataSourceKind, number>> = { postgres: 5432, mysql: 3306 };
/** The value of a secret in a flow that is only checked. */
const standIn = "http://secret.invalid";

/** Returns the connection that a bean describes; undefined for a bean of another class. Throws an Error with what to write. */
export function connectionOfDataSource({ name = "", type, properties }: BeanReference): OwnConnection | undefined {
  const known = dataSourceClass(type);
  if (known === undefined) return undefined;
  const given = new Map<DataSourceMeaning, string>();
  for (const [property, value] of Object.entries(properties)) {
    const meaning = Object.hasOwn(known.properties, property) ? known.properties[property] : undefined;
    if (meaning === undefined || typeof value !== "string") {
      const has = listed(Object.keys(known.properties));
      throw new Error(
        `the bean '${name}' has '${property}', which has no effect here: leave it out; it may have ${has}`,
      );
    }
    given.set(meaning, value);
  }
  const url = given.get("url");
  const target = url === undefined ? undefined : targetOf(url, name);
  const kind = target?.kind ?? known.kind;
  const host = given.get("host");
  const servers = target?.servers ?? (host === undefined ? [] : [{ host, port: 0 }]);
  if (kind === undefined || servers.length === 0)
    throw new Error(
      `the bean '${name}' names no server: give ${known.kind === undefined ? "its URL" : "serverName or url"}`,
    );
  if (known.kind !== undefined && kind !== known.kind)
    throw new Error(`the bean '${name}' is of type '${type}', and its URL is that of another product`);
  const port = wholeOf(given.get("port"), "the port", name);
  const most = wholeOf(given.get("most"), "the number of connections", name);
  return {
    kind,
    servers: servers.map((one) => ({ host: one.host, port: one.port || port || ports[kind] })),
    database: given.get("database") ?? target?.database,
    username: given.get("username") ?? target?.username,
    password: given.get("password") ?? target?.password,
    ...(target?.tls === true && { tls: {} }),
    ...(target?.options && { options: target.options }),
    ...(most !== undefined && most > 0 && { maxConnections: most }),
  };
}

function targetOf(url: string, name: string): JdbcTarget {
  if (url.includes(standIn)) return { kind: "postgres", servers: [{ host: "secret.invalid", port: 0 }], tls: false };
  const target = readJdbcUrl(url);
  if (typeof target === "string") throw new Error(`the URL of the bean '${name}' ${target}`);
  return target;
}

function wholeOf(text: string | undefined, what: string, name: string): number | undefined {
  if (text === undefined || text.includes(standIn)) return undefined;
  const value = Number(text);
  if (Number.isInteger(value) && value >= 0 && value <= 65_535) return value;
  throw new Error(`${what} of the bean '${name}' is a whole number`);
}
