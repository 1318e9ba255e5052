/** What the flow's document says of its routes and steps: which only one runtime at a time may run, and which may change something elsewhere. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { webhook } from "../support/flows.ts";
import { startTestApp } from "../support/start-app.ts";

const amqp = "connectionFactory=%23mq";
const mqtt = "client=%23broker";

const login = { database: "d", username: "u" };

const once = [
  "timer:tick",
  "cron:night?schedule=0+2+*+*+*",
  "file:inbox",
  "sql:select 1?dataSource=%23db",
  `jms:topic:prices?${amqp}`,
  `jms:prices?destinationType=topic&${amqp}`,
  `jms:topic:prices?subscriptionShared=true&subscriptionName=s&clientId=c&${amqp}`,
  `paho-mqtt5:prices?${mqtt}`,
];

const everywhere = [
  "webhook",
  "direct:other",
  "seda:queue",
  "kafka:orders?brokers=%23shop",
  `jms:queue:orders?${amqp}`,
  `jms:topic:prices?subscriptionShared=true&subscriptionName=s&${amqp}`,
  `paho-mqtt5:$share/group/prices?${mqtt}`,
];

test("the flow's document says once: true for what each runtime would run, and for nothing else", async (t) => {
  const app = await startTestApp(t);
  for (const [id, kind] of Object.entries({ mq: "amqp", broker: "mqtt", shop: "kafka", db: "postgres" })) {
    const document = { kind, servers: ["127.0.0.1:1"], flows: ["*"], ...(kind === "postgres" && login) };
    const headers = { "Content-Type": "application/json" };
    const put = await app.api(`/connections/${id}`, { method: "PUT", headers, body: JSON.stringify(document) });
    assert.equal(put.status, 201, await put.text());
  }
  const uris = [...once, ...everywhere];
  const routes = uris.map((uri, index) => {
    const from = `{ uri: ${JSON.stringify(uri)}, steps: [{ log: x }] }`;
    return `- route: { id: r${index}, autoStartup: false, from: ${from} }\n`;
  });
  const put = await app.put("f", routes.join(""));
  assert.equal(put.status, 201, await put.text());
  const flow = (await (await app.api("/flows/f")).json()) as { routes: { once?: unknown }[] };
  assert.deepEqual(
    Object.fromEntries(flow.routes.map((route, index) => [uris[index], route.once])),
    Object.fromEntries(uris.map((uri) => [uri, once.includes(uri) ? true : undefined])),
  );
});

test("the flow's document says which steps ask a server, and which may change something there", async (t) => {
  const app = await startTestApp(t);
  const steps = [
    'to: { id: ask, uri: "http://127.0.0.1:1?httpMethod=GET" }',
    'to: { id: tell, uri: "http://127.0.0.1:1?httpMethod=PUT" }',
    "to: { id: note, uri: log:x }",
  ];
  const put = await app.put("f", webhook("r", ...steps));
  assert.equal(put.status, 201, await put.text());
  const { effects } = (await (await app.api("/flows/f")).json()) as { readonly effects: unknown };
  assert.deepEqual(effects, { ask: "reads", tell: "writes" });
});
