/** Opens connections to MySQL and MariaDB. */
import type { Socket } from "node:net";
import mysql from "mysql2";
import type { ConnectionServer, ConnectionSettings } from "../../../shared/connection.ts";
import type { ConnectionDriver, Opening } from "../../engine/connections/connection.ts";
import { exceptionMessage } from "../../engine/exception.ts";
import { after } from "../../engine/waiting.ts";
import { boundLogin } from "../login-bytes.ts";
import { openOneOf } from "../servers.ts";
import { connectFailure } from "../sql-failure.ts";
import { MysqlClient } from "./client.ts";
import { readValue } from "./values.ts";

/** How long the server may take to end a connection before that is done without it. */
const endMs = 1000;

export const driver: ConnectionDriver<MysqlClient> = {
  open: (settings, opening) => openOneOf(settings, (server) => openAt(server, settings, opening)),
  close({ connection }) {
    // From here on its end is no loss.
    connection.removeAllListeners("end");
    connection.removeAllListeners("error");
    connection.on("error", () => {});
    return new Promise((resolve) => {
      const end = (): void => {
        giveUp();
        connection.destroy();
        resolve();
      };
      const giveUp = after(endMs, end);
      connection.end(end);
    });
  },
  async probe(client) {
    const [version, tls] = await Promise.all([
      ask(client.connection, "select version()"),
      ask(client.connection, "show status like 'Ssl_version'"),
    ]);
    return { serverVersion: String(version[0]?.[0] ?? ""), tls: String(tls[0]?.[1] ?? "") || null };
  },
};

async function openAt(
  server: ConnectionServer,
  settings: ConnectionSettings,
  { signal, limits, lost }: Opening,
): Promise<MysqlClient> {
  const options = connectionOptions(server, settings, limits.outboundConnectMs);
  const connection = mysql.createConnection(options);
  let opened = false;
  connection.on("error", (error) => {
    if (opened) lost(error);
  });
  connection.on("end", () => {
    if (opened) lost(new Error("the server has closed the connection"));
  });
  const giveUp = (): void => connection.destroy();
  const loggedIn = boundLogin((connection as unknown as { readonly stream: Socket }).stream);
  signal.addEventListener("abort", giveUp, { once: true });
  try {
    const version = await serverVersion(connection);
    const seconds = Math.ceil(limits.outboundTotalMs / 1000) + 5;
    // What cancels a statement may not reach the server. MySQL has such a limit for queries only.
    const most = version.includes("MariaDB")
      ? `max_statement_time = ${seconds}`
      : `max_execution_time = ${seconds * 1000}`;
    await ask(connection, `set time_zone = '${zoneOf(settings.options["timeZone"])}', session ${most}`);
    opened = true;
  } catch (error) {
    giveUp();
    throw connectFailure(`${server.host}:${server.port}: ${exceptionMessage(error)}`, error);
  } finally {
    loggedIn();
    signal.removeEventListener("abort", giveUp);
  }
  return new MysqlClient(connection, () => requestCancel(options, connection.threadId));
}

function connectionOptions(
  { host, port }: ConnectionServer,
  { database, username, password, tls, cert, key, options }: ConnectionSettings,
  connectTimeout: number,
): mysql.ConnectionOptions {
  const { serverName = host } = tls ?? {};
  return {
    // The library checks the certificate for this name, and connects to it unless it is given a socket.
    host: serverName,
    port,
    ...(serverName !== host && { stream: () => process.getBuiltinModule("node:net").connect(port, host) }),
    ...(database !== undefined && { database }),
    ...(username !== undefined && { user: username }),
    ...(password !== undefined && { password }),
    ...(tls !== undefined && {
      ssl: {
        rejectUnauthorized: true,
        verifyIdentity: true,
        ...(tls.ca !== undefined && { ca: tls.ca }),
        ...(cert !== undefined && { cert }),
        ...(key !== undefined && { key }),
      },
    }),
    charset: `${String(options["charset"] ?? "utf8mb4")}_${options["charset"] === "latin1" ? "swedish_ci" : "general_ci"}`,
    timezone: String(options["timeZone"] ?? "Z"),
    connectTimeout,
    // Otherwise it makes code of the names of columns.
    disableEval: true,
    flags: ["-LOCAL_FILES"],
    maxPreparedStatements: 64,
    rowsAsArray: true,
    supportBigNumbers: true,
    bigNumberStrings: true,
    dateStrings: true,
    jsonStrings: true,
    typeCast: readValue,
  };
}

/** `Z`, `local` or an offset as the server takes it. */
function zoneOf(zone: unknown): string {
  if (zone === undefined || zone === "Z") return "+00:00";
  if (zone !== "local") return String(zone).replaceAll(/[^+\-:\d]/g, "");
  const minutes = -new Date().getTimezoneOffset();
  const two = (number: number): string => String(Math.floor(Math.abs(number))).padStart(2, "0");
  return `${minutes < 0 ? "-" : "+"}${two(minutes / 60)}:${two(minutes % 60)}`;
}

function serverVersion(connection: mysql.Connection): Promise<string> {
  return new Promise((resolve, reject) => {
    connection.once("error", reject);
    connection.once("connect", ({ serverVersion }: { readonly serverVersion: string }) => {
      connection.off("error", reject);
      resolve(serverVersion);
    });
  });
}

function ask(connection: mysql.Connection, sql: string): Promise<readonly (readonly unknown[])[]> {
  return new Promise((resolve, reject) => {
    connection.query(sql, (error, rows) => {
      if (error === null) resolve(Array.isArray(rows) ? (rows as unknown[][]) : []);
      else reject(error);
    });
  });
}

/** Asks the server to end the statement, over a connection that is opened for it. Reports nothing. */
function requestCancel(options: mysql.ConnectionOptions, threadId: number): void {
  const connection = mysql.createConnection(options);
  connection.on("error", () => connection.destroy());
  connection.query(`kill query ${threadId}`, () => connection.destroy());
}
