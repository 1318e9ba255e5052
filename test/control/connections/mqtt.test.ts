/** An MQTT broker that cannot be reached is named to whoever needs it: a trial, a message that is sent, a subscription. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { type TestContext, test } from "node:test";
import { eventually } from "../../support/clock.ts";
import { closedPort } from "../../support/closed-port.ts";
import { startTestApp, type TestApp } from "../../support/start-app.ts";

/** Starts a server that does this with each connection. Resolves with its port. */
async function serverOf(t: TestContext, serve: (socket: Socket) => void): Promise<number> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.on("error", () => {}));
    serve(socket);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  t.after(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return port;
}

async function put(app: TestApp, port: number): Promise<void> {
  const document = { kind: "mqtt", servers: [`127.0.0.1:${port}`], flows: ["*"], default: true };
  const headers = { "Content-Type": "application/json" };
  const answer = await app.api("/connections/broker", { method: "PUT", headers, body: JSON.stringify(document) });
  assert.ok(answer.ok, await answer.text());
}

async function trialOf(app: TestApp): Promise<string> {
  const answer = await app.api("/connections/broker/test", { method: "POST" });
  return ((await answer.json()) as { readonly error?: string }).error ?? "it succeeded";
}

for (const scheme of ["paho-mqtt5", "paho"])
  test(`${scheme}: a broker that is not there is the cause of trials, failed runs and failing subscriptions`, async (t) => {
    const app = await startTestApp(t);
    await put(app, closedPort);
    assert.match(await trialOf(app), /127\.0\.0\.1:\d+.*ECONNREFUSED/);
    const sender = `- route: { id: sender, from: { uri: webhook, steps: [{ to: "${scheme}:a?qos=1" }] } }`;
    const put1 = await app.put("sender", sender);
    assert.ok(put1.ok, await put1.text());
    assert.equal((await app.post("/api/sender", "x")).status, 500);
    const [run] = (await (await app.api("/runs?routeId=sender")).json()) as { error?: { message: string } }[];
    assert.match(run?.error?.message ?? "", /ECONNREFUSED|is not tried again before/);
    const put2 = await app.put(
      "hearer",
      `- route: { id: hearer, from: { uri: "${scheme}:a/#", steps: [{ log: x }] } }`,
    );
    assert.ok(put2.ok, await put2.text());
    await eventually(
      () => app.logs.some(({ message }) => /'hearer' cannot poll: .*ECONNREFUSED/.test(message)),
      "the log names the broker",
    );
  });

test("a server that speaks no MQTT, or sends without an end before the login, ends the attempt with the reason", async (t) => {
  const app = await startTestApp(t);
  const http = await serverOf(t, (socket) => socket.end("HTTP/1.1 400 Bad Request\r\n\r\n"));
  await put(app, http);
  assert.match(await trialOf(app), /127\.0\.0\.1:\d+: the server does not speak MQTT/);
  const endless = await serverOf(t, (socket) => {
    const more = (): void => {
      while (socket.write(Buffer.from([0x40, 2, 0, 1])));
    };
    socket.on("drain", more).resume();
    more();
  });
  await put(app, endless);
  assert.match(await trialOf(app), /127\.0\.0\.1:\d+: the server does not speak MQTT/);
});

test("a broker that refuses the client is quoted", async (t) => {
  const app = await startTestApp(t);
  // CONNACK of MQTT 5: not authorized, with a reason string.
  const why = Buffer.from("ask the plant");
  const connack = Buffer.concat([
    Buffer.from([0x20, 3 + 3 + why.length, 0, 135, 3 + why.length, 0x1f, 0, why.length]),
    why,
  ]);
  await put(app, await serverOf(t, (socket) => socket.once("data", () => socket.end(connack))));
  assert.match(await trialOf(app), /the broker refuses the client: Not authorized \(ask the plant\)/);
});

/** Calls `took` with the type and the id of each packet of a client of MQTT 3.1.1. Packets have fewer than 128 bytes, so that their length is one byte. */
function readPackets(socket: Socket, took: (type: number, id: number) => void): void {
  let rest = Buffer.alloc(0);
  socket.on("data", (bytes: Buffer) => {
    rest = Buffer.concat([rest, bytes]);
    for (let length = 2 + (rest[1] ?? 0); rest.length >= 2 && rest.length >= length; length = 2 + (rest[1] ?? 0)) {
      took((rest[0] ?? 0) >> 4, rest.length >= 4 ? rest.readUInt16BE(2) : 0);
      rest = rest.subarray(length);
    }
  });
}

/** PUBLISH to the topic `a` with the id 7. */
function message(text: string, isDup: boolean, qos = 2): Buffer {
  const first = 0x30 | (qos << 1) | (isDup ? 8 : 0);
  return Buffer.from([first, 5 + text.length, 0, 1, 0x61, 0, 7, ...Buffer.from(text)]);
}

const [connect, puback, pubrec, pubcomp, subscribe] = [1, 4, 5, 7, 8];
const pubrel = Buffer.from([0x62, 2, 0, 7]);

/** Deploys a flow that logs what it gets with qos 2 from a broker that has kept its session from the second connection on. Returns what it has logged. */
async function listenTo(
  t: TestContext,
  took: (socket: Socket, connection: number, type: number) => void,
  resumed: (connection: number) => Buffer,
): Promise<() => readonly string[]> {
  let connections = 0;
  const port = await serverOf(t, (socket) => {
    connections += 1;
    const connection = connections;
    readPackets(socket, (type, id) => {
      // What the broker has for the session is in one part with the answer, before the client can do anything.
      if (type === connect)
        socket.write(Buffer.concat([Buffer.from([0x20, 2, connection === 1 ? 0 : 1, 0]), resumed(connection)]));
      if (type === subscribe) socket.write(Buffer.from([0x90, 3, id >> 8, id & 0xff, 2]));
      took(socket, connection, type);
    });
  });
  const app = await startTestApp(t);
  await put(app, port);
  const from = `{ uri: "paho:a", parameters: { qos: 2, cleanSession: false, clientId: c }, steps: [{ log: "got \${body}" }] }`;
  const answer = await app.put("f", `- route: { id: r, from: ${from} }`);
  assert.ok(answer.ok, await answer.text());
  return () => app.logs.map((line) => line.message).filter((text) => /^got /.test(text));
}

test("with qos 2 a message that comes again is not run again, and another one with its id, of a broker that went back to an earlier state, is run", async (t) => {
  const confirmed: number[] = [];
  const got = await listenTo(
    t,
    (socket, connection, type) => {
      if (connection === 1 && type === subscribe) socket.write(message("one", false));
      if (type !== pubrec) return;
      confirmed.push(connection);
      if (connection === 1) socket.destroy();
      else if (confirmed.length === 2) socket.write(message("two", false));
    },
    (connection) => (connection === 1 ? Buffer.of() : message("one", true)),
  );
  await eventually(() => got().length >= 2, "both messages are run");
  await eventually(() => confirmed.length >= 3, "both messages are confirmed");
  assert.deepEqual(got(), ["got one", "got two"]);
  assert.deepEqual(confirmed, [1, 2, 2]);
});

test("with qos 2 the id of a message that the broker releases as soon as the session is resumed is free for another one", async (t) => {
  const got = await listenTo(
    t,
    (socket, connection, type) => {
      if (connection === 1 && type === subscribe) socket.write(message("one", false));
      // The third message is on its way when the connection is lost, and comes again over another one.
      if ((connection === 1 && type === pubrec) || (connection === 2 && type === pubcomp)) socket.destroy();
      if (connection === 3 && type === puback) socket.write(message("three", true));
    },
    (connection) => [Buffer.of(), pubrel, message("two", false, 1)][connection - 1] ?? Buffer.of(),
  );
  await eventually(() => got().length >= 3, "all messages are run");
  assert.deepEqual(got(), ["got one", "got two", "got three"]);
});
