/** The example of docs/connectors/embedded.md, and the sample flow with a database, as they stand there. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { putConnection } from "../../support/connections.ts";
import { startTestApp } from "../../support/start-app.ts";

const page = readFileSync(new URL("../../../docs/connectors/embedded.md", import.meta.url), "utf8");
const document = JSON.parse(/```json\n(.*?)```/s.exec(page)?.[1] ?? "{}") as Record<string, unknown>;
const flow = /```yaml\n(.*?)```/s.exec(page)?.[1] ?? "";
const samples = new URL("../../../routes/samples/", import.meta.url);
const json = { "Content-Type": "application/json" };

test("the example of the page stores and reads", async (t) => {
  const app = await startTestApp(t);
  const installed = await putConnection(app, "notes", document);
  assert.ok(installed.ok, await installed.text());
  const put = await app.put("notes", flow);
  assert.ok(put.ok, await put.text());
  for (const note of ["first", "second"]) {
    const answer = await app.post("/api/note", JSON.stringify({ author: "Ada", note }), json);
    assert.equal(await answer.text(), "stored 1");
  }
  const found = await app.post("/api/notes", '{"author":"Ada"}', json);
  assert.equal(await found.text(), '[{"id":1,"author":"Ada","note":"first"},{"id":2,"author":"Ada","note":"second"}]');
});

test("the sample flow with a database stores and reads, with the document that it brings", async (t) => {
  const app = await startTestApp(t);
  const flow = readFileSync(new URL("with-database/notes.yaml", samples), "utf8");
  assert.equal((await app.put("notes", flow)).status, 409, "nothing stands in for the connection");
  const document = readFileSync(new URL("documents/connections/notes.json", samples), "utf8");
  const installed = await putConnection(app, "notes", JSON.parse(document) as Record<string, unknown>);
  assert.ok(installed.ok, await installed.text());
  const put = await app.put("notes", flow);
  assert.ok(put.ok, await put.text());
  const stored = await app.post("/api/note", '{"author":"Ada","note":"the engine weaves"}', json);
  assert.equal(await stored.text(), "stored 1");
  const found = await app.post("/api/notes", '{"author":"Ada"}', json);
  assert.equal(await found.text(), '[{"id":1,"note":"the engine weaves"}]');
});
