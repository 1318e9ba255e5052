/** What bounds a webhook's calls: bytes on their way, the queue, deadlines and callers that leave; and what odd answers become. */
import assert from "node:assert/strict";
import { type ClientRequest, request } from "node:http";
import { text } from "node:stream/consumers";
import { test } from "node:test";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { eventually } from "../support/clock.ts";
import { direct, webhook } from "../support/flows.ts";
import { heldStep } from "../support/held-step.ts";
import { startTestApp, type TestApp } from "../support/start-app.ts";

interface Run {
  readonly id: string;
  readonly status: string;
  readonly outcome: string;
  readonly parentRunId: string | null;
}

async function runs(app: TestApp, query: string): Promise<readonly Run[]> {
  return (await (await app.api(`/runs?${query}`)).json()) as Run[];
}

/** A call whose body is sent in parts; resolves when the runtime wants the first. */
async function began(app: TestApp): Promise<{ call: ClientRequest; status: Promise<number | undefined> }> {
  const call = request(`${app.url}/api/r`, { method: "POST", headers: { Expect: "100-continue" } });
  const status = new Promise<number | undefined>((resolve) => {
    call.once("response", (response) => resolve(response.resume().statusCode));
    call.once("error", () => resolve(undefined));
  });
  const continued = new Promise((resolve) => call.once("continue", resolve));
  call.flushHeaders();
  await continued;
  return { call, status };
}

async function bytesInFlight(app: TestApp): Promise<number> {
  const body = await (await app.api("/metrics")).text();
  return Number(/^bulkhead_bytes_in_flight_all_flows (\S+)$/m.exec(body)?.[1]);
}

/** Bytes of the heap and outside of it, after a collection. */
function heldNow(): number {
  setFlagsFromString("--expose-gc");
  runInNewContext("gc")();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

test("JSON whose values would fill its thread's memory is refused before they are made", async (t) => {
  const app = await startTestApp(t);
  await app.put("f", webhook("r", 'log: "x"'));
  const json = { "Content-Type": "application/json" };
  const refused = await fetch(`${app.url}/api/r`, {
    method: "POST",
    headers: json,
    body: `[${"[],".repeat(1_700_000)}1]`,
  });
  assert.equal(refused.status, 413);
  assert.match(await refused.text(), /values of the JSON document/);
  assert.equal((await fetch(`${app.url}/api/r`, { method: "POST", headers: json, body: "[[]]" })).status, 200);
});

test("a request of which more headers would come than a message holds is refused, and is no failed run", async (t) => {
  const app = await startTestApp(t);
  await app.put("f", webhook("r", 'setBody: { simple: "${headers.size}" }'));
  await app.put("g", webhook("g", "setBody: { constant: here }"), { limits: { headerCount: 1000 } });
  const query = (count: number, name: (i: number) => string): string =>
    Array.from({ length: count }, (_, i) => `${name(i)}=1`).join("&");
  const call = (target: string): Promise<Response> => fetch(`${app.url}/api/${target}`, { method: "POST" });
  const refused = await call(`r?${query(200, (i) => `p${i}`)}`);
  assert.deepEqual([refused.status, refused.headers.get("x-error-code")], [431, "header_fields_too_large"]);
  assert.match(await refused.text(), /query parameters become headers of the message, which has at most 200/);
  assert.deepEqual(await runs(app, "routeId=r"), []);
  assert.equal((await call(`r?${query(150, (i) => `p${i}`)}`)).status, 200);
  // A repeated name is one header with a list.
  assert.equal((await call(`r?${query(1000, () => "p")}`)).status, 200);
  assert.equal((await call(`g?${query(900, (i) => `p${i}`)}`)).status, 200);
});

test("bytes count while they arrive, without a declared length too, and are given back when their caller leaves", async (t) => {
  const app = await startTestApp(t);
  await app.put("f", webhook("r", 'log: "x"'), { limits: { flowBytesInFlight: 1000 } });
  const first = await began(app);
  first.call.write("x".repeat(900));
  const second = await began(app);
  second.call.write("x".repeat(900));
  // One of the two was there first.
  const refused = await Promise.race([first.status, second.status]);
  assert.equal(refused, 429);
  first.call.destroy();
  second.call.destroy();
  await eventually(async () => (await app.post("/api/r", "x".repeat(1000))).status === 200, "room again");
});

test("bytes are given back when the flow is replaced while they run", async (t) => {
  const held = await heldStep(t);
  const app = await startTestApp(t, { limits: { totalBytesInFlight: 1000 }, egressAllow: held.host });
  await app.put("f", webhook("r", held.step));
  const call = app.post("/api/r", "x".repeat(1000));
  await held.holds(1);
  assert.equal((await app.post("/api/r", "x".repeat(10))).status, 429);
  await app.put("f", webhook("r", 'log: "second"'));
  held.letGo();
  assert.equal((await call).status, 200);
  assert.equal((await app.post("/api/r", "x".repeat(1000))).status, 200);
});

test("a body that does not come in time is answered 408, and what had come is given back", async (t) => {
  const app = await startTestApp(t, { limits: { requestMs: 1000 } });
  await app.put("f", webhook("r", 'log: "ran"'), { limits: { flowBytesInFlight: 1000 } });
  const slow = await began(app);
  slow.call.write("x".repeat(900));
  await eventually(async () => (await app.post("/api/r", "x".repeat(200))).status === 429, "it holds what has come");
  assert.equal(await slow.status, 408);
  await eventually(async () => (await app.post("/api/r", "x".repeat(1000))).status === 200, "room again");
  assert.equal(app.logs.filter(({ message }) => message === "ran").length, 1);
});

test("a body in many small parts costs little more than its bytes, and arrives whole", async (t) => {
  const app = await startTestApp(t);
  await app.put("f", webhook("r", "setBody: { simple: '${body}' }"));
  const count = 100_000;
  const call = await began(app);
  const answer = new Promise<string>((resolve) => call.call.once("response", (response) => resolve(text(response))));
  assert.equal(await bytesInFlight(app), 0);
  const before = heldNow();
  // One byte a chunk, in one write: the server alone has a buffer for each.
  call.call.socket?.write("1\r\nx\r\n".repeat(count));
  await eventually(async () => (await bytesInFlight(app)) === count, "all is there");
  const grown = heldNow() - before;
  assert.ok(grown < 60 * count, `${grown} bytes for ${count}`);
  call.call.socket?.write(`400\r\n${"y".repeat(1024)}\r\n1\r\nz\r\n0\r\n\r\n`);
  assert.equal(await answer, `${"x".repeat(count)}${"y".repeat(1024)}z`);
});

test("a run whose time is over while it waits for a thread answers 504 then", async (t) => {
  const app = await startTestApp(t);
  await app.put("f", webhook("r", 'log: "began"', "delay: { simple: '${body}' }"), {
    limits: { runsPerThread: 1, webhookWallMs: 300 },
  });
  const [first, second] = await Promise.all([app.post("/api/r", "60000"), app.post("/api/r", "60000")]);
  assert.deepEqual([first.status, second.status], [504, 504]);
  assert.ok(
    (await runs(app, "routeId=r")).every(({ status, outcome }) => `${status} ${outcome}` === "timeout timeout"),
  );
});

test("a waiting run that an operator cancels, or whose caller leaves, is cancelled and not shed", async (t) => {
  const app = await startTestApp(t);
  await app.put("f", webhook("r", 'log: "began"', "delay: { constant: 60000 }"), { limits: { runsPerThread: 1 } });
  const first = app.post("/api/r", "x");
  await eventually(() => app.logs.some(({ message }) => message === "began"), "the first run began");
  const second = app.post("/api/r", "x");
  const [waiting] = await eventually(async () => {
    const all = await runs(app, "status=running");
    return all.length === 2 ? all : undefined;
  }, "the second run waits");
  assert.equal((await app.api(`/runs/${waiting?.id}/cancel`, { method: "POST" })).status, 202);
  const answer = await second;
  assert.deepEqual([answer.status, answer.headers.get("x-error-code")], [503, "run_cancelled"]);

  const controller = new AbortController();
  const third = fetch(`${app.url}/api/r`, { method: "POST", body: "x", signal: controller.signal });
  await eventually(async () => (await runs(app, "status=running")).length === 2, "the third run waits");
  controller.abort();
  await assert.rejects(third);
  await eventually(async () => (await runs(app, "status=running")).length === 1, "it has ended");
  assert.deepEqual(
    (await runs(app, "status=cancelled")).map(({ outcome }) => outcome),
    ["client_gone", "cancelled"],
  );
  await app.api("/flows/f?drainMs=0", { method: "DELETE" });
  await first;
});

test("runs in other flows end with the run that called them", async (t) => {
  const app = await startTestApp(t);
  await app.put("child", direct("child", "child", 'log: "child began"', "delay: { constant: 60000 }"));
  await app.put("parent", webhook("r", "to: direct:child"));
  const controller = new AbortController();
  const call = fetch(`${app.url}/api/r`, { method: "POST", body: "x", signal: controller.signal });
  await eventually(() => app.logs.some(({ message }) => message === "child began"), "the child began");
  controller.abort();
  await assert.rejects(call);
  await eventually(async () => (await runs(app, "status=running")).length === 0, "both have ended");
  const [child] = await runs(app, "routeId=child");
  const [parent] = await runs(app, "routeId=r");
  assert.deepEqual([child?.status, child?.outcome, child?.parentRunId], ["cancelled", "client_gone", parent?.id]);
});

test("a killed caller's children are cancelled, and a child's deadline is its caller's", async (t) => {
  const app = await startTestApp(t);
  await app.put("child", direct("child", "child", 'log: "child began"', "delay: { constant: 60000 }"));
  await app.put("parent", webhook("r", "to: direct:child"));
  const killed = app.post("/api/r", "x");
  await eventually(() => app.logs.some(({ message }) => message === "child began"), "the child began");
  await app.api("/flows/parent?drainMs=0", { method: "DELETE" });
  assert.equal((await killed).status, 503);
  await eventually(async () => (await runs(app, "status=running")).length === 0, "the child has ended");
  assert.equal((await runs(app, "routeId=child"))[0]?.status, "cancelled");

  await app.put("parent", webhook("r", "to: direct:child"), { limits: { webhookWallMs: 200 } });
  // On a busy machine the caller's time may be over before its child begins.
  await eventually(async () => {
    assert.equal((await app.post("/api/r", "x")).status, 504);
    return (await runs(app, "routeId=child")).length > 1;
  }, "a child has begun");
  await eventually(async () => (await runs(app, "status=running")).length === 0, "the child has ended");
  assert.equal((await runs(app, "routeId=child"))[0]?.status, "timeout");
});

for (const [name, steps, status, header] of [
  ["text beyond Latin-1 goes as UTF-8", ["setHeader: { name: X-A, constant: '→ €' }"], 200, "→ €"],
  ["Latin-1 stays as it is", ["setHeader: { name: X-A, constant: 'ü' }"], 200, undefined],
  ["a line break fails the run", ['setHeader: { name: X-A, constant: "a\\nb" }'], 500, undefined],
  ["a control character fails the run", ['setHeader: { name: X-A, constant: "a\\u0001b" }'], 500, undefined],
  ["a name that is no token fails the run", ["setHeader: { name: 'X A', constant: b }"], 500, undefined],
  ["the server's own headers are not set", ["setHeader: { name: Content-Length, constant: '1' }"], 200, undefined],
] as const) {
  test(`response headers: ${name}`, async (t) => {
    const app = await startTestApp(t);
    assert.equal((await app.put("f", webhook("r", ...steps))).status, 201);
    const answer = await app.post("/api/r", "x");
    assert.equal(answer.status, status);
    if (status === 200) assert.equal(await answer.text(), "ok");
    else assert.equal(answer.headers.get("x-error-code"), "run_failed");
    if (header !== undefined) {
      assert.equal(Buffer.from(answer.headers.get("x-a") ?? "", "latin1").toString(), header);
    }
  });
}

test("HEAD and OPTIONS are refused like other methods; an answer has the request's id", async (t) => {
  const app = await startTestApp(t);
  await app.put("f", webhook("r", 'log: "x"'));
  for (const method of ["HEAD", "OPTIONS", "PUT", "DELETE"]) {
    const refused = await fetch(`${app.url}/api/r`, { method });
    assert.deepEqual([refused.status, refused.headers.get("allow")], [405, "POST"], method);
  }
  for (const path of ["/api/r", "/api/nobody"]) {
    const answer = await app.post(path, "x", { "X-Request-Id": "mine-1" });
    assert.equal(answer.headers.get("x-request-id"), "mine-1", path);
  }
});

for (const code of ["100", "99", "600", "abc", "404.0", "", "304"]) {
  test(`a response code of '${code}' is a status, or fails the run`, async (t) => {
    const app = await startTestApp(t);
    await app.put(
      "f",
      webhook("r", `setHeader: { name: CamelHttpResponseCode, constant: "${code}" }`, "setBody: { constant: x }"),
    );
    const answer = await app.post("/api/r", "x");
    const text = await answer.text();
    if (code === "304") assert.deepEqual([answer.status, text], [304, ""]);
    else {
      assert.equal(answer.status, 500);
      const said = `CamelHttpResponseCode is '${code}': the status of an answer is a whole number from 200 to 599`;
      assert.ok(app.logs.some(({ message }) => message.includes(said)));
    }
    assert.equal((await app.post("/api/r", "x")).status, answer.status);
  });
}
