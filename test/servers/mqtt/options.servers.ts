/** Options of both MQTT components that no other test sets, and the example of docs/connectors/mqtt.md as it stands there. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import type { TestContext } from "node:test";
import { eventually } from "../../support/clock.ts";
import { cert } from "../../support/localhost-cert.ts";
import { startTestApp, type TestApp } from "../../support/start-app.ts";
import { blockOf, documentOf } from "../page-block.ts";
import { putConnection } from "../sql/connection-document.ts";
import { lastFailure } from "../sql/sql-flow.ts";
import { startMqttApp, brokerTest as test } from "./mqtt-app.ts";
import { connect, listen, publish } from "./test-client.ts";

const schemes = ["paho-mqtt5", "paho"] as const;
/** Flows have a step that ends their thread. */
const losing = {
  threadEntry: new URL("../suite/flow-worker.ts", import.meta.url),
  checkEntry: new URL("../suite/check-worker.ts", import.meta.url),
};

async function deploy(app: TestApp, id: string, from: string, steps: string): Promise<void> {
  const answer = await app.put(id, `- route: { id: ${id}, from: { uri: "${from}", steps: [${steps}] } }`);
  assert.ok(answer.ok, await answer.text());
}

/** A server that is no broker; `met` gets each connection. */
async function startNoBroker(t: TestContext, met: (socket: Socket) => void): Promise<string> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.on("error", () => {}));
    met(socket);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test("connectionTimeout ends the wait for a broker that does not answer", async (t) => {
  const address = await startNoBroker(t, () => {});
  const app = await startTestApp(t, { egressAllow: address, limits: { outboundConnectMs: 60_000 } });
  for (const scheme of schemes) {
    await deploy(app, scheme, "webhook", `{ to: "${scheme}:a?brokerUrl=tcp://${address}&connectionTimeout=1" }`);
    assert.equal((await app.post(`/api/${scheme}`, "x", { "Content-Type": "text/plain" })).ok, false);
    assert.match(await lastFailure(app, scheme), /it did not answer within 1 s/);
  }
});

test("sessionExpiryInterval is what the broker is told; without it the session has no end", async (t) => {
  for (const [id, more, bytes] of [
    ["kept", "&sessionExpiryInterval=3600", [0, 0, 3600 >> 8, 3600 & 0xff]],
    ["forever", "", [0xff, 0xff, 0xff, 0xff]],
  ] as const) {
    const sent = Promise.withResolvers<Buffer>();
    const address = await startNoBroker(t, (socket) => void socket.once("data", sent.resolve));
    const app = await startTestApp(t, { egressAllow: address });
    await deploy(app, id, `paho-mqtt5:a?brokerUrl=tcp://${address}&cleanStart=false${more}`, "{ log: a }");
    // The property 17 of CONNECT: MQTT 5, 3.1.2.11.2.
    assert.ok((await sent.promise).includes(Buffer.from([17, ...bytes])), id);
  }
});

/** A broker of MQTT 3.1.1 that confirms messages when `most` of them wait for that, and the last ones at once. Returns how many have waited at most. */
function confirming(socket: Socket, most: number, all: number): () => number {
  let rest = Buffer.alloc(0);
  let came = 0;
  let highest = 0;
  const waiting: Buffer[] = [];
  socket.on("data", (bytes: Buffer) => {
    rest = Buffer.concat([rest, bytes]);
    // Packets of fewer than 128 bytes, whose length is one byte.
    for (let length = 2 + (rest[1] ?? 0); rest.length >= 2 && rest.length >= length; length = 2 + (rest[1] ?? 0)) {
      const packet = rest.subarray(0, length);
      rest = rest.subarray(length);
      const type = (packet[0] ?? 0) >> 4;
      if (type === 1) socket.write(Buffer.from([0x20, 2, 0, 0]));
      if (type !== 3) continue;
      const id = 4 + packet.readUInt16BE(2);
      waiting.push(packet.subarray(id, id + 2));
      came += 1;
      highest = Math.max(highest, waiting.length);
    }
    while (waiting.length >= most || (came === all && waiting.length > 0))
      socket.write(Buffer.concat([Buffer.from([0x40, 2]), waiting.shift() as Buffer]));
  });
  return () => highest;
}

test("maxInflight is how many messages wait for the broker's confirmation", async (t) => {
  let highest = (): number => 0;
  const address = await startNoBroker(t, (socket) => {
    highest = confirming(socket, 2, 6);
  });
  const app = await startTestApp(t, { egressAllow: address });
  await deploy(app, "sends", "webhook", `{ to: "paho:a?brokerUrl=tcp://${address}&qos=1&maxInflight=2" }`);
  const sent = Array.from({ length: 6 }, () => app.post("/api/sends", "x", { "Content-Type": "text/plain" }));
  assert.deepEqual(
    (await Promise.all(sent)).map(({ status }) => status),
    Array.from({ length: 6 }, () => 200),
  );
  assert.equal(highest(), 2);
});

test("maxReconnectDelay is the longest pause of a consumer that cannot connect", async (t) => {
  for (const scheme of schemes) {
    let met = 0;
    const address = await startNoBroker(t, (socket) => {
      met += 1;
      socket.destroy();
    });
    const app = await startTestApp(t, { egressAllow: address });
    await deploy(app, "meets", `${scheme}:a?brokerUrl=tcp://${address}&maxReconnectDelay=100`, "{ log: a }");
    // Pauses that double up to the usual minute would be longer together.
    await eventually(() => met >= 12, `${scheme} comes again`, 100_000);
  }
});

test("willRetained has the broker keep the will for those who come later", async (t) => {
  const { app, broker } = await startMqttApp(t, losing);
  const { heard, client } = await listen(broker, "wills/#");
  t.after(() => client.end(true));
  for (const scheme of schemes)
    for (const retained of [true, false]) {
      const topic = `wills/${scheme}/${retained}`;
      const will = `willTopic=${topic}&willPayload=gone&willRetained=${retained}`;
      await deploy(app, "lost", "webhook", `{ to: "${scheme}:out?${will}" }, { to: lose-thread }`);
      await app.post("/api/lost", "x", { "Content-Type": "text/plain" });
      await eventually(() => heard.some((one) => one.topic === topic), `the will ${topic}`, 60_000);
    }
  const later = await connect(broker, { reconnectPeriod: 0 });
  const kept: string[] = [];
  later.on("message", (topic, _payload, { retain }) => retain && kept.push(topic));
  await later.subscribeAsync("wills/#");
  await eventually(() => kept.length >= 2, "both are kept", 60_000);
  await later.endAsync();
  assert.deepEqual(kept.sort(), ["wills/paho-mqtt5/true", "wills/paho/true"]);
});

test("receiveMaximum is how many messages the broker sends ahead of their acknowledgements", async (t) => {
  const { app, broker } = await startMqttApp(t);
  const tried = (id: string): number => app.logs.filter(({ message }) => message === `${id} tried`).length;
  // Failed messages stay without an acknowledgement.
  const from = "paho-mqtt5:a?qos=1&cleanStart=false&manualAcksEnabled=true";
  for (const [id, more] of [
    ["two", "&receiveMaximum=2"],
    ["all", ""],
  ] as const)
    await deploy(
      app,
      id,
      `${from}${more}`,
      `{ log: "${id} tried" }, { throwException: { exceptionType: java.io.IOException, message: no } }`,
    );
  await eventually(
    async () => {
      await publish(broker, [["a", "x"]]);
      return tried("all") >= 5 && tried("two") >= 2;
    },
    "both have got theirs",
    60_000,
  );
  assert.equal(tried("two"), 2);
});

test("the example of the page raises an alarm above 80 degrees, which is retained", async (t) => {
  const { app, broker } = await startMqttApp(t);
  const { host, tlsPort, username } = broker;
  const tls = { ca: cert, serverName: "localhost" };
  await app.api("/connections/broker", { method: "DELETE" });
  const document = documentOf("mqtt", { servers: [`${host}:${tlsPort}`], username, tls, flows: ["*"] });
  await putConnection(app, "plant", document);
  const put = await app.put("plant", blockOf("mqtt", "yaml"));
  assert.ok(put.ok, await put.text());
  const { heard, client } = await listen(broker, "alarms");
  t.after(() => client.end(true));
  const reading = async (sensor: string, celsius: number): Promise<void> => {
    const body = JSON.stringify({ sensor, celsius });
    const given = await app.post("/api/reading-in", body, { "Content-Type": "application/json" });
    assert.ok(given.ok, await lastFailure(app, "reading-in"));
  };
  await eventually(
    async () => {
      await reading("cold", 20);
      await reading("hot", 95);
      return heard.length > 0;
    },
    "an alarm is raised",
    60_000,
  );
  assert.ok(heard.every(({ text }) => text === "sensors/hot/temperature is at 95 degrees"));
  const later = await connect(broker, { reconnectPeriod: 0 });
  const retained = new Promise<string>((resolve) =>
    later.once("message", (_topic, payload, { retain }) => resolve(`${retain} ${payload}`)),
  );
  await later.subscribeAsync("alarms");
  assert.equal(await retained, "true sensors/hot/temperature is at 95 degrees");
  await later.endAsync();
});
