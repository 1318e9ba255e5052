/** MariaDB of Debian's package, for tests: it speaks MySQL's protocol. */
import { join } from "node:path";
import type { DatabaseServer, ServerOptions } from "./database-server.ts";
import { startMysqlServer } from "./mysql-server.ts";
import { program, runToEnd, serverFolder, serverUser } from "./server-process.ts";

/** Returns the program's path. Throws Unavailable. */
export function installMariadb(): string {
  return program("/usr/sbin/mariadbd", ["mariadb-server"]);
}

/** Throws Unavailable. */
export async function startMariadb(options: ServerOptions = {}): Promise<DatabaseServer> {
  const command = installMariadb();
  const user = serverUser("mysql");
  const cwd = await serverFolder("mariadb", user);
  const datadir = join(cwd, "data");
  const made = ["--no-defaults", `--datadir=${datadir}`, "--auth-root-authentication-method=normal", "--skip-test-db"];
  runToEnd({ command: "/usr/bin/mariadb-install-db", args: made, user, cwd });
  const args = ["--no-defaults", "--skip-name-resolve"];
  return startMysqlServer({ command, args, user, cwd }, { datadir, "character-set-server": "utf8mb4" }, options);
}
