/** The example of docs/connectors/sql.md, as it stands there. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { eventually } from "../../support/start-app.ts";
import { databases } from "../databases.ts";
import { startSqlApp } from "./sql-flow.ts";

const page = readFileSync(new URL("../../../docs/connectors/sql.md", import.meta.url), "utf8");
const example = /```yaml\n(.*?)```/s.exec(page)?.[1] ?? "";

for (const database of databases) {
  test(database.name, async (t) => {
    const { app, server } = await startSqlApp(t, database);
    const key = server.kind === "postgres" ? "serial primary key" : "int primary key auto_increment";
    await server.query(
      `create table orders (id ${key}, customer varchar(40), total int, state varchar(10) not null default 'new')`,
    );
    await server.query("create table invoices (order_id int, total int)");
    const put = await app.put("orders", example);
    assert.ok(put.ok, await put.text());
    const headers = { "Content-Type": "application/json" };
    const answer = await app.post("/api/order-in", '{"customer": "oscar", "total": 12}', headers);
    assert.equal(await answer.text(), "stored 1");
    const billed = async (): Promise<true | undefined> =>
      (await server.query("select state from orders"))[0]?.[0] === "billed" ? true : undefined;
    await eventually(billed, "the order is billed", 60_000);
    assert.deepEqual(await server.query("select order_id, total from invoices"), [[1, 12]]);
  });
}
