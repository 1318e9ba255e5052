/** Opens connections to mail servers. */
import type { Socket } from "node:net";
import type { ConnectionOptions, TLSSocket } from "node:tls";
import SMTPConnection from "nodemailer/lib/smtp-connection";
import type { ConnectionServer, ConnectionSettings } from "../../../shared/connection.ts";
import type { ConnectionDriver, Opening } from "../../engine/connections/connection.ts";
import { openOneOf } from "../servers.ts";
import { SmtpClient } from "./client.ts";
import { connectFailure } from "./failure.ts";

/** The most bytes of one answer. */
const answerBytes = 64 * 1024;

export const driver: ConnectionDriver<SmtpClient> = {
  open: (settings, opening) => openOneOf(settings, (server) => openAt(server, settings, opening)),
  close({ connection }) {
    // From here on its end is no loss.
    connection
      .removeAllListeners("end")
      .removeAllListeners("error")
      .on("error", () => {});
    return new Promise((resolve) => {
      connection.once("end", resolve);
      if (connection.destroyed) resolve();
      else connection.quit();
    });
  },
  async probe({ connection, greeting }) {
    const { _socket: socket } = connection as unknown as { readonly _socket: Partial<TLSSocket> };
    await new Promise<void>((resolve, reject) => {
      connection.reset((error) => (error ? reject(error) : resolve()));
    });
    return { serverVersion: greeting, tls: socket.getProtocol?.() ?? null };
  },
};

async function openAt(
  server: ConnectionServer,
  settings: ConnectionSettings,
  { signal, limits, lost }: Opening,
): Promise<SmtpClient> {
  const { username, password = "", options, tls } = settings;
  const { encryption = server.port === 465 ? "implicit" : "starttls", localName } = options;
  const isImplicit = tls !== undefined && encryption === "implicit";
  const secure = tlsOptions(settings, server.host);
  let socket: Socket | undefined;
  let connection: SMTPConnection | undefined;
  const giveUp = (): void => {
    connection?.on("error", () => {}).close();
    socket?.on("error", () => {}).destroy();
  };
  signal.addEventListener("abort", giveUp, { once: true });
  try {
    // The library would resolve the name itself, and rules for names would not hold.
    socket = await connected(server, isImplicit ? secure : undefined);
    const greeting = greetingOf(socket);
    connection = new SMTPConnection({
      ...server,
      connection: socket,
      secure: isImplicit,
      secured: isImplicit,
      ...(localName !== undefined && { name: String(localName) }),
      ...(tls === undefined ? { ignoreTLS: true } : { requireTLS: !isImplicit, tls: secure }),
      connectionTimeout: limits.outboundConnectMs,
      greetingTimeout: limits.outboundConnectMs,
      socketTimeout: limits.outboundTotalMs + limits.connectionIdleMs,
      socketCloseTimeout: 1000,
      maxResponseSize: answerBytes,
    });
    await opened(connection);
    if (username !== undefined) await loggedIn(connection, username, password);
    const client = new SmtpClient(connection, greeting(), server);
    connection.on("error", lost);
    connection.once("end", () => lost(new Error("the server has closed the connection")));
    return client;
  } catch (error) {
    giveUp();
    throw connectFailure(`${server.host}:${server.port}`, error);
  } finally {
    signal.removeEventListener("abort", giveUp);
  }
}

function tlsOptions({ tls, cert, key }: ConnectionSettings, host: string): ConnectionOptions {
  const { ca, serverName = host } = tls ?? {};
  const { isIP } = process.getBuiltinModule("node:net");
  const { checkServerIdentity } = process.getBuiltinModule("node:tls");
  return {
    rejectUnauthorized: true,
    ...(ca !== undefined && { ca }),
    ...(cert !== undefined && { cert }),
    ...(key !== undefined && { key }),
    // An address cannot be asked for by name (RFC 6066).
    ...(isIP(serverName) === 0 && { servername: serverName }),
    checkServerIdentity: (_host, certificate) => checkServerIdentity(serverName, certificate),
  };
}

function connected({ host, port }: ConnectionServer, secure: ConnectionOptions | undefined): Promise<Socket> {
  const net = process.getBuiltinModule("node:net");
  const tls = process.getBuiltinModule("node:tls");
  return new Promise((resolve, reject) => {
    const socket =
      secure === undefined
        ? net.connect(port, host, () => resolve(socket.off("error", reject)))
        : tls.connect({ ...secure, host, port }, () => resolve(socket.off("error", reject)));
    socket.once("error", reject);
  });
}

/** Returns what gives the text of the server's first line later. */
function greetingOf(socket: Socket): () => string {
  let first = "";
  socket.once("data", (chunk: Uint8Array) => {
    [first = ""] = Buffer.from(chunk).toString("latin1").slice(0, 200).split(/\r?\n/);
  });
  socket.pause();
  return () => first.replace(/^220[ -]/, "");
}

/** Resolves when the server has greeted, and the connection is encrypted if it has to be. */
async function opened(connection: SMTPConnection): Promise<void> {
  await unlessEnded(connection, (done) => connection.connect(done));
}

async function loggedIn(connection: SMTPConnection, user: string, pass: string): Promise<void> {
  await unlessEnded(connection, (done) => connection.login({ user, pass }, done));
}

function unlessEnded(connection: SMTPConnection, begin: (done: (error?: Error | null) => void) => void): Promise<void> {
  return new Promise<void>((resolve, reject) => {
    connection.once("error", reject);
    connection.once("end", () => reject(new Error("the server has closed the connection")));
    begin((error) => (error ? reject(error) : resolve()));
  }).finally(() => connection.removeAllListeners("end").removeAllListeners("error"));
}
