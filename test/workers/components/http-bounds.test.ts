/** What a server can do to a flow: too much, too late, nothing, nonsense. Each ends the request with the exception that Camel has for it. */
import assert from "node:assert/strict";
import type { ServerResponse } from "node:http";
import { createServer as createSecureServer } from "node:https";
import { type AddressInfo, createServer } from "node:net";
import { type TestContext, test } from "node:test";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from "node:zlib";
import { type LimitName, limitVariable } from "../../../src/shared/limits.ts";
import { HttpClient } from "../../../src/workers/components/http/client.ts";
import { ConnectionGate } from "../../../src/workers/components/http/connection-gate.ts";
import { FlowException } from "../../../src/workers/engine/exception.ts";
import { withModules } from "../../../src/workers/engine/late-module.ts";
import type { Resolve } from "../../../src/workers/engine/net/server.ts";
import { every, onNextTurn } from "../../support/clock.ts";
import { closedPort } from "../../support/closed-port.ts";
import { startHttpServer } from "../../support/http-server.ts";
import { cert, key } from "../../support/localhost-cert.ts";
import { beginRoute, type RouteOptions, routeOf, runSteps } from "../../support/run-route.ts";
import { callTo, headersOf, loopback } from "./http-calls.ts";

async function failing(
  uri: string,
  type: string | RegExp,
  options: RouteOptions = {},
  parameters = {},
): Promise<string> {
  const { error } = await callTo(uri, options, parameters);
  assert.ok(error instanceof FlowException, `${type} in place of ${error}`);
  if (typeof type === "string") assert.equal(error.type, type, error.message);
  else assert.match(error.type, type, error.message);
  return error.message;
}

/** The end of a message: which limit it is, and how it is raised. */
function raise(name: LimitName): RegExp {
  return new RegExp(
    `: raise the limit ${name} with ${limitVariable(name)}, for this flow alone with '${name}' in its limits$`,
  );
}

/** A server that speaks bytes, gone after the test; resolves with its URL. */
async function rawServer(t: TestContext, serve: Parameters<typeof createServer>[1]): Promise<string> {
  const sockets = new Set<{ destroy(): void }>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    serve?.(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const most = { bytes: 9, limit: "messageBodyBytes" } as const;
const few = { limits: { outboundResponseBytes: 1000 } };

test("an answer that is too long is cut off, whether it says so, streams on, or is a bomb", async (t) => {
  const ends: ((response: ServerResponse) => void)[] = [
    (response) => response.writeHead(200, { "Content-Length": "1001" }).write("x"),
    (response) => {
      const more = (): void => {
        if (!response.destroyed && response.write("x".repeat(100))) onNextTurn(more);
      };
      more();
    },
    (response) => response.writeHead(200, { "Content-Encoding": "gzip" }).end(gzipSync(Buffer.alloc(300_000))),
    (response) => response.writeHead(200, { "Content-Encoding": "br" }).end(brotliCompressSync(Buffer.alloc(300_000))),
    (response) =>
      response.writeHead(200, { "Content-Encoding": "gzip, gzip" }).end(gzipSync(gzipSync(Buffer.alloc(300_000)))),
    (response) => response.writeHead(500, { "Content-Encoding": "deflate" }).end(deflateSync(Buffer.alloc(300_000))),
  ];
  let at = 0;
  const closed: Promise<unknown>[] = [];
  const server = await startHttpServer(t, (_, response) => {
    closed.push(new Promise((resolve) => response.on("close", resolve)));
    ends[at]?.(response);
  });
  for (at = 0; at < ends.length; at++) {
    const message = await failing(server.url, "LimitExceededException", few);
    assert.match(message, /more than 1000 bytes/, String(at));
    assert.match(message, raise("outboundResponseBytes"));
  }
  at = 0;
  const small = { limits: { messageBodyBytes: 1000 } };
  assert.match(await failing(server.url, "LimitExceededException", small), raise("messageBodyBytes"));
  await Promise.all(closed);
});

test("compressed answers are unpacked, their headers with them; what is not what it says fails", async (t) => {
  const packed: Readonly<Record<string, Buffer>> = {
    gzip: gzipSync("hello"),
    "X-Gzip": gzipSync("hello"),
    deflate: deflateSync("hello"),
    "deflate, identity": deflateRawSync("hello"),
    br: brotliCompressSync("hello"),
    "gzip, br": brotliCompressSync(gzipSync("hello")),
    zstd: Buffer.from("hello"),
  };
  const server = await startHttpServer(t, ({ url }, response) => {
    const encoding = decodeURIComponent(url.slice(1));
    response
      .setHeader("Content-Type", "text/plain")
      .setHeader("Content-Encoding", encoding)
      .end(packed[encoding] ?? "no");
  });
  for (const encoding of Object.keys(packed)) {
    const outcome = await callTo(`${server.url}/${encodeURIComponent(encoding)}`);
    assert.equal(outcome.exchange.message.body, "hello", `${encoding}: ${outcome.error}`);
    const left = encoding === "zstd" ? "zstd" : undefined;
    assert.equal(headersOf(outcome)["Content-Encoding"], left);
    assert.equal(headersOf(outcome)["Content-Length"] !== undefined, encoding === "zstd");
  }
  const broken = await startHttpServer(t, (_, response) => response.setHeader("Content-Encoding", "gzip").end("no"));
  await failing(broken.url, "java.io.IOException");
});

test("a server that is silent, before its answer or in the middle of it, is given up", async (t) => {
  const server = await startHttpServer(t, ({ url }, response) => {
    if (url === "/half") response.writeHead(200).write("half");
  });
  const waiting = await failing(server.url, "java.net.SocketTimeoutException", {}, { responseTimeout: 50 });
  assert.match(
    waiting,
    /^The call of http:\/\/[^ ]+ failed: Read timed out after 50 ms: raise the endpoint's responseTimeout$/,
  );
  const half = await failing(`${server.url}/half`, "java.net.SocketTimeoutException", {}, { soTimeout: 50 });
  assert.match(half, /in the middle of the answer after 50 ms: raise the endpoint's soTimeout$/);
  const silence = { limits: { outboundHeadersMs: 50 } };
  assert.match(await failing(server.url, "java.net.SocketTimeoutException", silence), raise("outboundHeadersMs"));
});

test("the whole of a request has an end, however busy its server keeps it", async (t) => {
  const server = await startHttpServer(t, (_, response) => {
    response.on(
      "close",
      every(20, () => response.write("x")),
    );
  });
  const message = await failing(server.url, "java.net.SocketTimeoutException", { limits: { outboundTotalMs: 200 } });
  assert.match(message, /not been answered within 200 ms: /);
  assert.match(message, raise("outboundTotalMs"));
});

test("a name that takes too long to resolve is given up, one that does not resolve is unknown", async () => {
  const moreTime = { connect: "raise it", silence: "" };
  const times = {
    connectMs: 30,
    leaseMs: 60_000,
    silenceMs: 60_000,
    connections: 9,
    connectionsPerOrigin: 9,
    moreTime,
  };
  const { signal } = new AbortController();
  const ask = (resolve: Resolve): Promise<unknown> =>
    new HttpClient(loopback, resolve).send(
      { url: new URL("http://name.example/"), method: "GET", headers: [], body: undefined },
      { ...times, most, ignoreBody: false, close: false, signal },
    );
  await assert.rejects(
    ask(() => new Promise(() => {})),
    {
      type: "org.apache.hc.client5.http.ConnectTimeoutException",
      message: "Connect to name.example:80 timed out after 30 ms: raise it",
    },
  );
  for (const code of ["ENOTFOUND", "EAI_AGAIN"]) {
    const unknown = Object.assign(new Error(code), { code });
    await assert.rejects(
      ask(() => Promise.reject(unknown)),
      { type: "java.net.UnknownHostException" },
    );
  }
});

test("a server that is not there, hangs up or talks nonsense", async (t) => {
  const nobody = await rawServer(t, () => {});
  await failing(`http://127.0.0.1:${closedPort}`, "org.apache.hc.client5.http.HttpHostConnectException");
  const nonsense = await rawServer(t, (socket) => socket.on("data", () => socket.end("SSH-2.0-OpenSSH\r\n\r\n")));
  await failing(nonsense, "java.net.ProtocolException");
  const plain = nobody.replace("http:", "https:");
  await failing(plain, "org.apache.hc.client5.http.ConnectTimeoutException", {}, { connectTimeout: 50 });
  const noTls = await rawServer(t, (socket) => socket.end("HTTP/1.1 400 Bad Request\r\n\r\n"));
  await failing(noTls.replace("http:", "https:"), "javax.net.ssl.SSLHandshakeException");
});

test("a lost connection is tried once more where the method allows it", async (t) => {
  let connections = 0;
  const url = await rawServer(t, (socket) => {
    connections += 1;
    socket.on("data", () => socket.destroy());
  });
  const lost = /NoHttpResponseException|SocketException/;
  await failing(url, lost);
  assert.equal(connections, 2);
  await failing(url, lost, { body: "x" });
  assert.equal(connections, 3);
});

test("a certificate is checked", async (t) => {
  const server = createSecureServer({ key, cert }, (_, response) => response.end("secret"));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const untrusted = await failing(`https://127.0.0.1:${port}`, "javax.net.ssl.SSLHandshakeException");
  assert.match(untrusted, /self-signed certificate: start the runtime with NODE_EXTRA_CA_CERTS/);
  const before = getCACertificates("default");
  t.after(() => setDefaultCACertificates(before));
  setDefaultCACertificates([cert]);
  const { error, exchange } = await callTo(`https://127.0.0.1:${port}`);
  assert.deepEqual([error, exchange.message.body], [undefined, "secret"]);
});

test("redirects: which are followed, by which method, with what, and how many", async (t) => {
  const server = await startHttpServer(t, ({ url }, response) => {
    const status = Number(url.slice(1));
    if (status === 0) response.end("there");
    else response.writeHead(status, { Location: url === "/399" ? "/399" : "/0" }).end();
  });
  const followed = async (status: number, method: string, body: string | null): Promise<string> => {
    server.heard.length = 0;
    const headers = { "Content-Type": "a/b" };
    await callTo(`${server.url}/${status}`, { body, headers }, { followRedirects: true, httpMethod: method });
    const { method: last, url, body: sent, headers: told } = server.heard.at(-1) ?? {};
    return `${last} ${url} ${sent} ${told?.["content-type"] ?? "-"}`;
  };
  assert.equal(await followed(301, "POST", "x"), "GET /0  -");
  assert.equal(await followed(302, "PUT", "x"), "PUT /0 x a/b");
  assert.equal(await followed(303, "PUT", "x"), "GET /0  -");
  assert.equal(await followed(303, "HEAD", null), "HEAD /0  -");
  assert.equal(await followed(307, "POST", "x"), "POST /0 x a/b");
  assert.equal(await followed(308, "POST", "x"), "POST /0 x a/b");
  assert.equal(await followed(300, "GET", null), "GET /300  -");
  const loop = await startHttpServer(t, (_, response) => response.writeHead(302, { Location: "/" }).end());
  const times = { limits: { outboundRedirects: 3 } };
  const message = await failing(loop.url, "LimitExceededException", times, { followRedirects: true });
  assert.match(message, raise("outboundRedirects"));
  assert.equal(loop.heard.length, 4);
});

test("a run that is cancelled takes its request with it", async (t) => {
  const { promise: arrived, resolve: arrive } = Promise.withResolvers<ServerResponse>();
  const server = await startHttpServer(t, (_, response) => arrive(response));
  const begun = await withModules(() => beginRoute(routeOf(`- to: ${server.url}`), { egress: loopback }));
  const response = await arrived;
  const closed = new Promise((resolve) => response.on("close", resolve));
  begun.run.cancel("enough");
  const { error } = await begun.outcome;
  assert.match(String(error), /the run was cancelled: enough/);
  await closed;
});

test("connections are kept and used again, unless the endpoint says otherwise", async (t) => {
  const server = await startHttpServer(t);
  const twice = (uri: string) => runSteps(`- to: ${uri}\n- to: ${uri}`, { egress: loopback });
  await twice(server.url);
  assert.equal(server.connections(), 1);
  await twice(`${server.url}?connectionClose=true`);
  assert.equal(server.connections(), 2);
});

test("when very many requests are under way, their connections are not kept", async (t) => {
  const many = 105;
  const waiting: ServerResponse[] = [];
  const server = await startHttpServer(t, (_, response) => {
    waiting.push(response);
    if (waiting.length === many) for (const one of waiting) one.end();
  });
  const client = new HttpClient(loopback);
  const times = { connectMs: 60_000, leaseMs: 60_000, silenceMs: 60_000 };
  const { signal } = new AbortController();
  const how = {
    ...times,
    connections: 200,
    connectionsPerOrigin: 200,
    moreTime: { connect: "", silence: "" },
    most,
    ignoreBody: false,
    close: false,
    signal,
  };
  const request = { url: new URL(server.url), method: "GET", headers: [], body: undefined } as const;
  await Promise.all(Array.from({ length: many }, () => client.send(request, how)));
  await client.close();
  assert.equal(server.heard.filter(({ headers }) => headers.connection === "close").length, many);
});

test("so many requests are under way at once, in all and to one server; the others wait their turn, not for ever", async () => {
  const gate = new ConnectionGate();
  const { signal } = new AbortController();
  const limits = { total: 3, perOrigin: 2, waitMs: 60_000 };
  const entered: string[] = [];
  const enter = async (origin: string, name: string, own = limits, until = signal): Promise<() => void> => {
    const leave = await gate.enter(origin, own, until);
    entered.push(name);
    return leave;
  };
  const leaveA1 = await enter("a", "a1");
  await enter("a", "a2");
  const a3 = enter("a", "a3");
  await enter("b", "b1");
  const b2 = enter("b", "b2");
  await assert.rejects(enter("a", "late", { ...limits, waitMs: 1 }), {
    type: "org.apache.hc.core5.http.ConnectionRequestTimeoutException",
  });
  await assert.rejects(enter("a", "gone", limits, AbortSignal.abort(new Error("gone"))), /gone/);
  assert.deepEqual(entered, ["a1", "a2", "b1"]);
  leaveA1();
  leaveA1();
  const leaveA3 = await a3;
  assert.equal(gate.total, 3);
  leaveA3();
  await b2;
  assert.deepEqual(entered, ["a1", "a2", "b1", "a3", "b2"]);
});

test("the endpoint's own bound on connections holds", async (t) => {
  let now = 0;
  let most = 0;
  const server = await startHttpServer(t, (_, response) => {
    now += 1;
    most = Math.max(most, now);
    onNextTurn(() => {
      now -= 1;
      response.end();
    });
  });
  const step = JSON.stringify({ to: { uri: server.url, parameters: { connectionsPerRoute: 1 } } });
  const steps = Array.from({ length: 5 }, () => step).join(", ");
  const { error } = await runSteps(`- multicast: { parallelProcessing: true, steps: [${steps}] }`, {
    egress: loopback,
  });
  assert.deepEqual([error, most, server.heard.length], [undefined, 1, 5]);
});
