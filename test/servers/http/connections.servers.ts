/** Connections of the kind http against nginx and tinyproxy. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { again, call, putConnection } from "../../control/http-connections/calls.ts";
import { cert, key } from "../../support/localhost-cert.ts";
import { startTestApp } from "../../support/start-app.ts";
import { missing } from "../missing.ts";
import { startNginx, startTinyproxy } from "./web-servers.ts";

const skip = missing("nginx") || missing("tinyproxy");
const secrets = { "_connections/CERT": cert, "_connections/KEY": key, "_connections/PROXY": "pw" };
const tls = { ca: cert, certRef: "CERT", keyRef: "KEY" };

for (const http2 of [false, true])
  for (const byProxy of [false, true]) {
    const protocol = http2 ? "HTTP/2.0" : "HTTP/1.1";
    test(`nginx with a client's certificate, ${protocol}${byProxy ? ", over tinyproxy" : ""}`, { skip }, async (t) => {
      const server = await startNginx();
      t.after(() => server.close());
      const proxy = await startTinyproxy("shop", "pw");
      t.after(() => proxy.close());
      const app = await startTestApp(t, { secrets });
      const document = {
        servers: [`localhost:${server.port}`],
        tls,
        options: { http2, ...(byProxy && { proxy: `127.0.0.1:${proxy.port}` }) },
        ...(byProxy && { username: "shop", passwordRef: "PROXY" }),
      };
      const put = await putConnection(app, document);
      assert.ok(put.ok, await put.text());
      const trial = (await (await app.api("/connections/known/test", { method: "POST" })).json()) as object;
      assert.partialDeepStrictEqual(trial, { ok: true, serverVersion: http2 ? "HTTP/2" : "HTTP/1.1" });
      const uri = `https://localhost:${server.port}`;
      assert.equal(await call(app, "asked", `${uri}/?connection=#known&httpMethod=POST`), `CN=localhost ${protocol}`);
      // The server ends each connection after 20 requests.
      const more = await Promise.all(Array.from({ length: 400 }, () => again(app, "asked")));
      assert.deepEqual([...new Set(more)], [`CN=localhost ${protocol}`]);
      const done = (await server.log()).filter((line) => line.startsWith("POST / "));
      assert.equal(done.length, 401, "each is done once");
      const large = "0123456789".repeat(1_000_000);
      await call(app, "stored", `${uri}/files/large?connection=#known&httpMethod=PUT`, large);
      assert.equal(await call(app, "read", `${uri}/files/large?connection=#known&httpMethod=GET`), large);
      const tunnels = (await proxy.log()).filter((line) => line.includes(`CONNECT localhost:${server.port}`));
      assert.equal(tunnels.length > 0, byProxy);
    });
  }

test("tinyproxy refuses a wrong password, and the call says so", { skip }, async (t) => {
  const proxy = await startTinyproxy("shop", "other");
  t.after(() => proxy.close());
  const app = await startTestApp(t, { secrets });
  const document = {
    servers: ["partner.invalid:443"],
    options: { proxy: `127.0.0.1:${proxy.port}` },
    username: "shop",
    passwordRef: "PROXY",
  };
  assert.ok((await putConnection(app, document)).ok);
  const said = await call(app, "called", "https://partner.invalid/?connection=#known");
  assert.match(said, /refuses a tunnel to partner\.invalid:443: (?:407|401) .*/);
});
