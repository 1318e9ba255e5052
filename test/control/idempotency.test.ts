/** `Idempotency-Key` on webhooks (docs/api.md 4): a call that is repeated under its key is carried out once. */
import assert from "node:assert/strict";
import { connect } from "node:net";
import { text as textOf } from "node:stream/consumers";
import { test } from "node:test";
import { eventually, every } from "../support/clock.ts";
import { webhook } from "../support/flows.ts";
import { heldStep } from "../support/held-step.ts";
import { startTestApp, type TestApp } from "../support/start-app.ts";

const key = (value: string) => ({ "Idempotency-Key": value });

function logged(app: TestApp, text: string): number {
  return app.logs.filter(({ message }) => message === text).length;
}

function codeOf(answer: Response): string {
  return `${answer.status} ${answer.headers.get("x-error-code") ?? ""}`.trim();
}

async function gauge(app: TestApp, name: string): Promise<number> {
  const body = await (await app.api("/metrics")).text();
  return Number(new RegExp(`^bulkhead_idempotency_${name} (\\S+)$`, "m").exec(body)?.[1]);
}

test("a repeat gets the first answer, and nothing runs", async (t) => {
  const app = await startTestApp(t);
  const steps = [
    'log: "ran"',
    "setHeader: { name: X-Mine, constant: 'ü' }",
    "setHeader: { name: CamelHttpResponseCode, constant: 201 }",
    "setBody: { simple: 'grüß ${body}' }",
  ];
  await app.put("f", webhook("r", ...steps));
  const first = await app.post("/api/r?a=1", "x", { ...key("k1"), "X-Request-Id": "one" });
  const body = await first.text();
  assert.deepEqual([first.status, body, first.headers.get("idempotency-replayed")], [201, "grüß x", null]);
  for (const quoted of ["k1", '"k1"']) {
    const again = await app.post("/api/r?a=1", "x", { ...key(quoted), "X-Request-Id": "two" });
    assert.deepEqual([again.status, await again.text()], [201, body]);
    assert.equal(again.headers.get("idempotency-replayed"), "true");
    assert.equal(again.headers.get("x-request-id"), "two");
    for (const name of ["x-run-id", "traceparent", "content-type", "content-length", "x-mine"]) {
      assert.equal(again.headers.get(name), first.headers.get(name), name);
    }
  }
  assert.equal(logged(app, "ran"), 1);
  const runs = (await (await app.api("/runs?routeId=r")).json()) as unknown[];
  assert.equal(runs.length, 1);

  assert.equal(codeOf(await app.post("/api/r?a=1", "y", key("k1"))), "422 idempotency_key_reused");
  assert.equal(codeOf(await app.post("/api/r?a=2", "x", key("k1"))), "422 idempotency_key_reused");
  assert.equal((await app.post("/api/r?a=1", "x", key("k2"))).headers.get("idempotency-replayed"), null);
  assert.equal((await app.post("/api/r?a=1", "x")).headers.get("idempotency-replayed"), null);
  assert.equal(logged(app, "ran"), 3);
});

test("an answer without a body is repeated as one", async (t) => {
  const app = await startTestApp(t);
  await app.put("f", webhook("r", 'setBody: { constant: "" }') + webhook("bytes", "setBody: { simple: '${body}' }"));
  for (const replayed of [null, "true"]) {
    const empty = await app.post("/api/r", "", key("k"));
    assert.deepEqual([empty.status, empty.headers.get("idempotency-replayed")], [204, replayed]);
    const bytes = await app.post("/api/bytes", new Uint8Array([0, 255]), key("k"));
    assert.deepEqual(new Uint8Array(await bytes.arrayBuffer()), new Uint8Array([0, 255]));
    assert.equal(bytes.headers.get("idempotency-replayed"), replayed);
  }
});

test("while the first call is under way a repeat is told to wait, and is answered when it is over", async (t) => {
  const held = await heldStep(t);
  const app = await startTestApp(t, { egressAllow: held.host });
  await app.put("f", webhook("r", 'log: "began"', held.step));
  const first = app.post("/api/r", "x", key("k"));
  await held.holds(1);
  const early = await app.post("/api/r", "x", key("k"));
  assert.deepEqual([codeOf(early), early.headers.get("retry-after")], ["409 idempotency_in_progress", "1"]);
  assert.equal(codeOf(await app.post("/api/r", "y", key("k"))), "422 idempotency_key_reused");
  held.letGo();
  assert.equal((await first).status, 200);
  assert.equal((await app.post("/api/r", "x", key("k"))).headers.get("idempotency-replayed"), "true");
  assert.equal(logged(app, "began"), 1);
});

test("a caller that hangs up finds the answer under its key", async (t) => {
  const held = await heldStep(t);
  const app = await startTestApp(t, { egressAllow: held.host });
  await app.put("f", webhook("r", 'log: "began"', held.step, "setBody: { constant: done }"));
  const controller = new AbortController();
  const lost = fetch(`${app.url}/api/r`, { method: "POST", body: "x", headers: key("k"), signal: controller.signal });
  await held.holds(1);
  controller.abort();
  await assert.rejects(lost);
  held.letGo();
  const answer = await eventually(async () => {
    const repeat = await app.post("/api/r", "x", key("k"));
    return repeat.status === 409 ? undefined : repeat;
  }, "the run is over");
  assert.deepEqual([answer.status, await answer.text(), logged(app, "began")], [200, "done", 1]);
});

test("what failed, was shed, timed out or asks to be tried again leaves the key free", async (t) => {
  const held = await heldStep(t);
  const app = await startTestApp(t, { egressAllow: held.host });
  const failing = "throwException: { exceptionType: java.lang.Exception, message: no }";
  const code = (status: number): string => `setHeader: { name: CamelHttpResponseCode, constant: ${status} }`;
  await app.put(
    "f",
    [
      webhook("fails", 'log: "ran"', failing),
      webhook("busy", 'log: "ran"', code(429)),
      webhook("down", 'log: "ran"', code(503)),
    ].join(""),
  );
  await app.put("late", webhook("slow", "delay: { constant: 60000 }"), { limits: { webhookWallMs: 200 } });
  const runsOf = async (route: string): Promise<number> =>
    ((await (await app.api(`/runs?routeId=${route}`)).json()) as unknown[]).length;
  for (const [route, status] of [
    ["fails", 500],
    ["busy", 429],
    ["down", 503],
    ["slow", 504],
  ] as const) {
    for (const body of ["x", "x", "another"]) {
      const answer = await app.post(`/api/${route}`, body, key("k"));
      assert.deepEqual([answer.status, answer.headers.get("idempotency-replayed")], [status, null], route);
    }
    assert.equal(await runsOf(route), 3, route);
  }
  assert.equal(logged(app, "ran"), 9);
  await app.put("g", webhook("full", held.step), { limits: { runsPerThread: 1, queue: 1 } });
  const calls = ["a", "b", "c"].map(async (k) => ({ k, answer: await app.post("/api/full", "x", key(k)) }));
  const shed = await Promise.race(calls);
  assert.equal(shed.answer.status, 429);
  t.after(every(10, () => held.letGo()));
  assert.deepEqual((await Promise.all(calls)).map(({ answer }) => answer.status).sort(), [200, 200, 429]);
  const retried = await app.post("/api/full", "x", key(shed.k));
  assert.deepEqual([retried.status, retried.headers.get("idempotency-replayed")], [200, null]);
  await app.post("/api/full", "not JSON", { ...key("j"), "Content-Type": "application/json" });
  assert.equal((await app.post("/api/full", "1", { ...key("j"), "Content-Type": "application/json" })).status, 200);
});

test("a client's error that the flow answers is kept", async (t) => {
  const app = await startTestApp(t);
  await app.put("f", webhook("r", 'log: "ran"', "setHeader: { name: CamelHttpResponseCode, constant: 404 }"));
  for (const replayed of [null, "true"]) {
    const answer = await app.post("/api/r", "x", key("k"));
    assert.deepEqual([answer.status, answer.headers.get("idempotency-replayed")], [404, replayed]);
  }
  assert.equal(logged(app, "ran"), 1);
});

test("keys are a route's own; they survive a redeploy and a stop, and go with the flow", async (t) => {
  const app = await startTestApp(t);
  const yaml = webhook("r", "setBody: { constant: first }") + webhook("s", "setBody: { constant: second }");
  await app.put("f", yaml);
  const ask = async (route: string) => (await app.post(`/api/${route}`, "x", key("k"))).text();
  assert.deepEqual([await ask("r"), await ask("s")], ["first", "second"]);
  await app.put("f", webhook("r", "setBody: { constant: new }"));
  assert.equal(await ask("r"), "first");
  await app.api("/flows/f/stop", { method: "POST" });
  assert.equal((await app.post("/api/r", "x", key("k"))).status, 503);
  await app.api("/flows/f/start", { method: "POST" });
  assert.equal(await ask("r"), "first");
  assert.equal(await gauge(app, "keys"), 2);
  await app.api("/flows/f", { method: "DELETE" });
  assert.deepEqual([await gauge(app, "keys"), await gauge(app, "bytes")], [0, 0]);
  await app.put("f", webhook("r", "setBody: { constant: new }"));
  assert.equal(await ask("r"), "new");
});

test("a run that outlives its flow keeps nothing for the next of that name", async (t) => {
  const held = await heldStep(t);
  const app = await startTestApp(t, { egressAllow: held.host });
  await app.put("f", webhook("r", held.step, "setBody: { constant: old }"));
  const old = app.post("/api/r", "x", key("k"));
  await held.holds(1);
  await app.api("/flows/f", { method: "DELETE" });
  await app.put("f", webhook("r", "setBody: { constant: new }"));
  assert.equal(await (await app.post("/api/r", "x", key("k"))).text(), "new");
  held.letGo();
  assert.equal(await (await old).text(), "old");
  assert.equal(await (await app.post("/api/r", "x", key("k"))).text(), "new");
});

test("with respond-async a repeat gets the same address, unless the run failed", async (t) => {
  const app = await startTestApp(t);
  await app.put("f", webhook("r", 'log: "began"', "delay: { simple: '${body}' }", 'log: "ended"'));
  const async = { ...key("k"), Prefer: "respond-async" };
  const first = await app.post("/api/r", "700", async);
  const location = first.headers.get("location");
  const early = await app.post("/api/r", "700", async);
  assert.deepEqual([early.status, early.headers.get("location")], [202, location]);
  assert.equal(early.headers.get("idempotency-replayed"), "true");
  assert.equal(await early.text(), await first.text());
  assert.equal(codeOf(await app.post("/api/r", "0", async)), "422 idempotency_key_reused");
  await eventually(() => logged(app, "ended") === 1, "the run ended");
  const late = await app.post("/api/r", "700", key("k"));
  assert.deepEqual([late.status, late.headers.get("location")], [202, location]);

  const doomed = await app.post("/api/r", "60000", { ...key("other"), Prefer: "respond-async" });
  await app.api(`/runs/${doomed.headers.get("x-run-id")}/cancel`, { method: "POST" });
  const retried = await eventually(async () => {
    const answer = await app.post("/api/r", "60000", { ...key("other"), Prefer: "respond-async" });
    return answer.headers.has("idempotency-replayed") ? undefined : answer;
  }, "the run was cancelled");
  assert.equal(retried.status, 202);
  await app.api("/flows/f?drainMs=0", { method: "DELETE" });
});

test("an answer is not given to a caller with other credentials", async (t) => {
  const app = await startTestApp(t);
  await app.put("f", webhook("r", 'log: "ran"', "setBody: { simple: '${header.Authorization}${header.X-API-Key}' }"));
  const as = async (credentials: Readonly<Record<string, string>>): Promise<string> =>
    (await app.post("/api/r", "x", { ...key("k"), ...credentials })).text();
  assert.equal(await as({ Authorization: "Bearer one" }), "Bearer one");
  assert.equal(await as({ Authorization: "Bearer two" }), "Bearer two");
  assert.equal(await as({ "X-API-Key": "three" }), "three");
  assert.equal(await as({ Authorization: "Bearer one" }), "Bearer one");
  assert.equal(logged(app, "ran"), 3);
});

test("a key that is none is refused before anything runs", async (t) => {
  const app = await startTestApp(t);
  await app.put("f", webhook("r", 'log: "ran"'));
  for (const [name, value] of [
    ["empty", ""],
    ["256 characters", "k".repeat(256)],
    ["a space", "a b"],
    ["a comma", "a,b"],
    ["a quote that does not end", '"a'],
    ["an empty text in quotes", '""'],
    ["a bad escape in quotes", '"a\\b"'],
    ["a parameter", '"a";b=1'],
    ["not ASCII", "ü"],
  ] as const) {
    assert.equal(codeOf(await app.post("/api/r", "x", key(value))), "400 bad_idempotency_key", name);
  }
  assert.equal(logged(app, "ran"), 0);
});

test("two keys in one request are refused; one of 255 characters is taken", async (t) => {
  const app = await startTestApp(t);
  await app.put("f", webhook("r", 'log: "ran"'));
  const socket = connect(Number(new URL(app.url).port), "127.0.0.1");
  const lines = ["POST /api/r HTTP/1.1", "Host: x", "Connection: close", "Content-Length: 0"];
  socket.end(`${[...lines, "Idempotency-Key: a", "Idempotency-Key: b"].join("\r\n")}\r\n\r\n`);
  assert.match(await textOf(socket), /^HTTP\/1\.1 400 /);
  assert.equal((await app.post("/api/r", "x", key("k".repeat(255)))).status, 200);
  assert.equal((await app.post("/api/r", "x", key(`"${"k".repeat(253)}\\""`))).status, 200);
});
