/** Calls over HTTP/2. */
import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { FaultProxy } from "../../servers/suite/fault-proxy.ts";
import { turn } from "../../support/clock.ts";
import { cert } from "../../support/localhost-cert.ts";
import { type SecureServer, startProxy, startSecureServer } from "../../support/secure-servers.ts";
import { startTestApp, type TestApp } from "../../support/start-app.ts";
import { again, call, putConnection } from "./calls.ts";

type Options = Parameters<typeof startSecureServer>[1];

async function started(
  t: TestContext,
  options?: Options,
  more: object = {},
): Promise<{ app: TestApp; server: SecureServer; uri: string }> {
  const server = await startSecureServer(t, options);
  const app = await startTestApp(t);
  const { port } = server;
  const put = await putConnection(app, {
    servers: [`localhost:${port}`],
    tls: { ca: cert },
    options: { http2: true, ...more },
  });
  assert.ok(put.ok, await put.text());
  return { app, server, uri: `https://localhost:${port}/a?connection=#known` };
}

test("many requests at the same time share one session, and each gets its own answer", async (t) => {
  const waiting: (() => void)[] = [];
  const { app, server, uri } = await started(t, {
    answer(request, response) {
      let body = "";
      request
        .setEncoding("utf8")
        .on("data", (part) => (body += part))
        .on("end", () => {
          const answer = (): void => void response.end(`got ${body}`);
          // Nobody is answered before all have come.
          waiting.push(answer);
          if (waiting.length === 8) for (const go of waiting.splice(0)) go();
        });
    },
  });
  const first = call(app, "called", uri, "0");
  const others = Array.from({ length: 7 }, async (_, at) => {
    while (!server.heard.some((line) => line.startsWith("POST"))) await turn();
    return again(app, "called", String(at + 1));
  });
  const got = await Promise.all([first, ...others]);
  assert.deepEqual(
    got,
    Array.from({ length: 8 }, (_, at) => `got ${at}`),
  );
  assert.equal(server.sessions(), 1);
  assert.ok(server.heard.every((line) => line.endsWith("over 2.0")));
  const trial = (await (await app.api("/connections/known/test", { method: "POST" })).json()) as object;
  assert.partialDeepStrictEqual(trial, { ok: true, serverVersion: "HTTP/2" });
});

test("a server that has no HTTP/2 is called with HTTP/1.1, over the connection that was opened", async (t) => {
  const { app, server, uri } = await started(t, { old: true });
  let opened = 0;
  server.server.on("secureConnection", () => opened++);
  assert.equal(await call(app, "called", uri), "well");
  assert.deepEqual([server.heard, opened], [["POST /a by nobody over 1.1"], 1]);
  // Further calls use it, too.
  for (let more = 0; more < 3; more++) assert.equal(await again(app, "called"), "well");
  assert.deepEqual([server.heard.length, opened], [4, 1]);
});

test("a tunnel of a proxy carries HTTP/2", async (t) => {
  const proxy = await startProxy(t);
  const { app, server, uri } = await started(t, {}, { proxy: `127.0.0.1:${proxy.port}` });
  assert.equal(await call(app, "called", uri), "well");
  assert.deepEqual([server.heard, proxy.heard.length], [["POST /a by nobody over 2.0"], 1]);
});

test("bodies of several windows pass in both directions, and an answer beyond the limit fails the run", async (t) => {
  const { app, uri } = await started(t, {
    answer(request, response) {
      if (request.url.startsWith("/large")) response.end("x".repeat(30_000_000));
      else request.pipe(response);
    },
  });
  const large = "x".repeat(3_000_000);
  assert.equal(await call(app, "called", uri, large), large);
  assert.match(
    await call(app, "limited", uri.replace("/a?", "/large?")),
    /LimitExceededException: the server's answer has more than \d+ bytes/,
  );
});

test("a stream that the server ends fails the run, and the session serves the next one", async (t) => {
  let asked = 0;
  const { app, server, uri } = await started(t, {
    answer(request, response) {
      if (++asked === 1) request.stream.close(2);
      else response.end("well");
    },
  });
  assert.match(await call(app, "called", uri), /H2StreamResetException: .*INTERNAL_ERROR/);
  assert.equal(await again(app, "called"), "well");
  assert.equal(server.sessions(), 1);
});

test("a request that the server has not begun with is sent again, whatever its method", async (t) => {
  let asked = 0;
  const { app, server, uri } = await started(t, {
    answer(request, response) {
      if (++asked <= 3) request.stream.close(7);
      else response.end("well");
    },
  });
  assert.equal(await call(app, "called", `${uri}&httpMethod=POST`), "well");
  assert.equal(server.heard.length, 4);
});

test("a request that may be repeated is sent once more when its session is lost", async (t) => {
  let asked = 0;
  const { app, server, uri } = await started(t, {
    answer(_, response, session) {
      if (++asked === 1) session?.destroy();
      else response.end("well");
    },
  });
  assert.equal(await call(app, "called", `${uri}&httpMethod=GET`), "well");
  assert.deepEqual([server.heard.length, server.sessions()], [2, 2]);
});

test("a session that the server gives up lets its requests end, and the next request opens another one", async (t) => {
  const { app, server, uri } = await started(t, {
    answer(_, response, session) {
      session?.goaway();
      response.end("well");
    },
  });
  assert.equal(await call(app, "called", uri), "well");
  assert.equal(await again(app, "called"), "well");
  assert.equal(server.sessions(), 2);
});

test("a session whose network has gone silent fails its call in its time, and the next call opens another one", async (t) => {
  const server = await startSecureServer(t);
  const way = await FaultProxy.start(t, { host: "127.0.0.1", port: server.port });
  const app = await startTestApp(t);
  const document = { servers: [`localhost:${way.port}`], tls: { ca: cert }, options: { http2: true } };
  assert.ok((await putConnection(app, document)).ok);
  const uri = `https://localhost:${way.port}/a?connection=#known&responseTimeout=500`;
  assert.equal(await call(app, "called", uri), "well");
  way.swallow();
  assert.match(await again(app, "called"), /Read timed out after 500 ms/);
  assert.equal(await again(app, "called"), "well");
  assert.equal(server.sessions(), 2);
});

test("a server that says nothing fails the call after its time", async (t) => {
  const { app, uri } = await started(t, { answer() {} });
  assert.match(
    await call(app, "called", `${uri}&responseTimeout=300`),
    /SocketTimeoutException.*Read timed out after 300 ms/,
  );
});
