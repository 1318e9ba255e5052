/** What callers of webhooks see (docs/api.md 4): status, body and headers, through a real socket. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { eventually } from "../support/clock.ts";
import { webhook } from "../support/flows.ts";
import { heldStep } from "../support/held-step.ts";
import { startTestApp } from "../support/start-app.ts";

test("a fresh flow answers ok, and its log step sees the body", async (t) => {
  const app = await startTestApp(t);
  assert.equal((await app.put("hello", webhook("hello", 'log: "got ${body}"'))).status, 201);
  const answer = await app.post("/api/hello", "a message");
  assert.equal(answer.status, 200);
  assert.equal(answer.headers.get("content-type"), "text/plain; charset=utf-8");
  assert.equal(await answer.text(), "ok");
  const line = app.logs.find(({ logger }) => logger === "hello");
  assert.equal(line?.message, "got a message");
  assert.equal(line?.flowId, "hello");
  assert.equal(line?.runId, answer.headers.get("x-run-id"));
});

/** Steps -> status, content type, body. */
const answers: readonly (readonly [
  name: string,
  steps: readonly string[],
  status: number,
  type: string | null,
  body: string,
])[] = [
  ["text", ['setBody: { constant: "hi" }'], 200, "text/plain; charset=utf-8", "hi"],
  [
    "text with a type",
    ["setHeader: { name: Content-Type, constant: text/csv }", 'setBody: { constant: "a,b" }'],
    200,
    "text/csv",
    "a,b",
  ],
  ["an empty text", ['setBody: { constant: "" }'], 204, null, ""],
  ["a list", ["setBody: { simple: '${list(1,2)}' }"], 200, "application/json", '["1","2"]'],
  [
    "a status alone keeps ok",
    ["setHeader: { name: CamelHttpResponseCode, constant: 202 }"],
    202,
    "text/plain; charset=utf-8",
    "ok",
  ],
  [
    "204 has no body",
    ["setHeader: { name: CamelHttpResponseCode, constant: 204 }", 'setBody: { constant: "x" }'],
    204,
    null,
    "",
  ],
  ["the request's body, written back", ["setBody: { simple: '${body}' }"], 200, "application/json", '{"a": 1}'],
];

for (const [name, steps, status, type, body] of answers) {
  test(`the answer: ${name}`, async (t) => {
    const app = await startTestApp(t);
    assert.equal((await app.put("f", webhook("r", ...steps))).status, 201);
    const answer = await app.post("/api/r", '{"a": 1}', { "Content-Type": "application/json" });
    assert.equal(answer.status, status);
    assert.equal(answer.headers.get("content-type"), type);
    assert.equal(await answer.text(), body);
  });
}

test("headers that steps set are sent; the request's and Camel's are not", async (t) => {
  const app = await startTestApp(t);
  await app.put(
    "f",
    webhook("r", "setHeader: { name: X-Mine, constant: yes }", "setHeader: { name: CamelFoo, constant: no }"),
  );
  const answer = await app.post("/api/r", "x", { "X-Theirs": "1" });
  assert.equal(answer.headers.get("x-mine"), "yes");
  assert.equal(answer.headers.get("x-theirs"), null);
  assert.equal(answer.headers.get("camelfoo"), null);
});

test("a JSON body renders as sent and is read by key", async (t) => {
  const app = await startTestApp(t);
  await app.put("f", webhook("r", 'setBody: { simple: "${body[n]} of ${body}" }'));
  const answer = await app.post("/api/r", '{ "n": 1.0 }', { "Content-Type": "application/json; charset=utf-8" });
  assert.equal(await answer.text(), '1 of { "n": 1.0 }');
});

test("malformed JSON is refused before the first step", async (t) => {
  const app = await startTestApp(t);
  await app.put("f", webhook("r", 'log: "ran"'));
  for (const body of ["{", " ", "\u00ff"]) {
    const answer = await app.post("/api/r", body, { "Content-Type": "application/json" });
    assert.equal(answer.status, 400);
    assert.equal(answer.headers.get("x-error-code"), "bad_json");
    assert.deepEqual(Object.keys((await answer.json()) as object), ["error"]);
  }
  assert.equal(
    app.logs.some(({ message }) => message === "ran"),
    false,
  );
});

test("control headers and credentials of the runtime never reach a flow, ordinary ones do", async (t) => {
  const app = await startTestApp(t);
  await app.put(
    "f",
    webhook(
      "r",
      'setBody: { simple: "${header.CamelHttpResponseCode}|${header.cAmelX}|${header.authorization}|${header.x-own}|${header.q}" }',
    ),
  );
  const answer = await app.post("/api/r?q=1&CamelHttpResponseCode=500", "x", {
    CAmelX: "1",
    "X-Own": "mine",
    Authorization: "Bearer a-token-for-tests-of-thirty-two-characters",
  });
  assert.equal(answer.status, 200);
  assert.equal(await answer.text(), "|||mine|1");
});

test("a caller's own Authorization reaches the flow", async (t) => {
  const app = await startTestApp(t);
  await app.put("f", webhook("r", 'setBody: { simple: "${header.Authorization}" }'));
  assert.equal(await (await app.post("/api/r", "x", { Authorization: "Bearer theirs" })).text(), "Bearer theirs");
});

test("bytes that are not text arrive and leave as they are", async (t) => {
  const app = await startTestApp(t);
  await app.put("f", webhook("r", 'setBody: { simple: "${body}" }'));
  const bytes = new Uint8Array([0, 255, 1, 254]);
  const answer = await app.post("/api/r", bytes, { "Content-Type": "application/octet-stream" });
  assert.deepEqual(new Uint8Array(await answer.arrayBuffer()), bytes);
});

test("other methods get 405, unknown routes 404, a body over the limit 413, a compressed one 415", async (t) => {
  const app = await startTestApp(t, { limits: { webhookBodyBytes: 1000 } });
  await app.put("f", webhook("r", 'log: "x"'));
  const get = await fetch(`${app.url}/api/r`);
  assert.equal(get.status, 405);
  assert.equal(get.headers.get("allow"), "POST");
  assert.equal((await app.post("/api/nobody", "x")).status, 404);
  // The flow's id in place of the route's.
  const meant = await app.post("/api/f", "x");
  assert.equal(meant.status, 404);
  assert.match(
    ((await meant.json()) as { error: string }).error,
    /^no route answers this path: .* of this id has \/api\/r$/,
  );
  await app.api("/auth/f", {
    ...{ method: "PUT", headers: { "Content-Type": "application/json" } },
    body: JSON.stringify({ apiKeys: [{ name: "shop", sha256: "0".repeat(64) }] }),
  });
  assert.deepEqual(await (await app.post("/api/f", "x")).json(), { error: "no route answers this path" });
  await app.api("/auth/f", { method: "DELETE" });
  assert.equal((await app.post("/api/r", "x".repeat(1001))).status, 413);
  assert.equal((await app.post("/api/r", "x", { "Content-Encoding": "gzip" })).status, 415);
  assert.equal((await app.post("/api/r", "x".repeat(1000))).status, 200);
});

test("a streamed body over the limit is refused too", async (t) => {
  const app = await startTestApp(t, { limits: { webhookBodyBytes: 1000 } });
  await app.put("f", webhook("r", 'log: "x"'));
  const parts = new ReadableStream({
    start(controller) {
      for (let i = 0; i < 20; i++) controller.enqueue(new Uint8Array(100));
      controller.close();
    },
  });
  const answer = await fetch(`${app.url}/api/r`, { method: "POST", body: parts, duplex: "half" } as RequestInit);
  assert.equal(answer.status, 413);
});

test("a failed run answers 500 with the run's id and without its internals", async (t) => {
  const app = await startTestApp(t);
  await app.put(
    "f",
    webhook("r", "throwException: { exceptionType: java.lang.IllegalStateException, message: 'the inside' }"),
  );
  const answer = await app.post("/api/r", "x");
  assert.equal(answer.status, 500);
  assert.equal(answer.headers.get("x-error-code"), "run_failed");
  const text = await answer.text();
  const runId = answer.headers.get("x-run-id");
  assert.deepEqual(JSON.parse(text), { error: `the run ${runId} failed: its record says where and why` });
  const run = (await (await app.api(`/runs/${runId}`)).json()) as {
    error: { type: string; message: string; line: number };
  };
  assert.deepEqual(
    [run.error.type, run.error.message, run.error.line],
    ["java.lang.IllegalStateException", "the inside", 6],
  );
});

test("an inbound trace is continued", async (t) => {
  const app = await startTestApp(t);
  await app.put("f", webhook("r", 'log: "x"'));
  const traceId = "0af7651916cd43dd8448eb211c80319c";
  const answer = await app.post("/api/r", "x", { traceparent: `00-${traceId}-b7ad6b7169203331-01` });
  const [version, id, span] = (answer.headers.get("traceparent") ?? "").split("-");
  assert.deepEqual([version, id], ["00", traceId]);
  assert.notEqual(span, "b7ad6b7169203331");
});

test("a run over its wall time answers 504 and is recorded as a timeout", async (t) => {
  const app = await startTestApp(t);
  await app.put("f", webhook("r", "delay: { constant: 60000 }"), { limits: { webhookWallMs: 150 } });
  const answer = await app.post("/api/r", "x");
  assert.equal(answer.status, 504);
  const run = (await (await app.api(`/runs/${answer.headers.get("x-run-id")}`)).json()) as {
    status: string;
    outcome: string;
  };
  assert.deepEqual([run.status, run.outcome], ["timeout", "timeout"]);
});

test("a caller that hangs up cancels its run", async (t) => {
  const app = await startTestApp(t);
  await app.put("f", webhook("r", 'log: "began"', "delay: { constant: 60000 }", 'log: "went on"'));
  const controller = new AbortController();
  const call = fetch(`${app.url}/api/r`, { method: "POST", body: "x", signal: controller.signal });
  await eventually(() => app.logs.some(({ message }) => message === "began"), "the run began");
  controller.abort();
  await assert.rejects(call);
  const run = await eventually(async () => {
    const [newest] = (await (await app.api("/runs?routeId=r")).json()) as { status: string; outcome: string }[];
    return newest?.status === "running" ? undefined : newest;
  }, "the run ended");
  assert.deepEqual([run.status, run.outcome], ["cancelled", "client_gone"]);
});

test("what waits beyond the queue is refused with 429", async (t) => {
  const held = await heldStep(t);
  const app = await startTestApp(t, { egressAllow: held.host });
  await app.put("f", webhook("r", held.step), { limits: { runsPerThread: 1, queue: 1 } });
  const calls = [1, 2, 3].map(async () => (await app.post("/api/r", "x")).status);
  assert.equal(await Promise.race(calls), 429);
  for (let run = 0; run < 2; run++) {
    await held.holds(1);
    held.letGo();
  }
  assert.deepEqual((await Promise.all(calls)).sort(), [200, 200, 429]);
});
