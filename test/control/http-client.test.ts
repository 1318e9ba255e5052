/** Flows that call servers, in a whole runtime: what the operator allows, the threads that they have, what ends with them. */
import assert from "node:assert/strict";
import type { ServerResponse } from "node:http";
import { test } from "node:test";
import { eventually } from "../support/clock.ts";
import { answering, webhook } from "../support/flows.ts";
import { startHttpServer } from "../support/http-server.ts";
import { startTestApp, type TestApp } from "../support/start-app.ts";

/** Milliseconds; what is awaited here comes soon, unless the machine is busy with other things. */
const patience = 60_000;

interface Run {
  readonly id: string;
  readonly status: string;
  readonly error?: { readonly type: string; readonly message: string };
}

async function lastRun(app: TestApp, routeId: string): Promise<Run> {
  const [run] = (await (await app.api(`/runs?routeId=${routeId}&limit=1`)).json()) as Run[];
  assert.ok(run);
  return run;
}

async function standbyThreads(app: TestApp): Promise<number> {
  const metrics = await (await app.api("/metrics")).text();
  return Number(/^bulkhead_standby_threads (\d+)$/m.exec(metrics)?.[1]);
}

test("a private address is refused, with what to do, until EGRESS_ALLOW names it", async (t) => {
  const server = await startHttpServer(t);
  const flow = webhook("r", `to: "${server.url}/a?httpMethod=GET"`);
  const closed = await startTestApp(t);
  assert.equal((await closed.put("f", flow)).status, 201);
  assert.equal((await closed.post("/api/r", "x")).status, 500);
  const { error } = await lastRun(closed, "r");
  assert.equal(error?.type, "EgressDeniedException");
  assert.match(error?.message ?? "", /loopback address.*EGRESS_ALLOW=127\.0\.0\.1/);
  assert.equal(server.heard.length, 0);
  await closed.close();

  const open = await startTestApp(t, { egressAllow: `127.0.0.1:${server.port}` });
  assert.equal((await open.put("f", flow)).status, 201);
  const answer = await open.post("/api/r", "x");
  assert.deepEqual([answer.status, await answer.text()], [200, "ok"]);
  assert.deepEqual(
    server.heard.map(({ method, url }) => `${method} ${url}`),
    ["GET /a"],
  );
});

test("the runtime itself is called only where its port is named, since its own address is allowed like any other", async (t) => {
  const app = await startTestApp(t, { egressAllow: "127.0.0.1" });
  const { port } = new URL(app.url);
  await app.put("good", answering("good", "inside"));
  await app.put("f", webhook("r", `to: "http://127.0.0.1:${port}/api/good"`));
  assert.equal((await app.post("/api/r", "x")).status, 500);
  assert.match((await lastRun(app, "r")).error?.message ?? "", /where the runtime itself listens/);
});

test("a flow that calls out has a thread of its own kind, of which one stands by as long as there is such a flow", async (t) => {
  const server = await startHttpServer(t);
  const app = await startTestApp(t, { egressAllow: "127.0.0.1", limits: { standbyThreads: 1 } });
  await app.put("plain", answering("plain", "x"));
  await eventually(async () => (await standbyThreads(app)) === 1, "only the usual one stands by", patience);
  await app.put("f", webhook("r", `to: "${server.url}"`));
  await eventually(async () => (await standbyThreads(app)) === 2, "one more stands by", patience);
  assert.equal((await app.post("/api/r", "x")).status, 200);
  await app.api("/flows/f", { method: "DELETE" });
  await eventually(async () => (await standbyThreads(app)) === 1, "it is given up", patience);
});

test("connections end with the thread of an idle flow, and the next call has both again", async (t) => {
  const server = await startHttpServer(t);
  const app = await startTestApp(t, { egressAllow: "127.0.0.1" });
  await app.put("f", webhook("r", `to: "${server.url}"`), { limits: { idleMs: 50 } });
  for (let calls = 1; calls <= 2; calls++) {
    assert.equal((await app.post("/api/r", "x")).status, 200);
    await eventually(() => server.open() === 0, "the connection is closed", patience);
    assert.deepEqual([server.heard.length, server.connections()], [calls, calls]);
  }
});

test("a run that is cancelled takes its request with it; the thread and its other runs stay", async (t) => {
  const waiting: ServerResponse[] = [];
  const server = await startHttpServer(t, (_, response) => waiting.push(response));
  const app = await startTestApp(t, { egressAllow: "127.0.0.1" });
  await app.put("f", webhook("r", `to: "${server.url}"`));
  const cancelled = app.post("/api/r", "cancelled");
  await eventually(() => server.heard.length === 1, "the first has arrived", patience);
  const { id } = await lastRun(app, "r");
  const answered = app.post("/api/r", "answered");
  await eventually(() => server.heard.length === 2, "the second has arrived", patience);
  assert.equal((await app.api(`/runs/${id}/cancel`, { method: "POST" })).ok, true);
  assert.equal((await cancelled).status, 503);
  await eventually(() => waiting[0]?.destroyed === true, "its request is gone", patience);
  waiting[1]?.end("done");
  assert.equal(await (await answered).text(), "done");
  assert.deepEqual(
    app.logs.filter(({ message }) => message.includes("killed")),
    [],
  );
});
