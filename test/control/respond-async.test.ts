/** `Prefer: respond-async` (RFC 7240 4.1): the caller gets 202 and the run's address, and the run does not need the caller. */
import assert from "node:assert/strict";
import { request } from "node:http";
import { test } from "node:test";
import { eventually } from "../support/clock.ts";
import { webhook } from "../support/flows.ts";
import { startTestApp, type TestApp } from "../support/start-app.ts";

const async = { Prefer: "respond-async" };

async function statusOf(app: TestApp, runId: string | null): Promise<string> {
  return ((await (await app.api(`/runs/${runId}`)).json()) as { status: string }).status;
}

function logged(app: TestApp, text: string): number {
  return app.logs.filter(({ message }) => message === text).length;
}

test("a call is answered 202 with the run's address while the run goes on", async (t) => {
  const app = await startTestApp(t);
  await app.put("f", webhook("r", 'log: "began"', "delay: { simple: '${body}' }", 'log: "ended"'));
  const answer = await app.post("/api/r", "60000", { ...async, "X-Request-Id": "mine" });
  assert.equal(answer.status, 202);
  const runId = answer.headers.get("x-run-id");
  assert.equal(answer.headers.get("location"), `/_api/runs/${runId}`);
  assert.equal(answer.headers.get("preference-applied"), "respond-async");
  assert.equal(answer.headers.get("x-request-id"), "mine");
  assert.match(answer.headers.get("traceparent") ?? "", /^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/);
  assert.equal(answer.headers.get("content-type"), "application/json");
  assert.deepEqual(await answer.json(), { runId, status: "running" });
  const run = (await (await fetch(`${app.url}${answer.headers.get("location")}`)).json()) as { error: string };
  assert.equal(run.error, "unauthorized");
  assert.equal(await statusOf(app, runId), "running");
  await app.api(`/runs/${runId}/cancel`, { method: "POST" });
  await eventually(async () => (await statusOf(app, runId)) === "cancelled", "an operator ends it");

  // On one connection, which is used again: the answer of the run behind it goes nowhere.
  for (const prefer of [
    "RESPOND-ASYNC",
    "wait=10, respond-async",
    "respond-async; wait=10",
    "handling=lenient, respond-async",
  ]) {
    const other = await app.post("/api/r", "0", { Prefer: prefer });
    assert.equal(other.status, 202, prefer);
    assert.equal(other.headers.get("preference-applied"), "respond-async");
    await eventually(async () => (await statusOf(app, other.headers.get("x-run-id"))) === "completed", "it is over");
  }
  for (const prefer of ["wait=10", "respond-asynchronously", "return=minimal"]) {
    const other = await app.post("/api/r", "0", { Prefer: prefer });
    assert.deepEqual([other.status, other.headers.get("preference-applied")], [200, null], prefer);
  }
});

test("the run goes on when its caller hangs up, and is finished before the runtime ends", async (t) => {
  const app = await startTestApp(t, { limits: { shutdownMs: 60_000 } });
  await app.put("f", webhook("r", 'log: "began"', "delay: { constant: 700 }", 'log: "ended"'));
  const call = request(`${app.url}/api/r`, { method: "POST", headers: async });
  const answered = new Promise((resolve) => call.once("response", resolve));
  call.end("x");
  await answered;
  call.destroy();
  await eventually(() => logged(app, "began") === 1, "the run began");
  await app.close();
  assert.equal(logged(app, "ended"), 1);
});

test("a call that arrives whole while the runtime ends is carried out before it does", async (t) => {
  const app = await startTestApp(t, { limits: { shutdownMs: 60_000 } });
  await app.put("f", webhook("r", "delay: { constant: 300 }", 'log: "ended"'));
  const call = request(`${app.url}/api/r`, { method: "POST", headers: { ...async, Expect: "100-continue" } });
  const continued = new Promise((resolve) => call.once("continue", resolve));
  const answered = new Promise<number | undefined>((resolve) => call.once("response", (r) => resolve(r.statusCode)));
  call.flushHeaders();
  await continued;
  const closed = app.close();
  call.end("x");
  assert.equal(await answered, 202);
  await closed;
  assert.equal(logged(app, "ended"), 1);
});

test("what is known before the run begins is answered as ever", async (t) => {
  const app = await startTestApp(t, { limits: { webhookBodyBytes: 1000 } });
  await app.put("f", webhook("r", 'log: "began"', "delay: { constant: 60000 }"), {
    limits: { runsPerThread: 1, queue: 1 },
  });
  assert.equal((await app.post("/api/r", "x".repeat(1001), async)).status, 413);
  assert.equal((await app.post("/api/nobody", "x", async)).status, 404);
  assert.equal((await app.post("/api/r", "x", { ...async, "Content-Encoding": "gzip" })).status, 415);
  const statuses: number[] = [];
  for (let i = 0; i < 3; i += 1) statuses.push((await app.post("/api/r", "x", async)).status);
  assert.deepEqual(statuses, [202, 202, 429]);
  const shed = await app.post("/api/r", "x", async);
  assert.deepEqual([shed.headers.get("location"), shed.headers.get("x-error-code")], [null, "queue_full"]);
  const record = await (await app.api(`/runs/${shed.headers.get("x-run-id")}`)).json();
  assert.equal((record as { httpStatus: number }).httpStatus, 429);

  // A replaced flow finishes such runs as it does others, within its time.
  const replaced = await app.put("f", webhook("r", "setBody: { constant: new }"), {}, "?drainMs=0");
  assert.equal(replaced.status, 200);
  const running = (await (await app.api("/runs?status=killed")).json()) as { outcome: string }[];
  assert.deepEqual(
    running.map(({ outcome }) => outcome),
    ["redeploy", "redeploy"],
  );
  await app.api("/flows/f/stop", { method: "POST" });
  assert.equal((await app.post("/api/r", "x", async)).status, 503);
});
