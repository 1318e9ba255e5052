/** The databases that tests run against; `npm run test:servers` leaves out those that cannot be had, if it may. */
import type { DatabaseServer } from "./database-server.ts";
import { startMariadb } from "./mariadb.ts";
import { startPostgres } from "./postgres.ts";

export interface Database {
  readonly name: string;
  /** Throws Unavailable. `settings`: of the server's configuration. */
  readonly start: (settings?: Readonly<Record<string, string>>) => Promise<DatabaseServer>;
}

const all: readonly Database[] = [
  { name: "PostgreSQL", start: startPostgres },
  { name: "MariaDB", start: startMariadb },
];

const without = (process.env["TEST_SERVERS_WITHOUT"] ?? "").split(",");

export const databases = all.filter(({ name }) => !without.includes(name));
