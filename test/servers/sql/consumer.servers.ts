/** The consumer of sql endpoints, against real databases: which rows become messages, and how they are marked. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { eventually } from "../../support/clock.ts";
import { databases } from "../databases.ts";
import { lastFailure, startSqlApp } from "./sql-flow.ts";

const patience = 60_000;
const tables = {
  postgres: "create table jobs (id serial primary key, state text not null default 'new', note text)",
  mysql: "create table jobs (id int primary key auto_increment, state varchar(20) not null default 'new', note text)",
} as const;

for (const database of databases) {
  test(database.name, async (t) => {
    const { app, server } = await startSqlApp(t, database);
    const { kind } = server;
    const fresh = async (...notes: readonly string[]): Promise<void> => {
      await server.query("drop table if exists jobs");
      await server.query("drop table if exists seen");
      await server.query(tables[kind]);
      await server.query("create table seen (note text)");
      for (const note of notes) await server.query(`insert into jobs (note) values ('${note}')`);
    };
    const column = async (sql: string): Promise<readonly unknown[]> =>
      (await server.query(sql)).map(([value]) => value);
    const states = (): Promise<readonly unknown[]> => column("select state from jobs order by id");
    const query = "select * from jobs where state = 'new' order by id";
    let polled = 0;
    /** Deploys a flow that polls, and ends it after `then`, which gets its id. */
    const polling = async (
      parameters: string,
      steps: string,
      then: (id: string) => Promise<unknown>,
    ): Promise<void> => {
      const id = `poll${++polled}`;
      const from = `from: { uri: sql, parameters: { query: "${query}", initialDelay: 10, delay: 50, ${parameters} }, steps: [${steps}] }`;
      const answer = await app.put(id, `- route: { id: ${id}, ${from} }`);
      assert.ok(answer.ok, await answer.text());
      try {
        await then(id);
      } finally {
        await app.api(`/flows/${id}`, { method: "DELETE" });
      }
    };
    const until = (what: string, ready: () => Promise<boolean>): Promise<unknown> =>
      eventually(async () => ((await ready()) ? true : undefined), what, patience);
    const allAre = (state: string) => async (): Promise<boolean> => (await states()).every((one) => one === state);
    const seen = (): Promise<readonly unknown[]> => column("select note from seen");
    const see = `{ to: "sql:insert into seen values (:#note)" }`;
    const fail = (note: string): string =>
      `{ filter: { simple: "\${body[note]} == '${note}'", steps: [{ throwException: { exceptionType: java.io.IOException, message: "bad one" } }] } }`;

    await t.test(
      "each row is a run, in the order of the query, and is marked when its run has ended well",
      async () => {
        await fresh("a", "b", "c");
        const mark = `onConsume: "update jobs set state = :#note where id = :#ID", expectedUpdateCount: 1`;
        const complete = `onConsumeBatchComplete: "insert into seen values ('complete')"`;
        await polling(`${mark}, ${complete}`, see, () =>
          until("all is done", async () => (await seen()).includes("complete")),
        );
        assert.deepEqual(await states(), ["a", "b", "c"]);
        assert.deepEqual(await seen(), ["a", "b", "c", "complete"]);
      },
    );

    await t.test("a row whose run fails is marked as failed, or comes again; the others go on", async () => {
      await fresh("a", "bad", "c");
      const done = `onConsume: "update jobs set state = 'done' where id = :#id"`;
      const failed = `onConsumeFailed: "update jobs set state = 'failed' where id = :#id"`;
      await polling(`${done}, ${failed}`, `${fail("bad")}, ${see}`, () =>
        until("none is new", async () => !(await states()).includes("new")),
      );
      assert.deepEqual(await states(), ["done", "failed", "done"]);
      await fresh("a", "bad", "c");
      await polling(done, `${fail("bad")}, ${see}`, (id) =>
        until("it comes again", async () => {
          const runs = (await (await app.api(`/runs?routeId=${id}&status=failed`)).json()) as readonly unknown[];
          return runs.length > 3;
        }),
      );
      assert.deepEqual(await states(), ["done", "new", "done"]);
    });

    await t.test(
      "transacted: what the route stores and the mark are one transaction, and a failure ends the poll",
      async () => {
        await fresh("a", "bad", "c");
        const mark = `transacted: true, onConsume: "update jobs set state = 'done' where id = :#id"`;
        await polling(mark, `${see}, ${fail("bad")}`, (id) =>
          until("the second has failed", async () => /bad one/.test(await lastFailure(app, id))),
        );
        assert.deepEqual(await states(), ["done", "new", "new"]);
        assert.deepEqual(await seen(), ["a"]);
        // The mark that fails takes the route's row with it.
        await fresh("a");
        await polling(
          `transacted: true, breakBatchOnConsumeFail: true, expectedUpdateCount: 1, onConsume: "update jobs set state = 'done' where id = -1"`,
          see,
          () =>
            until("it is logged", async () => app.logs.some(({ message }) => /expectedUpdateCount is 1/.test(message))),
        );
        assert.deepEqual(await seen(), []);
      },
    );

    await t.test("a poll makes one message of all rows, of none, or of the first ones", async () => {
      const count = `{ to: "sql:insert into seen values (:#\${body.size()})" }`;
      await fresh("a", "b", "c");
      const markAll = `onConsume: "update jobs set state = 'done'"`;
      await polling(`useIterator: false, deliveryKey: id, ${markAll}`, count, () =>
        until("all are done", allAre("done")),
      );
      assert.deepEqual((await seen()).map(String), ["3"]);
      await fresh();
      await polling("useIterator: false, routeEmptyResultSet: true", count, () =>
        until("an empty list comes", async () => (await seen()).length > 0),
      );
      assert.equal(String((await seen())[0]), "0");
      await fresh();
      await polling(
        "sendEmptyMessageWhenIdle: true, repeatCount: 2, backoffMultiplier: 2, backoffIdleThreshold: 1",
        `{ to: "sql:insert into seen values ('idle')" }`,
        () => until("nothing comes", async () => (await seen()).length > 0),
      );
      await fresh("a", "b", "c");
      await polling(
        `maxMessagesPerPoll: 2, repeatCount: 1, onConsume: "update jobs set state = 'done' where id = :#id"`,
        see,
        () => until("two are done", async () => (await seen()).length === 2),
      );
      assert.deepEqual(await states(), ["done", "done", "new"]);
    });

    await t.test("polls that fail are reported once, go to the error handler when asked, and go on", async () => {
      await fresh("a");
      const nowhere = `query: "select * from nowhere", initialDelay: 10, delay: 20, backoffMultiplier: 2, backoffErrorThreshold: 3`;
      const from = `from: { uri: sql, parameters: { ${nowhere}, bridgeErrorHandler: true }, steps: [{ log: "never" }] }`;
      const handler = `- onException: { exception: [java.lang.Exception], handled: { constant: "true" }, steps: [{ log: "handled \${exception.message}" }] }`;
      const answer = await app.put("bridged", `${handler}\n- route: { id: bridged, ${from} }`);
      assert.ok(answer.ok, await answer.text());
      await until("it is handled", async () => app.logs.some(({ message }) => /^handled .*nowhere/.test(message)));
      await app.api("/flows/bridged", { method: "DELETE" });
      const lines = app.logs.filter(
        ({ logger, message }) => logger === "sql" && /'bridged' cannot poll: .*nowhere/.test(message),
      );
      assert.equal(lines.length, 1);
    });

    await t.test("rows that have no key are refused with what to write", async () => {
      await fresh("a");
      const answer = await app.put(
        "keyless",
        `- route: { id: keyless, from: { uri: sql, parameters: { query: "select note from jobs", initialDelay: 10 }, steps: [{ log: "never \${body}" }] } }`,
      );
      assert.ok(answer.ok, await answer.text());
      await until("it is reported", async () =>
        app.logs.some(({ message }) => /'keyless' cannot poll: .*write deliveryKey/.test(message)),
      );
      await app.api("/flows/keyless", { method: "DELETE" });
      assert.equal(
        app.logs.some(({ message }) => /^never/.test(message)),
        false,
      );
    });
  });
}
