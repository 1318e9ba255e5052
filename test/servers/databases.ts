/** The databases that tests run against; `npm run test:servers` leaves out those that cannot be had, if it may. */
import type { DatabaseServer, ServerOptions } from "./database-server.ts";
import { installMariadb, startMariadb } from "./mariadb.ts";
import { missing, namedIn } from "./missing.ts";
import { installMysql, startMysql } from "./mysql.ts";
import { installPostgres, startPostgres } from "./postgres.ts";

export interface Database {
  readonly name: string;
  /** Installs what is missing. Throws Unavailable. */
  readonly install: () => unknown;
  /** Throws Unavailable. */
  readonly start: (options?: ServerOptions) => Promise<DatabaseServer>;
}

const always: readonly Database[] = [
  { name: "PostgreSQL", install: installPostgres, start: startPostgres },
  { name: "MariaDB", install: installMariadb, start: startMariadb },
];
/** Only when TEST_SERVERS_WITH names them: the system's distribution does not have them. */
const onDemand: readonly Database[] = [{ name: "MySQL", install: installMysql, start: startMysql }];

const also = namedIn("TEST_SERVERS_WITH");

export const databases = [...always, ...onDemand.filter(({ name }) => also.includes(name))].filter(
  ({ name }) => missing(name) === false,
);
