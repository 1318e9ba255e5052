/** The options of jdbc endpoints (Camel: jdbc.json 4.22). */
import type { Slots, Z } from "../../engine/slots.ts";

const noBeans = "there are no beans of this kind: leave it out";

export function jdbcOptions(z: Z, { text, flag, integer, oneOf, only, refused }: Slots) {
  return z.object({
    dataSourceName: text(
      "The named connection, or the DataSource bean of this name; `default` or `dataSource` is the default connection of the flow's group.",
    ),
    outputType: oneOf(
      ["SelectList", "SelectOne", "StreamList"],
      "What a query yields: a list of rows, one row (or the value of its one column), or rows that are read while `split` takes them, and never all in memory.",
    ).default("SelectList"),
    useHeadersAsParameters: flag(
      "Fills `:?name` in the statement with the header of that name, or with a value of the map in the header CamelJdbcParameters.",
    ).default(false),
    allowNamedParameters: flag("With `false` the statement has no named parameters, only `?`.").default(true),
    readSize: integer("The most rows that a query yields; further ones are left out. 0: all.").default(0),
    transacted: flag("Makes a transaction of the rest of the route, as the step transacted does.").default(false),
    "statement.maxRows": integer("The most rows that a query yields, as `readSize`. 0: all.").default(0),
    "statement.fetchSize": integer("About how many rows are read at a time with `outputType: StreamList`.")
      .refine((rows) => rows > 0 && rows <= 10_000, "statement.fetchSize is from 1 to 10000")
      .default(500),
    "statement.queryTimeout": integer(
      "Seconds that a statement may take, up to the limit outboundTotalMs; 0: that limit.",
    ).default(0),
    resetAutoCommit: only(true, "a statement is committed when it has ended: write the step transacted for several"),
    useJDBC4ColumnNameAndLabelSemantics: only(true, "columns have the names that the statement gives them"),
    useGetBytesForBlob: only(false, "bytes are always bytes: leave it out"),
    outputClass: refused("rows are maps: write a transform or a mapping behind the step"),
    beanRowMapper: refused(noBeans),
    connectionStrategy: refused(noBeans),
    prepareStatementStrategy: refused(noBeans),
    parameters: refused("write statement.maxRows, statement.fetchSize or statement.queryTimeout"),
    lazyStartProducer: refused("connections are opened by the first message: leave it out", "false"),
  });
}

export type JdbcOptions = ReturnType<ReturnType<typeof jdbcOptions>["parse"]>;
