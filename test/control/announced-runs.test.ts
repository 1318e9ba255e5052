/** Runs that begin inside a thread (wireTap, seda): records of their own, parts of the drain and of the shutdown, and bounded. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { RunDocument } from "../../src/control/runs/run-document.ts";
import type { AnnouncedRun } from "../../src/control/threads/pooled-flow.ts";
import { ToControl } from "../../src/shared/frames-to-control.ts";
import { BodyKind } from "../../src/shared/protocol.ts";
import type { LogEvent, TraceEvent } from "../../src/shared/trace-event.ts";
import { eventually } from "../support/clock.ts";
import { anInvocation, deployFlow, makePools } from "../support/flow-pools.ts";
import { direct, webhook } from "../support/flows.ts";
import { compileYaml, modelOf } from "../support/run-route.ts";
import { startTestApp, type TestApp } from "../support/start-app.ts";
import { upTo, watch } from "../support/watch-stream.ts";

const hostile = new URL("../support/hostile-worker.ts", import.meta.url);
const keeping = new URL("../support/keeping-worker.ts", import.meta.url);

/** A route that consumes `seda:<name>`. */
function seda(routeId: string, name: string, ...steps: readonly string[]): string {
  return direct(routeId, "x", ...steps).replace("direct:x", `seda:${name}`);
}

async function runsOf(app: TestApp, query: string): Promise<RunDocument[]> {
  return (await (await app.api(`/runs?${query}`)).json()) as RunDocument[];
}

/** The route's runs when so many have ended. */
async function ended(app: TestApp, routeId: string, count: number): Promise<RunDocument[]> {
  return eventually(async () => {
    const runs = await runsOf(app, `routeId=${routeId}&limit=1000`);
    return runs.length >= count && runs.every(({ finishedAt }) => finishedAt !== null) ? runs : undefined;
  }, `${count} runs of ${routeId} end`);
}

const logged = (logs: readonly LogEvent[], text: string): readonly LogEvent[] =>
  logs.filter(({ message }) => message.startsWith(text));

test("a tap is a run of its own, which names its parent and is in the parent's trace; its failure is its own", async (t) => {
  const app = await startTestApp(t);
  const audit = direct(
    "audit",
    "audit",
    'log: "audit ${body}"',
    "throwException: { exceptionType: java.io.IOException, message: broken }",
  );
  await app.put(
    "f",
    `${webhook("r", "wireTap: { id: tap, uri: direct:audit }", 'setBody: { constant: "fine" }')}${audit}`,
  );
  const reader = await watch(t, app, "/trace/stream");
  const answer = await app.post("/api/r", "x");
  assert.deepEqual([answer.status, await answer.text()], [200, "fine"]);
  const events = await upTo<TraceEvent>(reader, "trace", ({ type }) => type === "run.failed");
  const parentId = answer.headers.get("x-run-id");
  const [tap, parent] = await ended(app, "r", 2);
  assert.equal(parent?.id, parentId);
  assert.deepEqual([parent?.status, parent?.parentRunId], ["completed", null]);
  assert.deepEqual(tap?.trigger, { kind: "wireTap", uri: "direct:audit" });
  assert.deepEqual([tap?.parentRunId, tap?.traceId, tap?.worker], [parentId, parent?.traceId, parent?.worker]);
  assert.deepEqual([tap?.status, tap?.error?.message, tap?.steps.executed, tap?.bytesIn], ["failed", "broken", 2, 0]);
  const steps = events.filter(({ runId }) => runId === tap?.id).map(({ type, stepId }) => `${type} ${stepId ?? ""}`);
  assert.deepEqual(steps.slice(0, 3), ["run.started ", "step.started log1", "step.completed log1"]);
  assert.equal(events.find(({ runId }) => runId === tap?.id)?.parentRunId, parentId);
});

test("a tap whose endpoint fails outside of any step fails at the step that taps", async (t) => {
  const app = await startTestApp(t);
  await app.put("f", webhook("r", 'wireTap: { id: tap, uri: "nothing:${body}" }'));
  assert.equal((await app.post("/api/r", "x")).status, 200);
  const [tap] = await ended(app, "r", 2);
  assert.deepEqual([tap?.status, tap?.error?.stepId, tap?.trigger.uri], ["failed", "tap", "nothing:${body}"]);
});

test("messages of a queue are runs of their own that name their parents, also of parents that are long over", async (t) => {
  const app = await startTestApp(t);
  const yaml = `${webhook("r", "to: { uri: seda:q, parameters: { waitForTaskToComplete: Never } }")}${seda("c", "q", "delay: { constant: 30 }")}`;
  await app.put("f", yaml);
  const answers = await Promise.all([1, 2, 3].map((n) => app.post("/api/r", String(n))));
  const parents = answers.map(({ headers }) => headers.get("x-run-id"));
  const runs = await ended(app, "c", 3);
  assert.deepEqual(runs.map(({ parentRunId }) => parentRunId).toSorted(), parents.toSorted());
  for (const { trigger, status } of runs)
    assert.deepEqual([trigger, status], [{ kind: "seda", uri: "seda:q" }, "completed"]);
  const flow = (await (await app.api("/flows/f")).json()) as { readonly routes: readonly unknown[] };
  assert.ok(JSON.stringify(flow).includes("seda:q"));
});

test("a caller waits for the reply of a queue's consumer, and is told of its failure", async (t) => {
  const app = await startTestApp(t);
  const consume = [
    "choice: { when: [{ simple: \"${body} == 'bad'\", steps: [{ throwException: { exceptionType: java.io.IOException, message: broken } }] }] }",
    'setBody: { simple: "reply to ${body}" }',
  ];
  await app.put("f", `${webhook("r", "to: seda:q")}${seda("c", "q", ...consume)}`);
  assert.equal(await (await app.post("/api/r", "x")).text(), "reply to x");
  const failed = await app.post("/api/r", "bad");
  assert.equal(failed.status, 500);
  const [run] = await ended(app, "r", 2);
  assert.deepEqual([run?.status, run?.error?.message], ["failed", "broken"]);
});

test("a replaced deployment finishes what waits in its queues, and the new one answers meanwhile", async (t) => {
  const app = await startTestApp(t);
  const flow = (word: string): string =>
    `${webhook("r", "to: { uri: seda:q, parameters: { waitForTaskToComplete: Never } }", `setBody: { constant: ${word} }`)}${seda("c", "q", "delay: { constant: 10 }", `log: "${word} \${body}"`)}`;
  await app.put("f", flow("old"));
  const sent = Array.from({ length: 40 }, (_, n) => String(n));
  for (const body of sent) await app.post("/api/r", body);
  const { hash } = (await (await app.put("f", flow("new"))).json()) as { readonly hash: string };
  assert.equal(await (await app.post("/api/r", "x")).text(), "new");
  const runs = await ended(app, "c", 41);
  assert.deepEqual(
    logged(app.logs, "old ").map(({ message }) => message),
    sent.map((body) => `old ${body}`),
  );
  assert.equal(runs.filter((run) => run.hash === hash).length, 1);
  assert.ok(runs.every(({ status }) => status === "completed"));
  assert.deepEqual(logged(app.logs, "40 messages"), []);
});

test("a drain that is over kills what still waits, and tells how many messages that was", async (t) => {
  const app = await startTestApp(t);
  const send = "to: { uri: seda:q, parameters: { waitForTaskToComplete: Never } }";
  const yaml = `${webhook("r", send, send, send)}${seda("c", "q", "delay: { constant: 600000 }")}`;
  await app.put("f", yaml, { limits: { drainMs: 50 } });
  await app.post("/api/r", "x");
  await app.put("f", webhook("r", "log: x"));
  const [lost] = await eventually(() => {
    const found = logged(app.logs, "2 messages that waited in a thread");
    return found.length > 0 ? found : undefined;
  }, "the lost messages are told");
  assert.deepEqual([lost?.flowId, lost?.level], ["f", "ERROR"]);
  const [run] = await ended(app, "c", 1);
  assert.deepEqual([run?.status, run?.outcome], ["killed", "redeploy"]);
});

test("a shutdown waits for taps and for what waits in queues", async (t) => {
  const app = await startTestApp(t, { limits: { shutdownMs: 30_000 } });
  const tap = `${webhook("r", "wireTap: direct:slow", "to: { uri: seda:q, parameters: { waitForTaskToComplete: Never } }")}${direct("slow", "slow", "delay: { constant: 30 }", "log: tapped")}${seda("c", "q", "delay: { constant: 10 }", "log: consumed")}`;
  await app.put("f", tap);
  for (let n = 0; n < 10; n += 1) await app.post("/api/r", "x");
  await app.close();
  assert.equal(logged(app.logs, "tapped").length, 10);
  assert.equal(logged(app.logs, "consumed").length, 10);
});

test("a thread has so many announced runs and no more: a tap fails plainly, and so does a full queue", async (t) => {
  const app = await startTestApp(t);
  const hold = direct("slow", "slow", "delay: { constant: 300 }");
  const limits = { announcedRuns: 2 };
  await app.put(
    "f",
    `${webhook("r", "wireTap: direct:slow", "wireTap: direct:slow", "wireTap: { id: third, uri: direct:slow }")}${hold}`,
    { limits },
  );
  const answer = await app.post("/api/r", "x");
  assert.equal(answer.status, 500);
  const run = (await runsOf(app, "routeId=r")).find(({ trigger }) => trigger.kind === "webhook");
  assert.equal(run?.error?.type, "java.util.concurrent.RejectedExecutionException");
  assert.match(run?.error?.message ?? "", /^2 messages of this thread wait for runs .*limit announcedRuns/);
  assert.equal(run?.steps.failedStepId, "third");
  const send = "to: { uri: seda:q, parameters: { waitForTaskToComplete: Never } }";
  await app.put("g", `${webhook("s", send, send, send)}${seda("c", "q", "delay: { constant: 300 }")}`, { limits });
  await app.post("/api/s", "x");
  const [full] = await ended(app, "s", 1);
  assert.match(full?.error?.message ?? "", /^Queue full: 2 messages of this thread/);
});

test("a flow whose tap is under way is not idle", async (t) => {
  const app = await startTestApp(t, { limits: { idleMs: 20 } });
  await app.put("f", `${webhook("r", "wireTap: direct:slow")}${direct("slow", "slow", "delay: { constant: 200 }")}`);
  await app.post("/api/r", "x");
  const [tap] = await ended(app, "r", 2);
  assert.deepEqual([tap?.trigger.kind, tap?.status], ["wireTap", "completed"]);
});

test("a stopped route's queue fills, and is consumed when the flow is started by hand", async (t) => {
  const app = await startTestApp(t);
  const consumer = seda("c", "q", "log: consumed").replace("    from:", "    autoStartup: false\n    from:");
  await app.put("f", `${webhook("r", "to: { uri: seda:q, parameters: { waitForTaskToComplete: Never } }")}${consumer}`);
  await app.post("/api/r", "x");
  assert.deepEqual(await runsOf(app, "routeId=c"), []);
  await app.api("/flows/f/start", { method: "POST" });
  assert.equal((await ended(app, "c", 1))[0]?.status, "completed");
});

test("flows without these steps ask for no frames, taps need none either, and queues keep their thread", () => {
  const plain = compileYaml(webhook("r", "log: x")).manifest;
  assert.deepEqual([plain.lifecycle, plain.stateful], [false, false]);
  const tapping = compileYaml(webhook("r", "wireTap: log:x")).manifest;
  assert.deepEqual([tapping.lifecycle, tapping.stateful], [false, false]);
  const queueing = compileYaml(webhook("r", "wireTap: seda:x")).manifest;
  assert.deepEqual([queueing.lifecycle, queueing.stateful], [true, true]);
});

test("a killed thread's messages are told as lost, with their number", async () => {
  const lines: string[] = [];
  const log = (
    _flowId: string,
    _run: unknown,
    _step: number,
    _level: number,
    _logger: string,
    message: string,
  ): void => {
    lines.push(message);
  };
  const { pools, limits } = makePools({}, hostile, { log });
  const pool = await deployFlow(pools, { model: modelOf(webhook("r", "log: x")), limits, record: "errors" });
  const announce = [0, 1, 2].flatMap((token) => [ToControl.announce, token, -1]);
  const first = anInvocation("a", { body: JSON.stringify([[...announce, ToControl.withdraw, 1]]) });
  pool.invoke(first.invocation);
  await eventually(() => pool.queued === 2, "two messages wait");
  pool.invoke(anInvocation("b", { body: "exit" }).invocation);
  await first.ended;
  assert.equal(pool.queued, 0);
  assert.match(lines[0] ?? "", /^2 messages that waited in a thread for runs of their own/);
  await pools.close();
});

test("what a thread keeps is finished once its runs are over, again and again until nothing is left", async () => {
  const told: string[] = [];
  const announced = (_hosted: unknown, run: AnnouncedRun): void => {
    told.push(`opened ${run.token}`);
    const { invocation, ended: over } = anInvocation(`announced ${run.token}`);
    void over.then(() => told.push(`ended ${run.token}`));
    run.invoke({ ...invocation, bodyKind: BodyKind.held });
  };
  const { pools, limits } = makePools({}, keeping, { announced });
  const pool = await deployFlow(pools, { model: modelOf(webhook("r", "log: x")), limits, record: "errors" });
  pool.serve("1");
  const run = anInvocation("a", { body: "hold" });
  pool.invoke(run.invocation);
  await run.begun;
  const drained = pool.drain(60_000);
  // The run that is under way ends when the thread has been told to begin nothing more.
  assert.equal(JSON.stringify(await run.ended).includes("serves 1, halted"), true);
  assert.deepEqual(await drained, { drained: 1, killed: 0 });
  assert.deepEqual(told, ["opened 0", "ended 0", "opened 1", "ended 1"]);
  await pools.close();
});

test("a thread that takes the place of a killed one is told that the flow serves", async () => {
  const { pools, limits } = makePools({}, keeping);
  const pool = await deployFlow(pools, { model: modelOf(webhook("r", "log: x")), limits, record: "errors" });
  pool.serve("1");
  const exit = anInvocation("a", { body: "exit" });
  pool.invoke(exit.invocation);
  await exit.ended;
  const second = anInvocation("b", { body: "heard" });
  pool.invoke(second.invocation);
  assert.match(JSON.stringify(await second.ended), /"body":"serves 1"/);
  await pool.drain(0);
  await pools.close();
});

test("an announced run that is refused fails for whoever waits for it, and the thread goes on", async () => {
  const refuse = (_hosted: unknown, run: AnnouncedRun): void => run.refuse("not now");
  const { pools, limits } = makePools({}, undefined, { announced: refuse });
  const yaml = `${webhook("r", "to: seda:q")}${seda("c", "q", "log: x")}`;
  const pool = await deployFlow(pools, { model: modelOf(yaml), limits, record: "errors" });
  pool.serve("11");
  for (const id of ["a", "b"]) {
    const run = anInvocation(id);
    pool.invoke(run.invocation);
    assert.match(JSON.stringify(await run.ended), /RejectedExecutionException.*the run did not begin: not now/);
  }
  assert.deepEqual(await pool.drain(60_000), { drained: 0, killed: 0 });
  await pools.close();
});

test("runs that cause each other over a queue are stopped", async (t) => {
  const app = await startTestApp(t, { limits: { directDepth: 3 } });
  const send = "{ id: again, uri: seda:q, parameters: { waitForTaskToComplete: Never } }";
  await app.put("f", `${webhook("r", `to: ${send.replace("id: again, ", "")}`)}${seda("c", "q", `to: ${send}`)}`);
  await app.post("/api/r", "x");
  const runs = await ended(app, "c", 3);
  assert.deepEqual(
    runs.map(({ status }) => status),
    ["failed", "completed", "completed"],
  );
  assert.match(runs[0]?.error?.message ?? "", /runs that cause each other nest at most 3 deep/);
});

test("a flow that keeps state has one thread, whatever the runtime's default, and may not ask for more", async (t) => {
  const app = await startTestApp(t, { limits: { threads: 2 } });
  const queueing = `${webhook("r", "to: seda:q?waitForTaskToComplete=Never")}${seda("c", "q", "log: x")}`;
  const refused = await app.put("f", queueing, { limits: { threads: 2 } });
  assert.deepEqual([refused.status, refused.headers.get("x-error-code")], [422, "limit_not_allowed"]);
  assert.equal((await app.put("f", queueing)).status, 201);
  await Promise.all([1, 2, 3, 4].map(() => app.post("/api/r", "x")));
  const runs = [...(await ended(app, "c", 4)), ...(await ended(app, "r", 4))];
  assert.equal(new Set(runs.map(({ worker }) => worker)).size, 1);
});
