/** Messages that go to a server of Post box and come from it, over a real socket. */
import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { blockOf, documentOf } from "../../../../../test/servers/page-block.ts";
import { eventually } from "../../../../../test/support/clock.ts";
import { putConnection } from "../../../../../test/support/connections.ts";
import { waitingMessages } from "../../../../../test/support/failed-messages.ts";
import { heldStep } from "../../../../../test/support/held-step.ts";
import { cert } from "../../../../../test/support/localhost-cert.ts";
import { startTestApp, type TestApp, type TestAppOptions } from "../../../../../test/support/start-app.ts";
import { QueueServer } from "../../servers/post-box/post-box-server.ts";

interface Connected {
  readonly app: TestApp;
  readonly server: QueueServer;
}

function taking(step: string): string {
  return `- route: { id: taker, from: { uri: "post-box:orders", steps: [{ ${step} }] } }`;
}

/** A runtime and a server, with the connection of the page. */
async function connected(t: TestContext, options: TestAppOptions = {}): Promise<Connected> {
  const server = new QueueServer();
  await server.start();
  t.after(() => server.stop());
  const app = await startTestApp(t, { secrets: { "_connections/SHOP": server.password }, ...options });
  const own = { servers: [`localhost:${server.tlsPort}`], tls: { ca: cert } };
  const answer = await putConnection(app, "shop", documentOf("post-box", own));
  assert.ok(answer.ok, await answer.text());
  return { app, server };
}

async function deploy({ app }: Connected, id: string, yaml: string): Promise<void> {
  const answer = await app.put(id, yaml);
  assert.ok(answer.ok, await answer.text());
}

const logged = ({ app }: Connected, text: string): number => app.logs.filter(({ message }) => message === text).length;

test("the example of the page sends what a webhook gets, and takes it from the queue", async (t) => {
  const all = await connected(t);
  const { app, server } = all;
  const trial = (await (await app.api("/connections/shop/test", { method: "POST" })).json()) as Record<string, unknown>;
  assert.equal(trial["serverVersion"], "Post box 1.0", JSON.stringify(trial));
  assert.match(String(trial["tls"]), /^TLSv1/);
  await deploy(all, "orders", blockOf("post-box", "yaml"));
  const headers = { "Content-Type": "application/json" };
  const answer = await app.post("/api/order-in", '{"id": 7,\n"customer": "Ada ü"}', headers);
  assert.deepEqual([answer.status, await answer.text()], [200, "queued"]);
  await eventually(() => logged(all, "order 7 of Ada ü"), "the order is taken from the queue");
  await eventually(() => server.texts("orders").length === 0, "the server hears that it is done");
});

test("a failed run is done for the server, and is among the failed messages", async (t) => {
  const all = await connected(t);
  const fails = 'throwException: { exceptionType: java.lang.IllegalStateException, message: "no" }';
  await deploy(all, "f", taking(fails));
  all.server.put("orders", "a");
  await eventually(() => all.server.texts("orders").length === 0, "the message is gone");
  const [failed] = await waitingMessages(all.app, 1);
  assert.equal(failed?.routeId, "taker");
});

test("what was under way when the connection was lost comes again, and a queue with another name is refused", async (t) => {
  const held = await heldStep(t);
  const all = await connected(t, { egressAllow: held.host });
  await deploy(all, "f", taking(held.step));
  all.server.put("orders", "a");
  await held.holds(1);
  all.server.cut();
  held.letGo();
  await held.holds(1);
  assert.deepEqual(all.server.texts("orders"), ["a"]);
  held.letGo();
  await eventually(() => all.server.texts("orders").length === 0, "it is done");
  const { consumers } = (await (await all.app.api("/flows/f")).json()) as { consumers: Record<string, unknown>[] };
  assert.equal(consumers[0]?.["redelivered"], 1);
  const step = '{ to: "post-box:no*queue" }';
  await deploy(all, "g", `- route: { id: g, from: { uri: webhook, steps: [${step}] } }`);
  assert.equal((await all.app.post("/api/g", "x")).status, 500);
  const [run] = (await (await all.app.api("/runs?routeId=g")).json()) as { error?: { message: string } }[];
  assert.match(run?.error?.message ?? "", /refuses it: 'no\*queue' is not the name of a queue/);
});
