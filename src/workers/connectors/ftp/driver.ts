/** Opens connections to FTP servers. Those for data go to the server, on the ports that it names (passive mode). */
import type { Socket } from "node:net";
import type { ConnectionOptions, TLSSocket } from "node:tls";
import ftp from "basic-ftp";
import type { ConnectionServer, ConnectionSettings } from "../../../shared/connection.ts";
import type { ConnectionDriver, Opening } from "../../engine/connections/connection.ts";
import { exceptionMessage, FlowException } from "../../engine/exception.ts";
import { besideConnection } from "../../engine/net/gate.ts";
import { boundLogin } from "../login-bytes.ts";
import { openOneOf } from "../servers.ts";
import { FtpClient } from "./client.ts";
import { byWholeLines } from "./whole-lines.ts";

/** The most bytes of the list of a directory. */
const listBytes = 16 * 1024 * 1024;

export const driver: ConnectionDriver<FtpClient> = {
  open: (settings, opening) => openOneOf(settings, (server) => openAt(server, settings, opening)),
  close: (client) => client.destroy(),
  async probe({ ftp: client, greeting }) {
    await client.pwd();
    const { socket } = client.ftp as { readonly socket: Partial<TLSSocket> };
    return { serverVersion: greeting, tls: socket.getProtocol?.() ?? null };
  },
};

async function openAt(
  server: ConnectionServer,
  settings: ConnectionSettings,
  { signal, limits, lost, session }: Opening,
): Promise<FtpClient> {
  const { username = "anonymous", password = "anonymous", options, tls } = settings;
  const { encryption = server.port === 990 ? "implicit" : "explicit" } = options;
  const client = new ftp.Client(limits.outboundTotalMs, {
    allowSeparateTransferHost: false,
    maxListingBytes: listBytes,
  });
  byWholeLines(client.ftp);
  const giveUp = (): void => client.close();
  signal.addEventListener("abort", giveUp, { once: true });
  try {
    const secure = tlsOptions(settings, server.host);
    const isImplicit = tls !== undefined && encryption === "implicit";
    const greeted = isImplicit
      ? client.connectImplicitTLS(server.host, server.port, secure)
      : client.connect(server.host, server.port);
    const control = client.ftp.socket;
    control.setNoDelay(true);
    const loggedIn = boundLogin(control);
    const { message } = await greeted;
    if (tls !== undefined && !isImplicit) await client.useTLS(secure);
    besideControl(client, control);
    await client.login(username, password);
    await client.useDefaultSettings();
    for (const line of String(session["siteCommand"] ?? "").split("\n"))
      if (line.trim() !== "") await client.send(`SITE ${line.trim().replace(/^SITE\s+/i, "")}`);
    const home = await client.pwd();
    loggedIn();
    const opened = new FtpClient(client, message.replace(/^220[ -]/, "").split(/\r?\n/)[0] ?? "", home);
    client.ftp.socket.once("close", () => {
      if (!opened.isClosed) lost(new Error("the server has closed the connection"));
    });
    return opened;
  } catch (error) {
    giveUp();
    throw connectFailure(server, error);
  } finally {
    signal.removeEventListener("abort", giveUp);
  }
}

/** Lets the gate know that sockets for data belong to the control connection, whose address it has judged. */
function besideControl(client: InstanceType<typeof ftp.Client>, control: Socket): void {
  const context = client.ftp as unknown as { _newSocket: () => Socket };
  context._newSocket = () => {
    const socket = new (process.getBuiltinModule("node:net").Socket)();
    const connect = socket.connect.bind(socket) as (options: object, listener: () => void) => Socket;
    socket.connect = ((to: object, listener: () => void) =>
      connect({ ...to, [besideConnection]: control }, listener)) as typeof socket.connect;
    return socket;
  };
}

function tlsOptions({ tls, cert, key }: ConnectionSettings, host: string): ConnectionOptions {
  const { ca, serverName = host } = tls ?? {};
  const { isIP } = process.getBuiltinModule("node:net");
  const { checkServerIdentity } = process.getBuiltinModule("node:tls");
  return {
    rejectUnauthorized: true,
    host,
    ...(ca !== undefined && { ca }),
    ...(cert !== undefined && { cert }),
    ...(key !== undefined && { key }),
    ...(isIP(serverName) === 0 && { servername: serverName }),
    checkServerIdentity: (_host, certificate) => checkServerIdentity(serverName, certificate),
  };
}

function connectFailure({ host, port }: ConnectionServer, error: unknown): FlowException {
  if (error instanceof FlowException) return error;
  const { code } = error as { readonly code?: unknown };
  const login = code === 530 ? "Cannot login: " : "";
  return new FlowException(
    "org.apache.camel.component.file.GenericFileOperationFailedException",
    `Cannot connect to ftp://${host}:${port}: ${login}${exceptionMessage(error)}`,
    { cause: error, details: typeof code === "number" ? { code } : {} },
  );
}
