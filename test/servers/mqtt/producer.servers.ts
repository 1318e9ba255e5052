/** Steps that send to a real broker: options, headers, and what fails. */
import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import { eventually } from "../../support/clock.ts";
import { startTestApp, type TestApp } from "../../support/start-app.ts";
import { putConnection } from "../sql/connection-document.ts";
import { lastFailure } from "../sql/sql-flow.ts";
import { type Broker, startMosquitto } from "./mosquitto.ts";
import { connectionTo, startMqttApp, brokerTest as test } from "./mqtt-app.ts";
import { connect, type Heard, listen } from "./test-client.ts";

const schemes = [
  { scheme: "paho-mqtt5", prefix: "CamelPahoMqtt5" },
  { scheme: "paho", prefix: "CamelPaho" },
] as const;

async function deploy(app: TestApp, id: string, steps: string): Promise<void> {
  const answer = await app.put(id, `- route: { id: ${id}, from: { uri: webhook, steps: [${steps}] } }`);
  assert.ok(answer.ok, await answer.text());
}

/** Resolves with the run's failure; "": it had none. */
async function sent(app: TestApp, id: string, body: string, headers: Readonly<Record<string, string>> = {}) {
  const answer = await app.post(`/api/${id}`, body, { "Content-Type": "text/plain", ...headers });
  return answer.ok ? "" : await lastFailure(app, id);
}

async function listener(t: TestContext, broker: Broker, filter: string) {
  const { heard, client } = await listen(broker, filter);
  t.after(() => client.end(true));
  return async (what: string, found: (one: Heard) => boolean): Promise<Heard> =>
    eventually(() => heard.find(found), what, 60_000);
}

for (const { scheme, prefix } of schemes)
  test(`${scheme}: qos, retained and topics come from the endpoint, and from headers before it`, async (t) => {
    const { app, broker } = await startMqttApp(t);
    const hear = await listener(t, broker, "out/#");
    for (const qos of [0, 1, 2]) {
      await deploy(app, `plain${qos}`, `{ to: "${scheme}:out/${qos}?qos=${qos}" }`);
      assert.equal(await sent(app, `plain${qos}`, `grün ${qos}`), "");
      const { packet, text } = await hear(`qos ${qos}`, ({ topic }) => topic === `out/${qos}`);
      assert.deepEqual([text, packet.qos, packet.retain], [`grün ${qos}`, qos, false]);
    }
    const set = (name: string, value: string): string =>
      `{ setHeader: { name: ${prefix}${name}, constant: "${value}" } }`;
    await deploy(
      app,
      "directed",
      `${set("OverrideTopic", "out/else")}, ${set("Qos", "0")}, ${set("Retained", "true")}, { to: "${scheme}:out/not?qos=2" }`,
    );
    assert.equal(await sent(app, "directed", "kept"), "");
    await hear("the message goes elsewhere", ({ topic, packet }) => topic === "out/else" && packet.qos === 0);
    const later = await connect(broker, { reconnectPeriod: 0 });
    const retained = new Promise<boolean>((resolve) =>
      later.once("message", (_topic, payload, { retain }) => resolve(retain && String(payload) === "kept")),
    );
    await later.subscribeAsync("out/else");
    assert.equal(await retained, true);
    await later.endAsync();
    // Callers do not direct messages.
    await deploy(app, "called", `{ to: "${scheme}:out/called?qos=1" }`);
    assert.equal(await sent(app, "called", "mine", { [`${prefix}OverrideTopic`]: "out/stolen" }), "");
    assert.equal((await hear("it is where it belongs", ({ text }) => text === "mine")).topic, "out/called");
    // A topic that the message names.
    await deploy(app, "dynamic", `{ toD: "${scheme}:out/\${body}?qos=1" }`);
    assert.equal(await sent(app, "dynamic", "a-level"), "");
    await hear("its topic has the body", ({ topic }) => topic === "out/a-level");
    assert.match(await sent(app, "dynamic", "#"), /\+ and # are for consumers/);
    for (const [name, value, expected] of [
      ["OverrideTopic", "out/+", /\+ and # are for consumers/],
      ["Qos", "3", /0, 1 or 2 is expected/],
    ] as const) {
      const id = `wrong-${name.toLowerCase()}`;
      await deploy(app, id, `${set(name, value)}, { to: "${scheme}:out/x" }`);
      assert.match(await sent(app, id, "x"), expected);
    }
  });

test("properties of MQTT 5 are sent from the header's map, and a list or a map as JSON", async (t) => {
  const { app, broker } = await startMqttApp(t);
  const hear = await listener(t, broker, "out/#");
  const map = JSON.stringify({
    contentType: "application/json",
    messageExpiryInterval: 60,
    responseTopic: "answers",
    correlationData: "c1",
    payloadFormat: true,
    userProperties: { plant: "north", CamelFileName: "x" },
  });
  await deploy(
    app,
    "properties",
    `{ setBody: { constant: '${map}' } }, { unmarshal: { json: {} } }, { setHeader: { name: CamelPahoMqtt5MsgProperties, simple: "\${body}" } }, { to: "paho-mqtt5:out/p?qos=1" }`,
  );
  assert.equal(await sent(app, "properties", ""), "");
  const { packet, text } = await hear("it arrives", ({ topic }) => topic === "out/p");
  assert.deepEqual(JSON.parse(text), JSON.parse(map));
  const { properties } = packet;
  assert.deepEqual(
    [properties?.contentType, properties?.responseTopic, String(properties?.correlationData)],
    ["application/json", "answers", "c1"],
  );
  assert.deepEqual({ ...properties?.userProperties }, { plant: "north", CamelFileName: "x" });
  assert.equal(properties?.payloadFormatIndicator, true);
  assert.ok((properties?.messageExpiryInterval ?? 0) > 50);
});

test("an empty body with retained deletes what the topic retains", async (t) => {
  const { app, broker } = await startMqttApp(t);
  await deploy(app, "keep", `{ to: "paho-mqtt5:out/state?qos=1&retained=true" }`);
  await deploy(app, "clear", `{ setBody: { simple: "\${null}" } }, { to: "paho-mqtt5:out/state?qos=1&retained=true" }`);
  await sent(app, "keep", "on");
  const { heard, client } = await listen(broker, "out/state");
  t.after(() => client.end(true));
  await eventually(() => heard.some(({ packet }) => packet.retain), "it is retained");
  assert.equal(await sent(app, "clear", ""), "");
  await eventually(() => heard.some(({ text }) => text === ""), "the empty message arrives");
  const after = await listen(broker, "out/+");
  t.after(() => after.client.end(true));
  await sent(app, "keep", "again");
  await eventually(() => after.heard.length > 0, "the next one arrives");
  assert.deepEqual(
    after.heard.map(({ text }) => text),
    ["again"],
  );
});

/** Runtimes with a step that ends the thread of its flow. */
const losing = {
  threadEntry: new URL("../suite/flow-worker.ts", import.meta.url),
  checkEntry: new URL("../suite/check-worker.ts", import.meta.url),
};

test("a thread sends over one connection; its will is sent when the thread is lost, and not when the flow is removed", async (t) => {
  const { app, broker } = await startMqttApp(t, losing);
  const hear = await listener(t, broker, "#");
  const will = (name: string): string => `qos=1&willTopic=wills/${name}&willPayload=gone&willQos=1`;
  await deploy(app, "ends", `{ to: "paho-mqtt5:out/a?${will("ends")}" }, { to: "paho-mqtt5:out/b?${will("ends")}" }`);
  for (let count = 0; count < 20; count++) assert.equal(await sent(app, "ends", "x"), "");
  const state = (await (await app.api("/connections/broker")).json()) as { readonly state: { readonly open: number } };
  assert.equal(state.state.open, 1);
  await app.api("/flows/ends", { method: "DELETE" });
  await deploy(app, "lost", `{ to: "paho-mqtt5:out/c?${will("lost")}" }, { to: lose-thread }`);
  await sent(app, "lost", "x");
  const { text } = await hear("the will", ({ topic }) => topic.startsWith("wills/"));
  assert.equal(text, "gone");
  assert.equal((await hear("its topic", ({ topic }) => topic.startsWith("wills/"))).topic, "wills/lost");
});

test("a message that the broker does not confirm fails, and the next one goes over a new connection", async (t) => {
  const { app, broker } = await startMqttApp(t, { limits: { outboundTotalMs: 2000 } });
  await deploy(app, "send", `{ to: "paho-mqtt5:out/a?qos=1" }`);
  assert.equal(await sent(app, "send", "1"), "");
  await broker.process.stop();
  assert.match(await sent(app, "send", "2"), /ECONNREFUSED|closed|not confirmed|is not tried again before/);
  await broker.process.start();
  await eventually(async () => ((await sent(app, "send", "3")) === "" ? true : undefined), "it is sent again", 60_000);
});

test("what is larger than the broker takes fails with both sizes, and the connection stays", async (t) => {
  const { app } = await startMqttApp(t, {}, ["max_packet_size 2000"]);
  await deploy(app, "large", `{ to: "paho-mqtt5:out/a?qos=1" }`);
  assert.match(await sent(app, "large", "x".repeat(3000)), /at most 2000 bytes, and the body has 3000/);
  assert.equal(await sent(app, "large", "x"), "");
});

test("brokers that an endpoint names itself: user and password, several servers, TLS, and the rule that they need", async (t) => {
  const broker = await startMosquitto();
  t.after(() => broker.close());
  const app = await startTestApp(t, {
    egressAllow: `127.0.0.1:${broker.port} 127.0.0.1:${broker.tlsPort} 127.0.0.1:1`,
    secrets: { "_shared/BROKER": broker.password },
  });
  const hear = await listener(t, broker, "out/#");
  const own = (url: string): string => `brokerUrl: "${url}", userName: test, password: "{{secret:BROKER}}"`;
  const to = (topic: string, parameters: string): string =>
    `{ to: { uri: "paho-mqtt5:out/${topic}", parameters: { qos: 1, ${parameters} } } }`;
  await deploy(app, "own", to("own", own(`tcp://127.0.0.1:${broker.port}`)));
  assert.equal(await sent(app, "own", "x"), "");
  await hear("by its own broker", ({ topic }) => topic === "out/own");
  const several = `serverURIs: "tcp://127.0.0.1:1,tcp://127.0.0.1:${broker.port}", userName: test, password: "{{secret:BROKER}}"`;
  await deploy(app, "several", to("several", several));
  assert.equal(await sent(app, "several", "x"), "");
  await hear("by the second of two", ({ topic }) => topic === "out/several");
  await deploy(app, "untrusted", to("tls", own(`ssl://127.0.0.1:${broker.tlsPort}`)));
  assert.match(await sent(app, "untrusted", "x"), /certificate/);
  await deploy(app, "closed", to("closed", own("tcp://192.0.2.1:1883")));
  assert.match(await sent(app, "closed", "x"), /192\.0\.2\.1/);
});

test("a connection with TLS and an authority of its own, and a trial that says so", async (t) => {
  const { cert } = await import("../../support/localhost-cert.ts");
  const { app, broker } = await startMqttApp(t);
  const tls = { ca: cert };
  await putConnection(app, "secure", connectionTo(broker, { servers: [`localhost:${broker.tlsPort}`], tls }));
  const trial = (await (await app.api("/connections/secure/test", { method: "POST" })).json()) as { tls?: string };
  assert.match(trial.tls ?? JSON.stringify(trial), /^TLSv1/);
  await deploy(app, "secure-out", `{ to: "paho-mqtt5:out/tls?qos=2&client=#secure" }`);
  assert.equal(await sent(app, "secure-out", "x"), "");
});
