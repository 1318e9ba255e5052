/** PostgreSQL of Debian's package, for tests. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import pg from "pg";
import { cert, key } from "../support/localhost-cert.ts";
import type { DatabaseServer, ServerOptions } from "./database-server.ts";
import { freePort } from "./ports.ts";
import { program, runToEnd, ServerProcess, serverFile, serverFolder, serverUser } from "./server-process.ts";

const password = "a-password-for-tests";

/** Returns the program's path. Throws Unavailable. */
export function installPostgres(): string {
  return program("/usr/lib/postgresql/*/bin/postgres", ["postgresql"]);
}

/** Throws Unavailable. */
export async function startPostgres({ settings = {}, tls = false }: ServerOptions = {}): Promise<DatabaseServer> {
  const postgres = installPostgres();
  const user = serverUser("postgres");
  const folder = await serverFolder("postgres", user);
  const data = join(folder, "data");
  await writeFile(join(folder, "password"), password);
  const made = ["-D", data, "-U", "test", `--pwfile=${join(folder, "password")}`, "-A", "scram-sha-256", "--no-sync"];
  runToEnd({ command: join(postgres, "..", "initdb"), args: [...made, "-E", "UTF8", "--locale=C"], user, cwd: folder });
  const port = await freePort();
  const secure = tls
    ? {
        ssl: "on",
        ssl_cert_file: await serverFile(folder, user, "server.crt", cert),
        ssl_key_file: await serverFile(folder, user, "server.key", key),
      }
    : {};
  const all = {
    listen_addresses: "127.0.0.1",
    unix_socket_directories: folder,
    fsync: "off",
    shared_buffers: "16MB",
    ...secure,
    ...settings,
  };
  const args = [
    "-D",
    data,
    "-p",
    String(port),
    ...Object.entries(all).flatMap(([name, value]) => ["-c", `${name}=${value}`]),
  ];
  const server = new ServerProcess(
    { command: postgres, args, user, cwd: folder },
    /ready to accept connections/,
    "SIGINT",
  );
  await server.start();
  const address = { host: "127.0.0.1", port, database: "postgres", username: "test", password };
  return {
    kind: "postgres",
    ...address,
    process: server,
    async query(sql) {
      const client = new pg.Client({ ...address, user: address.username });
      client.on("error", () => {});
      await client.connect();
      try {
        const { rows } = await client.query<unknown[]>({ text: sql, rowMode: "array" });
        return rows ?? [];
      } finally {
        await client.end();
      }
    },
    close: () => server.remove(),
  };
}
