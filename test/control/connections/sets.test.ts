/** Connections in sets: deployed with the flows that use them, all or none, and removed with the set. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { startAskServer } from "../../support/ask-server.ts";
import { asks, document, startAskingApp } from "../../support/connections.ts";
import type { TestApp } from "../../support/start-app.ts";

interface Answer {
  readonly changed: boolean;
  readonly error: string;
  readonly connections: readonly {
    readonly name: string;
    readonly action: string;
    readonly revision: number;
    readonly diff?: string;
    readonly warnings: readonly { readonly code: string; readonly message: string }[];
  }[];
}

async function deploy(app: TestApp, set: object, query = ""): Promise<readonly [status: number, answer: Answer]> {
  const response = await app.api(`/deployments${query}`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ set: "shop", ...set }),
  });
  return [response.status, (await response.json()) as Answer];
}

test("a set brings a connection and its flow, changes it, and removes it with prune", async (t) => {
  const server = await startAskServer(t);
  const app = await startAskingApp(t);
  const flows = [{ id: "in", yaml: asks("in", "asking:#shop") }];
  const connections = (more: object = {}) => [{ name: "shop", document: document(server.port, { ...more }) }];
  const [refused, { error }] = await deploy(app, { flows });
  assert.equal(refused, 409);
  assert.match(error, /flow 'in': the step 'ask' of route 'in' needs a connection: there is no connection 'shop'/);
  const [planned, plan] = await deploy(app, { flows, connections: connections() }, "?dryRun=true");
  assert.equal(planned, 200);
  assert.deepEqual(
    plan.connections.map(({ action, revision }) => [action, revision]),
    [["create", 0]],
  );
  assert.match(String(plan.connections[0]?.diff), /\+ {2}"kind": "postgres"/);
  const [, deployed] = await deploy(app, { flows, connections: connections() });
  assert.deepEqual(
    deployed.connections.map(({ action, revision }) => [action, revision]),
    [["create", 1]],
  );
  assert.equal(await (await app.post("/api/in", "x")).text(), "answer to x");
  assert.equal((await deploy(app, { flows, connections: connections() }))[1].changed, false);
  const [, changed] = await deploy(app, { flows, connections: connections({ maxConnections: 3 }) });
  assert.deepEqual(
    changed.connections.map(({ action, revision }) => [action, revision]),
    [["replace", 2]],
  );
  assert.equal(await (await app.post("/api/in", "y")).text(), "answer to y");
  // One part that does not pass changes nothing.
  const [bad] = await deploy(app, { flows, connections: [{ name: "shop", document: { kind: "none" } }] });
  assert.equal(bad, 422);
  assert.equal((await app.put("outside", asks("outside", "asking:#shop"))).status, 201);
  const [used, { error: usedBy }] = await deploy(app, {}, "?prune=true");
  assert.equal(used, 409);
  assert.match(usedBy, /the connection 'shop' is not in the set any more, and the flow 'outside' uses it/);
  await app.api("/flows/outside", { method: "DELETE" });
  const [, gone] = await deploy(app, {}, "?prune=true");
  assert.deepEqual(
    gone.connections.map(({ name, action }) => [name, action]),
    [["shop", "remove"]],
  );
  assert.equal((await app.api("/connections/shop")).status, 404);
});

test("a set that gives a connection to other groups warns of the flows that lose it, in its plan and when it is deployed", async (t) => {
  const server = await startAskServer(t);
  const app = await startAskingApp(t);
  const shop = (more: Readonly<Record<string, unknown>> = {}) => [
    { name: "shop", document: document(server.port, more) },
  ];
  await deploy(app, { connections: shop({ flows: ["*"] }) });
  assert.equal((await app.put("sales.in", asks("in", "asking:#shop"))).status, 201);
  assert.equal((await app.put("stock.in", asks("stock", "asking:#shop"))).status, 201);
  const narrow = { set: "other", connections: shop({ flows: ["sales.*"] }) };
  for (const query of ["?dryRun=true", ""]) {
    const [status, { connections }] = await deploy(app, narrow, query);
    assert.equal(status, 200);
    const [warning, ...others] = connections[0]?.warnings ?? [];
    assert.deepEqual([warning?.code, others], ["users_lost", []]);
    assert.match(String(warning?.message), /^flow 'stock\.in' \(route stock, step ask\) had this connection/);
  }
  assert.equal((await app.post("/api/stock", "x")).status, 500);
  assert.deepEqual((await deploy(app, narrow))[1].connections[0]?.warnings, []);
});
