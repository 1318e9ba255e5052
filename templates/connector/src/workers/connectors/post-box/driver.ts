/** Opens connections to servers of Post box. */
import type { TLSSocket } from "node:tls";
import type { ConnectionServer, ConnectionSettings } from "../../../../../../src/shared/connection.ts";
import { boundLogin } from "../../../../../../src/workers/connectors/login-bytes.ts";
import { openOneOf } from "../../../../../../src/workers/connectors/servers.ts";
import { openSocket } from "../../../../../../src/workers/connectors/socket.ts";
import type { ConnectionDriver, Opening } from "../../../../../../src/workers/engine/connections/connection.ts";
import { exceptionMessage, FlowException } from "../../../../../../src/workers/engine/exception.ts";
import { unlessAborted } from "../../../../../../src/workers/engine/waiting.ts";
import { QueueClient } from "./client.ts";

export const driver: ConnectionDriver<QueueClient> = {
  open: (settings, opening) => openOneOf(settings, (server) => openAt(server, settings, opening)),
  close({ socket }) {
    socket.destroy();
  },
  async probe(client) {
    await client.ping();
    const tls = "getProtocol" in client.socket ? (client.socket as TLSSocket).getProtocol() : null;
    return { serverVersion: client.serverVersion, tls };
  },
};

async function openAt(
  server: ConnectionServer,
  settings: ConnectionSettings,
  { signal, limits, lost }: Opening,
): Promise<QueueClient> {
  const { username, password, options } = settings;
  try {
    const socket = await openSocket(server, settings, signal);
    const client = new QueueClient(socket, limits.messageBodyBytes);
    const loggedIn = boundLogin(socket);
    let isOpen = false;
    let reason: unknown = new Error("the server has closed the connection");
    socket.on("error", (error) => {
      reason = error;
    });
    socket.on("close", () => {
      const failure = failureOf("java.net.SocketException", server, reason);
      client.end(failure);
      if (isOpen) lost(failure);
    });
    try {
      await unlessAborted(client.login({ clientName: String(options["clientName"]), username, password }), signal);
      isOpen = true;
      return client;
    } finally {
      loggedIn();
      if (!isOpen) socket.destroy();
    }
  } catch (error) {
    throw failureOf("java.net.ConnectException", server, error);
  }
}

/** What already has a class of Camel's users keeps it. */
function failureOf(type: string, { host, port }: ConnectionServer, error: unknown): FlowException {
  const address = `${host}:${port}: `;
  const message = exceptionMessage(error);
  return new FlowException(
    error instanceof FlowException ? error.type : type,
    message.startsWith(address) ? message : address + message,
    { cause: error },
  );
}
