import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { FlowsHealth } from "../../../src/control/flows/flow-service.ts";
import { assertError } from "./answers.ts";
import { openApi, token } from "./services.ts";

const route = {
  uptime: 3,
  inflight: 1,
  queued: 0,
  restarts: 2,
  hash: "ab",
  lastError: { type: "X", message: "secret detail", at: "2026-01-01T00:00:00.000Z" },
};
const health: FlowsHealth = {
  boot: { flows: 2, loaded: 2, compiled: 1 },
  flows: 2,
  routes: [
    { id: "b", flowId: "f", status: "Started", ...route },
    { id: "a", flowId: "f", status: "Failed", ...route, lastError: null },
  ],
  failedFiles: [{ file: "bad.yml", reason: "rename it to bad.yaml" }],
  store: { writable: true },
};
const open = (fields: Partial<FlowsHealth> = {}) => ({ flows: { health: () => ({ ...health, ...fields }) } });

describe("GET /_api/health", () => {
  it("shows every caller uptime, engine and three fields of each route", async (t) => {
    const { url } = await openApi(t, open());
    for (const headers of [{}, { Authorization: "Bearer wrong" }] as Record<string, string>[]) {
      const response = await fetch(`${url}/_api/health`, { headers });
      assert.equal(response.status, 200);
      assert.equal(response.headers.get("cache-control"), "no-store");
      const { uptime, ...rest } = (await response.json()) as { uptime: number };
      assert.ok(uptime >= 5 && uptime < 60);
      assert.deepEqual(rest, {
        status: "DEGRADED",
        version: "1.2.3",
        engine: { name: "bulkhead", version: "1.2.3", dsl: "camel-yaml-4" },
        counts: { flows: 2, routes: 2, started: 1, failed: 1, failedFiles: 1 },
        boot: { flows: 2, loaded: 2, compiled: 1 },
        routes: [
          { id: "b", flowId: "f", status: "Started" },
          { id: "a", flowId: "f", status: "Failed" },
        ],
      });
    }
  });

  it("shows the reasons to the holder of the token", async (t) => {
    const { send } = await openApi(t, open());
    const body = (await (await send("GET", "/_api/health")).json()) as FlowsHealth;
    assert.deepEqual(body.routes, health.routes);
    assert.deepEqual(body.failedFiles, health.failedFiles);
  });

  it("is UP when all is well", async (t) => {
    const { url } = await openApi(t, open({ failedFiles: [], routes: [] }));
    const body = (await (await fetch(`${url}/_api/health`)).json()) as { status: string };
    assert.equal(body.status, "UP");
  });

  it("is DEGRADED when flows cannot be changed, and shows the reason to the holder of the token", async (t) => {
    const store = { writable: false, reason: "the disk is full" };
    const { url, send } = await openApi(t, open({ failedFiles: [], routes: [], store }));
    const told = (await (await fetch(`${url}/_api/health`)).json()) as { status: string; store?: unknown };
    assert.deepEqual([told.status, told.store], ["DEGRADED", undefined]);
    const detailed = (await (await send("GET", "/_api/health")).json()) as { store?: unknown };
    assert.deepEqual(detailed.store, store);
  });

  it("is DEGRADED when the runtime has a problem, and shows it to the holder of the token", async (t) => {
    const problems = [{ code: "stuck_thread", message: "in native code" }] as const;
    const services = { problems: () => problems };
    const { url, send } = await openApi(t, { ...open({ failedFiles: [], routes: [] }), services });
    const told = (await (await fetch(`${url}/_api/health`)).json()) as { status: string; problems?: unknown };
    assert.deepEqual([told.status, told.problems], ["DEGRADED", undefined]);
    const detailed = (await (await send("GET", "/_api/health")).json()) as { problems?: unknown };
    assert.deepEqual(detailed.problems, problems);
  });

  it("is UP while its main loop is late, and shows the problem to the holder of the token", async (t) => {
    const problems = [{ code: "main_loop_late", message: "late" }] as const;
    const { send } = await openApi(t, {
      ...open({ failedFiles: [], routes: [] }),
      services: { problems: () => problems },
    });
    const told = (await (await send("GET", "/_api/health")).json()) as { status: string; problems?: unknown };
    assert.deepEqual([told.status, told.problems], ["UP", problems]);
  });

  it("is rendered once for simultaneous callers without the token, and for each call with it", async (t) => {
    let made = 0;
    const { url, send } = await openApi(t, {
      flows: {
        health() {
          made += 1;
          return { ...health, flows: made };
        },
      },
    });
    let now = 1_000_000;
    t.mock.method(performance, "now", () => now);
    const counts = async (answer: Response) => ((await answer.json()) as { counts: { flows: number } }).counts.flows;
    const ask = async () => counts(await fetch(`${url}/_api/health`));
    assert.deepEqual([await ask(), await ask(), await ask()], [1, 1, 1]);
    assert.equal(await counts(await send("GET", "/_api/health")), 2);
    now += 100;
    assert.deepEqual([await ask(), await ask()], [3, 3]);
  });

  it("503 for the readiness probe only while not ready", async (t) => {
    const { url } = await openApi(t, { flows: { ready: () => false } });
    await assertError(await fetch(`${url}/_api/health?probe=ready`), 503, "not_ready");
    assert.equal((await fetch(`${url}/_api/health`)).status, 200);
    assert.equal((await fetch(`${url}/_api/health?probe=live`)).status, 200);
    assert.equal((await fetch(`${url}/_api/health?probe=ready`, { method: "HEAD" })).status, 503);
  });

  it("200 for the readiness probe once ready, whatever parameters a load balancer adds", async (t) => {
    const { url } = await openApi(t, open());
    assert.equal((await fetch(`${url}/_api/health?probe=ready&_=1`)).status, 200);
    await assertError(await fetch(`${url}/_api/health?probe=both`), 400, "bad_query");
  });

  it("HEAD has no body; other methods are refused with the allowed ones", async (t) => {
    const { url, send } = await openApi(t, open());
    const head = await fetch(`${url}/_api/health`, { method: "HEAD" });
    assert.equal(head.status, 200);
    assert.equal(await head.text(), "");
    const post = await send("POST", "/_api/health");
    assert.equal(post.headers.get("allow"), "GET, HEAD, OPTIONS");
    await assertError(post, 405, "method_not_allowed");
    await assertError(await fetch(`${url}/_api/health`, { method: "POST" }), 401, "unauthorized");
    await assertError(await fetch(`${url}/_api/health/`, { headers: { Authorization: `Bearer ${token}` } }), 404);
  });
});
