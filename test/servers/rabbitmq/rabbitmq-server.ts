/** RabbitMQ of Debian's package, for tests. It takes ten seconds to start. */
import { hostname } from "node:os";
import { join } from "node:path";
import { cert, key } from "../../support/localhost-cert.ts";
import { freePort } from "../ports.ts";
import { program, ServerProcess, serverFile, serverFolder, serverUser } from "../server-process.ts";

export interface RabbitServer {
  readonly host: string;
  readonly port: number;
  /** The port of encrypted connections, with the certificate of test/support/localhost-cert.ts. */
  readonly tlsPort: number;
  readonly virtualHost: string;
  readonly username: string;
  readonly password: string;
  readonly process: Pick<ServerProcess, "start" | "stop" | "folder" | "pid">;
  close(): Promise<void>;
}

/** Returns the paths of the server and of the registry of names that it needs. Throws Unavailable. */
export function installRabbit(): { readonly command: string; readonly epmd: string } {
  return {
    command: program("/usr/lib/rabbitmq/bin/rabbitmq-server", ["rabbitmq-server"]),
    epmd: program("/usr/bin/epmd", ["erlang-base"]),
  };
}

/** Throws Unavailable. */
export async function startRabbitServer(): Promise<RabbitServer> {
  const { command, epmd } = installRabbit();
  const user = serverUser("rabbitmq");
  const folder = await serverFolder("rabbitmq", user);
  const [port, tlsPort, distPort, epmdPort] = await Promise.all([freePort(), freePort(), freePort(), freePort()]);
  const login = { virtualHost: "shop", username: "test", password: "a-password-for-tests" };
  const settings = {
    "listeners.tcp.default": `127.0.0.1:${port}`,
    "listeners.ssl.default": `127.0.0.1:${tlsPort}`,
    "ssl_options.certfile": await serverFile(folder, user, "server.crt", cert),
    "ssl_options.keyfile": await serverFile(folder, user, "server.key", key),
    default_vhost: login.virtualHost,
    default_user: login.username,
    default_pass: login.password,
    "log.console": "true",
    "log.console.level": "info",
  };
  const configuration = await serverFile(folder, user, "rabbitmq.conf", linesOf(settings));
  const names = { ERL_EPMD_ADDRESS: "127.0.0.1", ERL_EPMD_PORT: String(epmdPort) };
  const env = {
    ...names,
    HOME: folder,
    RABBITMQ_NODENAME: `test${port}@localhost`,
    RABBITMQ_CONFIG_FILE: configuration,
    RABBITMQ_MNESIA_BASE: join(folder, "db"),
    RABBITMQ_LOG_BASE: join(folder, "log"),
    RABBITMQ_ENABLED_PLUGINS_FILE: await serverFile(folder, user, "enabled_plugins", "[]."),
    RABBITMQ_DIST_PORT: String(distPort),
    RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS: "+S 1:1 +sbwt none",
    // The server takes the place of its shell, so that signals reach it.
    RUNNING_UNDER_SYSTEMD: "1",
    HOSTNAME: hostname(),
  };
  // Started here, so that the server does not leave one of its own behind.
  const epmdArgs = ["-debug", "-port", String(epmdPort), "-address", "127.0.0.1"];
  const registry = new ServerProcess(
    { command: epmd, args: epmdArgs, user, cwd: folder, env: names },
    /epmd running|entering the main select loop/i,
    "SIGKILL",
  );
  await registry.start();
  const server = new ServerProcess({ command, args: [], user, cwd: folder, env }, /Server startup complete/, "SIGTERM");
  try {
    await server.start();
  } catch (error) {
    await registry.stop();
    throw error;
  }
  return {
    ...{ host: "127.0.0.1", port, tlsPort },
    ...login,
    process: server,
    async close() {
      await server.remove();
      await registry.stop();
    },
  };
}

function linesOf(settings: Readonly<Record<string, string>>): string {
  return Object.entries(settings)
    .map(([name, value]) => `${name} = ${value}`)
    .join("\n");
}
