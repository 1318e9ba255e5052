/**
 * The embedded database in the suite of connectors. Nothing but flows of its runtime reaches it, so a flow fills and reads
 * the tables.
 */
import assert from "node:assert/strict";
import { join } from "node:path";
import { eventually } from "../../support/clock.ts";
import { databaseProcess } from "../../support/embedded.ts";
import { putConnection } from "../sql/connection-document.ts";
import { polledTables } from "../sql/polled-tables.ts";
import { patience } from "../suite/case.ts";
import type { Connector, Reachable, Rig } from "../suite/connector.ts";

const json = { "Content-Type": "application/json" };
const connection = "db";

export const embeddedConnectors: readonly Connector[] = [false, true].map((transacted) => ({
  name: `Embedded${transacted ? ", transacted" : ""}`,
  exactlyOnce: transacted,
  isWhole: !transacted,
  answersFor: transacted ? [] : ["window"],
  start: () => Promise.resolve(rigOf(transacted)),
}));

function route(id: string, ...steps: string[]): string {
  return `- route: { id: tables-${id}, from: { uri: webhook, steps: [${steps.join()}] } }`;
}

const sql = (text: string): string => `{ to: "sql:${text}" }`;

/** A text is stored once, however often it is sent. */
const tables = [
  route(
    "reset",
    sql("drop table if exists inbox"),
    sql("drop table if exists sink"),
    sql(
      "create table inbox (id integer primary key, state text not null default 'new', body text not null unique) strict",
    ),
    sql("create table sink (id integer primary key, body text) strict"),
  ),
  route(
    "produce",
    "{ unmarshal: { json: {} } }",
    sql("insert into inbox (body) values (:#body) on conflict do nothing?batch=true"),
  ),
  route("consumed", sql("select body from sink order by id"), "{ marshal: { json: {} } }"),
  route("left", sql("select count(*) from inbox where state = 'new'?outputType=SelectOne")),
].join("\n");

function rigOf(transacted: boolean): Rig {
  const { fromBy: _, fromMissing, ...ends } = polledTables(transacted);
  let runtime: Reachable | undefined;

  /** Repeated until it succeeds: a case may end the runtime, its threads and the database's process at any time. */
  async function call(id: string, body: unknown = {}): Promise<string> {
    let last: unknown;
    const attempt = async (): Promise<string | undefined> => {
      try {
        const answer = await fetch(`${runtime?.url}/api/tables-${id}`, {
          ...{ method: "POST", headers: json, body: JSON.stringify(body) },
        });
        const text = await answer.text();
        if (answer.ok) return text;
        last = text;
      } catch (error) {
        last = error;
      }
      return undefined;
    };
    return await eventually(attempt, `tables-${id} is answered`, patience).catch((error: Error) => {
      throw new Error(`${error.message}: ${String(last)}`);
    });
  }

  async function reset(): Promise<void> {
    await call("reset");
  }

  return {
    ...ends,
    secrets: {},
    async connect(to) {
      runtime = to;
      // As many as are under way and wait for each other; a wait that is given up would be a failed delivery.
      const options = { lockWaitMs: 60_000 };
      await putConnection(to, connection, {
        kind: "embedded",
        default: true,
        flows: ["*"],
        maxConnections: 24,
        options,
      });
      const body = JSON.stringify({ yaml: tables });
      const answer = await to.api("/flows/tables", { method: "PUT", headers: json, body });
      assert.ok(answer.ok, await answer.text());
      await reset();
    },
    follow(to) {
      runtime = to;
    },
    reset,
    async produce(texts) {
      for (let from = 0; from < texts.length; from += 1000)
        await call(
          "produce",
          texts.slice(from, from + 1000).map((body) => ({ body })),
        );
    },
    async consumed() {
      const rows = JSON.parse(await call("consumed")) as readonly { readonly body: string }[];
      return rows.map(({ body }) => body);
    },
    left: async () => Number(await call("left")),
    // One transaction writes at a time.
    ...(transacted && { mostWritten: 1 }),
    connection,
    wrong: [["table", fromMissing, /missing/]],
    process: {
      async kill({ directory }) {
        const folder = join(directory, "data", "databases", connection);
        process.kill(await eventually(() => databaseProcess(folder), "its process runs"), "SIGKILL");
      },
      reported: /the embedded databases of 'db' are opened anew/,
    },
    close: () => Promise.resolve(),
  };
}
