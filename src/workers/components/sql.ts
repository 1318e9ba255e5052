/** The `sql` component (Camel: SqlEndpoint 4.22): a statement in the URI, for PostgreSQL, MySQL and MariaDB. */
import { defineComponent } from "../engine/component.ts";
import { LateModule } from "../engine/late-module.ts";
import { sqlKinds } from "./database/client.ts";
import { databaseSecrets } from "./database/connection.ts";
import { statementAdvice } from "./database/message-data.ts";
import { sqlEnds, sqlOptions } from "./sql/options.ts";

const sources = new LateModule(() => import("./sql/source.ts"));
const producers = new LateModule(() => import("./sql/producer.ts"));

/** `select ... into` makes a table. */
const asks = /^\s*(?:select|values|show)\b(?!.*\binto\b)/is;

export const sql = defineComponent({
  scheme: "sql",
  docs: "Sends a statement to a database for each message, or polls a database and makes a message of each row.",
  path: "query",
  options: sqlOptions,
  connects: { kinds: sqlKinds, option: "dataSource", unless: ["host"] },
  ends: sqlEnds,
  exclusive: true,
  once: true,
  polls: true,
  secrets: databaseSecrets,
  network: producers,
  dataInPath: statementAdvice,
  example: `to:
  uri: sql:insert into orders (id, customer) values (:#id, :#\${body.customer.name})
  parameters: { dataSource: "#orders" }`,
  source: (options, context) => sources.module().sqlSource(options, context),
  effect: ({ query, useMessageBodyForSql }) => (!useMessageBodyForSql && asks.test(query) ? "reads" : "writes"),
  producer: (options, context) => producers.module().sqlProducer(options, context),
});
