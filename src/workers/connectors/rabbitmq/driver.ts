/** Opens connections to RabbitMQ. What the library would do by itself when one is lost is the pool's. */
import type { ConnectionOptions } from "node:tls";
import { Connection } from "rabbitmq-client";
import type { ConnectionServer, ConnectionSettings } from "../../../shared/connection.ts";
import type { ConnectionDriver, Opening } from "../../engine/connections/connection.ts";
import { openOneOf } from "../servers.ts";
import { RabbitClient } from "./client.ts";
import { connectFailure } from "./failure.ts";
import { boundFrames, gatherWrites, readGreeting, socketOf } from "./library.ts";

export const driver: ConnectionDriver<RabbitClient> = {
  open: (settings, opening) => openOneOf(settings, (server) => openAt(server, settings, opening)),
  close: (client) => client.close(),
  probe: async ({ serverVersion, tls }) => ({ serverVersion, tls }),
};

async function openAt(
  { host, port }: ConnectionServer,
  settings: ConnectionSettings,
  { signal, limits, lost }: Opening,
): Promise<RabbitClient> {
  const { database = "/", username = "guest", password = "", options } = settings;
  const frameMax = Number(options["frameMax"]);
  const tls = tlsOf(host, settings);
  const connection = new Connection({
    ...{ hostname: host, port, vhost: database, username, password, frameMax },
    ...(tls !== undefined && { tls }),
    heartbeat: Number(options["heartbeat"]),
    connectionName: String(options["connectionName"]),
    // The pool's own limit ends the attempt.
    connectionTimeout: limits.outboundConnectMs * 2,
    noDelay: true,
  });
  const { promise: opened, resolve, reject } = Promise.withResolvers<void>();
  let client: RabbitClient | undefined;
  connection.on("error", (error: unknown) => {
    // It would connect again by itself.
    connection.unsafeDestroy();
    if (client === undefined) return reject(error);
    client.lose();
    lost(error);
  });
  connection.on("connection", () => resolve());
  const socket = socketOf(connection);
  boundFrames(socket, frameMax);
  gatherWrites(socket);
  const greeting = readGreeting(socket);
  const giveUp = (): void => {
    connection.unsafeDestroy();
    reject(signal.reason);
  };
  signal.addEventListener("abort", giveUp, { once: true });
  try {
    await opened;
  } catch (error) {
    connection.unsafeDestroy();
    throw connectFailure(`${host}:${port}`, error);
  } finally {
    signal.removeEventListener("abort", giveUp);
  }
  const version = "getProtocol" in socket && typeof socket.getProtocol === "function" ? socket.getProtocol() : null;
  client = new RabbitClient({
    connection,
    maxBytes: limits.messageBodyBytes,
    serverVersion: greeting.version(),
    tls: typeof version === "string" ? version : null,
  });
  return client;
}

function tlsOf(host: string, { tls, cert, key }: ConnectionSettings): ConnectionOptions | undefined {
  if (tls === undefined) return undefined;
  const { ca, serverName } = tls;
  const { checkServerIdentity } = process.getBuiltinModule("node:tls");
  return {
    rejectUnauthorized: true,
    ...(ca !== undefined && { ca }),
    ...(cert !== undefined && { cert }),
    ...(key !== undefined && { key }),
    ...(serverName !== undefined && {
      checkServerIdentity: (_host, certificate) => checkServerIdentity(serverName, certificate),
    }),
    // A name alone: an address is none.
    ...(/[a-z]/i.test(host) && !host.includes(":") && { servername: serverName ?? host }),
  };
}
