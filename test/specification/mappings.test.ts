/** Value mappings and message mappings, as the specification names them: installed, listed, replaced, removed. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { webhook } from "../support/flows.ts";
import { startTestApp, type TestApp } from "../support/start-app.ts";

async function put(app: TestApp, path: string, document: object): Promise<number> {
  const headers = { "Content-Type": "application/json" };
  return (await app.api(path, { method: "PUT", headers, body: JSON.stringify(document) })).status;
}

async function listed(app: TestApp, path: string): Promise<string[]> {
  const list = (await (await app.api(path)).json()) as { readonly id: string; readonly hash: string }[];
  for (const { hash } of list) assert.match(hash, /^[0-9a-f]{64}$/);
  return list.map(({ id }) => id);
}

async function answered(app: TestApp): Promise<unknown> {
  const headers = { "Content-Type": "application/json" };
  return (await app.post("/api/orders", '{"status":"New"}', headers)).text();
}

test("a value mapping is installed, listed, replaced and removed, and flows look values up in it", async (t) => {
  const app = await startTestApp(t);
  assert.equal(await put(app, "/value-mappings/order-status", { entries: { New: "ZNEW" } }), 201);
  assert.equal(await put(app, "/value-mappings/other", { entries: { a: "b" } }), 201);
  assert.deepEqual(await listed(app, "/value-mappings"), ["order-status", "other"]);
  const flow = webhook("orders", "setBody: { jsonpath: $.status }", "valueMapping: { id: order-status }");
  assert.equal((await app.put("orders", flow)).status, 201);
  assert.equal(await answered(app), "ZNEW");
  assert.equal(await put(app, "/value-mappings/order-status", { entries: { New: "Z2" } }), 200);
  assert.equal(await answered(app), "Z2");
  assert.equal((await app.api("/value-mappings/other", { method: "DELETE" })).status, 200);
  assert.deepEqual(await listed(app, "/value-mappings"), ["order-status"]);
});

test("a message mapping is installed, listed, replaced and removed, and flows map with it", async (t) => {
  const app = await startTestApp(t);
  assert.equal(await put(app, "/message-mappings/crm-erp", { expression: "{ 's': status }" }), 201);
  assert.equal(await put(app, "/message-mappings/other", { expression: "status" }), 201);
  assert.deepEqual(await listed(app, "/message-mappings"), ["crm-erp", "other"]);
  assert.equal((await app.put("orders", webhook("orders", "messageMapping: crm-erp"))).status, 201);
  assert.equal(await answered(app), '{"s":"New"}');
  assert.equal(await put(app, "/message-mappings/crm-erp", { expression: "{ 't': status }" }), 200);
  assert.equal(await answered(app), '{"t":"New"}');
  assert.equal((await app.api("/message-mappings/other", { method: "DELETE" })).status, 200);
  assert.deepEqual(await listed(app, "/message-mappings"), ["crm-erp"]);
});
