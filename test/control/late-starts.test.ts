/** Flows that begin by calls only have no thread after a start until they are called; one that cannot start is reported all the same. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { eventually, quiet } from "../support/clock.ts";
import { answering, direct, webhook } from "../support/flows.ts";
import { holdThreads, lateFlowThread } from "../support/hold-threads.ts";
import { startTestApp, type TestApp } from "../support/start-app.ts";

interface Health {
  readonly status: string;
  readonly boot: { readonly flows: number; readonly loaded: number; readonly compiled: number };
}

async function healthOf(app: TestApp): Promise<Health> {
  return (await (await fetch(`${app.url}/_api/health`)).json()) as Health;
}

async function threadsOf(app: TestApp, id: string): Promise<number> {
  const { usage } = (await (await app.api(`/flows/${id}`)).json()) as { usage: { threads: number } };
  return usage.threads;
}

const byClock = (id: string): string =>
  `- route:\n    id: ${id}\n    from:\n      uri: timer:t?delay=1h\n      steps:\n        - log: x\n`;

test("only flows in which something begins by itself have a thread after a start", async (t) => {
  const app = await startTestApp(t, {
    files: {
      "calls.yaml": answering("called", "here"),
      "called.yaml": direct("behind", "name", "log: x"),
      "clock.yaml": byClock("tick"),
      "queue.yaml": `${webhook("in", "to: seda:q")}- route:\n    id: out\n    from:\n      uri: seda:q\n      steps:\n        - log: x\n`,
      "state.yaml": webhook("limited", "throttle: { constant: 5 }"),
    },
  });
  const ids = ["calls", "called", "clock", "queue", "state"];
  assert.deepEqual(await Promise.all(ids.map((id) => threadsOf(app, id))), [0, 0, 1, 1, 1]);
  assert.deepEqual((await healthOf(app)).boot, { flows: 5, loaded: 5, compiled: 3 });
  assert.equal(await (await app.post("/api/called")).text(), "here");
  assert.equal(await threadsOf(app, "calls"), 1);
});

test("the others are compiled behind, and their threads go again", async (t) => {
  const files = Object.fromEntries([0, 1, 2].map((i) => [`f${i}.yaml`, answering(`r${i}`, `${i}`)]));
  const app = await startTestApp(t, { files });
  assert.equal((await healthOf(app)).boot.compiled, 0);
  await eventually(async () => (await healthOf(app)).boot.compiled === 3, "all are compiled");
  assert.equal((await healthOf(app)).status, "UP");
  await eventually(async () => (await threadsOf(app, "f2")) === 0, "no thread is left");
  assert.equal(await (await app.post("/api/r2")).text(), "2");
});

test("a flow that cannot start is Failed although nobody has called it", async (t) => {
  const held = holdThreads(1000);
  const limits = { threadBootMs: 100 };
  const app = await startTestApp(t, { files: { "f.yaml": answering("r", "x") }, threadEntry: lateFlowThread, limits });
  assert.equal((await healthOf(app)).status, "UP");
  await eventually(async () => (await healthOf(app)).status === "DEGRADED", "health has it");
  assert.deepEqual((await healthOf(app)).boot, { flows: 1, loaded: 1, compiled: 1 });
  assert.ok(app.logs.some(({ message, flowId }) => flowId === "f" && /^not deployed: .* did not boot/.test(message)));
  assert.equal((await app.post("/api/r")).status, 503);
  held.letGo();
});

for (const [begins, yaml] of [
  ["by itself", `${answering("r", "x")}${byClock("tick")}`],
  ["by calls only", answering("r", "x")],
] as const)
  test(`a flow that begins ${begins}, and that a busy machine has kept from starting, is started again by itself`, async (t) => {
    const held = holdThreads(1);
    t.after(() => held.letGo());
    const limits = { threadBootMs: 10_000 };
    const app = await startTestApp(t, { files: { "f.yaml": yaml }, threadEntry: lateFlowThread, limits });
    const hasFailed = (): boolean => app.logs.some(({ message }) => /^not deployed: .* did not boot/.test(message));
    await eventually(hasFailed, "it has failed");
    const isStarted = async (): Promise<boolean> =>
      ((await (await app.api("/flows/f")).json()) as { state: unknown }).state === "Started";
    await eventually(isStarted, "it is started again");
    assert.equal(await (await app.post("/api/r")).text(), "x");
    assert.equal((await healthOf(app)).status, "UP");
  });

test("a call to a flow that is just being compiled waits for that thread", async (t) => {
  const held = holdThreads(1);
  const app = await startTestApp(t, { files: { "f.yaml": answering("r", "x") }, threadEntry: lateFlowThread });
  const answers = [app.post("/api/r"), app.post("/api/r")];
  // By then it would be compiled by itself.
  await quiet(1500);
  held.letGo();
  for (const answer of answers) assert.equal(await (await answer).text(), "x");
  assert.equal(await threadsOf(app, "f"), 1);
});

test("what a flow is not given is reported before it has a thread", async (t) => {
  const app = await startTestApp(t, { files: { "f.yaml": webhook("r", 'setBody: { constant: "{{secret:KEY}}" }') } });
  const { state, error } = (await (await app.api("/flows/f")).json()) as { state: string; error: string };
  assert.equal(state, "Failed");
  assert.match(error, /does not start: secret 'KEY' is not there/);
});

test("a flow that is replaced or stopped before it was compiled is not Failed for what it was", async (t) => {
  const files = { "put.yaml": answering("r-put", "old"), "stopped.yaml": answering("r-stopped", "x") };
  const app = await startTestApp(t, { files });
  assert.equal((await app.put("put", answering("r-put", "new"))).status, 200);
  assert.equal((await app.api("/flows/stopped/stop", { method: "POST" })).status, 200);
  assert.deepEqual((await healthOf(app)).boot, { flows: 2, loaded: 2, compiled: 2 });
  assert.equal(await (await app.post("/api/r-put")).text(), "new");
});
