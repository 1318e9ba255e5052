/** Opens the socket of a connection: TCP, or TLS with the certificate checked. */
import type { Socket } from "node:net";
import type { ConnectionOptions, TLSSocket } from "node:tls";
import type { ConnectionServer, ConnectionSettings } from "../../shared/connection.ts";
import { unlessAborted } from "../engine/waiting.ts";

/** Rejects with the exact cause, and with the reason of `signal`. */
export async function openSocket(
  server: ConnectionServer,
  settings: ConnectionSettings,
  signal: AbortSignal,
): Promise<Socket> {
  const { socket, ready } = socketTo(server, settings);
  const connected = new Promise<void>((resolve, reject) => {
    socket.once(ready, resolve);
    socket.once("error", reject);
    socket.once("close", () => reject(new Error("the server has closed the connection")));
  });
  try {
    await unlessAborted(connected, signal);
    return socket;
  } catch (error) {
    socket.on("error", () => {}).destroy();
    throw error;
  }
}

function socketTo(
  { host, port }: ConnectionServer,
  { tls, cert, key }: ConnectionSettings,
): { readonly socket: Socket; readonly ready: "connect" | "secureConnect" } {
  const net = process.getBuiltinModule("node:net");
  if (tls === undefined)
    return { socket: net.connect({ host, port, noDelay: true, keepAlive: true }), ready: "connect" };
  const { connect, checkServerIdentity } = process.getBuiltinModule("node:tls");
  const { ca, serverName } = tls;
  const options: ConnectionOptions = {
    ...{ host, port, rejectUnauthorized: true },
    ...(net.isIP(host) === 0 && { servername: host }),
    ...(ca !== undefined && { ca }),
    ...(cert !== undefined && { cert }),
    ...(key !== undefined && { key }),
    ...(serverName !== undefined && {
      checkServerIdentity: (_host, certificate) => checkServerIdentity(serverName, certificate),
    }),
  };
  const socket: TLSSocket = connect(options);
  socket.setNoDelay(true).setKeepAlive(true);
  return { socket, ready: "secureConnect" };
}
