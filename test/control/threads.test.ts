/** A flow's threads: what they may touch, how they idle, die and are replaced, and that a hostile one harms nobody. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { readConfig } from "../../src/control/config.ts";
import { eventually } from "../support/clock.ts";
import { answering, webhook } from "../support/flows.ts";
import { startTestApp, type TestApp } from "../support/start-app.ts";

const hostile = new URL("../support/hostile-worker.ts", import.meta.url);

async function metric(app: TestApp, name: string): Promise<number> {
  const text = await (await app.api("/metrics")).text();
  return Number(new RegExp(`^${name}(?:\\{[^}]*\\})? (\\S+)$`, "m").exec(text)?.[1] ?? Number.NaN);
}

test("an idle flow gives its thread back and adopts one at the next call", async (t) => {
  const app = await startTestApp(t, { limits: { idleMs: 50 } });
  await app.put("f", answering("r", "here"));
  assert.equal(await (await app.post("/api/r")).text(), "here");
  await eventually(async () => (await metric(app, "bulkhead_flow_threads")) === 0, "the thread is released");
  assert.equal(await (await app.post("/api/r")).text(), "here");
  const runs = (await (await app.api("/runs?routeId=r")).json()) as { worker: number }[];
  assert.equal(new Set(runs.map(({ worker }) => worker)).size, 2);
});

test("a flow with more threads than one runs in all of them", async (t) => {
  const app = await startTestApp(t);
  await app.put("f", webhook("r", "delay: { constant: 50 }"), { limits: { threads: 2 } });
  assert.equal(await metric(app, "bulkhead_flow_threads"), 2);
  await Promise.all([app.post("/api/r"), app.post("/api/r")]);
  const runs = (await (await app.api("/runs?routeId=r")).json()) as { worker: number }[];
  assert.equal(new Set(runs.map(({ worker }) => worker)).size, 2);
});

test("a thread has no environment, no files, no processes and no network", async (t) => {
  const app = await startTestApp(t, { threadEntry: hostile });
  await app.put("f", answering("r", "x"));
  const answer = await app.post("/api/r", "rights");
  const rights = (await answer.json()) as Readonly<Record<string, string>>;
  // A coverage run has to tell its threads where to write.
  const { BULKHEAD_COVERAGE_DIR: coverage } = process.env;
  assert.equal(rights.env, JSON.stringify(coverage === undefined ? {} : { NODE_V8_COVERAGE: coverage }));
  // Node 24 has no permission for the network.
  const network = Number(process.versions.node.split(".")[0]) >= 26 ? ["connect"] : [];
  for (const what of ["read", "environ", "write", "spawn", "worker", ...network])
    assert.equal(rights[what], "ERR_ACCESS_DENIED", what);
});

test("a thread that posts in a loop is cut off, its flow goes on in another, and neighbours do not notice", async (t) => {
  const app = await startTestApp(t, { threadEntry: hostile });
  await app.put("bad", answering("bad", "x"));
  await app.put("good", answering("good", "x"));
  const flooded = app.post("/api/bad", "flood");
  const neighbour = await app.post("/api/good", "echo");
  assert.equal(neighbour.status, 200);
  assert.equal((await flooded).status, 500);
  assert.ok(app.logs.some(({ message }) => message.includes("(flood)")));
  assert.equal(await (await app.post("/api/bad", "echo")).text(), "echo");
});

test("a thread that dies takes its runs with it, and the next call finds another", async (t) => {
  const app = await startTestApp(t, { threadEntry: hostile });
  await app.put("f", answering("r", "x"));
  const lost = await app.post("/api/r", "exit");
  assert.equal(lost.status, 500);
  assert.equal(lost.headers.get("x-error-code"), "run_killed");
  assert.equal(await (await app.post("/api/r", "echo")).text(), "echo");
  const [, first] = (await (await app.api("/runs?routeId=r")).json()) as { status: string }[];
  assert.equal(first?.status, "killed");
});

test("a stuck thread is killed for the run that it is stuck in, and its neighbours in the thread are collateral", async (t) => {
  const app = await startTestApp(t, { threadEntry: hostile, limits: { cancelGraceMs: 100 } });
  await app.put("f", answering("r", "x"), { limits: { stuckLoopMs: 300 } });
  const waiting = app.post("/api/r", "act");
  await eventually(
    async () => ((await (await app.api("/runs?routeId=r")).json()) as unknown[]).length === 1,
    "a run waits",
  );
  const stuck = await app.post("/api/r", "stuck");
  assert.equal(stuck.status, 500);
  assert.equal((await waiting).status, 500);
  type Told = Record<"id" | "outcome" | "lostWith", string> & { limit: { name: string }; collateral: string[] };
  const [culprit, neighbour] = (await (await app.api("/runs?routeId=r")).json()) as [Told, Told];
  assert.deepEqual([culprit.outcome, culprit.limit.name], ["cpu_limit", "stuckLoopMs"]);
  assert.deepEqual(culprit.collateral, [neighbour.id]);
  assert.deepEqual([neighbour.outcome, neighbour.lostWith], ["collateral", culprit.id]);
});

test("a flow that keeps killing its threads is quarantined, and a PUT lets it out", async (t) => {
  const app = await startTestApp(t, { threadEntry: hostile, limits: { quarantineKills: 2 } });
  await app.put("f", answering("r", "x"));
  await app.post("/api/r", "exit");
  await app.post("/api/r", "exit");
  const refused = await app.post("/api/r", "echo");
  assert.equal(refused.status, 503);
  assert.equal(refused.headers.get("x-error-code"), "flow_quarantined");
  assert.ok(Number(refused.headers.get("retry-after")) > 0);
  const [flow] = (await (await app.api("/flows")).json()) as { state: string }[];
  assert.equal(flow?.state, "Quarantined");
  assert.equal((await app.put("f", answering("r", "x"))).status, 200);
  assert.equal(await (await app.post("/api/r", "echo")).text(), "echo");
});

test("standby threads are kept ready and refilled", async (t) => {
  const app = await startTestApp(t, { limits: { standbyThreads: 2 } });
  await eventually(async () => (await metric(app, "bulkhead_standby_threads")) === 2, "two standby threads");
  await app.put("f", answering("r", "x"));
  await eventually(async () => (await metric(app, "bulkhead_standby_threads")) === 2, "two again");
});

test("LIMIT_STANDBY_THREADS=0 keeps none, and flows boot their own", async (t) => {
  const { standbyThreads } = readConfig({ LIMIT_STANDBY_THREADS: "0" }).limits;
  const app = await startTestApp(t, { limits: { standbyThreads } });
  assert.equal(await metric(app, "bulkhead_standby_threads"), 0);
  await app.put("f", answering("r", "x"));
  assert.equal(await (await app.post("/api/r")).text(), "x");
  assert.equal(await metric(app, "bulkhead_standby_threads"), 0);
});

test("with process isolation this process keeps standby threads only as long as flows have threads in it", async (t) => {
  const app = await startTestApp(t, { limits: { standbyThreads: 2 }, isolation: "process" });
  assert.equal(await metric(app, "bulkhead_standby_threads"), 0);
  await app.put("f", answering("r", "x"), { limits: { isolation: "thread" } });
  await eventually(async () => (await metric(app, "bulkhead_standby_threads")) === 2, "two standby threads");
  await app.api("/flows/f", { method: "DELETE" });
  await eventually(async () => (await metric(app, "bulkhead_standby_threads")) === 0, "none");
});
