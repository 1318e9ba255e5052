/** Options of all components for databases. */
import type { Slots } from "../../engine/slots.ts";

/** How an endpoint names a database: a connection, or a server of its own. */
export function databaseOptions({ text, integer, flag, oneOf }: Slots) {
  return {
    dataSource: text(
      "The connection to the database: `#orders` is the named connection or the DataSource bean of this name. Without it the default connection of the flow's group.",
    ).optional(),
    kind: oneOf(
      ["postgres", "mysql"],
      "The kind of database at `host`, in place of a named connection; `mysql` is MariaDB, too.",
    ).optional(),
    host: text("The database server, in place of a named connection; an EGRESS_ALLOW rule must name it.").optional(),
    port: integer("The port of the server; 5432 or 3306 by default.").optional(),
    databaseName: text("The name of the database on the server that `host` names.").optional(),
    username: text("The user at the server that `host` names.").optional(),
    password: text("The password of `username`. Write a secret: `{{secret:NAME}}`.").optional(),
    tls: flag("Encrypts the connection to `host`, and checks the server's certificate.").default(false),
  };
}
