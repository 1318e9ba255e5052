/** Named connections through a whole runtime: which flow gets which, where they lead, and what changes do. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { startAskServer } from "../../support/ask-server.ts";
import { asks, document, putConnection, startAskingApp } from "../../support/connections.ts";

async function json(response: Response): Promise<Record<string, unknown>> {
  return (await response.json()) as Record<string, unknown>;
}

test("a flow asks a server over a connection: its name, the default, and one that the endpoint describes", async (t) => {
  const server = await startAskServer(t);
  const app = await startAskingApp(t, {
    egressAllow: `127.0.0.1:${server.port}`,
    secrets: { "_connections/SHOP": "pass-of-shop", "own/OWN": "pass-of-own" },
  });
  const put = await putConnection(app, "shop", document(server.port, { passwordRef: "SHOP", default: true }));
  assert.equal(put.status, 201);
  assert.equal(put.headers.get("location"), "/_api/connections/shop");
  assert.deepEqual((await json(put))["warnings"], []);
  for (const [id, uri] of [
    ["named", "asking:#shop"],
    ["usual", "asking:default"],
    ["own", `asking:default?server=127.0.0.1:${server.port}&password={{secret:OWN}}`],
  ] as const) {
    assert.equal((await app.put(id, asks(id, uri))).status, 201);
    const answer = await app.post(`/api/${id}`, "x");
    assert.equal(await answer.text(), "answer to x");
  }
  assert.deepEqual(server.logins, ["pass-of-shop", "pass-of-shop", "pass-of-own"]);
  const one = await app.api("/connections/shop");
  assert.equal(one.headers.get("x-revision"), "1");
  const { state, usedBy, ...sent } = await json(one);
  assert.deepEqual(sent, document(server.port, { passwordRef: "SHOP", default: true }));
  assert.deepEqual(usedBy, [
    { flowId: "named", routeId: "named", stepId: "ask" },
    { flowId: "usual", routeId: "usual", stepId: "ask" },
  ]);
  assert.deepEqual(state, {
    ...{ status: "ok", open: 2, idle: 2, waiting: 0, errors: 0 },
    ...{ failingSince: null, lastError: null },
  });
});
