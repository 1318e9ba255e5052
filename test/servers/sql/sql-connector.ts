/** Databases in the suite of connectors: a table that is polled, and one that is written. */

import type { DatabaseServer } from "../database-server.ts";
import type { Database } from "../databases.ts";
import type { Connector, Question, Rig } from "../suite/connector.ts";
import { connectionTo, putConnection } from "./connection-document.ts";
import { polledTables } from "./polled-tables.ts";
import { startRedirectingMysql } from "./redirecting-mysql.ts";

const tables = {
  postgres: [
    "inbox (id serial primary key, state text not null default 'new', body text)",
    "sink (id serial primary key, body text)",
  ],
  mysql: [
    "inbox (id int primary key auto_increment, state varchar(10) not null default 'new', body text)",
    "sink (id int primary key auto_increment, body text)",
  ],
} as const;

export function sqlConnectors(database: Database): readonly Connector[] {
  return [false, true].map((transacted) => ({
    name: `${database.name}${transacted ? ", transacted" : ""}`,
    exactlyOnce: transacted,
    isWhole: !transacted,
    answersFor: transacted ? [] : questionsOf(database),
    start: async () => rigOf(await database.start(), transacted),
  }));
}

/** Each has a client of its own, which reads ahead; the rest is asked of one of them. */
function questionsOf({ name }: Database): readonly Question[] {
  return name === "PostgreSQL" ? ["runtime", "counting", "window"] : ["window"];
}

function rigOf(server: DatabaseServer, transacted: boolean): Rig {
  const { fromBy, fromMissing, ...ends } = polledTables(transacted);
  return {
    secrets: { "_connections/DB": server.password, "_connections/WRONG": "not-the-password" },
    async connect(app) {
      // A transaction has its connection until its end, and 16 may be under way.
      await putConnection(app, "db", connectionTo(server, { default: true, flows: ["*"], maxConnections: 24 }));
      await putConnection(app, "wrong", connectionTo(server, { flows: ["*"], passwordRef: "WRONG" }));
      await putConnection(app, "nowhere", connectionTo(server, { flows: ["*"], servers: ["host.invalid:5432"] }));
      await putConnection(app, "untrusted", connectionTo(server, { flows: ["*"], tls: {} }));
    },
    async reset() {
      for (const table of tables[server.kind]) {
        await server.query(`drop table if exists ${table.split(" ")[0]}`);
        await server.query(`create table ${table}`);
      }
    },
    async produce(texts) {
      for (let from = 0; from < texts.length; from += 1000) {
        const rows = texts.slice(from, from + 1000).map((text) => `('${text}')`);
        await server.query(`insert into inbox (body) values ${rows.join()}`);
      }
    },
    consumed: async () => (await server.query("select body from sink order by id")).map(([body]) => String(body)),
    left: async () => Number((await server.query("select count(*) from inbox where state = 'new'"))[0]?.[0]),
    ...ends,
    connection: "db",
    wrong: [
      ["password", fromBy('dataSource: "#wrong"'), /authentication failed|Access denied/],
      ["host", fromBy('dataSource: "#nowhere"'), /host\.invalid/],
      ["certificate", fromBy('dataSource: "#untrusted"'), /does not support|certificate/],
      ["table", fromMissing, /missing/],
    ],
    server: {
      elsewhere: (address) => connectionTo(server, { flows: ["*"], servers: [address] }),
      fromElsewhere: (connection) => fromBy(`dataSource: "#${connection}"`),
      // PostgreSQL's protocol has no message that names another server.
      sendsAway: server.kind === "mysql" ? startRedirectingMysql : undefined,
      stop: (signal) => server.process.stop(signal),
      restart: () => server.process.start(),
    },
    close: () => server.close(),
  };
}
