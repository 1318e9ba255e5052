/** The specification's health report, run history and event streams, through a real socket. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { answering, direct, webhook } from "../support/flows.ts";
import { startTestApp } from "../support/start-app.ts";
import { eventsOf, upTo, watch } from "../support/watch-stream.ts";
import { assertUnauthorized } from "./answers.ts";

test("health is open and tells uptime, the engine's version and every route's status", async (t) => {
  const app = await startTestApp(t);
  await app.put("one", `${answering("a", "x")}${direct("b", "b", 'log: "x"')}`);
  await app.put("two", answering("c", "x"));
  await app.api("/flows/two/stop", { method: "POST" });
  for (const headers of [{}, { Authorization: "Bearer wrong" }]) {
    const answer = await fetch(`${app.url}/_api/health`, { headers });
    assert.equal(answer.status, 200);
    const health = (await answer.json()) as {
      status: string;
      uptime: number;
      engine: { name: string; version: string };
      routes: { id: string; flowId: string; status: string }[];
    };
    assert.equal(health.status, "UP");
    assert.ok(health.uptime > 0);
    assert.deepEqual([health.engine.name, health.engine.version], ["bulkhead", "0.0.0-test"]);
    assert.deepEqual(health.routes, [
      { id: "a", flowId: "one", status: "Started" },
      { id: "b", flowId: "one", status: "Started" },
      { id: "c", flowId: "two", status: "Stopped" },
    ]);
  }
});

test("runs are listed by route, the newest first, as many as limit says", async (t) => {
  const app = await startTestApp(t);
  await app.put("f", `${answering("a", "x")}${webhook("b", 'log: "x"')}`);
  const ids: string[] = [];
  for (let i = 0; i < 4; i++) ids.push((await app.post("/api/a")).headers.get("x-run-id") ?? "");
  await app.post("/api/b");
  const runs = async (query: string): Promise<{ id: string; routeId: string }[]> =>
    (await (await app.api(`/runs?${query}`)).json()) as { id: string; routeId: string }[];
  const found = await runs("routeId=a");
  assert.deepEqual(
    found.map(({ id }) => id),
    ids.toReversed(),
  );
  assert.ok(found.every(({ routeId }) => routeId === "a"));
  assert.deepEqual(
    (await runs("routeId=a&limit=2")).map(({ id }) => id),
    ids.toReversed().slice(0, 2),
  );
  assert.deepEqual(await runs("routeId=nobody"), []);
  for (const limit of ["0", "-1", "x", "1.5"])
    assert.equal((await app.api(`/runs?routeId=a&limit=${limit}`)).status, 400, limit);
});

test("a route's run history is a ring in memory: the oldest go first, and a restart empties it", async (t) => {
  const app = await startTestApp(t, { limits: { runsPerRoute: 3 } });
  await app.put("f", `${answering("a", "x")}${answering("b", "x")}`);
  await app.post("/api/b");
  const ids: string[] = [];
  for (let i = 0; i < 5; i++) ids.push((await app.post("/api/a")).headers.get("x-run-id") ?? "");
  const runs = (await (await app.api("/runs?routeId=a")).json()) as { id: string }[];
  assert.deepEqual(
    runs.map(({ id }) => id),
    ids.slice(2).toReversed(),
  );
  assert.equal(((await (await app.api("/runs?routeId=b")).json()) as unknown[]).length, 1);
  const limits = await (await app.api("/limits")).text();
  assert.match(limits, /runsPerRoute/);
  await app.close();

  const again = await startTestApp(t, { directory: app.directory });
  assert.deepEqual(await (await again.api("/runs?routeId=a")).json(), []);
});

test("trace and log events are server-sent events, behind the bearer", async (t) => {
  const app = await startTestApp(t);
  await app.put("f", webhook("r", 'log: "a line"'));
  for (const path of ["/_api/trace/stream", "/_api/logs/stream"]) {
    await assertUnauthorized(await fetch(app.url + path));
    await assertUnauthorized(await fetch(app.url + path, { headers: { Authorization: "Bearer wrong" } }));
    const open = await app.api(path.slice("/_api".length));
    assert.equal(open.status, 200);
    assert.match(open.headers.get("content-type") ?? "", /^text\/event-stream\b/);
    await open.body?.cancel();
  }
  const traces = await watch(t, app, "/trace/stream");
  const logs = await watch(t, app, "/logs/stream");
  const runId = (await app.post("/api/r")).headers.get("x-run-id");
  await upTo<{ type: string }>(traces, "trace", ({ type }) => type === "run.completed");
  await upTo<{ message: string }>(logs, "log", ({ message }) => message === "a line");
  assert.ok(eventsOf<{ runId: string }>(traces, "trace").every((event) => event.runId === runId));
  assert.equal(eventsOf<{ runId: string; message: string }>(logs, "log").at(-1)?.runId, runId);
});

test("paths carry no version segment", async (t) => {
  const app = await startTestApp(t);
  const { paths } = (await (await app.api("/openapi.json")).json()) as { paths: Record<string, unknown> };
  const all = Object.keys(paths);
  assert.ok(all.length > 20);
  for (const path of all) {
    assert.match(path, /^\/_api\//);
    assert.doesNotMatch(path, /\/v\d/);
  }
});
