/** A broker that cannot be reached, or speaks something else, is named to whoever needs it: a trial, a step, a consumer. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { type TestContext, test } from "node:test";
import { eventually } from "../../support/clock.ts";
import { closedPort } from "../../support/closed-port.ts";
import { startTestApp, type TestApp } from "../../support/start-app.ts";

/** A server that does this with each connection. */
async function serverThat(t: TestContext, serve: (socket: Socket) => void): Promise<number> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.on("error", () => {}));
    serve(socket.resume());
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

async function connect(app: TestApp, port: number): Promise<void> {
  const document = { kind: "amqp", servers: [`127.0.0.1:${port}`], username: "shop", flows: ["*"] };
  const headers = { "Content-Type": "application/json" };
  const put = await app.api("/connections/mq", { method: "PUT", headers, body: JSON.stringify(document) });
  assert.ok(put.ok, await put.text());
}

async function trialOf(app: TestApp): Promise<string> {
  const trial = (await (await app.api("/connections/mq/test", { method: "POST" })).json()) as { error?: string };
  return trial.error ?? "";
}

test("amqp: a broker that is not there is the cause of trials, failed runs and failing consumers", async (t) => {
  const app = await startTestApp(t);
  await connect(app, closedPort);
  assert.match(await trialOf(app), /ECONNREFUSED/);
  const step = `{ to: { uri: "jms:queue:orders", parameters: { connectionFactory: "#mq", exchangePattern: InOnly } } }`;
  const sends = await app.put("sends", `- route: { id: sends, from: { uri: webhook, steps: [${step}] } }\n`);
  assert.equal(sends.status, 201, await sends.text());
  assert.equal((await app.post("/api/sends", "1")).status, 500);
  const [run] = (await (await app.api("/runs?routeId=sends")).json()) as { error?: { message: string } }[];
  assert.match(run?.error?.message ?? "", /ECONNREFUSED/);
  const from = `{ uri: "amqp:queue:orders", parameters: { connectionFactory: "#mq" }, steps: [{ log: x }] }`;
  const consumes = await app.put("consumes", `- route: { id: consumes, from: ${from} }\n`);
  assert.equal(consumes.status, 201, await consumes.text());
  await eventually(
    () => app.logs.some(({ message }) => /'consumes' cannot poll: .*ECONNREFUSED/.test(message)),
    "the log names the cause",
  );
});

const openWireHello = Buffer.concat([
  Buffer.from([0, 0, 0, 24, 1]),
  Buffer.from("ActiveMQ"),
  Buffer.from([0, 0, 0, 12, 1, 0, 0, 0, 4, 0, 0, 0, 0, 0, 0]),
]);

const others: Readonly<Record<string, readonly [serve: (socket: Socket) => void, reported: RegExp]>> = {
  OpenWire: [(socket) => socket.write(openWireHello), /it speaks OpenWire.*name its AMQP port, 5672 by default/],
  "AMQP 0-9-1": [(socket) => socket.end(Buffer.from("AMQP\x00\x00\x09\x01")), /it speaks AMQP 0-9-1, as RabbitMQ does/],
  HTTP: [(socket) => socket.end("HTTP/1.1 400 Bad Request\r\n\r\n"), /it speaks HTTP/],
  TLS: [(socket) => socket.end(Buffer.from("15030300020228", "hex")), /it speaks TLS/],
  "something else": [(socket) => socket.end("hello there"), /does not speak AMQP 1\.0: its first bytes are 68656c6c/],
  nothing: [(socket) => socket.end(), /closed the connection without an answer/],
  "frames without an end": [
    (socket) => {
      socket.write(Buffer.from("AMQP\x03\x01\x00\x00"));
      const more = (): void => {
        while (socket.write(Buffer.alloc(64 * 1024, 0x41)));
      };
      socket.on("drain", more);
      more();
    },
    /has sent a frame of 1094795585 bytes|more than 1048576 bytes/,
  ],
};

test("amqp: what is no broker of AMQP 1.0 is called by its name", async (t) => {
  const app = await startTestApp(t);
  for (const [what, [serve, reported]] of Object.entries(others)) {
    await connect(app, await serverThat(t, serve));
    assert.match(await trialOf(app), reported, what);
  }
});
