/** A server of Post box that cannot be reached, or is something else, is named to whoever needs it: a trial, a message that is sent, a consumer. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { type TestContext, test } from "node:test";
import { eventually } from "../../../../../test/support/clock.ts";
import { putConnection } from "../../../../../test/support/connections.ts";
import { startTestApp, type TestApp } from "../../../../../test/support/start-app.ts";

/** A server that does this with each connection; undefined: there is none at the port any more. */
async function serverOf(t: TestContext, serve: ((socket: Socket) => void) | undefined): Promise<number> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.on("error", () => {}));
    serve?.(socket);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const close = (): void => {
    for (const socket of sockets) socket.destroy();
    server.close();
  };
  if (serve === undefined) close();
  else t.after(close);
  return port;
}

async function put(app: TestApp, port: number): Promise<void> {
  const document = { kind: "post-box", servers: [`127.0.0.1:${port}`], flows: ["*"], default: true };
  const answer = await putConnection(app, "shop", document);
  assert.ok(answer.ok, await answer.text());
}

async function trialOf(app: TestApp): Promise<string> {
  const answer = await app.api("/connections/shop/test", { method: "POST" });
  return ((await answer.json()) as { readonly error?: string }).error ?? "it succeeded";
}

test("post-box: a server that is not there is the cause of trials, failed runs and failing consumers", async (t) => {
  const app = await startTestApp(t);
  await put(app, await serverOf(t, undefined));
  assert.match(await trialOf(app), /127\.0\.0\.1:\d+: .*ECONNREFUSED/);
  const sender = '- route: { id: sender, from: { uri: webhook, steps: [{ to: "post-box:orders" }] } }';
  const sends = await app.put("sender", sender);
  assert.ok(sends.ok, await sends.text());
  assert.equal((await app.post("/api/sender", "x")).status, 500);
  const [run] = (await (await app.api("/runs?routeId=sender")).json()) as { error?: { message: string } }[];
  assert.match(run?.error?.message ?? "", /ECONNREFUSED|is not tried again before/);
  const taker = '- route: { id: taker, from: { uri: "post-box:orders", steps: [{ log: x }] } }';
  const takes = await app.put("taker", taker);
  assert.ok(takes.ok, await takes.text());
  await eventually(
    () => app.logs.some(({ message }) => /'taker' cannot poll: .*ECONNREFUSED/.test(message)),
    "the log names the server",
  );
});

test("post-box: a server that speaks something else, sends a line without an end, or refuses the user ends the attempt with the reason", async (t) => {
  const app = await startTestApp(t);
  for (const [serve, expected] of [
    [(socket) => socket.end("HTTP/1.1 400 Bad Request\r\n\r\n"), /does not speak the protocol: it has sent 'HTTP/],
    [(socket) => socket.write("NO ask the operator\n"), /127\.0\.0\.1:\d+: the server refuses it: ask the operator/],
    [
      (socket) => {
        const more = (): void => {
          while (socket.write(Buffer.alloc(64 * 1024, 0x41)));
        };
        socket.on("drain", more).resume();
        more();
      },
      /has sent (?:more than \d+ bytes before the login|a line of more than \d+ bytes)/,
    ],
  ] as const satisfies readonly (readonly [(socket: Socket) => void, RegExp])[]) {
    await put(app, await serverOf(t, serve));
    assert.match(await trialOf(app), expected);
  }
});
