/** A RabbitMQ server that cannot be reached, or is something else, is named to whoever needs it: a trial, a message, a consumer. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { type TestContext, test } from "node:test";
import { eventually } from "../../support/clock.ts";
import { closedPort } from "../../support/closed-port.ts";
import { startTestApp, type TestApp } from "../../support/start-app.ts";

const headers = { "Content-Type": "application/json" };

async function connect(app: TestApp, port: number): Promise<string> {
  const document = { kind: "rabbitmq", servers: [`127.0.0.1:${port}`], username: "shop", default: true, flows: ["*"] };
  const put = await app.api("/connections/shop", { method: "PUT", headers, body: JSON.stringify(document) });
  assert.ok(put.ok, await put.text());
  const trial = (await (await app.api("/connections/shop/test", { method: "POST" })).json()) as { error?: string };
  return trial.error ?? "";
}

async function listening(t: TestContext, serve: (socket: Socket) => void): Promise<number> {
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

test("a server that is not there is the cause of trials, failed runs and consumers that get nothing", async (t) => {
  const app = await startTestApp(t);
  assert.match(await connect(app, closedPort), /ECONNREFUSED/);
  for (const scheme of ["spring-rabbitmq", "rabbitmq"]) {
    const step = `{ to: { uri: "${scheme}:orders", parameters: { routingKey: new } } }`;
    const from = { "spring-rabbitmq": "spring-rabbitmq:orders?queues=inbox", rabbitmq: "rabbitmq:orders?queue=inbox" }[
      scheme
    ];
    const put = await app.put(
      scheme,
      `- route: { id: ${scheme}, from: { uri: webhook, steps: [${step}] } }\n- route: { id: from-${scheme}, from: { uri: "${from}", steps: [{ log: x }] } }\n`,
    );
    assert.equal(put.status, 201, await put.text());
    assert.equal((await app.post(`/api/${scheme}`, "1", { "Content-Type": "text/plain" })).status, 500);
    const [run] = (await (await app.api(`/runs?routeId=${scheme}`)).json()) as { error?: { message: string } }[];
    assert.match(run?.error?.message ?? "", /ECONNREFUSED|is not tried again before/);
    const reported = (): boolean =>
      app.logs.some(({ message }) => message.includes(`'from-${scheme}' cannot poll`) && /127\.0\.0\.1/.test(message));
    await eventually(reported, "the log names the server");
  }
});

test("a server that sends one frame without an end, or speaks another protocol, ends the attempt, and not the thread", async (t) => {
  const app = await startTestApp(t);
  const endless = await listening(t, (socket) => {
    const more = (): void => {
      while (socket.write(Buffer.alloc(64 * 1024, 0x41)));
    };
    socket.on("drain", more);
    more();
  });
  assert.match(await connect(app, endless), /the server has sent a frame of \d+ bytes, and \d+ are the most/);
  const other = await listening(t, (socket) => void socket.end("AMQP\u0000\u0001\u0000\u0000"));
  assert.match(await connect(app, other), /this version of AMQP is not supported; the server suggests/);
});
