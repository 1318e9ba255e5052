/** MySQL itself, of Debian's unstable distribution, for tests: stable distributions have MariaDB in its place. */
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { cert, key } from "../support/localhost-cert.ts";
import type { DatabaseServer, ServerOptions } from "./database-server.ts";
import { askMysql, mysqlAccount } from "./mysql-account.ts";
import { freePort, runToEnd, ServerProcess, serverFile, serverFolder } from "./server-process.ts";
import { unpack } from "./unpacked.ts";

/** Throws Unavailable. */
export async function startMysql({ settings = {}, tls = false }: ServerOptions = {}): Promise<DatabaseServer> {
  const { root, loader } = unpack("mysql-server-core");
  const [command = "", ...loading] = loader;
  const folder = await serverFolder("mysql", undefined);
  const data = join(folder, "data");
  await mkdir(data);
  const share = join(root, "usr/share/mysql");
  const program = [
    ...[...loading, join(root, "usr/sbin/mysqld"), "--no-defaults", `--datadir=${data}`],
    ...[`--lc-messages-dir=${share}`, `--character-sets-dir=${join(share, "charsets")}`],
    // It runs as the user of the tests: the folder of the program is theirs.
    ...(process.getuid?.() === 0 ? ["--user=root"] : []),
  ];
  runToEnd({ command, args: [...program, "--initialize-insecure"], user: undefined, cwd: folder });
  const port = await freePort();
  const secure = tls
    ? {
        "ssl-cert": await serverFile(folder, undefined, "server.crt", cert),
        "ssl-key": await serverFile(folder, undefined, "server.key", key),
      }
    : {};
  const all = {
    port: String(port),
    "bind-address": "127.0.0.1",
    socket: join(folder, "socket"),
    "pid-file": join(folder, "pid"),
    mysqlx: "OFF",
    "innodb-buffer-pool-size": "16M",
    "innodb-flush-log-at-trx-commit": "2",
    ...secure,
    ...settings,
  };
  const args = [
    ...program,
    ...Object.entries(all).map(([name, value]) => `--${name}=${value}`),
    "--secure-file-priv=NULL",
    "--skip-name-resolve",
    "--skip-log-bin",
  ];
  const server = new ServerProcess({ command, args, user: undefined, cwd: folder }, /ready for connections/, "SIGTERM");
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
