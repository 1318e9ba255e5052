/** The databases that tests run against; `npm run test:servers` leaves out those that cannot be had, if it may. */
import type { DatabaseServer, ServerOptions } from "./database-server.ts";
import { startMariadb } from "./mariadb.ts";
import { startPostgres } from "./postgres.ts";

export interface Database {
  readonly name: string;
  /** Throws Unavailable. */
  readonly start: (options?: ServerOptions) => Promise<DatabaseServer>;
}

const all: readonly Database[] = [
  { name: "PostgreSQL", start: startPostgres },
  { name: "MariaDB", start: startMariadb },
];

const without = (process.env["TEST_SERVERS_WITHOUT"] ?? "").split(",");

export const databases = all.filter(({ name }) => !without.includes(name));
