/** Runs of real flows that take too much time: they are stopped at the limit, and their thread goes on. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { RunDocument } from "../../../src/control/runs/run-document.ts";
import type { TraceEvent } from "../../../src/shared/trace-event.ts";
import { eventually } from "../../support/clock.ts";
import { answering, webhook } from "../../support/flows.ts";
import { startTestApp, type TestApp } from "../../support/start-app.ts";
import { upTo, watch } from "../../support/watch-stream.ts";

const loop = (step: string): string =>
  `loop: { constant: 100000, steps: [{ loop: { constant: 100000, steps: [{ setHeader: { name: a, simple: "${step}" } }] } }] }`;
const forEver = loop("${body.length()}");
/** Its steps take long enough for time to be over before ten million of them are, on any machine. */
const forEverSlowly = loop("${date:now:yyyy-MM-dd}".repeat(10));
const enough = { stepsPerRun: 10_000_000, stuckLoopMs: 60_000, runCpuMs: 60_000 };

const newest = async (app: TestApp, routeId: string): Promise<RunDocument> => {
  const runs = (await (await app.api(`/runs?routeId=${routeId}`)).json()) as RunDocument[];
  return runs[0] as RunDocument;
};

test("a run that never waits is stopped before its next step, for the limit that it passed, and costs nobody the thread", async (t) => {
  const app = await startTestApp(t);
  const flow = webhook("spin", forEver) + answering("echo", "x");
  const stopped = async (limits: object, answer: readonly [number, string]): Promise<RunDocument> => {
    await app.put("f", flow, { limits: { ...enough, ...limits } });
    assert.equal((await app.post("/api/echo")).status, 200);
    const lost = await app.post("/api/spin", "body");
    assert.deepEqual([lost.status, lost.headers.get("x-error-code")], answer);
    const { error } = (await lost.json()) as { error: string };
    assert.ok(error.includes(`the run ${lost.headers.get("x-run-id")} `), error);
    assert.equal((await app.post("/api/echo")).status, 200);
    const run = await newest(app, "spin");
    assert.equal(run.worker, (await newest(app, "echo")).worker, "the thread was lost");
    assert.ok((run.limit?.used ?? 0) >= (run.limit?.allowed ?? 0));
    return run;
  };
  const reader = await watch(t, app, "/trace/stream?flowId=f");

  const byCpu = await stopped({ runCpuMs: 200 }, [500, "run_killed"]);
  assert.deepEqual([byCpu.status, byCpu.outcome, byCpu.limit?.name], ["killed", "cpu_limit", "runCpuMs"]);
  assert.match(
    byCpu.error?.message ?? "",
    /\(cpu_limit\): it used CPU time: [\d ]+ ms; runCpuMs allows 200: raise the limit runCpuMs with LIMIT_RUN_CPU_MS, for this flow alone with 'runCpuMs' in its limits \(up to [\d ]+, unless/,
  );
  const told = await upTo<TraceEvent>(reader, "trace", ({ type }) => type === "run.killed");
  assert.deepEqual(told.at(-1)?.limit, byCpu.limit);

  const byLoop = await stopped({ stuckLoopMs: 300 }, [500, "run_killed"]);
  assert.deepEqual([byLoop.status, byLoop.outcome, byLoop.limit?.name], ["killed", "cpu_limit", "stuckLoopMs"]);

  const byTime = await stopped({ webhookWallMs: 300 }, [504, "run_timeout"]);
  assert.deepEqual([byTime.status, byTime.outcome], ["timeout", "timeout"]);
  assert.deepEqual([byTime.limit?.name, byTime.limit?.allowed], ["webhookWallMs", 300]);
});

test("a step that does not end costs the thread at stuckLoopMs, also when the thread has had other work since the run began", async (t) => {
  const app = await startTestApp(t, { limits: { cancelGraceMs: 120_000 } });
  const spin = webhook("spin", `delay: { constant: 300 }`, `script: { js: "for (;;);" }`);
  await app.put("f", spin + answering("echo", "x"), { limits: { ...enough, stuckLoopMs: 300, scriptMs: 20_000 } });
  const spinning = app.post("/api/spin");
  assert.equal((await app.post("/api/echo")).status, 200);
  const { worker } = await newest(app, "echo");
  assert.equal((await spinning).headers.get("x-error-code"), "run_killed");
  assert.equal((await app.post("/api/echo")).status, 200);
  assert.notEqual((await newest(app, "echo")).worker, worker, "the run was ended by another limit");
});

test("a run whose time is over while its thread is busy with another one ends, and the other one goes on", async (t) => {
  const app = await startTestApp(t, { limits: { cancelGraceMs: 800 } });
  const busy = `- route:\n    id: busy\n    from:\n      uri: timer:t?repeatCount=1&delay=0\n      steps:\n        - ${forEverSlowly}\n`;
  // Both times are what a busy machine needs for the last call, and to stop a run that is asked to.
  const limits = { ...enough, webhookWallMs: 1_000, timerWallMs: 60_000 };
  await app.put("f", busy + answering("echo", "x"), { limits });
  await eventually(async () => (await newest(app, "busy"))?.worker, "the other one is under way");
  assert.equal((await app.post("/api/echo")).status, 504);
  // When this one has waited in vain, the grace of the one before is over, too.
  assert.equal((await app.post("/api/echo")).status, 504);
  const other = await newest(app, "busy");
  assert.equal(other.status, "running");
  assert.equal((await app.api(`/runs/${other.id}/cancel`, { method: "POST" })).status, 202);
  const over = await eventually(async () => {
    const run = await newest(app, "busy");
    return run.status === "running" ? undefined : run;
  }, "the other one has stopped");
  assert.deepEqual([over.status, over.outcome], ["cancelled", "cancelled"]);
  assert.equal((await app.post("/api/echo")).status, 200);
  assert.equal((await newest(app, "echo")).worker, over.worker, "the thread was lost");
});
