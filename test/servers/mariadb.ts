/** MariaDB of Debian's package, for tests: it speaks MySQL's protocol. */
import { join } from "node:path";
import { cert, key } from "../support/localhost-cert.ts";
import type { DatabaseServer, ServerOptions } from "./database-server.ts";
import { askMysql, mysqlAccount } from "./mysql-account.ts";
import { freePort, program, runToEnd, ServerProcess, serverFile, serverFolder, serverUser } from "./server-process.ts";

/** Throws Unavailable. */
export async function startMariadb({ settings = {}, tls = false }: ServerOptions = {}): Promise<DatabaseServer> {
  const command = program("/usr/sbin/mariadbd", ["mariadb-server"]);
  const user = serverUser("mysql");
  const folder = await serverFolder("mariadb", user);
  const data = join(folder, "data");
  const made = ["--no-defaults", `--datadir=${data}`, "--auth-root-authentication-method=normal", "--skip-test-db"];
  runToEnd({ command: "/usr/bin/mariadb-install-db", args: made, user, cwd: folder });
  const port = await freePort();
  const secure = tls
    ? {
        "ssl-cert": await serverFile(folder, user, "server.crt", cert),
        "ssl-key": await serverFile(folder, user, "server.key", key),
      }
    : {};
  const all = {
    datadir: data,
    port: String(port),
    "bind-address": "127.0.0.1",
    socket: join(folder, "socket"),
    "pid-file": join(folder, "pid"),
    "innodb-buffer-pool-size": "16M",
    "innodb-flush-log-at-trx-commit": "2",
    "character-set-server": "utf8mb4",
    ...secure,
    ...settings,
  };
  const args = [
    "--no-defaults",
    "--skip-name-resolve",
    ...Object.entries(all).map(([name, value]) => `--${name}=${value}`),
  ];
  const server = new ServerProcess({ command, args, user, cwd: folder }, /ready for connections/, "SIGTERM");
  await server.start();
  const owner = { socketPath: join(folder, "socket"), user: "root" };
  const account = await mysqlAccount(owner);
  return {
    kind: "mysql",
    ...{ host: "127.0.0.1", port, ...account },
    process: server,
    query: (sql) => askMysql({ ...owner, database: account.database }, sql),
    close: () => server.remove(),
  };
}
