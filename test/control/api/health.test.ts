/** `GET /_api/health`: what every caller sees, what only the holder of the token sees, and which states are DEGRADED. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { FastifyReply, FastifyRequest } from "fastify";
import { healthEndpoints } from "../../../src/control/api/health.ts";
import type { Services } from "../../../src/control/api/services.ts";
import { monotonicMs } from "../../support/clock.ts";
import { answering, direct, webhook } from "../../support/flows.ts";
import { startTestApp } from "../../support/start-app.ts";
import { assertError, send } from "./calls.ts";

test("the health of a runtime with a file that cannot be loaded", async (t) => {
  const app = await startTestApp(t, {
    files: {
      "f.yaml":
        answering("b", "x") + direct("a", "a", "throwException: { exceptionType: a.B, message: secret detail }"),
      "g.yaml": webhook("c", "to: direct:a"),
      "bad.yml": answering("x", "x"),
    },
  });
  await app.post("/api/c");
  const report = async (headers?: Record<string, string>): Promise<Record<string, unknown>> => {
    const answer = await fetch(`${app.url}/_api/health`, headers && { headers });
    assert.equal(answer.status, 200);
    assert.equal(answer.headers.get("cache-control"), "no-store");
    return (await answer.json()) as Record<string, unknown>;
  };

  await t.test("shows every caller figures, and three fields of each route", async () => {
    for (const headers of [undefined, { Authorization: "Bearer wrong" }]) {
      const { uptime, ...rest } = await report(headers);
      assert.ok(typeof uptime === "number" && uptime > 0 && uptime < 600);
      assert.deepEqual(rest, {
        status: "DEGRADED",
        version: "0.0.0-test",
        engine: { name: "bulkhead", version: "0.0.0-test", dsl: "camel-yaml-4" },
        counts: { flows: 2, routes: 3, started: 3, failed: 0, failedFiles: 1 },
        boot: { flows: 2, loaded: 2, compiled: 2 },
        routes: [
          { id: "b", flowId: "f", status: "Started" },
          { id: "a", flowId: "f", status: "Started" },
          { id: "c", flowId: "g", status: "Started" },
        ],
      });
    }
  });

  await t.test("shows the reasons to the holder of the token", async () => {
    const detailed = (await (await send(app, "GET", "/health")).json()) as {
      readonly status: string;
      readonly routes: readonly { readonly id: string; readonly lastError: object | null }[];
      readonly [field: string]: unknown;
    };
    assert.equal(detailed.status, "DEGRADED");
    assert.deepEqual(
      detailed.routes.map((route) => Object.keys(route).sort().join()),
      Array(3).fill("flowId,hash,id,inflight,lastError,queued,restarts,status,uptime"),
    );
    const errors = new Map(detailed.routes.map((route) => [route.id, route.lastError]));
    assert.deepEqual([errors.get("a") !== null, errors.get("b")], [true, null], "each route has its own last error");
    const { lastError } = detailed.routes.find(({ id }) => id === "c") ?? {};
    assert.match(JSON.stringify(lastError), /"type":"a\.B","message":"secret detail"/);
    const [failed, ...more] = detailed["failedFiles"] as { readonly file: string; readonly reason: string }[];
    assert.deepEqual([failed?.file, more], ["bad.yml", []]);
    assert.match(failed?.reason ?? "", /rename it to 'bad\.yaml'/);
    // A busy machine may add that the main loop is late.
    const problems = detailed["problems"] as { readonly code: string; readonly routeId?: string }[];
    const failing = problems.filter(({ code }) => code === "failing_route");
    assert.deepEqual(
      failing.map(({ routeId }) => routeId),
      ["a", "c"],
    );
    assert.deepEqual(detailed["store"], { writable: true });
  });

  await t.test("is rendered ten times a second at most for callers without the token", async () => {
    const began = monotonicMs();
    const uptimes = new Set<unknown>();
    for (let i = 0; i < 40; i++) uptimes.add((await report())["uptime"]);
    const most = Math.floor((monotonicMs() - began) / 100) + 2;
    assert.ok(uptimes.size <= most, `${uptimes.size} reports, ${most} at most`);
  });

  await t.test("is a probe, whatever parameters a load balancer adds", async () => {
    const probe = (query: string, method = "GET") => fetch(`${app.url}/_api/health?${query}`, { method });
    assert.equal((await probe("probe=ready&_=1")).status, 200);
    assert.equal((await probe("probe=live")).status, 200);
    await assertError(await probe("probe=both"), 400, "bad_query");
    const head = await probe("", "HEAD");
    assert.deepEqual([head.status, await head.text()], [200, ""]);
  });

  await t.test("refuses other methods with the allowed ones, and other paths", async () => {
    const post = await send(app, "POST", "/health");
    assert.equal(post.headers.get("allow"), "GET, HEAD, OPTIONS");
    await assertError(post, 405, "method_not_allowed");
    await assertError(await fetch(`${app.url}/_api/health`, { method: "POST" }), 401, "unauthorized");
    await assertError(await send(app, "GET", "/health/"), 404);
  });
});

interface Parts {
  readonly store?: object;
  readonly problems?: readonly object[];
  readonly audit?: object;
}

const reason = "the disk is full";

/** States that a whole runtime has only by chance, or on a machine that fails. */
const states: readonly (readonly [what: string, status: string, parts: Parts])[] = [
  ["nothing is wrong", "UP", {}],
  ["the store cannot be written", "DEGRADED", { store: { writable: false, reason } }],
  ["a thread is in native code", "DEGRADED", { problems: [{ code: "stuck_thread", message: "x" }] }],
  ["the main loop is late", "UP", { problems: [{ code: "main_loop_late", message: "x" }] }],
  ["the audit log cannot be written", "DEGRADED", { audit: { writable: false, reason } }],
];

for (const [what, status, { store = { writable: true }, problems = [], audit = { writable: true } }] of states) {
  test(`the status is ${status} when ${what}, and only the holder of the token sees that`, () => {
    const boot = { flows: 0, loaded: 0, compiled: 0 };
    const services = {
      flows: { health: () => ({ boot, flows: 0, routes: [], failedFiles: [], store }) },
      problems: () => problems,
      consumers: () => [],
      audit: { trail: { status: () => audit } },
      runtime: { version: "1", startedAt: 0 },
    } as unknown as Services;
    const [endpoint] = healthEndpoints(services);
    const report = (authenticated: boolean): Record<string, unknown> =>
      endpoint?.handle({ query: {} } as FastifyRequest, {} as FastifyReply, authenticated) as Record<string, unknown>;
    const open = report(false);
    assert.equal(open["status"], status);
    for (const field of ["store", "problems", "audit"]) assert.ok(!(field in open), field);
    const detailed = report(true);
    assert.deepEqual(
      [detailed["status"], detailed["store"], detailed["problems"], detailed["audit"]],
      [status, store, problems, audit],
    );
  });
}
