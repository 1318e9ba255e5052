/** What health says of a route whose runs fail: with the bearer a problem, and DEGRADED only for a probe that asks for it. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { epochMs } from "../support/clock.ts";
import { webhook } from "../support/flows.ts";
import { startTestApp } from "../support/start-app.ts";

const fail = '{ throwException: { id: post, exceptionType: java.net.ConnectException, message: "refused" } }';

interface Health {
  readonly status: string;
  readonly routes: readonly unknown[];
  readonly problems?: readonly Readonly<Record<string, unknown>>[] | undefined;
}

test("a route whose runs fail is a problem; the status is DEGRADED for who asks; a new deployment begins anew", async (t) => {
  const app = await startTestApp(t);
  /** Without what a busy machine is reported for. */
  const health = async (query = ""): Promise<Health> => {
    const { problems, ...report } = (await (await app.api(`/health${query}`)).json()) as Health;
    return { ...report, problems: problems?.filter(({ code }) => code !== "main_loop_late") };
  };
  await app.put("orders", webhook("orders", fail));
  await app.put("well", webhook("well", "log: well"));
  await app.post("/api/well");
  assert.deepEqual((await health()).problems, []);
  const began = epochMs();
  await app.post("/api/orders");
  await app.post("/api/orders");

  const { status, problems = [] } = await health();
  const [{ since = "", lastError, ...problem } = {}, ...more] = problems;
  assert.deepEqual([status, more], ["UP", []]);
  assert.deepEqual(problem, {
    code: "failing_route",
    message: "2 of the last 2 runs of route 'orders' failed",
    ...{ flowId: "orders", routeId: "orders", failed: 2, of: 2 },
  });
  const { at, ...error } = lastError as { at: string };
  assert.deepEqual(error, { type: "java.net.ConnectException", message: "refused" });
  assert.ok(Date.parse(String(since)) >= began && Date.parse(at) >= Date.parse(String(since)));

  assert.equal((await health("?failing=degraded")).status, "DEGRADED");
  const open = (await (await fetch(`${app.url}/_api/health?failing=degraded`)).json()) as Health;
  assert.deepEqual([open.status, open.problems], ["DEGRADED", undefined]);
  assert.deepEqual(open.routes, [
    { id: "orders", flowId: "orders", status: "Started" },
    { id: "well", flowId: "well", status: "Started" },
  ]);
  assert.equal((await app.api("/health?failing=yes")).status, 400);

  await app.put("orders", webhook("orders", "log: mended"));
  assert.deepEqual((await health("?failing=degraded")).status, "UP");
});
