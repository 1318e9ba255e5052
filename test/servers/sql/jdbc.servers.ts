/** jdbc and spring-jdbc endpoints, against real databases: the statement is the body. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { databases } from "../databases.ts";
import { lastFailure, startSqlApp } from "./sql-flow.ts";

for (const database of databases) {
  test(database.name, async (t) => {
    const { app, flow, server } = await startSqlApp(t, database);
    const key = server.kind === "postgres" ? "serial primary key" : "int primary key auto_increment";
    await server.query(`create table t (id ${key}, name text)`);
    const statement = (text: string) => `{ setBody: { constant: "${text}" } }`;

    await t.test("a statement's rows are the body, its counts are headers; an update leaves the body", async () => {
      const insert = await flow(
        "insert",
        `{ setHeader: { name: CamelRetrieveGeneratedKeys, constant: "true" } }, { setHeader: { name: CamelGeneratedColumns, constant: id } },
         ${statement("insert into t (name) values ('a?'), ('b')")}, { to: "jdbc:db?resetAutoCommit=true" },
         { setBody: { simple: "\${header.CamelJdbcUpdateCount} \${header.CamelGeneratedKeysRowCount} \${header.CamelGeneratedKeysRows} \${body.length()}" } }`,
      );
      assert.equal((await insert()).text, "2 2 [{id=1}, {id=2}] 41");
      const list = await flow(
        "list",
        `${statement("select * from t order by id")}, { to: "spring-jdbc:default?readSize=1&useGetBytesForBlob=false" }, { setBody: { simple: "\${body} \${header.CamelJdbcRowCount} \${header.CamelJdbcColumnNames}" } }`,
      );
      assert.equal((await list()).text, "[{id=1, name=a?}] 1 [id, name]");
      const one = await flow("one", `${statement("select count(*) from t")}, { to: "jdbc:db?outputType=SelectOne" }`);
      assert.equal((await one()).text, "2");
    });

    await t.test("values come from headers or a map, where the endpoint says so", async () => {
      const named = await flow(
        "named",
        `{ setHeader: { name: who, simple: "\${body}" } }, ${statement("select id from t where name = :?who")}, { to: "jdbc:db?useHeadersAsParameters=true&outputType=SelectOne" }`,
      );
      assert.equal((await named("b")).text, "2");
      const map = await flow(
        "map",
        `{ setHeader: { name: CamelJdbcParameters, simple: "\${body}" } }, ${statement("select id from t where name = :?who")}, { to: "jdbc:db?useHeadersAsParameters=true&outputType=SelectOne" }`,
      );
      assert.equal((await map({ who: "a?" })).text, "1");
      const plain = await flow(
        "plain",
        `${statement("select name from t where name = 'a?'")}, { to: "jdbc:db?allowNamedParameters=false&outputType=SelectOne" }`,
      );
      assert.equal((await plain()).text, "a?");
    });

    await t.test("rows are streamed; a transaction ends with the route; a statement has its time", async () => {
      const rows = server.kind === "postgres" ? "generate_series(1, 3000)" : "seq_1_to_3000";
      const stream = await flow(
        "stream",
        `${statement(`select count(*) as n from ${rows} x union all select 7`)}, { to: "jdbc:db?outputType=StreamList&statement.fetchSize=1&statement.maxRows=5" },
         { split: { simple: "\${body}", streaming: true, aggregationStrategy: "#class:org.apache.camel.processor.aggregate.UseLatestAggregationStrategy", steps: [{ setBody: { simple: "\${body[n]}" } }] } }`,
      );
      assert.equal((await stream()).text, "7");
      const undone = await flow(
        "undone",
        `${statement("insert into t (name) values ('undone')")}, { to: "jdbc:db?transacted=true" }, { throwException: { exceptionType: java.io.IOException, message: no } }`,
      );
      assert.equal((await undone()).status, 500);
      assert.deepEqual(await server.query("select name from t where name = 'undone'"), []);
      const sleep = server.kind === "postgres" ? "select pg_sleep(20)" : "select sleep(20)";
      const slow = await flow("slow", `${statement(sleep)}, { to: "jdbc:db?statement.queryTimeout=1" }`);
      await slow();
      assert.match(await lastFailure(app, "slow"), /at most 1000 ms/);
    });
  });
}
