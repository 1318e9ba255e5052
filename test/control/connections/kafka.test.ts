/** A Kafka cluster that cannot be reached, or means harm, is named to whoever needs it: a trial, a sent message, a consumer. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type Socket } from "node:net";
import { type TestContext, test } from "node:test";
import { eventually } from "../../support/clock.ts";
import { closedPort } from "../../support/closed-port.ts";
import { startTestApp, type TestApp } from "../../support/start-app.ts";

async function serve(t: TestContext, answer: (socket: Socket) => void): Promise<number> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.on("error", () => {}));
    answer(socket);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return (server.address() as { readonly port: number }).port;
}

async function connect(app: TestApp, port: number): Promise<string> {
  const document = { kind: "kafka", servers: [`127.0.0.1:${port}`], flows: ["*"] };
  const headers = { "Content-Type": "application/json" };
  const put = await app.api("/connections/shop", { method: "PUT", headers, body: JSON.stringify(document) });
  assert.equal(put.status, 201, await put.text());
  const trial = (await (await app.api("/connections/shop/test", { method: "POST" })).json()) as { error?: string };
  return trial.error ?? "";
}

test("a cluster that is not there is the cause of trials, failed runs and consumers", async (t) => {
  const app = await startTestApp(t);
  assert.match(await connect(app, closedPort), /ECONNREFUSED/);
  const send = `- route: { id: send, from: { uri: webhook, steps: [{ to: "kafka:orders?brokers=#shop" }] } }\n`;
  const deployed = await app.put("send", send);
  assert.equal(deployed.status, 201, await deployed.text());
  assert.equal((await app.post("/api/send", "1")).status, 500);
  const [run] = (await (await app.api("/runs?routeId=send")).json()) as { error?: { message: string } }[];
  assert.match(run?.error?.message ?? "", /ECONNREFUSED|is not tried again before/);
  const take = `- route: { id: take, from: { uri: "kafka:orders?brokers=#shop", steps: [{ log: x }] } }\n`;
  assert.equal((await app.put("take", take)).status, 201);
  await eventually(
    () => app.logs.some(({ message }) => /'take' cannot poll: .*127\.0\.0\.1.*ECONNREFUSED/.test(message)),
    "the log names the server",
  );
});

test("a server that sends without an end ends the attempt, and not the thread", async (t) => {
  const app = await startTestApp(t);
  const port = await serve(t, (socket) => {
    const more = (): void => {
      while (socket.write(Buffer.alloc(64 * 1024, 0x41)));
    };
    socket.on("drain", more);
    more();
  });
  assert.match(await connect(app, port), /announces an answer of 1094795585 bytes/);
});

test("a server that speaks TLS to a connection without it is named as such", async (t) => {
  const app = await startTestApp(t);
  const port = await serve(t, (socket) => socket.on("data", () => socket.write(Buffer.from("15030300020250", "hex"))));
  assert.match(await connect(app, port), /encrypted connection: write "tls"/);
});
