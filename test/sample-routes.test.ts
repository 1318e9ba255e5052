/** The sample flows of routes/: each is deployed from its file and called as its comment says. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import { eventually, startTestApp } from "./support/start-app.ts";

const directory = new URL("../routes/", import.meta.url);
const files = Object.fromEntries(
  readdirSync(directory)
    .filter((name) => name.endsWith(".yaml"))
    .map((name) => [name, readFileSync(new URL(name, directory), "utf8")]),
);

/** A test starts what it calls: each flow is a thread. */
function only(...ids: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(ids.map((id) => [`${id}.yaml`, files[`${id}.yaml`] as string]));
}

test("all sample flows start", async (t) => {
  const app = await startTestApp(t, { files });
  const flows = (await (await app.api("/flows")).json()) as { id: string; state: string }[];
  assert.deepEqual(flows.map(({ id }) => `${id}.yaml`).sort(), Object.keys(files).sort());
  assert.deepEqual(
    flows.filter(({ state }) => state !== "Started"),
    [],
  );
});

test("hello answers ok and logs what it got", async (t) => {
  const app = await startTestApp(t, { files: only("hello") });
  const answer = await app.post("/api/hello", "a message");
  assert.deepEqual([answer.status, await answer.text()], [200, "ok"]);
  assert.ok(app.logs.some(({ message, stepId }) => message === "hello: a message" && stepId === "log-message"));
});

test("the heartbeat beats", async (t) => {
  const app = await startTestApp(t, { files: only("heartbeat") });
  await eventually(() => app.logs.some(({ message }) => message === "beat 1"), "a first beat");
});

const json = { "Content-Type": "application/json" };
const orders: readonly (readonly [
  name: string,
  order: object,
  status: number,
  body: unknown,
  approval: string | null,
])[] = [
  ["a small order", { orderNo: "17", sku: "anvil", quantity: 3 }, 201, { orderNo: "17", total: 6 }, null],
  ["a dear order", { orderNo: "18", sku: "rocket", quantity: 1 }, 202, { orderNo: "18", total: 1500 }, "required"],
];

for (const [name, order, status, body, approval] of orders) {
  test(`orders: ${name}`, async (t) => {
    const app = await startTestApp(t, { files: only("orders", "prices") });
    const answer = await app.post("/api/order-in", JSON.stringify(order), json);
    assert.equal(answer.status, status);
    assert.deepEqual(await answer.json(), body);
    assert.equal(answer.headers.get("x-approval"), approval);
    assert.equal(answer.headers.get("content-type"), "application/json");
  });
}

test("orders: one without a number is refused, one without a price fails", async (t) => {
  const app = await startTestApp(t, { files: only("orders", "prices") });
  const refused = await app.post("/api/order-in", JSON.stringify({ sku: "anvil" }), json);
  assert.deepEqual([refused.status, await refused.text()], [400, "an order needs an orderNo"]);
  const failed = await app.post("/api/order-in", JSON.stringify({ orderNo: "1", sku: "moon" }), json);
  assert.equal(failed.status, 500);
  const run = (await (await app.api(`/runs/${failed.headers.get("x-run-id")}`)).json()) as {
    error: { message: string };
  };
  assert.equal(run.error.message, "no price for moon");
});

test("batch: splits, prices each order, and bundles a customer's", async (t) => {
  const app = await startTestApp(t, { files: only("batch") });
  const orders = [
    { customer: "ann", amount: 3 },
    { customer: "bob", amount: 5 },
    { customer: "ann", amount: 4 },
  ];
  const answer = await app.post("/api/batch", JSON.stringify(orders), json);
  assert.deepEqual(await answer.json(), [
    { customer: "ann", total: 13 },
    { customer: "bob", total: 15 },
    { customer: "ann", total: 14 },
  ]);
  const said = (line: string): Promise<unknown> =>
    eventually(() => app.logs.some(({ message }) => message === line), line);
  await said("ann has 2 orders (size)");
  await said("bob has 1 orders (timeout)");
});

test("deliveries: tried again until it works, else kept by the dead letter route", async (t) => {
  const app = await startTestApp(t, { files: only("deliveries") });
  assert.equal(await (await app.post("/api/deliveries", "a parcel")).text(), "delivered after 2 redeliveries");
  const kept = await app.post("/api/deliveries", "a parcel for nobody");
  assert.deepEqual([kept.status, await kept.text()], [202, "we keep a parcel for nobody for you"]);
  assert.ok(
    app.logs.some(({ message, level }) => level === "WARN" && message.startsWith("undeliverable: a parcel for nobody")),
  );
});

test("stock: asks a real HTTP server, tells what it refuses, and that it cannot be reached", async (t) => {
  const server = createServer((request, response) => {
    response.writeHead(request.url === "/stock/anvil" ? 200 : 404, { "Content-Type": "application/json" });
    response.end(request.url === "/stock/anvil" ? '{"inStock": 12}' : '{"error": "no such thing"}');
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const app = await startTestApp(t, { egressAllow: "127.0.0.1" });
  const deployed = await app.put("stock", files["stock.yaml"] as string, {
    params: { warehouse: `http://127.0.0.1:${port}` },
  });
  assert.equal(deployed.status, 201, await deployed.text());
  const ask = async (sku: string): Promise<unknown[]> => {
    const answer = await app.post("/api/stock", sku);
    return [answer.status, await answer.text()];
  };
  assert.deepEqual(await ask("anvil"), [200, "anvil: 12 in stock"]);
  assert.deepEqual(await ask("rocket"), [404, 'the warehouse answered 404: {"error": "no such thing"}']);
  await new Promise((resolve) => server.close(resolve));
  server.closeAllConnections();
  const [status, text] = await ask("anvil");
  assert.equal(status, 503);
  assert.match(String(text), /^the warehouse cannot be asked: /);
});

/** The documents of the sample, by the paths of the management API that install them. */
const documents = ["value-mappings/order-status", "message-mappings/crm-order", "auth/crm-orders"];

test("crm-orders: mapped by what is installed beside it, and called by whom its policy lets in", async (t) => {
  const app = await startTestApp(t, { files: only("crm-orders") });
  const order = { orderNo: "17", status: "New", country: "DE", items: [{ sku: "anvil", quantity: "2" }] };
  const send = (headers = {}): Promise<Response> =>
    app.post("/api/crm-orders", JSON.stringify(order), { ...json, ...headers });
  const install = async (path: string, change = (text: string) => text): Promise<void> => {
    const body = change(readFileSync(new URL(`documents/${path}.json`, directory), "utf8"));
    const answer = await app.api(`/${path}?strict=true`, { method: "PUT", headers: json, body });
    assert.ok(answer.ok, await answer.text());
  };

  assert.equal((await send()).status, 500, "without its mappings it fails");
  for (const path of documents) await install(path);
  assert.equal((await send()).status, 401);
  const key = { "X-API-Key": "a-key-for-the-sample-of-the-web-shop" };
  const mapped = { id: "17", status: "ZNEW", lines: [{ sku: "anvil", qty: 2 }], pieces: 2 };
  assert.deepEqual(await (await send(key)).json(), { order: mapped });
  assert.ok(app.logs.some(({ message }) => message === "order 17 of shop for plant 1000"));

  await install(documents[0] as string, (text) => text.replace('"ZNEW"', '"ZOPN"'));
  const answer = await send(key);
  assert.deepEqual(await answer.json(), { order: { ...mapped, status: "ZOPN" } });
  assert.equal(answer.headers.get("x-plant"), "1000");
});
