/** A server that speaks MySQL's protocol, in a folder that has its data, for tests. */
import { join } from "node:path";
import { cert, key } from "../support/localhost-cert.ts";
import type { DatabaseServer, ServerOptions } from "./database-server.ts";
import { askMysql, mysqlAccount } from "./mysql-account.ts";
import { freePort } from "./ports.ts";
import { type Program, ServerProcess, serverFile } from "./server-process.ts";

/** `args`: without the settings. `own`: settings that only this program has. */
export async function startMysqlServer(
  { command, args, user, cwd: folder }: Program,
  own: Readonly<Record<string, string>>,
  { settings, tls = false }: ServerOptions,
): Promise<DatabaseServer> {
  const port = await freePort();
  const socketPath = join(folder, "socket");
  const secure = tls && {
    "ssl-cert": await serverFile(folder, user, "server.crt", cert),
    "ssl-key": await serverFile(folder, user, "server.key", key),
  };
  const all = {
    port: String(port),
    "bind-address": "127.0.0.1",
    socket: socketPath,
    "pid-file": join(folder, "pid"),
    "innodb-buffer-pool-size": "16M",
    "innodb-flush-log-at-trx-commit": "2",
    ...own,
    ...secure,
    ...settings,
  };
  const set = Object.entries(all).map(([name, value]) => `--${name}=${value}`);
  const program = { command, args: [...args, ...set], user, cwd: folder };
  const server = new ServerProcess(program, /ready for connections/, "SIGTERM");
  await server.start();
  const owner = { socketPath, user: "root" };
  const account = await mysqlAccount(owner);
  return {
    kind: "mysql",
    ...{ host: "127.0.0.1", port, ...account },
    process: server,
    query: (sql) => askMysql({ ...owner, database: account.database }, sql),
    close: () => server.remove(),
  };
}
