/** What flows do is the same in a host process: their calls, messages, logs, files, sessions, ends. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { eventually } from "../../support/clock.ts";
import { answering, direct, webhook } from "../../support/flows.ts";
import { startTestApp } from "../../support/start-app.ts";
import { closeSession, joinHeaders, openSession } from "../../support/test-sessions.ts";
import { eventsOf, watch } from "../../support/watch-stream.ts";

const isolation = "process";
const patience = 60_000;

test("a flow in a process answers, logs, calls flows elsewhere and is called, has files, rests and wakes", async (t) => {
  const app = await startTestApp(t, { isolation: "thread" });
  const there = [
    'log: "got ${header.n}"',
    'to: "direct:here"',
    'wireTap: { uri: "direct:tapped" }',
    'to: "file:out?fileName=f.txt"',
  ];
  const tapped = direct("tapped", "tapped", 'log: "tapped ${body}"');
  const put = async (...document: Parameters<typeof app.put>): Promise<void> => {
    const answer = await app.put(...document);
    assert.equal(answer.status, 201, await answer.text());
  };
  await put("here", direct("here", "here", 'setBody: { simple: "${body}, here" }'));
  await put("there", webhook("r", ...there) + direct("back", "back", 'setBody: { simple: "${body}, back" }') + tapped, {
    limits: { isolation },
  });
  await put("caller", webhook("caller", 'to: "direct:back"'));
  const trace = await watch(t, app, "/trace/stream?flowId=there");
  const answer = await app.post("/api/r", "sent", { n: "5" });
  assert.deepEqual([answer.status, await answer.text()], [200, "sent, here"]);
  assert.equal(await (await app.post("/api/caller", "sent")).text(), "sent, back");
  const logged = (text: string): boolean => app.logs.some((line) => line.message === text && line.flowId === "there");
  await eventually(() => logged("got 5") && logged("tapped sent, here"), "its lines are logged", patience);
  const steps = () => eventsOf<{ type: string }>(trace, "trace").filter(({ type }) => type === "step.completed");
  await eventually(() => steps().length >= 4, "its steps are traced", patience);
  const threads = async (): Promise<number> => {
    const metrics = await (await app.api("/metrics")).text();
    return Number(/bulkhead_threads\{state="live"\} (\d+)/.exec(metrics)?.[1]);
  };
  const long = "0123456789ü".repeat(300_000);
  await put("echo", webhook("echo", 'setBody: { simple: "${body}!" }'), {
    limits: { isolation, threads: 2, idleMs: 300 },
  });
  const echoed = await Promise.all([app.post("/api/echo", long), app.post("/api/echo", Buffer.from(long))]);
  for (const answer of echoed) assert.ok((await answer.text()) === `${long}!`, "a long body comes back whole");
  await eventually(async () => (await threads()) <= 3, "the idle flow has given its threads back", patience);
  assert.equal(await (await app.post("/api/echo", "again")).text(), "again!");
});

test("a run in a process is cancelled, and at its deadline ended", async (t) => {
  const app = await startTestApp(t, { isolation, limits: { cancelGraceMs: 200 } });
  await app.put("f", webhook("r", "delay: { constant: 60000 }"), { limits: { webhookWallMs: 400 } });
  assert.equal((await app.post("/api/r")).status, 504);
});

test("a test session counts, answers and ends in a process as in a thread", async (t) => {
  const app = await startTestApp(t, { isolation });
  const two = webhook("two", "setBody: { id: first, constant: real }", "setBody: { id: second, constant: end }");
  await app.put("f", two);
  const mocks = [
    { stepId: "first", respond: "a", times: 1 },
    { stepId: "first", respond: "b" },
    { stepId: "second", spy: true },
  ];
  const session = await openSession(app, { flowId: "f", scope: "session", mocks });
  for (let i = 0; i < 3; i += 1) assert.equal((await app.post("/api/two", "", joinHeaders(session))).status, 200);
  const report = await closeSession(app, session);
  assert.deepEqual(report.callCounts, { first: 3, second: 3 });
  const bodies = report.recordedCalls.map(({ stepId, response }) => [stepId, response?.body]);
  assert.deepEqual(
    bodies.filter(([stepId]) => stepId === "first").map(([, body]) => body),
    ["a", "b", "b"],
  );
  assert.equal(bodies.length, 6);
  assert.equal(await (await app.post("/api/two")).text(), "end");
});

test("a thread in a process that posts in a loop, dies or is stuck is ended alone, for what it did", async (t) => {
  const threadEntry = new URL("../../support/hostile-worker.ts", import.meta.url);
  const app = await startTestApp(t, { isolation, threadEntry, limits: { cancelGraceMs: 100 } });
  await app.put("a.good", answering("good", "x"));
  for (const [order, status, told] of [
    ["flood", 500, /\(flood\)/],
    ["exit", 500, /\(exit\)/],
    ["stuck", 504, /\(timeout\)/],
  ] as const) {
    const limits = order === "stuck" ? { webhookWallMs: 500 } : {};
    const bad = await app.put("a.bad", answering("bad", "x"), { limits });
    assert.ok(bad.ok, await bad.text());
    const waiting = app.post("/api/good", "echo");
    assert.equal((await app.post("/api/bad", order)).status, status, order);
    assert.equal((await waiting).status, 200);
    await eventually(() => app.logs.some(({ flowId, message }) => flowId === "a.bad" && told.test(message)), order);
    await eventually(async () => (await app.post("/api/bad", "echo")).status === 200, "another thread");
  }
  const hosts = app.logs.filter(({ message }) => /host process of 'a' is (given up|replaced)/.test(message));
  assert.deepEqual(hosts, []);
});
