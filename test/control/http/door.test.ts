/** The door itself, with tame things behind it. What it refuses is in the corpus of bad input. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { Agent, get, type IncomingMessage, type ServerResponse } from "node:http";
import { connect } from "node:net";
import { describe, it } from "node:test";
import { every, onNextTurn, turn } from "../../support/clock.ts";
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
  for (const [name, begun] of [
    ["nothing at all", ""],
    ["headers without end", "GET /api/x HTTP/1.1\r\nHost: a\r\n"],
    ["half a body", "POST /api/x HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nabc"],
    ["half a chunk", "POST /api/x HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\na"],
  ] as const) {
    it(`408: ${name}, then silence`, async (t) => {
      const { port } = await openDoor(t, { limits: { requestHeadersMs: 40, requestMs: 80 } });
      assertError(parseAnswer(await exchangeRaw(port, begun)), 408, "request_timeout");
    });
  }

  for (const [name, begun, drop] of [
    ["headers", "GET /api/x HTTP/1.1\r\nHost: a\r\n", "X: 1\r\n"],
    ["a body", "POST /api/x HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000\r\n\r\n", "x"],
  ] as const) {
    it(`408: ${name} that come in drops: the time is for the whole, not from drop to drop`, async (t) => {
      const { port } = await openDoor(t, { limits: { requestHeadersMs: 100, requestMs: 200 } });
      const socket = connect(port, "127.0.0.1");
      let text = "";
      socket.setEncoding("latin1").on("error", () => {});
      socket.on("data", (chunk: string) => {
        text += chunk;
      });
      socket.write(begun);
      const stop = every(10, () => socket.write(drop));
      await new Promise((resolve) => socket.once("close", resolve));
      stop();
      // Who is still sending when the connection is closed may lose the answer.
      if (text !== "") assertError(parseAnswer(text), 408, "request_timeout");
    });
  }

  it("after a good request on the same connection: the good one is answered, then the connection closes", async (t) => {
    const arrived = Promise.withResolvers<ServerResponse>();
    const { port } = await openDoor(t, { ingress: (_request, response) => arrived.resolve(response) });
    const answer = exchangeRaw(port, "GET /api/x HTTP/1.1\r\nHost: a\r\n\r\nrubbish\r\n\r\n");
    const response = await arrived.promise;
    // The rubbish came in the same piece: the parser has seen it when this turn of the loop is over.
    onNextTurn(() => response.end("good"));
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
    while (held.length === 0) await turn();
    const closed = door.close(10_000);
    // What had arrived before is let in for some turns of the loop more.
    for (let turns = 0; turns < 10; turns++) await turn();
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
    while (held.length === 0) await turn();
    await door.close(20);
    await failed;
  });

  it("ends idle connections, also those that become idle after a promise to keep them", async (t) => {
    const { ingress, held } = hold();
    const { door, port } = await openDoor(t, { ingress });
    const agent = new Agent({ keepAlive: true });
    t.after(() => agent.destroy());
    const request = get({ port, host: "127.0.0.1", path: "/api/x", agent });
    while (held.length === 0) await turn();
    held[0]?.write("begun ");
    const [response] = (await once(request, "response")) as [IncomingMessage];
    response.resume();
    const closed = door.close(10_000);
    held[0]?.end("ended");
    await closed;
  });
});
