/** Bytes that callers make the runtime hold (docs/operating.md, the table of limits): counted from arrival, given back however a call ends. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { type ClientRequest, request } from "node:http";
import { connect, type Socket } from "node:net";
import { test } from "node:test";
import { eventually } from "../support/clock.ts";
import { webhook } from "../support/flows.ts";
import { startTestApp, type TestApp } from "../support/start-app.ts";

/** Of the flow `f` (undefined: it has no series), and of all flows. */
async function held(app: TestApp): Promise<readonly [flow: number | undefined, all: number]> {
  const body = await (await app.api("/metrics")).text();
  const flow = /^bulkhead_bytes_in_flight\{flow="f"\} (\S+)$/m.exec(body)?.[1];
  return [
    flow === undefined ? undefined : Number(flow),
    Number(/^bulkhead_bytes_in_flight_all_flows (\S+)$/m.exec(body)?.[1]),
  ];
}

async function holds(app: TestApp, bytes: number): Promise<void> {
  await eventually(async () => (await held(app)).every((count) => count === bytes), `${bytes} bytes are held`);
}

/** A call whose headers are out and whose body is not; its end does not matter. */
function begin(app: TestApp, path: string): ClientRequest {
  const call = request(`${app.url}${path}`, { method: "POST" });
  call.on("error", () => {});
  call.on("response", (response) => response.resume());
  call.flushHeaders();
  return call;
}

const waiting = webhook("r", "delay: { constant: 60000 }");

test("a body counts from its arrival to the end of its run, whatever ends it", async (t) => {
  const app = await startTestApp(t);
  const quick = webhook("quick", 'log: "x"') + webhook("fails", "throwException: { exceptionType: x.Y, message: no }");
  await app.put("f", waiting + quick, { limits: { webhookBodyBytes: 1000 } });

  const arriving = begin(app, "/api/r");
  arriving.write("x".repeat(100));
  await holds(app, 100);
  arriving.write("x".repeat(200));
  await holds(app, 300);
  arriving.destroy();
  await holds(app, 0);

  const running = begin(app, "/api/r");
  running.end("x".repeat(500));
  await holds(app, 500);
  running.destroy();
  await holds(app, 0);

  const tooLarge = begin(app, "/api/r");
  tooLarge.write("x".repeat(900));
  await holds(app, 900);
  tooLarge.write("x".repeat(900));
  await holds(app, 0);
  tooLarge.destroy();

  assert.equal((await app.post("/api/quick", "x".repeat(700))).status, 200);
  assert.equal((await app.post("/api/fails", "x".repeat(700))).status, 500);
  await holds(app, 0);

  const cancelled = begin(app, "/api/r");
  cancelled.end("x".repeat(600));
  await holds(app, 600);
  const [run] = (await (await app.api("/runs?status=running")).json()) as { id: string }[];
  await app.api(`/runs/${run?.id}/cancel`, { method: "POST" });
  await holds(app, 0);

  const accepted = await app.post("/api/r", "x".repeat(800), { Prefer: "respond-async", "Idempotency-Key": "k" });
  await holds(app, 800);
  assert.equal((await app.post("/api/r", "x".repeat(800), { "Idempotency-Key": "k" })).status, 202);
  assert.equal((await app.post("/api/r", "x", { "Idempotency-Key": "k" })).status, 422);
  await holds(app, 800);
  await app.api(`/runs/${accepted.headers.get("x-run-id")}/cancel`, { method: "POST" });
  await holds(app, 0);
});

test("a flow's bytes are counted over a redeploy, and those of a deleted flow until its runs are over", async (t) => {
  const app = await startTestApp(t);
  await app.put("f", waiting, { limits: { flowBytesInFlight: 1000 } });
  const old = begin(app, "/api/r");
  old.end("x".repeat(900));
  await holds(app, 900);
  await app.put("f", webhook("r", 'log: "x"'), { limits: { flowBytesInFlight: 1000 } });
  await holds(app, 900);
  assert.equal((await app.post("/api/r", "x".repeat(200))).status, 429);
  await app.api("/flows/f", { method: "DELETE" });
  assert.deepEqual(await held(app), [undefined, 900]);
  old.destroy();
  await eventually(async () => (await held(app))[1] === 0, "the run is over");

  // A body that came to the old deployment and runs in the new one.
  await app.put("f", waiting);
  const between = begin(app, "/api/r");
  between.write("x".repeat(300));
  await holds(app, 300);
  await app.put("f", webhook("r", 'log: "x"'));
  between.end("x");
  await holds(app, 0);
  // And one that finds nothing any more.
  const late = begin(app, "/api/r");
  late.write("x".repeat(300));
  await holds(app, 300);
  await app.api("/flows/f", { method: "DELETE" });
  late.end();
  await eventually(async () => (await held(app))[1] === 0, "it was refused");
});

test("killed, timed out, queued and shed runs give their bytes back", async (t) => {
  const app = await startTestApp(t);
  await app.put("f", waiting, { limits: { webhookWallMs: 300 } });
  assert.equal((await app.post("/api/r", "x".repeat(100))).status, 504);
  await holds(app, 0);
  await app.put("f", waiting, { limits: { runsPerThread: 1, queue: 1 } });
  const calls = [begin(app, "/api/r"), begin(app, "/api/r")];
  for (const call of calls) call.end("x".repeat(100));
  await holds(app, 200);
  assert.equal((await app.post("/api/r", "x".repeat(100))).status, 429);
  await holds(app, 200);
  await app.put("f", webhook("r", 'log: "x"'), {}, "?drainMs=0");
  await holds(app, 0);
});

const post = (path: string, body: string): string =>
  `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\nContent-Length: ${body.length}\r\n\r\n${body}`;

const MiB = 1024 * 1024;

test("an answer that is not read counts, and is cut off when its reader takes nothing of it", async (t) => {
  const app = await startTestApp(t, { limits: { responseStallMs: 1500 } });
  const eight = "${body}".repeat(8);
  await app.put("f", webhook("r", `setBody: { simple: '${eight}' }`), { limits: { flowBytesInFlight: 5 * MiB } });
  const socket = connect(Number(new URL(app.url).port), "127.0.0.1");
  socket.on("error", () => {});
  t.after(() => socket.destroy());
  socket.pause();
  socket.write(post("/api/r", "0123456789abcdef".repeat((1.2 * MiB) / 16)));
  await eventually(async () => (await held(app))[1] > 5 * MiB, "the answer waits");
  // What stalled readers hold is bounded: it keeps new calls out.
  assert.equal((await app.post("/api/r", "x")).status, 429);
  await holds(app, 0);
  assert.equal((await app.post("/api/r", "x")).status, 200);
  const [, run] = (await (await app.api("/runs?routeId=r")).json()) as { status: string; httpStatus: number }[];
  assert.deepEqual([run?.status, run?.httpStatus], ["completed", 200]);
});

test("an answer that does not fit beside those that nobody reads is refused, small ones are not", async (t) => {
  const app = await startTestApp(t);
  const eightfold = `setBody: { simple: '${"${body}".repeat(8)}' }`;
  const large = webhook("large", eightfold, eightfold, eightfold);
  await app.put("f", large + webhook("small", `setBody: { constant: "${"s".repeat(40_000)}" }`), {
    limits: { flowBytesInFlight: 8 * MiB + 32 * 1024 },
  });
  const body = "0123456789abcdef".repeat(1024);
  const socket = connect(Number(new URL(app.url).port), "127.0.0.1");
  socket.on("error", () => {});
  t.after(() => socket.destroy());
  socket.pause();
  socket.write(post("/api/large", body));
  await eventually(async () => (await held(app))[1] > 1.5 * MiB, "the answer waits");
  const refused = await app.post("/api/large", body);
  assert.deepEqual([refused.status, refused.headers.get("x-error-code")], [503, "answer_not_sent"]);
  assert.equal(refused.headers.get("retry-after"), "1");
  assert.equal((await app.post("/api/small", "x")).status, 200);
  const run = (await (await app.api(`/runs/${refused.headers.get("x-run-id")}`)).json()) as Record<string, unknown>;
  assert.deepEqual([run["status"], run["httpStatus"], run["bytesOut"]], ["completed", 503, 0]);
  socket.destroy();
  await holds(app, 0);
  assert.equal((await (await app.post("/api/large", body)).text()).length, 8 * MiB);
});

for (const isolation of ["thread", "process"]) {
  test(`large answers arrive as they are, from a flow in a ${isolation}`, async (t) => {
    // To parse eight megabytes takes a while where other work keeps the processors busy.
    const app = await startTestApp(t, { limits: { stuckLoopMs: 60_000 } });
    const json = webhook("json", "unmarshal: { json: {} }");
    const http = `- route: { id: http, from: { uri: "platform-http:/large", steps: [{ setBody: { simple: '\${body}' } }] } }\n`;
    await app.put("f", webhook("text", "setBody: { simple: '${body}' }") + json + http, { limits: { isolation } });
    const text = "aä€😀\n".repeat((8 * MiB) / 11);
    const value = JSON.stringify([text]);
    for (const [path, body, type] of [
      ["/api/text", text, "text/plain; charset=utf-8"],
      ["/api/json", value, "application/json"],
      ["/large", text, "text/plain"],
    ] as const) {
      const answer = await app.post(path, body, { "Content-Type": "text/plain" });
      const received = await answer.text();
      // An answer that the flow did not write has its reason in a short text.
      assert.equal(answer.status, 200, `${path}: ${received.slice(0, 200)}`);
      assert.equal(answer.headers.get("content-type"), type, path);
      assert.equal(answer.headers.get("content-length"), String(Buffer.byteLength(body)), path);
      assert.ok(received === body, `the answer of ${path} is the body`);
    }
  });
}

test("the memory of large answers is given back as soon as their callers leave", async (t) => {
  const app = await startTestApp(t);
  await app.put("f", webhook("r", `setBody: { simple: '${"${body}".repeat(64)}' }`));
  const body = "x".repeat(64 * 1024);
  const answerBytes = 4 * 1024 * 1024;
  const callers = 24;
  const unread: Socket[] = [];
  for (let i = 0; i < callers; i += 1) {
    const socket = connect(Number(new URL(app.url).port), "127.0.0.1");
    socket.write(`POST /api/r HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
    await once(socket, "readable");
    unread.push(socket);
  }
  const held = process.memoryUsage.rss();
  for (const socket of unread) socket.destroy();
  await holds(app, 0);
  const freed = held - process.memoryUsage.rss();
  assert.ok(freed > (callers * answerBytes) / 4, `${freed} bytes were freed`);
});

for (const isolation of ["thread", "process"]) {
  test(`a large body is to its flow what a small one is, in a ${isolation}`, async (t) => {
    const app = await startTestApp(t);
    const claimed = `- route: { id: claimed, from: { uri: "platform-http:/claimed", steps: [{ setBody: { simple: '\${body}' } }] } }\n`;
    const flow =
      webhook("text", `setBody: { simple: '${"${body}"}' }`) +
      webhook("field", `setBody: { simple: '${"${body[a]}"}' }`);
    await app.put("f", flow + claimed, { limits: { isolation } });
    const json = "application/json";
    const outcomes = async (length: number): Promise<readonly (readonly [number, boolean])[]> => {
      const long = (text: string): string => text.repeat(length);
      return await Promise.all(
        [
          ["/api/text", long("ASCII"), "text/plain", long("ASCII")],
          ["/api/text", long("aä€😀"), "text/plain", long("aä€😀")],
          ["/api/text", `\ufeff${long("ä")}`, "text/plain", `\ufeff${long("ä")}`],
          ["/api/text", Buffer.alloc(length, 0xff), "text/plain", Buffer.alloc(length, 0xff)],
          ["/api/text", Buffer.alloc(length, 0x41), "application/octet-stream", Buffer.alloc(length, 0x41)],
          ["/api/field", JSON.stringify({ a: long("a") }), json, long("a")],
          ["/api/field", JSON.stringify({ a: long("ä€") }), json, long("ä€")],
          ["/api/field", `{"a":"${long("a")}`, json, ""],
          ["/api/field", Buffer.alloc(length, 0xff), json, ""],
          ["/claimed", `{"a":"${long("ä")}"}`, json, `{"a":"${long("ä")}"}`],
          ["/claimed", `{"a":"${long("ä")}`, json, `{"a":"${long("ä")}`],
        ].map(async ([path, body, type, expected]) => {
          const answer = await app.post(path as string, body as string, { "Content-Type": type as string });
          return [
            answer.status,
            Buffer.from(await answer.arrayBuffer()).equals(Buffer.from(expected as string)),
          ] as const;
        }),
      );
    };
    const small = await outcomes(10);
    assert.deepEqual(
      small.map(([status]) => status),
      [200, 200, 200, 200, 200, 200, 200, 400, 400, 200, 200],
    );
    assert.ok(small.every(([status, same]) => same || status === 400));
    assert.deepEqual(await outcomes(100_000), small);
  });
}
