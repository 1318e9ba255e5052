/** The producer of sql endpoints, against real databases: statements, their values, and what messages get of them. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { databases } from "../databases.ts";
import { lastFailure, type SqlApp, startSqlApp } from "./sql-flow.ts";

const table = {
  postgres: "create table t (id serial primary key, name text, amount bigint)",
  mysql: "create table t (id int primary key auto_increment, name text, amount bigint)",
} as const;

async function withTable(all: SqlApp): Promise<SqlApp> {
  await all.server.query("drop table if exists t");
  await all.server.query(table[all.server.kind]);
  return all;
}

const json = "{ marshal: { json: {} } }";

for (const database of databases) {
  test(database.name, async (t) => {
    const all = await startSqlApp(t, database);

    await t.test(
      "a statement takes names, expressions, lists and positions; a message gets rows and counts",
      async () => {
        const { flow, server } = await withTable(all);
        const insert = await flow(
          "insert",
          `{ to: { id: put, uri: "sql:insert into t (name, amount) values (:#name, :#\${body[amount]})" } },
       { setBody: { simple: "\${header.CamelSqlUpdateCount} \${body}" } }`,
        );
        assert.deepEqual(
          (await insert({ name: "it's # ?", amount: 9007199254740993n.toString() })).text.startsWith("1 {"),
          true,
        );
        await insert({ name: "second", amount: 2 });
        await insert({ name: null, amount: 3 });
        assert.deepEqual(await server.query("select name from t order by id"), [["it's # ?"], ["second"], [null]]);

        const list = await flow(
          "list",
          `{ to: "sql:select id, name, amount from t where id in (:#in:ids) order by id" }, ${json}`,
        );
        assert.deepEqual(
          (await list({ ids: [1, 3] })).text,
          '[{"id":1,"name":"it\'s # ?","amount":9007199254740993},{"id":3,"name":null,"amount":3}]',
        );

        const byPosition = await flow(
          "position",
          `{ unmarshal: { json: {} } }, { to: "sql:select name from t where id = # and amount = #" }, { setBody: { simple: "\${header.CamelSqlRowCount} \${body}" } }`,
        );
        assert.equal((await byPosition([2, 2])).text, "1 [{name=second}]");

        const one = await flow(
          "one",
          `{ to: { uri: "sql:select name from t where id = :#id", parameters: { outputType: SelectOne, outputHeader: found } } }, { setBody: { simple: "\${header.found}" } }`,
        );
        assert.equal((await one({ id: 2 })).text, "second");
        assert.equal((await one({ id: 99 })).status, 204);
        const several = await flow(
          "several",
          `{ to: { uri: "sql:select name from t", parameters: { outputType: SelectOne } } }`,
        );
        await several();
        assert.match(await lastFailure(all.app, "several"), /yields 3 rows/);
      },
    );

    await t.test(
      "rows are read while split takes them, and all the same in a transaction or are refused there",
      async () => {
        const { flow, server } = await withTable(all);
        const series =
          server.kind === "postgres" ? "generate_series(1, 20000) as n" : "(select seq as n from seq_1_to_20000) s";
        const stream = (before: string) => `${before}
      { to: { uri: "sql:select n from ${series} where n > :#from", parameters: { outputType: StreamList, fetchSize: 100, template.maxRows: 15000 } } },
      { split: { simple: "\${body}", streaming: true, aggregationStrategy: "#class:org.apache.camel.processor.aggregate.UseLatestAggregationStrategy", steps: [
        { filter: { simple: "\${body[n]} == 15010", steps: [{ to: "sql:insert into t (amount) values (:#\${body[n]})" }] } } ] } },
      { setBody: { simple: "\${body[n]}" } }`;
        const plain = await flow("plain", stream(""));
        assert.equal((await plain({ from: 10 })).text, "15010");
        assert.deepEqual(await server.query("select amount from t"), [[server.kind === "postgres" ? "15010" : 15010]]);
        const within = await flow("within", stream("{ transacted: {} },"));
        const answer = await within({ from: 10 });
        if (server.kind === "postgres") assert.equal(answer.text, "15010");
        else
          assert.match(
            await lastFailure(all.app, "within"),
            /reads rows to their end before it runs another statement/,
          );
      },
    );

    await t.test("a batch is stored as a whole or not at all; generated keys come in headers", async () => {
      const { flow, server } = await withTable(all);
      const batch = await flow(
        "batch",
        `{ unmarshal: { json: {} } }, { setHeader: { name: CamelSqlRetrieveGeneratedKeys, constant: "true" } }, { setHeader: { name: CamelSqlGeneratedColumns, constant: id } },
       { to: { uri: "sql:insert into t (name, amount) values (:#name, :#\${body[amount]})", parameters: { batch: true } } },
       { setBody: { simple: "\${header.CamelSqlUpdateCount} \${header.CamelSqlGeneratedKeysRowCount} \${header.CamelSqlGeneratedKeyRows}" } }`,
      );
      const rows = [
        { name: "a", amount: 1 },
        { name: "b", amount: 2 },
      ];
      assert.equal((await batch(rows)).text, "2 2 [{id=1}, {id=2}]");
      assert.equal(
        (
          await batch([
            { name: "c", amount: 3 },
            { name: "d", amount: "no number" },
          ])
        ).status,
        500,
      );
      assert.deepEqual(await server.query("select name from t order by id"), [["a"], ["b"]]);
    });

    await t.test("transacted steps are stored together, or not at all", async () => {
      const { flow, server, app } = await withTable(all);
      const insert = (value: string) => `{ to: "sql:insert into t (name) values ('${value}')" }`;
      const fail = `{ filter: { simple: "\${body} == 'fail'", steps: [{ throwException: { exceptionType: java.io.IOException, message: no } }] } }`;
      const whole = await flow("whole", `{ transacted: {} }, ${insert("w1")}, ${insert("w2")}, ${fail}`);
      assert.equal((await whole("fail")).status, 500);
      assert.deepEqual(await server.query("select name from t"), []);
      assert.equal((await whole("go")).status, 200);
      assert.deepEqual(await server.query("select name from t order by id"), [["w1"], ["w2"]]);
      await server.query("delete from t");
      const part = await flow("part", `{ transacted: { steps: [${insert("p1")}, ${insert("p2")}] } }, ${fail}`);
      assert.equal((await part("fail")).status, 500);
      assert.deepEqual(await server.query("select name from t order by id"), [["p1"], ["p2"]]);
      await server.query("delete from t");
      const marked = await flow(
        "marked",
        `{ transacted: {} }, ${insert("m")}, { rollback: { markRollbackOnly: true } }`,
      );
      assert.equal((await marked()).status, 200);
      const handled = await flow("handled", `{ transacted: {} }, ${insert("h")}, ${fail}`);
      assert.equal((await handled("fail")).status, 500);
      assert.deepEqual(await server.query("select name from t"), []);
      const { open, waiting } = (
        (await (await app.api("/connections/db")).json()) as { state: { open: number; waiting: number } }
      ).state;
      assert.deepEqual([open <= 5, waiting], [true, 0]);
    });

    await t.test(
      "failures have the classes that Camel's users know, and end with the run on the server, too",
      async () => {
        const { flow, server } = await withTable(all);
        await server.query("insert into t (id, name) values (1, 'a')");
        const caught = (uri: string, types: string) =>
          `{ doTry: { steps: [{ to: "${uri}" }], doCatch: [${types
            .split(" ")
            .map((type) => `{ exception: [${type}], steps: [{ setBody: { constant: ${type} } }] }`)
            .join()}] } }`;
        for (const [id, statement, type] of [
          ["double", "insert into t (id) values (1)", "org.springframework.dao.DuplicateKeyException"],
          ["double2", "insert into t (id) values (1)", "org.springframework.dao.DataIntegrityViolationException"],
          ["cause", "insert into t (id) values (1)", "java.sql.SQLException"],
          ["grammar", "selec 1", "org.springframework.jdbc.BadSqlGrammarException"],
          ["missing", "select :#nobody", "org.apache.camel.RuntimeExchangeException"],
        ] as const) {
          const call = await flow(id, caught(`sql:${statement}`, type));
          assert.equal((await call()).text, type, id);
        }
        const sleep = server.kind === "postgres" ? "select pg_sleep(30)" : "select sleep(30)";
        const slow = await flow("slow", `{ to: { uri: "sql:${sleep}", parameters: { template.queryTimeout: 1 } } }`);
        await slow();
        assert.match(await lastFailure(all.app, "slow"), /a statement takes at most 1000 ms/);
        const running =
          server.kind === "postgres"
            ? "select count(*) from pg_stat_activity where query like '%pg_sleep(30)%' and state = 'active' and pid <> pg_backend_pid()"
            : "select count(*) from information_schema.processlist where info like '%sleep(30)%' and id <> connection_id()";
        assert.equal(Number((await server.query(running))[0]?.[0]), 0);
      },
    );
  });
}
