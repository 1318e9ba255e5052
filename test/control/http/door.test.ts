import assert from "node:assert/strict";
import { once } from "node:events";
import { Agent, get, type IncomingMessage, type ServerResponse } from "node:http";
import { connect } from "node:net";
import { describe, it } from "node:test";
import { openDoor, token } from "./door.ts";
import { exchangeRaw, parseAnswer, type RawAnswer, requestRaw } from "./raw.ts";

const bearer = `Authorization: Bearer ${token}`;

function assertError(answer: RawAnswer, status: number, code?: string): void {
  assert.equal(answer.status, status, answer.body);
  const body: unknown = JSON.parse(answer.body);
  assert.ok(typeof body === "object" && body !== null && "error" in body);
  assert.deepEqual(Object.keys(body), ["error"]);
  assert.equal(typeof body.error, "string");
  assert.match(answer.headers["x-request-id"] ?? "", /^[\w.-]+$/);
  if (code !== undefined) assert.equal(answer.headers["x-error-code"], code);
}

describe("who is let in", () => {
  const openOnes = ["GET /_api/health", "HEAD /_api/health", "GET /_api/health?probe=ready"];
  for (const line of openOnes) {
    it(`${line} without a token`, async (t) => {
      const { port } = await openDoor(t);
      const answer = await requestRaw(port, `${line} HTTP/1.1`);
      assert.equal(answer.status, 200);
      if (!line.startsWith("HEAD")) assert.equal(JSON.parse(answer.body).authenticated, false);
    });
  }

  it("health with the wrong token is open, with the right one more", async (t) => {
    const { port } = await openDoor(t);
    for (const [sent, authenticated] of [
      ["wrong", false],
      [token, true],
    ] as const) {
      const answer = await requestRaw(port, "GET /_api/health HTTP/1.1", [`Authorization: Bearer ${sent}`]);
      assert.equal(JSON.parse(answer.body).authenticated, authenticated);
    }
  });

  const closedOnes = [
    "GET /_api",
    "GET /_api/",
    "GET /_api/health/",
    "GET /_api/health/x",
    "GET /_api/healthy",
    "GET /_api/Health",
    "POST /_api/health",
    "OPTIONS /_api/health",
    "GET /_api/flows",
    "PUT /_api/flows/x",
    "DELETE /_api/nothing",
    "TRACE /_api/flows",
  ];
  for (const line of closedOnes) {
    it(`${line} needs the token`, async (t) => {
      const { port, seen } = await openDoor(t);
      assertError(await requestRaw(port, `${line} HTTP/1.1`), 401, "unauthorized");
      assert.deepEqual(seen, []);
    });
  }

  it("401 comes before the body is asked for, its size and an unknown expectation", async (t) => {
    const { port } = await openDoor(t);
    const put = "PUT /_api/flows/x HTTP/1.1";
    for (const headers of [
      ["Content-Length: 99999999999", "Expect: 100-continue"],
      ["Content-Length: 5", "Expect: miracles"],
      ["Content-Type: text/html", "Content-Length: 0"],
    ]) {
      assertError(await requestRaw(port, put, headers), 401);
    }
  });

  it("paths beside /_api are the ingress's", async (t) => {
    const { port, seen } = await openDoor(t);
    for (const path of ["/api/x", "/_API/flows", "/_apix/flows", "/"]) {
      assert.equal((await requestRaw(port, `POST ${path} HTTP/1.1`)).body, "ingress");
    }
    assert.deepEqual(seen, [
      "unparsed POST /api/x",
      "unparsed POST /_API/flows",
      "other POST /_apix/flows",
      "unparsed POST /",
    ]);
  });
});

describe("what is not a good request", () => {
  const targets = [
    "/_api/../api/x",
    "/_api//flows",
    "/_api/health/../flows",
    "/_api/health%2f..%2fflows",
    "/_api/%zz",
    "/_api/flows%00",
    "/_api\\flows",
    "http://evil/_api/health",
    "*",
  ];
  for (const target of targets) {
    it(`400: ${target}`, async (t) => {
      const { port, seen } = await openDoor(t);
      assertError(await requestRaw(port, `GET ${target} HTTP/1.1`, [bearer]), 400);
      assert.deepEqual(seen, []);
    });
  }

  const raw: [name: string, text: string, status: number][] = [
    ["two Host headers", "GET /api/x HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", 400],
    ["no Host header", "GET /api/x HTTP/1.1\r\n\r\n", 400],
    ["HTTP/0.9", "GET /api/x\r\n\r\n", 400],
    ["HTTP/9.9", "GET /api/x HTTP/9.9\r\nHost: a\r\n\r\n", 400],
    ["an HTTP/2 preface", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 400],
    ["a TLS hello", "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", 400],
    ["an unknown method", "FOO /api/x HTTP/1.1\r\nHost: a\r\n\r\n", 400],
    ["CONNECT", "CONNECT a:443 HTTP/1.1\r\nHost: a\r\n\r\n", 400],
    ["raw UTF-8 in the target", "GET /\xc3\xa9 HTTP/1.1\r\nHost: a\r\n\r\n", 400],
    ["a space in the target", "GET /a b HTTP/1.1\r\nHost: a\r\n\r\n", 400],
    ["a bad content length", "POST /api/x HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n", 400],
    ["two lengths", "POST /api/x HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab", 400],
    [
      "a length and chunks",
      "POST /api/x HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
      400,
    ],
    [
      "an unknown transfer coding",
      "POST /api/x HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: xchunked\r\n\r\n0\r\n\r\n",
      400,
    ],
    ["a bad chunk size", "POST /api/x HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n\r\n", 400],
    ["a folded header", "GET /api/x HTTP/1.1\r\nHost: a\r\nX: 1\r\n 2\r\n\r\n", 400],
    ["a space before the colon", "GET /api/x HTTP/1.1\r\nHost : a\r\n\r\n", 400],
    ["lines that end in LF", "GET /api/x HTTP/1.1\nHost: a\n\n", 400],
    ["101 headers", `GET /api/x HTTP/1.1\r\nHost: a\r\n${"X: 1\r\n".repeat(101)}\r\n`, 431],
    ["headers of 20 KB", `GET /api/x HTTP/1.1\r\nHost: a\r\nX: ${"x".repeat(20_000)}\r\n\r\n`, 431],
    ["a target of 20 KB", `GET /${"x".repeat(20_000)} HTTP/1.1\r\nHost: a\r\n\r\n`, 431],
    [
      "an unknown expectation",
      "POST /api/x HTTP/1.1\r\nHost: a\r\nConnection: close\r\nExpect: miracles\r\nContent-Length: 0\r\n\r\n",
      417,
    ],
  ];
  for (const [name, text, status] of raw) {
    it(`${status}: ${name}; what follows on the connection is not executed`, async (t) => {
      const { port, seen } = await openDoor(t);
      const canary = "GET /_api/health HTTP/1.1\r\nHost: canary\r\nConnection: close\r\n\r\n";
      const answer = await exchangeRaw(port, status === 417 ? text : text + canary);
      assertError(parseAnswer(answer), status);
      assert.equal(seen.filter((line) => line.includes("health")).length, 0);
      assert.equal(answer.match(/HTTP\/1\.1 \d{3} /g)?.length, 1, "one answer");
    });
  }

  it("a body refused by its framing is 400 although an endpoint waits for it", async (t) => {
    const { port } = await openDoor(t);
    const text = "POST /api/x HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\nzz\r\n";
    assertError(parseAnswer(await exchangeRaw(port, text)), 400);
  });

  it("HTTP/1.0 without Host, and an Upgrade that is ignored, are served", async (t) => {
    const { port } = await openDoor(t);
    assert.match(await exchangeRaw(port, "GET /api/x HTTP/1.0\r\n\r\n"), /200 OK[\s\S]*ingress$/);
    const upgrade = await requestRaw(port, "GET /api/x HTTP/1.1", ["Upgrade: websocket"]);
    assert.equal(upgrade.body, "ingress");
  });

  it("408: headers, and bodies, that do not come", async (t) => {
    const { port } = await openDoor(t, { limits: { requestHeadersMs: 40, requestMs: 80 } });
    assertError(parseAnswer(await exchangeRaw(port, "GET /api/x HTTP/1.1\r\n")), 408, "request_timeout");
    const body = "POST /api/x HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nabc";
    assertError(parseAnswer(await exchangeRaw(port, body)), 408, "request_timeout");
  });

  it("after a good request on the same connection: the good one is answered, then the connection closes", async (t) => {
    let release = (): void => {};
    const { port } = await openDoor(t, {
      ingress: (_request, response) => {
        release = () => response.end("good");
      },
    });
    const answer = exchangeRaw(port, "GET /api/x HTTP/1.1\r\nHost: a\r\n\r\nrubbish\r\n\r\n");
    setTimeout(() => release(), 30);
    const text = await answer;
    assert.match(text, /^HTTP\/1.1 200 OK/);
    assert.equal(text.match(/HTTP\/1\.1 \d{3} /g)?.length, 1);
  });

  it("a failing management API is 500 without details, and loaded anew at the next request", async (t) => {
    let tries = 0;
    const { port } = await openDoor(t, {
      management: async () => {
        tries += 1;
        if (tries === 1) throw new Error("/secret/path");
        return (_request, response) => response.end("{}");
      },
    });
    const failed = await requestRaw(port, "GET /_api/flows HTTP/1.1", [bearer]);
    assertError(failed, 500, "internal");
    assert.doesNotMatch(failed.body, /secret/);
    assert.equal((await requestRaw(port, "GET /_api/flows HTTP/1.1", [bearer])).status, 200);
  });
});

describe("Expect: 100-continue", () => {
  it("is answered when the body is read, and the connection stays", async (t) => {
    const { port } = await openDoor(t);
    const socket = connect(port, "127.0.0.1");
    socket.setEncoding("latin1");
    socket.write("POST /api/x HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n");
    assert.match(String((await once(socket, "data"))[0]), /^HTTP\/1.1 100 Continue\r\n\r\n$/);
    socket.write("ab");
    const answer = String((await once(socket, "data"))[0]);
    assert.match(answer, /^HTTP\/1.1 200/);
    assert.match(answer, /Connection: keep-alive/i);
    socket.destroy();
  });

  it("that is refused closes the connection, for the body may follow or not", async (t) => {
    const { port } = await openDoor(t);
    const text = "PUT /_api/flows/x HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nExpect: 100-continue\r\n\r\n";
    const answer = parseAnswer(await exchangeRaw(port, text));
    assertError(answer, 401);
    assert.equal(answer.headers.connection, "close");
  });
});

describe("closing", () => {
  function hold(): { ingress: (request: IncomingMessage, response: ServerResponse) => void; held: ServerResponse[] } {
    const held: ServerResponse[] = [];
    return { held, ingress: (_request, response) => void held.push(response) };
  }

  it("waits for the request under way, whose answer says that the connection ends", async (t) => {
    const { ingress, held } = hold();
    const { door, port } = await openDoor(t, { ingress });
    const agent = new Agent({ keepAlive: true });
    t.after(() => agent.destroy());
    const request = get({ port, host: "127.0.0.1", path: "/api/x", agent });
    while (held.length === 0) await new Promise((resolve) => setImmediate(resolve));
    const closed = door.close(10_000);
    const refusedText = await exchangeRaw(port, "GET /api/x HTTP/1.1\r\nHost: a\r\n\r\n");
    assert.equal(refusedText, "", "nobody listens any more");
    held[0]?.end("done");
    const [response] = (await once(request, "response")) as [IncomingMessage];
    assert.equal(response.headers.connection, "close");
    response.resume();
    await closed;
  });

  it("cuts off what is not done in time", async (t) => {
    const { ingress, held } = hold();
    const { door, port } = await openDoor(t, { ingress });
    const request = get({ port, host: "127.0.0.1", path: "/api/x" });
    const failed = once(request, "error");
    while (held.length === 0) await new Promise((resolve) => setImmediate(resolve));
    await door.close(20);
    await failed;
  });

  it("ends idle connections, also those that become idle after a promise to keep them", async (t) => {
    const { ingress, held } = hold();
    const { door, port } = await openDoor(t, { ingress });
    const agent = new Agent({ keepAlive: true });
    t.after(() => agent.destroy());
    const request = get({ port, host: "127.0.0.1", path: "/api/x", agent });
    while (held.length === 0) await new Promise((resolve) => setImmediate(resolve));
    held[0]?.write("begun ");
    const [response] = (await once(request, "response")) as [IncomingMessage];
    response.resume();
    const closed = door.close(10_000);
    held[0]?.end("ended");
    await closed;
  });
});
