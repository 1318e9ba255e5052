/** MySQL itself, of Debian's unstable distribution, for tests: stable distributions have MariaDB in its place. */
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { DatabaseServer, ServerOptions } from "./database-server.ts";
import { startMysqlServer } from "./mysql-server.ts";
import { runToEnd, serverFolder } from "./server-process.ts";
import { type Unpacked, unpack } from "./unpacked.ts";

/** Returns where the unpacked program is. Throws Unavailable. */
export function installMysql(): Unpacked {
  return unpack("mysql-server-core");
}

/** Throws Unavailable. */
export async function startMysql(options: ServerOptions = {}): Promise<DatabaseServer> {
  const { root, loader } = installMysql();
  const [command = "", ...loading] = loader;
  const cwd = await serverFolder("mysql", undefined);
  const data = join(cwd, "data");
  await mkdir(data);
  const share = join(root, "usr/share/mysql");
  const program = [
    ...[...loading, join(root, "usr/sbin/mysqld"), "--no-defaults", `--datadir=${data}`],
    ...[`--lc-messages-dir=${share}`, `--character-sets-dir=${join(share, "charsets")}`],
    // It runs as the user of the tests: the folder of the program is theirs.
    ...(process.getuid?.() === 0 ? ["--user=root"] : []),
  ];
  runToEnd({ command, args: [...program, "--initialize-insecure"], user: undefined, cwd });
  const args = [...program, "--secure-file-priv=NULL", "--skip-name-resolve", "--skip-log-bin"];
  return startMysqlServer({ command, args, user: undefined, cwd }, { mysqlx: "OFF" }, options);
}
