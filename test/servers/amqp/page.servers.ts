/** The example of docs/connectors/amqp.md, as it stands there: only the broker of the connection is the test's. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { startTestApp } from "../../support/start-app.ts";
import { missing } from "../missing.ts";
import { blockOf } from "../page-block.ts";
import { putConnection } from "../sql/connection-document.ts";
import { until } from "./amqp-app.ts";
import { connectionTo } from "./amqp-connector.ts";
import { startArtemis } from "./artemis.ts";

test("Artemis: the example of the page", { skip: missing("Artemis") }, async (t) => {
  const server = await startArtemis();
  t.after(() => server.close());
  const app = await startTestApp(t, { secrets: { "_connections/ORDERS_MQ": server.password } });
  const { tls: _tls, ...written } = JSON.parse(blockOf("amqp", "json")) as Record<string, unknown>;
  const { servers, username } = connectionTo(server);
  await putConnection(app, "mq", { ...written, servers, username });
  const put = await app.put("orders", blockOf("amqp", "yaml"));
  assert.ok(put.ok, await put.text());
  const order = (country: string): Promise<Response> =>
    app.post("/api/order-in", JSON.stringify({ country, id: 7 }), { "Content-Type": "application/json" });
  assert.equal(await (await order("FR")).text(), "accepted as queue://orders");
  assert.equal(await (await order("DE")).text(), "accepted as queue://orders");
  await until("it is priced", async () => (await server.count("priced")) === 1);
  assert.deepEqual(await server.texts("priced"), ['{"order": {"country":"DE","id":7}, "price": 12}']);
  assert.equal(await server.count("orders"), 1);
});
