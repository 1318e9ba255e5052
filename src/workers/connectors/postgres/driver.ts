/** Opens connections to PostgreSQL. */
import type { ConnectionOptions } from "node:tls";
import pg from "pg";
import type { ConnectionServer, ConnectionSettings } from "../../../shared/connection.ts";
import type { ConnectionDriver, Opening } from "../../engine/connections/connection.ts";
import { exceptionMessage } from "../../engine/exception.ts";
import { after } from "../../engine/waiting.ts";
import { boundLogin } from "../login-bytes.ts";
import { openOneOf } from "../servers.ts";
import { connectFailure } from "../sql-failure.ts";
import { PostgresClient } from "./client.ts";
import { requestCancel, sessionOf, wireOf } from "./library.ts";
import { typeParsers } from "./values.ts";

export const driver: ConnectionDriver<PostgresClient> = {
  open: (settings, opening) => openOneOf(settings, (server) => openAt(server, settings, opening)),
  async close({ client }) {
    // From here on its end is no loss.
    client.removeAllListeners("end");
    const giveUp = after(endMs, () => wireOf(client).stream.destroy());
    try {
      await client.end();
    } finally {
      giveUp();
    }
  },
  async probe({ client }) {
    const { rows } = await client.query<string[]>({
      text: "select current_setting('server_version'), version from pg_stat_ssl where pid = pg_backend_pid()",
      rowMode: "array",
    });
    const [serverVersion = "", tls] = rows[0] ?? [];
    return { serverVersion, tls: tls ?? null };
  },
};

/** How long the server may take to end a connection before that is done without it. */
const endMs = 1000;

async function openAt(
  server: ConnectionServer,
  settings: ConnectionSettings,
  { signal, limits, lost }: Opening,
): Promise<PostgresClient> {
  const { database, username, password = "", options } = settings;
  const ssl = sslOf(settings);
  let asksInClear = false;
  const client = new pg.Client({
    ...server,
    database,
    user: username,
    async password() {
      if (asksInClear && ssl === false && options["clearPassword"] !== true) throw new Error(inClear);
      return password;
    },
    ssl,
    types: typeParsers,
    application_name: textOf(options["applicationName"]),
    // What cancels a statement may not reach the server.
    statement_timeout: limits.outboundTotalMs + 5000,
    keepAlive: true,
    pipeline: true,
  });
  // Heard before the client asks for the password.
  wireOf(client).on("authenticationCleartextPassword", () => {
    asksInClear = true;
  });
  let opened = false;
  client.on("error", (error) => {
    if (opened) lost(error);
  });
  client.on("end", () => {
    if (opened) lost(new Error("the server has closed the connection"));
  });
  const giveUp = (): void => void wireOf(client).stream.destroy();
  const loggedIn = boundLogin(wireOf(client).stream);
  signal.addEventListener("abort", giveUp, { once: true });
  try {
    await client.connect();
    await prepareSession(client, options);
    opened = true;
  } catch (error) {
    giveUp();
    throw connectFailure(`${server.host}:${server.port}: ${exceptionMessage(error)}`, error);
  } finally {
    loggedIn();
    signal.removeEventListener("abort", giveUp);
  }
  return new PostgresClient(client, () => requestCancel(server, ssl, sessionOf(client)));
}

const inClear =
  'the server asks for the password in clear, and the connection is not encrypted: write "tls": {}, let the server use scram-sha-256, or set the option clearPassword of the connection';

function sslOf({ tls, cert, key }: ConnectionSettings): ConnectionOptions | false {
  if (tls === undefined) return false;
  const { ca, serverName } = tls;
  return {
    rejectUnauthorized: true,
    ...(ca !== undefined && { ca }),
    ...(cert !== undefined && { cert }),
    ...(key !== undefined && { key }),
    ...(serverName !== undefined && {
      checkServerIdentity: (_host, certificate) =>
        process.getBuiltinModule("node:tls").checkServerIdentity(serverName, certificate),
    }),
  };
}

/** Sets the session's options. A server that can, ends statements of a client that has gone away. */
async function prepareSession(
  client: pg.Client,
  { timeZone, searchPath }: ConnectionSettings["options"],
): Promise<void> {
  await client.query({
    text: `select set_config('TimeZone', coalesce($1, current_setting('TimeZone')), false),
      set_config('search_path', coalesce($2, current_setting('search_path')), false)`,
    values: [textOf(timeZone) ?? null, textOf(searchPath) ?? null],
  });
  // Unknown before version 14, and impossible on some systems.
  await client.query("set client_connection_check_interval = '2s'").catch(() => {});
}

function textOf(value: unknown): string | undefined {
  return value === undefined ? undefined : String(value);
}
