/** The options of a sql endpoint (Camel: sql.json 4.22), and those by which it names its own server. */
import type { Slots, Z } from "../../engine/slots.ts";

const noBeans = "there are no beans of this kind: leave it out";

/** How an endpoint names a database: a connection, or a server of its own. Options of all components for databases. */
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

export function sqlOptions(z: Z, slots: Slots) {
  const { text, flag, integer, oneOf, only, idle, refused } = slots;
  return z.object({
    query: text(
      "The statement. `:#name` is a value of the body, a header or a variable, `:#${body.id}` the value of an expression, `:#in:ids` a list, and `#` the next value of the body.",
    ),
    ...databaseOptions(slots),
    allowNamedParameters: flag("With `false` a mark is always a value by its position.").default(true),
    outputType: oneOf(
      ["SelectList", "SelectOne", "StreamList"],
      "What a query yields: a list of rows, one row (or the value of its one column), or rows that are read while `split` takes them, and never all in memory.",
    ).default("SelectList"),
    outputHeader: text("The header that gets the result; the body stays as it is.").optional(),
    separator: text("What separates the values of a body that is a text, for parameters written `#`.")
      .refine((one) => one.length === 1, "separator is one character")
      .default(","),
    usePlaceholder: flag("With `false` only `?` marks a parameter, and `#` is a part of the statement.").default(true),
    placeholder: text("What marks a parameter, for statements in which `#` is an operator.").default("#"),
    batch: flag(
      "Runs the statement once for each element of the body, all in one transaction: `:#name` is a value of the element.",
    ).default(false),
    noop: flag("Leaves the body as it is, whatever the statement yields.").default(false),
    useMessageBodyForSql: flag(
      "Takes the statement of the body, with `?` as the mark, and its values of the header CamelSqlParameters. A body that comes from outside can do anything in the database then.",
    ).default(false),
    fetchSize: integer("About how many rows are read at a time with `outputType: StreamList`.")
      .refine((rows) => rows > 0 && rows <= 10_000, "fetchSize is from 1 to 10000")
      .default(500),
    "template.maxRows": integer("The most rows that a query yields; further ones are left out. 0: all.").default(0),
    "template.queryTimeout": integer(
      "Seconds that a statement may take, up to the limit outboundTotalMs; 0: that limit.",
    ).default(0),

    batchAutoCommitDisabled: only(
      true,
      "a batch is one transaction: leave it out, or send the elements one by one with split",
    ),
    alwaysPopulateStatement: only(false, "a statement without parameters reads nothing of the message: leave it out"),
    parametersCount: idle(integer, "parameters are counted in the statement itself"),
    outputClass: refused("rows are maps: write a transform or a mapping behind the step"),
    prepareStatementStrategy: refused(noBeans),
    rowMapperFactory: refused(noBeans),
    templateOptions: refused("write template.maxRows, template.queryTimeout or fetchSize"),
    lazyStartProducer: refused("connections are opened by the first message: leave it out", "false"),
  });
}

export type SqlOptions = ReturnType<ReturnType<typeof sqlOptions>["parse"]>;
