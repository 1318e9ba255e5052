/** MariaDB of Debian's package, for tests: it speaks MySQL's protocol. */
import { join } from "node:path";
import type { DatabaseServer, ServerOptions } from "./database-server.ts";
import { startMysqlServer } from "./mysql-server.ts";
import { program, runToEnd, serverFolder, serverUser } from "./server-process.ts";

/** Throws Unavailable. */
export async function startMariadb(options: ServerOptions = {}): Promise<DatabaseServer> {
  const command = program("/usr/sbin/mariadbd", ["mariadb-server"]);
  const user = serverUser("mysql");
  const cwd = await serverFolder("mariadb", user);
  const datadir = join(cwd, "data");
  const made = ["--no-defaults", `--datadir=${datadir}`, "--auth-root-authentication-method=normal", "--skip-test-db"];
  runToEnd({ command: "/usr/bin/mariadb-install-db", args: made, user, cwd });
  const args = ["--no-defaults", "--skip-name-resolve"];
  return startMysqlServer({ command, args, user, cwd }, { datadir, "character-set-server": "utf8mb4" }, options);
}
