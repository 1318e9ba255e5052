/** The sample flows, and what their own tests (flow-test/samples.test.ts) leave out: clocks, real servers, changes. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import { eventually } from "./support/clock.ts";
import { startTestApp } from "./support/start-app.ts";

const directory = new URL("../routes/samples/", import.meta.url);
const files = Object.fromEntries(
  readdirSync(directory)
    .filter((name) => name.endsWith(".yaml"))
    .map((name) => [name, readFileSync(new URL(name, directory), "utf8")]),
);

const json = { "Content-Type": "application/json" };
/** The documents of the sample, by the paths of the management API that install them. */
const documents = ["value-mappings/order-status", "message-mappings/crm-order", "auth/crm-orders"];

test("all sample flows start together, and do what their tests leave out", async (t) => {
  const app = await startTestApp(t, { files, egressAllow: "127.0.0.1" });
  const flows = (await (await app.api("/flows")).json()) as { id: string; state: string }[];
  assert.deepEqual(flows.map(({ id }) => `${id}.yaml`).sort(), Object.keys(files).sort());
  assert.deepEqual(
    flows.filter(({ state }) => state !== "Started"),
    [],
  );
  const said = (line: string): Promise<unknown> =>
    eventually(() => app.logs.some(({ message }) => message === line), line);

  await t.test("heartbeat: beats", async () => {
    await said("beat 1");
  });

  await t.test("hello: logs what it got", async () => {
    await app.post("/api/hello", "a message");
    await said("hello: a message");
  });

  await t.test("batch: bundles a customer's orders, by their number or their age", async () => {
    const orders = ["ann", "bob", "ann"].map((customer, index) => ({ customer, amount: index }));
    await app.post("/api/batch", JSON.stringify(orders), json);
    await said("ann has 2 orders (size)");
    await said("bob has 1 orders (timeout)");
  });

  await t.test("stock: asks a real HTTP server, tells what it refuses, and that it cannot be reached", async () => {
    const server = createServer((request, response) => {
      response.writeHead(request.url === "/stock/anvil" ? 200 : 404, { "Content-Type": "application/json" });
      response.end(request.url === "/stock/anvil" ? '{"inStock": 12}' : '{"error": "no such thing"}');
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    const params = { warehouse: `http://127.0.0.1:${port}` };
    const deployed = await app.put("stock", files["stock.yaml"] as string, { params });
    assert.equal(deployed.status, 200, await deployed.text());
    const ask = async (sku: string): Promise<unknown[]> => {
      const answer = await app.post("/api/stock", sku);
      return [answer.status, await answer.text()];
    };
    assert.deepEqual(await ask("anvil"), [200, "anvil: 12 in stock"]);
    assert.deepEqual(await ask("rocket"), [404, 'the warehouse answered 404: {"error": "no such thing"}']);
    await new Promise((resolve) => {
      server.close(resolve);
      server.closeAllConnections();
    });
    const [status, text] = await ask("anvil");
    assert.equal(status, 503);
    assert.match(String(text), /^the warehouse cannot be asked: /);
  });

  await t.test("crm-orders: fails without its documents, and follows them when they change", async () => {
    const order = { orderNo: "17", status: "New", country: "DE", items: [] };
    const send = (): Promise<Response> =>
      app.post("/api/crm-orders", JSON.stringify(order), {
        ...json,
        "X-API-Key": "a-key-for-the-sample-of-the-web-shop",
      });
    const install = async (path: string, change = (text: string) => text): Promise<void> => {
      const body = change(readFileSync(new URL(`documents/${path}.json`, directory), "utf8"));
      const answer = await app.api(`/${path}?strict=true`, { method: "PUT", headers: json, body });
      assert.ok(answer.ok, await answer.text());
    };
    assert.equal((await send()).status, 500);
    for (const path of documents) await install(path);
    assert.match(await (await send()).text(), /"ZNEW"/);
    await said("order 17 of shop for plant 1000");
    await install(documents[0] as string, (text) => text.replace('"ZNEW"', '"ZOPN"'));
    assert.match(await (await send()).text(), /"ZOPN"/);
  });
});
