/** The example of docs/connectors/embedded.md, as it stands there. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { putConnection } from "../../support/connections.ts";
import { startTestApp } from "../../support/start-app.ts";

const page = readFileSync(new URL("../../../docs/connectors/embedded.md", import.meta.url), "utf8");
const document = JSON.parse(/```json\n(.*?)```/s.exec(page)?.[1] ?? "{}") as Record<string, unknown>;
const flow = /```yaml\n(.*?)```/s.exec(page)?.[1] ?? "";
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
