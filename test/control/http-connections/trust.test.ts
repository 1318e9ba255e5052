/** Calls by a connection: certificates of both ends, and the servers that it is for. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { webhook } from "../../support/flows.ts";
import { startHttpServer } from "../../support/http-server.ts";
import { cert, key } from "../../support/localhost-cert.ts";
import { startSecureServer } from "../../support/secure-servers.ts";
import { startTestApp } from "../../support/start-app.ts";
import { again, call, putConnection } from "./calls.ts";

const secrets = { "_connections/CERT": cert, "_connections/KEY": key };

test("a server that asks for a client's certificate gets the connection's, and no other call does", async (t) => {
  const { port, heard } = await startSecureServer(t, { asks: true });
  const app = await startTestApp(t, { secrets, egressAllow: `127.0.0.1:${port}` });
  const tls = { ca: cert, certRef: "CERT", keyRef: "KEY" };
  assert.ok((await putConnection(app, { servers: [`127.0.0.1:${port}`], tls })).ok);
  const uri = `https://127.0.0.1:${port}/a?httpMethod=POST`;
  assert.equal(await call(app, "well", `${uri}&connection=#known`), "well");
  assert.match(await call(app, "without", uri), /SSLHandshakeException.*self-signed/);
  assert.deepEqual(heard, ["POST /a by localhost over 1.1"]);
  const trial = (await (await app.api("/connections/known/test", { method: "POST" })).json()) as object;
  assert.partialDeepStrictEqual(trial, { ok: true, serverVersion: "HTTP/1.1" });
  // Settings that change hold from the next call on.
  assert.ok((await putConnection(app, { servers: [`127.0.0.1:${port}`], tls: { ca: cert } })).ok);
  assert.match(await again(app, "well"), /SSLHandshakeException|closed the connection without an answer/);
});

test("an authority that is not known is named with what to write, and serverName is what the certificate must have", async (t) => {
  const { port } = await startSecureServer(t);
  const app = await startTestApp(t);
  const servers = [`127.0.0.1:${port}`];
  assert.ok((await putConnection(app, { servers, tls: {} })).ok);
  const uri = `https://127.0.0.1:${port}/?connection=#known`;
  assert.match(await call(app, "called", uri), /self-signed certificate: write the certificate .* into tls\.ca/);
  for (const [serverName, expected] of [
    ["localhost", /^well$/],
    ["api.example.org", /altnames/],
  ] as const) {
    assert.ok((await putConnection(app, { servers, tls: { ca: cert, serverName } })).ok);
    assert.match(await again(app, "called"), expected);
  }
});

test("a connection opens its servers for its own calls, and calls no other server", async (t) => {
  const { port } = await startSecureServer(t);
  const other = await startHttpServer(t);
  const app = await startTestApp(t, { egressAllow: `127.0.0.1:${other.port}` });
  const servers = [`127.0.0.1:${port}`, "api.example.org:443"];
  assert.ok((await putConnection(app, { servers, tls: { ca: cert } })).ok);
  const own = `https://127.0.0.1:${port}/`;
  assert.equal(await call(app, "own", `${own}?connection=#known`), "well");
  assert.match(await call(app, "direct", own), /EgressDeniedException.*loopback/);
  assert.match(
    await call(app, "other", `https://127.0.0.1:${other.port}/?connection=#known`),
    /EgressDeniedException: 127\.0\.0\.1:\d+ is none of the servers of the connection 'known'/,
  );
  assert.match(
    await call(app, "plain", `http://127.0.0.1:${port}/?connection=#known`),
    /has tls, and .* is not encrypted/,
  );
  assert.equal(other.heard.length, 0);
});

test("without a # connection is a part of the query, as any option that http does not have", async (t) => {
  const server = await startHttpServer(t);
  const app = await startTestApp(t, { egressAllow: `127.0.0.1:${server.port}` });
  const uri = `${server.url}/a?httpMethod=GET&connection=bank`;
  const put = await app.put("warned", webhook("warned", `to: "${uri}"`));
  assert.match(await put.text(), /connection_in_query.*write connection=#bank/);
  await call(app, "query", uri);
  assert.equal(server.heard[0]?.url, "/a?connection=bank");
});

test("a connection that does not exist is missed by the deployment", async (t) => {
  const app = await startTestApp(t);
  const put = await app.put(
    "f",
    `- route: { from: { uri: webhook, steps: [{ to: "https://a.example/?connection=#none" }] } }\n`,
  );
  assert.equal(put.status, 409);
  assert.match(await put.text(), /there is no connection 'none'/);
});

const refused: readonly (readonly [string, Readonly<Record<string, unknown>>, RegExp])[] = [
  ["a certificate without servers", { tls: { certRef: "CERT", keyRef: "KEY" } }, /shown to these servers alone/],
  ["a default", { default: true }, /only by its name/],
  ["a proxy without a port", { options: { proxy: "proxy.example.org" } }, /a server as host:port is expected/],
  [
    "a proxy that is a URL",
    { options: { proxy: "http://proxy.example.org:3128" } },
    /a server as host:port is expected/,
  ],
  ["a user without a proxy", { username: "u", passwordRef: "CERT" }, /the document has none/],
  ["a user without a password", { username: "u", options: { proxy: "a.b:1" } }, /belong together/],
  ["Camel's name for the proxy", { options: { proxyHost: "a.b" } }, /proxy.*host:port/],
  ["an unchecked certificate", { options: { trustAll: true } }, /always checked/],
];

for (const [what, document, expected] of refused)
  test(`${what} is refused`, async (t) => {
    const app = await startTestApp(t, { secrets });
    const put = await putConnection(app, document);
    assert.equal(put.status, 422);
    assert.match(await put.text(), expected);
  });
