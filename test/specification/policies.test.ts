/** The specification's access policy of a flow: installed, read and removed by the flow's id. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { answering } from "../support/flows.ts";
import { startTestApp, type TestApp } from "../support/start-app.ts";
import { errorOf } from "./answers.ts";

const key = "a-key-of-a-shop-with-forty-characters-12";
const policy = { principals: { shop: { type: "apiKey", key, roles: ["sender"] } }, roles: ["sender"] };

function put(app: TestApp, flowId: string, document: unknown, query = ""): Promise<Response> {
  const headers = { "Content-Type": "application/json" };
  return app.api(`/auth/${flowId}${query}`, { method: "PUT", headers, body: JSON.stringify(document) });
}

test("PUT installs the flow's access policy, which is in force when it is answered", async (t) => {
  const app = await startTestApp(t);
  await app.put("orders", answering("orders", "in"));
  const first = await put(app, "orders", policy);
  assert.equal(first.status, 201);
  const { hash, writtenBy, ...told } = (await first.json()) as { hash: string; writtenBy: { via: string } };
  assert.match(hash, /^[0-9a-f]{64}$/);
  assert.equal(writtenBy.via, "PUT /_api/auth/orders");
  const facts = {
    flowId: "orders",
    mode: "enforce",
    enforced: true,
    understood: true,
    principals: ["shop"],
    warnings: [],
  };
  assert.deepEqual(told, { ...facts, revision: 1 });
  await errorOf(await app.post("/api/orders"), 401);
  assert.equal(await (await app.post("/api/orders", "", { Authorization: `Bearer ${key}` })).text(), "in");
  const again = await put(app, "orders", policy);
  assert.equal(again.status, 200);
  assert.equal(((await again.json()) as { revision: number }).revision, 1);
  const other = await put(app, "orders", { public: true });
  assert.equal(other.status, 200);
  assert.equal(((await other.json()) as { revision: number }).revision, 2);
  assert.equal((await app.post("/api/orders")).status, 200);
});

test("a policy of any shape is taken; one that is not understood lets only the deploy token in", async (t) => {
  const app = await startTestApp(t);
  await app.put("orders", answering("orders", "in"));
  const document = { owners: ["alice"], nested: { deep: [1, null, "x"] } };
  const answer = await put(app, "orders", document);
  assert.equal(answer.status, 201);
  const told = (await answer.json()) as { understood: boolean; warnings: { code: string }[] };
  assert.equal(told.understood, false);
  assert.ok(told.warnings.some(({ code }) => code === "policy_not_understood"));
  await errorOf(await app.post("/api/orders"), 403);
  assert.deepEqual(await (await app.api("/auth/orders")).json(), document);
  const refused = await put(app, "orders", document, "?strict=true");
  assert.equal(refused.headers.get("x-error-code"), "policy_invalid");
  await errorOf(refused, 422);
});

test("GET reads the policy as it was sent, without a key", async (t) => {
  const app = await startTestApp(t);
  await errorOf(await app.api("/auth/orders"), 404);
  await put(app, "orders", { ...policy, comment: "of the shop" });
  const answer = await app.api("/auth/orders");
  const text = await answer.text();
  assert.equal(text.includes(key), false);
  const { principals, ...rest } = JSON.parse(text) as { principals: { shop: { sha256: string } } };
  assert.deepEqual(rest, { roles: ["sender"], comment: "of the shop" });
  assert.match(principals.shop.sha256, /^[0-9a-f]{64}$/);
  const tag = answer.headers.get("etag") ?? "";
  assert.equal((await app.api("/auth/orders", { headers: { "If-None-Match": tag } })).status, 304);
  // What was read can be sent back, and changes nothing.
  const back = await put(app, "orders", JSON.parse(text));
  assert.deepEqual([back.status, back.headers.get("etag")], [200, tag]);
});

test("DELETE removes the policy, and the flow is open again", async (t) => {
  const app = await startTestApp(t);
  await app.put("orders", answering("orders", "in"));
  await put(app, "orders", policy);
  await errorOf(await app.post("/api/orders"), 401);
  const answer = await app.api("/auth/orders", { method: "DELETE" });
  assert.deepEqual([answer.status, await answer.json()], [200, { flowId: "orders", deleted: true }]);
  assert.equal((await app.post("/api/orders")).status, 200);
  await errorOf(await app.api("/auth/orders", { method: "DELETE" }), 404);
});
