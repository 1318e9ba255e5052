/** Mosquitto of Debian's package, for tests: an MQTT broker that keeps sessions over a restart. */
import { chmod, chown, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { cert, key } from "../../support/localhost-cert.ts";
import { freePort } from "../ports.ts";
import { program, runToEnd, ServerProcess, serverFile, serverFolder, serverUser } from "../server-process.ts";

export interface Broker {
  readonly host: string;
  readonly port: number;
  /** With the certificate of test/support/localhost-cert.ts. */
  readonly tlsPort: number;
  readonly username: string;
  readonly password: string;
  readonly process: ServerProcess;
  /** Ends the broker, and removes its files. */
  close(): Promise<void>;
}

const account = { username: "test", password: "a-password-for-tests" } as const;

/** Returns the program's path. Throws Unavailable. */
export function installMosquitto(): string {
  return program("/usr/sbin/mosquitto", ["mosquitto"]);
}

/** `settings`: lines of its configuration. Throws Unavailable. */
export async function startMosquitto(settings: readonly string[] = []): Promise<Broker> {
  const command = installMosquitto();
  const user = serverUser("mosquitto");
  const folder = await serverFolder("mosquitto", user);
  const passwords = join(folder, "passwords");
  await writeFile(passwords, "");
  runToEnd({
    command: "/usr/bin/mosquitto_passwd",
    args: ["-b", passwords, account.username, account.password],
    user: undefined,
    cwd: folder,
  });
  await chmod(passwords, 0o600);
  if (user !== undefined) await chown(passwords, user.uid, user.gid);
  const [port, tlsPort] = [await freePort(), await freePort()];
  const lines = [
    "allow_anonymous false",
    `password_file ${passwords}`,
    "persistence true",
    `persistence_location ${folder}/`,
    "max_queued_messages 0",
    "log_dest stderr",
    "sys_interval 1",
    ...settings,
    `listener ${port} 127.0.0.1`,
    `listener ${tlsPort} 127.0.0.1`,
    `certfile ${await serverFile(folder, user, "server.crt", cert)}`,
    `keyfile ${await serverFile(folder, user, "server.key", key)}`,
  ];
  const conf = await serverFile(folder, user, "mosquitto.conf", lines.join("\n"));
  const server = new ServerProcess(
    { command, args: ["-c", conf], user, cwd: folder },
    /mosquitto version .* running/,
    "SIGTERM",
  );
  await server.start();
  return { host: "127.0.0.1", port, tlsPort, ...account, process: server, close: () => server.remove() };
}
