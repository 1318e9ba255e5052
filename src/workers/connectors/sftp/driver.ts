/** Opens sessions of SFTP over SSH. */
import type { Socket } from "node:net";
import ssh2, { type Algorithms, type AuthMethod, type ConnectConfig, type SFTPWrapper } from "ssh2";
import type { ConnectionServer, ConnectionSettings } from "../../../shared/connection.ts";
import type { ConnectionDriver, Opening } from "../../engine/connections/connection.ts";
import { exceptionMessage, FlowException } from "../../engine/exception.ts";
import { boundLogin } from "../login-bytes.ts";
import { openOneOf } from "../servers.ts";
import { SftpClient } from "./client.ts";
import { checkHostKey } from "./known-hosts.ts";
import { readPrivateKey } from "./private-key.ts";

export const driver: ConnectionDriver<SftpClient> = {
  open: (settings, opening) => openOneOf(settings, (server) => openAt(server, settings, opening)),
  close: (client) => client.destroy(),
  async probe(client) {
    await client.stat(".");
    return { serverVersion: client.greeting, tls: null };
  },
};

async function openAt(
  server: ConnectionServer,
  settings: ConnectionSettings,
  { signal, limits, lost }: Opening,
): Promise<SftpClient> {
  const ssh = new ssh2.Client();
  let socket: Socket | undefined;
  let opened = false;
  const giveUp = (): void => {
    ssh.on("error", () => {}).end();
    socket?.destroy();
  };
  signal.addEventListener("abort", giveUp, { once: true });
  try {
    socket = await connected(server);
    const loggedIn = boundLogin(socket);
    let greeting = "";
    socket.once("data", (chunk: Uint8Array) => {
      [greeting = ""] = Buffer.from(chunk).toString("latin1").slice(0, 200).split(/\r?\n/);
    });
    socket.pause();
    const sftp = await session(ssh, { ...configOf(server, settings, limits.outboundConnectMs), sock: socket });
    loggedIn();
    const end = socket;
    const client = new SftpClient(sftp, greeting, () => {
      opened = false;
      ssh.end();
      end.destroy();
    });
    const gone = (error: unknown): void => {
      if (opened) lost(error);
      opened = false;
    };
    ssh.removeAllListeners("error").on("error", gone);
    ssh.on("close", () => gone(new Error("the server has closed the connection")));
    sftp.on("close", () => gone(new Error("the server has closed the session")));
    opened = true;
    return client;
  } catch (error) {
    giveUp();
    throw connectFailure(server, error);
  } finally {
    signal.removeEventListener("abort", giveUp);
  }
}

/** In the order in which they are tried. */
const allWays = ["none", "password", "publickey", "keyboard-interactive"];

function configOf(
  { host, port }: ConnectionServer,
  { username, password, privateKey, passphrase, options }: ConnectionSettings,
  readyTimeout: number,
): ConnectConfig {
  const algorithms: Record<string, readonly string[]> = {};
  for (const [name, option] of [
    ["cipher", options["ciphers"]],
    ["kex", options["keyExchange"]],
    ["serverHostKey", options["serverHostKeys"]],
  ] as const)
    if (option !== undefined) algorithms[name] = listed(String(option));
  if (options["compression"] === true) algorithms["compress"] = ["zlib@openssh.com", "zlib", "none"];
  const { authentications } = options;
  const ways = authentications === undefined ? allWays : listed(String(authentications));
  return {
    ...(username !== undefined && { username }),
    ...(password !== undefined && { password }),
    // A server that asks for the password in a dialogue gets it as the answer.
    tryKeyboard: password !== undefined,
    readyTimeout,
    keepaliveInterval: Number(options["keepAliveMs"] ?? 0),
    keepaliveCountMax: Number(options["keepAliveCount"] ?? 3),
    algorithms: algorithms as Algorithms,
    // The library takes names and methods side by side, which its types do not say.
    authHandler: ways.map((type) =>
      type === "publickey" && privateKey !== undefined
        ? { type, username: username ?? "", key: readPrivateKey(privateKey, passphrase) }
        : type,
    ) as AuthMethod[],
    hostVerifier: (key: Buffer): boolean => {
      const { isKnown, problem } = checkHostKey(String(options["knownHosts"] ?? ""), host, port, key);
      if (isKnown) return true;
      throw new HostKeyRefused(problem);
    },
  };
}

/** Ends the handshake: the library would report a key that is not accepted without saying which it was. */
class HostKeyRefused extends Error {}

function listed(text: string): readonly string[] {
  return text
    .split(",")
    .map((one) => one.trim())
    .filter((one) => one !== "");
}

function connected({ host, port }: ConnectionServer): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = process.getBuiltinModule("node:net").connect(port, host, () => resolve(socket.off("error", reject)));
    // Requests are small, and each waits for its answer.
    socket.setNoDelay(true).once("error", reject);
  });
}

function session(ssh: InstanceType<typeof ssh2.Client>, config: ConnectConfig): Promise<SFTPWrapper> {
  return new Promise((resolve, reject) => {
    let refused: unknown;
    const { hostVerifier } = config as { readonly hostVerifier: (key: Buffer) => boolean };
    ssh.on("error", (error) => reject(refused ?? error));
    ssh.on("close", () => reject(refused ?? new Error("the server has closed the connection")));
    ssh.on("keyboard-interactive", (_name, _text, _language, prompts, answer) =>
      answer(prompts.map(() => String(config.password ?? ""))),
    );
    ssh.on("ready", () => {
      ssh.sftp((error, sftp) => (error ? reject(error) : resolve(sftp)));
    });
    ssh.connect({
      ...config,
      hostVerifier: (key: Buffer): boolean => {
        try {
          return hostVerifier(key);
        } catch (error) {
          refused = error;
          return false;
        }
      },
    });
  });
}

function connectFailure({ host, port }: ConnectionServer, error: unknown): FlowException {
  if (error instanceof FlowException) return error;
  return new FlowException(
    "org.apache.camel.component.file.GenericFileOperationFailedException",
    `Cannot connect to sftp://${host}:${port}: ${exceptionMessage(error)}`,
    { cause: error },
  );
}
