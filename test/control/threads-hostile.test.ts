/** Threads that do not keep to the protocol, do not boot, or do not end: each costs its own flow a run, and nobody else anything. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { eventually } from "../support/clock.ts";
import { answering } from "../support/flows.ts";
import { startTestApp } from "../support/start-app.ts";

const hostile = new URL("../support/hostile-worker.ts", import.meta.url);

test("a thread that leaves is replaced, and its run ends", async (t) => {
  const app = await startTestApp(t, { threadEntry: hostile });
  await app.put("f", answering("r", "x"));
  assert.equal((await app.post("/api/r", "leave")).status, 500);
  assert.equal(await (await app.post("/api/r", "echo")).text(), "echo");
  const runs = (await (await app.api("/runs?routeId=r")).json()) as { status: string }[];
  assert.deepEqual(
    runs.map(({ status }) => status),
    ["completed", "killed"],
  );
});

test("threads that do not boot fail the deployment in plain words, and hold nobody up", async (t) => {
  const app = await startTestApp(t, { threadEntry: new URL("../support/no-such-worker.ts", import.meta.url) });
  for (const limits of [{}, { threads: 3 }, { workerMemoryBytes: 600_000_000 }]) {
    const refused = await app.put("f", answering("r", "x"), { limits });
    assert.equal(refused.status, 500);
    const { error } = (await refused.json()) as { error: string };
    assert.equal(error.includes("/"), false, error);
  }
  assert.ok(app.logs.some(({ message }) => message.includes("no-such-worker")));
  const good = await startTestApp(t);
  assert.equal((await good.put("f", answering("r", "x"))).status, 201);
});

test("a thread that is busy for ever after its answer is killed when its deployment goes", async (t) => {
  const app = await startTestApp(t, { threadEntry: hostile, limits: { cancelGraceMs: 100 } });
  await app.put("f", answering("r", "x"));
  assert.equal(await (await app.post("/api/r", "busy after")).text(), "busy after");
  const put = (await (await app.put("f", answering("r", "y"), {}, "?drainMs=5000")).json()) as {
    swap: { drained: number; killed: number };
  };
  assert.deepEqual([put.swap.drained, put.swap.killed], [0, 0]);
  assert.equal(await (await app.post("/api/r", "echo")).text(), "echo");
});

test("a caller that leaves a run which does not stop costs the thread nothing before the run's deadline; an operator may be quicker", async (t) => {
  const app = await startTestApp(t, { threadEntry: hostile, limits: { cancelGraceMs: 50 } });
  await app.put("f", answering("r", "x"), { limits: { webhookWallMs: 1500 } });
  const record = async () => {
    const runs = (await (await app.api("/runs?routeId=r")).json()) as {
      id: string;
      status: string;
      durationMs: number;
    }[];
    return runs[0];
  };
  const controller = new AbortController();
  const left = fetch(`${app.url}/api/r`, { method: "POST", body: "wait", signal: controller.signal });
  await eventually(async () => (await record())?.status === "running", "the run began");
  controller.abort();
  await assert.rejects(left);
  const over = await eventually(async () => {
    const run = await record();
    return run?.status === "running" ? undefined : run;
  }, "the run is over");
  assert.equal(over.status, "cancelled");
  assert.ok(over.durationMs >= 1500, `after ${over.durationMs} ms`);

  await app.put("f", answering("r", "x"), { limits: { webhookWallMs: 60_000 } });
  const stuck = app.post("/api/r", "wait");
  const run = await eventually(async () => {
    const newest = await record();
    return newest?.status === "running" ? newest : undefined;
  }, "the run began");
  await app.api(`/runs/${run.id}/cancel`, { method: "POST" });
  assert.equal((await stuck).headers.get("x-error-code"), "run_cancelled");
});

test("a flow of several threads that loses one goes on in the others and gets it back", async (t) => {
  const app = await startTestApp(t, { threadEntry: hostile });
  await app.put("f", answering("r", "x"), { limits: { threads: 2, runsPerThread: 1 } });
  for (let i = 0; i < 3; i++) assert.equal((await app.post("/api/r", "exit")).status, 500);
  const threads = async (): Promise<string> =>
    /bulkhead_flow_threads\{[^}]*\} (\d+)/.exec(await (await app.api("/metrics")).text())?.[1] ?? "";
  await eventually(async () => (await threads()) === "2", "both threads are there");
  const waiting = app.post("/api/r", "wait");
  await eventually(
    async () => ((await (await app.api("/runs?status=running")).json()) as unknown[]).length === 1,
    "one thread is taken",
  );
  assert.equal(await (await app.post("/api/r", "echo")).text(), "echo");
  await app.api("/flows/f?drainMs=0", { method: "DELETE" });
  assert.equal((await waiting).status, 503);
});

test("a start lets a quarantined flow out", async (t) => {
  const app = await startTestApp(t, { threadEntry: hostile, limits: { quarantineKills: 1 } });
  await app.put("f", answering("r", "x"));
  assert.equal((await app.post("/api/r", "exit")).status, 500);
  assert.equal((await app.post("/api/r", "echo")).status, 503);
  assert.equal((await app.api("/flows/f/start", { method: "POST" })).status, 200);
  assert.equal(await (await app.post("/api/r", "echo")).text(), "echo");
});

test("after its rest a quarantined flow is tried again", async (t) => {
  const app = await startTestApp(t, { threadEntry: hostile, limits: { quarantineKills: 1, quarantineMs: 100 } });
  await app.put("f", answering("r", "x"));
  assert.equal((await app.post("/api/r", "exit")).status, 500);
  assert.equal((await app.post("/api/r", "echo")).status, 503);
  await eventually(async () => (await app.post("/api/r", "echo")).status === 200, "the trial");
});
