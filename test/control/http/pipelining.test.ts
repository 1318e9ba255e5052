/** Clients that write requests without reading answers: what a connection may make the runtime do at once. */
import assert from "node:assert/strict";
import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { connect, type Socket } from "node:net";
import { describe, it, type TestContext } from "node:test";
import fc from "fast-check";
import { acceptBody } from "../../../src/control/http/pipeline.ts";
import { eventually, pause, turn } from "../../support/clock.ts";
import { openDoor } from "./door.ts";
import { exchangeRaw } from "./raw.ts";

const get = (path: string | number, ...headers: string[]): string =>
  [`GET /${path} HTTP/1.1`, "Host: a", ...headers, "", ""].join("\r\n");
const last = (path: string | number): string => get(path, "Connection: close");
const paths = (count: number): string[] => Array.from({ length: count }, (_, i) => `n${i}`);
/** Status and body of each answer, in the order received; the bodies have no line of a head in them. */
function answersIn(text: string): string[] {
  return text
    .split(/(?=HTTP\/1\.1 \d{3} )/)
    .filter((one) => one !== "")
    .map((one) => `${one.slice(9, 12)} ${one.slice(one.indexOf("\r\n\r\n") + 4)}`);
}

/** A door whose answers repeat the path and the body; `mostAtOnce`: requests of the door that were under way together. */
async function echoingDoor(t: TestContext, pipelinedRequests: number) {
  const seen = { begun: [] as string[], underWay: 0, mostAtOnce: 0 };
  const { port, door } = await openDoor(t, {
    limits: { pipelinedRequests },
    ingress(request, response) {
      seen.begun.push(request.url ?? "");
      seen.mostAtOnce = Math.max(seen.mostAtOnce, ++seen.underWay);
      response.once("close", () => (seen.underWay -= 1));
      acceptBody(response);
      const body: Buffer[] = [];
      request.on("data", (chunk: Buffer) => body.push(chunk));
      request.on("end", () => response.end(`${request.url}${Buffer.concat(body).toString("latin1")}`));
    },
  });
  return { port, door, seen };
}

/** After which the door reads every connection no faster than it answers. */
async function overfill(port: number): Promise<string> {
  return exchangeRaw(port, get("flood").repeat(1000));
}

/** Sends and reads nothing. */
function deaf(t: TestContext, port: number, text: string): Socket {
  const socket = connect(port, "127.0.0.1").pause();
  socket.on("error", () => {});
  t.after(() => socket.destroy());
  socket.write(text);
  return socket;
}

describe("requests that are written at once", () => {
  it("are carried out one after the other, and answered in their order", async (t) => {
    const { port, seen } = await echoingDoor(t, 16);
    const text = await exchangeRaw(port, [...paths(16).map((path) => get(path)), last("end")].join(""));
    assert.deepEqual(
      answersIn(text),
      [...paths(16), "end"].map((path) => `200 /${path}`),
    );
    assert.equal(seen.mostAtOnce, 1);
  });

  it("and are more than may wait: the first is answered, the second refused, no other carried out", async (t) => {
    const { port, seen } = await echoingDoor(t, 4);
    const text = await overfill(port);
    const [first, second, ...more] = answersIn(text);
    assert.equal(first, "200 /flood");
    assert.match(second ?? "", /^429 \{"error":"more than 4 requests wait on this connection/);
    assert.match(text, /X-Error-Code: too_many_in_flight\r\n/);
    assert.match(text.slice(text.indexOf(" 429 ")), /\r\nConnection: close\r\n/i);
    assert.deepEqual(more, []);
    assert.deepEqual(seen.begun, ["/flood"]);
  });

  it("and more on all connections than may wait: the one that comes last is refused, until others have been answered", async (t) => {
    const go = Promise.withResolvers<void>();
    const begun: string[] = [];
    const { port } = await openDoor(t, {
      limits: { waitingRequests: 2 },
      ingress(request, response) {
        begun.push(request.url ?? "");
        void go.promise.then(() => response.end(request.url));
      },
    });
    const room = deaf(t, port, get("a1") + get("a2") + get("a3"));
    await eventually(() => begun.includes("/a1"), "it has the room");
    const refused = exchangeRaw(port, get("b1") + last("b2"));
    await eventually(() => begun.includes("/b1"), "it has come");
    go.resolve();
    const [first, second = ""] = answersIn(await refused);
    assert.equal(first, "200 /b1");
    assert.match(second, /^429 .*or 2 on all/s);
    await eventually(() => begun.includes("/a3"), "the room is empty");
    assert.deepEqual(answersIn(await exchangeRaw(port, get("c1") + last("c2"))), ["200 /c1", "200 /c2"]);
    room.destroy();
    assert.deepEqual(begun, ["/a1", "/b1", "/a2", "/a3", "/c1", "/c2"]);
  });

  it("none of them is carried out when their client goes while they wait", async (t) => {
    const begun: ServerResponse[] = [];
    const { port } = await openDoor(t, { ingress: (_request, response) => void begun.push(response) });
    const socket = deaf(t, port, get("a") + get("b"));
    await eventually(() => begun.length === 1, "the first has begun");
    socket.resetAndDestroy();
    begun[0]?.end("x");
    await eventually(() => begun[0]?.destroyed === true, "the first is over");
    for (let i = 0; i < 5; i++) await turn();
    assert.equal(begun.length, 1);
  });

  it("and rubbish behind them: they are answered, then the connection closes", async (t) => {
    const { port } = await echoingDoor(t, 16);
    const text = await exchangeRaw(port, `${get("a") + get("b") + get("c")}rubbish\r\n\r\n`);
    assert.deepEqual(answersIn(text), ["200 /a", "200 /b", "200 /c"]);
  });

  it("and half a request with a broken body behind them: that is not carried out", async (t) => {
    const { port, seen } = await echoingDoor(t, 16);
    const broken = "POST /b HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n";
    assert.deepEqual(answersIn(await exchangeRaw(port, get("a") + broken)), ["200 /a"]);
    assert.deepEqual(seen.begun, ["/a"]);
  });

  it("are answered when the runtime ends, the last with Connection: close", async (t) => {
    const begun: ServerResponse[] = [];
    const { port, door } = await openDoor(t, { ingress: (_request, response) => void begun.push(response) });
    const answers = exchangeRaw(port, get("a") + get("b") + get("c"));
    await eventually(() => begun.length === 1, "the first has begun");
    const closed = door.close(10_000);
    for (let i = 0; i < 3; i++) {
      await eventually(() => begun.length > i, `answer ${i} is awaited`);
      begun[i]?.end(`x${i}`);
    }
    const text = await answers;
    assert.deepEqual(answersIn(text), ["200 x0", "200 x1", "200 x2"]);
    assert.equal(text.match(/connection: close/gi)?.length, 1);
    await closed;
  });
});

describe("after a connection with too many requests", () => {
  it("others are read as fast as they are answered: new ones and those that were open before", async (t) => {
    const { port, seen } = await echoingDoor(t, 16);
    const open = connect(port, "127.0.0.1");
    await once(open, "connect");
    open.write(get("before"));
    await once(open, "data");
    await overfill(port);
    let text = "";
    open.setEncoding("latin1").on("data", (chunk: string) => (text += chunk));
    open.write([...paths(300).map((path) => get(path)), last("end")].join(""));
    const expected = [...paths(300), "end"].map((path) => `200 /${path}`);
    const fresh = await exchangeRaw(port, [...paths(300).map((path) => get(path)), last("end")].join(""));
    assert.deepEqual(answersIn(fresh), expected);
    if (!open.closed) await once(open, "close");
    assert.deepEqual(answersIn(text), expected);
    assert.ok(seen.mostAtOnce <= 2);
  });

  it("bodies arrive whole, however their bytes are cut", async (t) => {
    const { port } = await echoingDoor(t, 16);
    await overfill(port);
    const request = fc.record({
      path: fc.stringMatching(/^[a-z]{1,300}$/),
      body: fc.option(
        fc.oneof(
          fc.stringMatching(/^[a-z\r\n]{0,700}$/),
          fc.nat(70_000).map((n) => "x".repeat(n)),
        ),
        { nil: undefined },
      ),
      chunked: fc.boolean(),
    });
    const cuts = fc.array(fc.integer({ min: 1, max: 3000 }), { minLength: 1, maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(fc.array(request, { minLength: 1, maxLength: 6 }), cuts, async (requests, lengths) => {
        const bytes = requests.map(written).join("") + last("end");
        const text = await exchangeRaw(port, ...inPieces(bytes, lengths));
        const expected = requests.map(({ path, body = "" }) => `200 /${path}${body}`);
        assert.deepEqual(answersIn(text), [...expected, "200 /end"]);
      }),
      { numRuns: 40 },
    );
  });

  it("a client that reads nothing while it sends large bodies gets each answer whole once it reads", async (t) => {
    const { port } = await echoingDoor(t, 100);
    await overfill(port);
    const requests = Array.from({ length: 60 }, (_, n) => ({
      path: `b${n}`,
      body: "x".repeat(69_000),
      chunked: n % 2 === 1,
    }));
    const socket = connect(port, "127.0.0.1").pause();
    socket.write(requests.map(written).join("") + last("end"));
    // The runtime is stuck when the client's kernel takes no more: what waits to be written does not change any more.
    for (let before = -1; before !== socket.bytesWritten - socket.writableLength; ) {
      before = socket.bytesWritten - socket.writableLength;
      await pause(200);
    }
    let text = "";
    socket.setEncoding("latin1").on("data", (part: string) => (text += part));
    socket.resume();
    await once(socket, "close");
    assert.equal(answersIn(text).length, 61);
  });

  it("those that go on writing are read no further than some KB ahead of what is answered", async (t) => {
    const answered = new Map<Socket, number>();
    const ingress = ({ socket }: IncomingMessage, response: ServerResponse): void => {
      answered.set(socket, (answered.get(socket) ?? 0) + 1);
      response.end("here");
    };
    const { port } = await openDoor(t, { ingress });
    await overfill(port);
    const piece = get("many").repeat(30_000);
    for (let i = 0; i < 40; i++) {
      const socket = deaf(t, port, piece);
      socket.on("drain", () => socket.write(piece));
    }
    for (let i = 0; i < 100; i++) assert.deepEqual(answersIn(await exchangeRaw(port, last("lone"))), ["200 here"]);
    const ahead = [...answered].map(([socket, count]) => socket.bytesRead - count * get("many").length);
    assert.ok(ahead.length >= 40 && Math.max(...ahead) <= 256 * 1024, `${Math.max(...ahead)} bytes ahead`);
  });

  it("a lone request begins before most of those that others have written at once", async (t) => {
    const { port, seen } = await echoingDoor(t, 16);
    await overfill(port);
    for (let i = 0; i < 20; i++) deaf(t, port, get("many").repeat(1500));
    await eventually(() => seen.begun.length > 100, "they have begun");
    const before = seen.begun.length;
    assert.deepEqual(answersIn(await exchangeRaw(port, last("lone"))), ["200 /lone"]);
    const between = seen.begun.indexOf("/lone") - before;
    assert.ok(between < 3000, `${between} of 30000 requests of others came first`);
  });
});

it("who reads no answer gets no second one: the requests behind it are not carried out", async (t) => {
  const large = Buffer.alloc(24 * 1024 * 1024, "x");
  const begun: string[] = [];
  const ingress = (request: IncomingMessage, response: ServerResponse): void => {
    begun.push(request.url ?? "");
    response.end(request.url === "/lone" ? "here" : large);
  };
  const { port } = await openDoor(t, { ingress });
  for (let i = 0; i < 3; i++) deaf(t, port, get(`deaf${i}`).repeat(10));
  await eventually(() => begun.length === 3, "each has begun one");
  for (let i = 0; i < 5; i++) assert.deepEqual(answersIn(await exchangeRaw(port, last("lone"))), ["200 here"]);
  assert.deepEqual(begun.filter((path) => path !== "/lone").sort(), ["/deaf0", "/deaf1", "/deaf2"]);
});

function written({ path, body, chunked }: { path: string; body: string | undefined; chunked: boolean }): string {
  if (body === undefined) return get(path);
  const head = `POST /${path} HTTP/1.1\r\nHost: a\r\n`;
  if (!chunked) return `${head}Content-Length: ${body.length}\r\n\r\n${body}`;
  const half = body.length >> 1;
  const chunks = [body.slice(0, half), body.slice(half)].filter((chunk) => chunk !== "");
  return `${head}Transfer-Encoding: chunked\r\n\r\n${chunks.map((chunk) => `${chunk.length.toString(16)}\r\n${chunk}\r\n`).join("")}0\r\n\r\n`;
}

/** Cut at these lengths, again and again; the last piece is the rest of a text that would have more than a call has parameters. */
function inPieces(text: string, lengths: readonly number[]): string[] {
  const pieces: string[] = [];
  let at = 0;
  for (let i = 0; at < text.length && i < 2000; i++) {
    const length = lengths[i % lengths.length] ?? text.length;
    pieces.push(text.slice(at, at + length));
    at += length;
  }
  return [...pieces, text.slice(at)];
}
