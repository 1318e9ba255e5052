/** Calls over a proxy: tunnels, requests that it fetches itself, and what flows may call there. */
import assert from "node:assert/strict";
import { createServer } from "node:net";
import { type TestContext, test } from "node:test";
import { startHttpServer } from "../../support/http-server.ts";
import { cert } from "../../support/localhost-cert.ts";
import { startProxy, startSecureServer } from "../../support/secure-servers.ts";
import { startTestApp } from "../../support/start-app.ts";
import { again, call, putConnection } from "./calls.ts";

const secrets = { "_connections/PROXY": "pw", "_connections/BAD": "wrong" };

test("https goes through a tunnel in which the server's certificate is checked, with the proxy's user", async (t) => {
  const proxy = await startProxy(t, "shop:pw");
  const { port, heard } = await startSecureServer(t);
  const app = await startTestApp(t, { secrets });
  const document = {
    servers: [`localhost:${port}`],
    username: "shop",
    passwordRef: "PROXY",
    tls: { ca: cert },
    options: { proxy: `127.0.0.1:${proxy.port}` },
  };
  assert.ok((await putConnection(app, document)).ok);
  assert.equal(await call(app, "called", `https://localhost:${port}/a?connection=#known`), "well");
  assert.deepEqual(proxy.heard, [`CONNECT localhost:${port}`]);
  assert.deepEqual(heard, ["POST /a by nobody over 1.1"]);
  assert.ok((await putConnection(app, { ...document, tls: { ca: cert, serverName: "other.example" } })).ok);
  assert.match(await again(app, "called"), /altnames/);
  assert.ok((await putConnection(app, { ...document, passwordRef: "BAD" })).ok);
  assert.match(
    await again(app, "called"),
    /the proxy 127\.0\.0\.1:\d+ refuses a tunnel to localhost:\d+: 407 .*username and passwordRef/,
  );
});

test("http is fetched by the proxy, which gets the whole address, and the server gets no password of it", async (t) => {
  const proxy = await startProxy(t, "shop:pw");
  const server = await startHttpServer(t);
  const app = await startTestApp(t, { secrets });
  const document = {
    servers: [`127.0.0.1:${server.port}`],
    username: "shop",
    passwordRef: "PROXY",
    options: { proxy: `127.0.0.1:${proxy.port}` },
  };
  assert.ok((await putConnection(app, document)).ok);
  assert.equal(await call(app, "called", `${server.url}/a?connection=#known&httpMethod=GET`), "ok");
  assert.deepEqual(proxy.heard, [`GET ${server.url}/a`]);
  const [{ url, headers } = { url: "", headers: {} }] = server.heard;
  assert.equal(url, "/a");
  assert.ok(!JSON.stringify(headers).toLowerCase().includes("proxy-authorization"));
  assert.ok((await putConnection(app, { ...document, passwordRef: "BAD" })).ok);
  assert.match(await again(app, "called"), /HttpOperationFailedException.*407/);
});

test("a name that only the proxy resolves is called where a rule names it, and nowhere else", async (t) => {
  const proxy = await startProxy(t);
  const { port, heard } = await startSecureServer(t);
  const app = await startTestApp(t);
  const open = { tls: { ca: cert, serverName: "localhost" }, options: { proxy: `127.0.0.1:${proxy.port}` } };
  assert.ok((await putConnection(app, open)).ok);
  const uri = `https://partner.invalid:${port}/?connection=#known`;
  assert.match(
    await call(app, "called", uri),
    /EgressDeniedException: partner\.invalid has no address here.*EGRESS_ALLOW=partner\.invalid:\d+/,
  );
  // Private addresses need a rule here, too.
  assert.match(
    await call(app, "private", `https://10.0.0.1:${port}/?connection=#known`),
    /EgressDeniedException.*private/,
  );
  assert.match(
    await call(app, "loopback", `https://localhost:${port}/?connection=#known`),
    /EgressDeniedException.*loopback/,
  );
  assert.deepEqual(proxy.heard, []);
  assert.ok((await putConnection(app, { ...open, servers: [`partner.invalid:${port}`] })).ok);
  assert.equal(await again(app, "called"), "well");
  assert.deepEqual([proxy.heard, heard.length], [[`CONNECT partner.invalid:${port}`], 1]);
});

test("the proxy itself is no server that flows can call", async (t) => {
  const proxy = await startProxy(t);
  const app = await startTestApp(t);
  assert.ok(
    (await putConnection(app, { servers: ["partner.invalid:443"], options: { proxy: `127.0.0.1:${proxy.port}` } })).ok,
  );
  const uri = `http://127.0.0.1:${proxy.port}/`;
  assert.match(await call(app, "direct", uri), /EgressDeniedException/);
  assert.match(await call(app, "behind", `${uri}?connection=#known`), /EgressDeniedException.*none of the servers/);
  assert.deepEqual(proxy.heard, []);
});

async function startWrongProxy(t: TestContext, answer: string | undefined): Promise<number> {
  const server = createServer((socket) => {
    socket.on("error", () => {}).once("data", () => (answer === undefined ? socket.destroy() : socket.end(answer)));
  }).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  t.after(() => server.close());
  return (server.address() as { port: number }).port;
}

const wrong: readonly (readonly [string, string | undefined, RegExp])[] = [
  ["hangs up", undefined, /closed the connection in place of opening a tunnel|Connection reset/],
  ["speaks no HTTP", "220 mail\r\n\r\n", /does not answer as an HTTP proxy/],
  ["has a head without an end", "x".repeat(20_000), /more than 16384 bytes/],
  ["forbids it", "HTTP/1.1 403 Forbidden\r\n\r\n", /refuses a tunnel to partner\.invalid:443: 403 Forbidden$/],
];

for (const [what, answer, expected] of wrong)
  test(`a proxy that ${what} fails the call with that`, async (t) => {
    const proxy = await startWrongProxy(t, answer);
    const app = await startTestApp(t);
    assert.ok(
      (await putConnection(app, { servers: ["partner.invalid:443"], options: { proxy: `127.0.0.1:${proxy}` } })).ok,
    );
    assert.match(await call(app, "called", "https://partner.invalid/?connection=#known"), expected);
  });
