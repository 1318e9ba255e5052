/** Statements that a session of PostgreSQL keeps prepared, and what becomes of them when the server does not know them any more. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { databases } from "../databases.ts";
import { startSqlApp } from "./sql-flow.ts";

for (const database of databases.filter(({ name }) => name === "PostgreSQL"))
  test("a session prepares what is run often and has no rows, and goes on without when the server has forgotten it", async (t) => {
    const { server, flow } = await startSqlApp(t, database);
    await server.query("create table t (name text)");
    // The body is the statement: all run in one session.
    const run = await flow(
      "any",
      `{ setHeader: { name: CamelSqlParameters, constant: "" } }, { to: "sql:x?useMessageBodyForSql=true" }, { marshal: { json: {} } }`,
    );
    const prepared = async (): Promise<unknown> =>
      (await run("select statement, name from pg_prepared_statements")).json();
    for (let at = 0; at < 10; at++) await run("select name from t");
    for (let at = 0; at < 5; at++) await run("insert into t values ('one')");
    assert.deepEqual(await prepared(), []);
    await run("insert into t values ('one')");
    const [one, ...others] = (await prepared()) as { statement: string; name: string }[];
    assert.deepEqual([one?.statement, others.length], ["insert into t values ('one')", 0]);
    assert.match(one?.name ?? "", /^bulkhead_[0-9a-f]+$/);

    // The value of the statement is a text to the server, as it was prepared.
    const put = await flow("put", `{ to: "sql:insert into u values (:#\${body})" }`);
    await server.query("create table u (value text)");
    for (let at = 0; at < 10; at++) assert.equal((await put("7")).status, 200);
    await server.query("alter table u alter column value type bigint using value::bigint");
    for (let at = 0; at < 10; at++) assert.equal((await put("7")).status, 200);
    assert.deepEqual(await server.query("select count(*) from u"), [["20"]]);

    // As behind a proxy that gives a session's transactions to different servers.
    await run("deallocate all");
    assert.equal((await run("insert into t values ('one')")).status, 200);
    for (let at = 0; at < 10; at++) await run("insert into t values ('one')");
    assert.deepEqual(await prepared(), []);
    assert.deepEqual(await server.query("select count(*) from t"), [["17"]]);
  });
