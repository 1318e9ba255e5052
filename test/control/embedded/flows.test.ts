/** Flows that store and read in an embedded database. */
import assert from "node:assert/strict";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { putConnection, stateOf } from "../../support/connections.ts";
import { startTestApp, type TestApp, type TestAppOptions } from "../../support/start-app.ts";

async function startEmbedded(t: TestContext, options: TestAppOptions = {}): Promise<TestApp> {
  const app = await startTestApp(t, options);
  const answer = await putConnection(app, "db", { kind: "embedded", default: true, flows: ["*"] });
  assert.ok(answer.ok, await answer.text());
  return app;
}

async function put(app: TestApp, id: string, steps: string): Promise<void> {
  const answer = await app.put(id, `- route: { id: ${id}, from: { uri: webhook, steps: [${steps}] } }`);
  assert.ok(answer.ok, await answer.text());
}

test("a flow stores and reads without a server; the database is a file of the data directory", async (t) => {
  const app = await startEmbedded(t);
  await put(app, "make", `{ to: "sql:create table if not exists orders (id integer primary key, customer text)" }`);
  await put(app, "store", `{ to: "sql:insert into orders (customer) values (:#customer)" }`);
  await put(app, "list", `{ to: "sql:select * from orders order by id" }, { marshal: { json: {} } }`);
  assert.equal((await app.post("/api/make")).status, 200);
  const json = { "Content-Type": "application/json" };
  assert.equal((await app.post("/api/store", '{"customer":"Ada"}', json)).status, 200);
  assert.equal(await (await app.post("/api/list")).text(), '[{"id":1,"customer":"Ada"}]');
  assert.ok((await stat(join(app.directory, "data", "databases", "db", "db.sqlite"))).isFile());
  assert.equal((await stateOf(app, "db"))["status"], "ok");
  const trial = await (await app.api("/connections/db/test", { method: "POST" })).json();
  assert.match((trial as { serverVersion: string }).serverVersion, /^SQLite 3\./);
});
