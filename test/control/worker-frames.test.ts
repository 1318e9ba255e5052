/**
 * Frames that no thread of the runtime's own sends. Whatever a thread says, control goes on, other flows notice nothing,
 * and what is written down stays the flow's own. A thread that cannot be understood is killed, and its runs are told.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { readManifest } from "../../src/control/threads/line/thread-frames.ts";
import { ToControl } from "../../src/shared/frames-to-control.ts";
import { BodyKind, Outcome } from "../../src/shared/protocol.ts";
import type { LogEvent, TraceEvent } from "../../src/shared/trace-event.ts";
import { eventually } from "../support/clock.ts";
import { answering, direct } from "../support/flows.ts";
import { compileYaml, modelOf } from "../support/run-route.ts";
import { startTestApp, type TestApp } from "../support/start-app.ts";
import { eventsOf, upTo, watch } from "../support/watch-stream.ts";

const hostile = new URL("../support/hostile-worker.ts", import.meta.url);
const limits = { quarantineKills: 1_000_000, eventBytes: 1024 };

/** Frames that are well formed, but for these fields. `$slot` is the run's own. */
const result = (fields: Readonly<Record<number, unknown>> = {}): unknown[] =>
  withFields([ToControl.result, "$slot", Outcome.ok, 0, BodyKind.text, "answer", "", 1, 0, "", 0], fields);
const failure = (extra: unknown): unknown[] => result({ 2: Outcome.failed, 4: 0, 5: null, 9: JSON.stringify(extra) });
const log = (fields: Readonly<Record<number, unknown>> = {}): unknown[] =>
  withFields([ToControl.log, "$slot", -1, 2, "", "line", ""], fields);
const trace = (fields: Readonly<Record<number, unknown>> = {}): unknown[] =>
  withFields([ToControl.trace, "$slot", "step.started", 0, 1, 0, ""], fields);
const call = (fields: Readonly<Record<number, unknown>> = {}): unknown[] =>
  withFields([ToControl.call, 1, "$slot", "elsewhere", BodyKind.none, null, 0, "{}"], fields);

const handled = (fields: Readonly<Record<number, unknown>> = {}): unknown[] =>
  withFields([ToControl.handled, "$slot", 0, "T", "m", "doTry at line 1", ""], fields);
const failed = (fields: Readonly<Record<number, unknown>> = {}): unknown[] =>
  withFields([ToControl.failed, "$slot", 1, 0, ""], fields);
const route = (fields: Readonly<Record<number, unknown>> = {}): unknown[] =>
  withFields([ToControl.route, 1, "$slot", 0, "status", 0], fields);

const state = (operation: string, name: string, value = ""): unknown[] => [
  ToControl.state,
  ...[1, "$slot", operation, name, "=key", "", value],
];

function withFields(frame: readonly unknown[], fields: Readonly<Record<number, unknown>>): unknown[] {
  return frame.map((field, i) => (i in fields ? fields[i] : field));
}

const preview = { headers: {}, body: "", bodyType: "String" };

const unreadable: Readonly<Record<string, unknown>> = {
  nothing: null,
  "a text": "text",
  "an object": { length: 1, 0: 3 },
  "a map": "$map",
  "a port": ["$port"],
  "a deep list": ["$deep"],
  "an unknown kind": [99],
  "a kind in words": ["3"],
  "a kind that only precedes adoption": [ToControl.ready, {}],
  "a second hello": [ToControl.hello, 1, 0],
  "half a result": [ToControl.result, "$slot"],
  "half a log line": [ToControl.log, "$slot", 0],
  "a result of no slot": result({ 1: null }),
  "a result of a slot's name": result({ 1: "length" }),
  "a result of a negative slot": result({ 1: -3 }),
  "an unknown outcome": result({ 2: 99 }),
  "an outcome in words": result({ 2: "0" }),
  "a status below": result({ 3: 99 }),
  "a status of an upgrade": result({ 3: 101 }),
  "a status above": result({ 3: 1000 }),
  "a status in words": result({ 3: "200" }),
  "an unknown kind of body": result({ 4: 9 }),
  "a body that is an object": result({ 5: { length: 1 } }),
  "a body that is not there": result({ 5: null }),
  "bytes that are text": result({ 4: BodyKind.bytes }),
  "bytes in shared memory": result({ 4: BodyKind.bytes, 5: "$shared" }),
  "headers that are no text": result({ 6: 5 }),
  "negative steps": result({ 7: -1 }),
  "no time": result({ 8: "$nan" }),
  "endless time": result({ 8: "$infinity" }),
  "big integers": result({ 8: "$bigint" }),
  "an extra that is no text": result({ 9: null }),
  "an extra that is not JSON": result({ 2: Outcome.failed, 9: "{" }),
  "an extra that is a list": failure([]),
  "an error that is a number": failure({ error: 5 }),
  "an error without its words": failure({ error: { type: "T" } }),
  "a preview without its body": failure({ preview: { headers: {} } }),
  "a preview with an object among its headers": failure({ preview: { ...preview, headers: { a: {} } } }),
  "a preview of a megabyte": failure({ preview: { ...preview, body: "x".repeat(1_000_000) } }),
  "timings that go back": result({ 10: -20 }),
  "timings without end": result({ 10: "$infinity" }),
  "a thousand million timings": result({ 10: 999_999_999 }),
  "timings that do not follow": result({ 10: 3 }),
  "timings in words": [...result({ 10: 3 }), 0, "a", "b"],
  "timings that are no numbers": [...result({ 10: 3 }), 0, "$nan", 0],
  "a line of no level": log({ 3: 5 }),
  "a line of a level in words": log({ 3: "INFO" }),
  "a line without words": log({ 5: { length: 5 } }),
  "a line of no step": log({ 2: "x" }),
  "a line of a slot's name": log({ 1: "__proto__" }),
  "a run's event as a step's": trace({ 2: "run.completed" }),
  "a step's event that is not JSON": trace({ 6: "{" }),
  "a step's event that is too large": trace({ 6: JSON.stringify({ in: { ...preview, body: "x".repeat(1024) } }) }),
  "a step's event at no time": trace({ 4: "$nan" }),
  "a step's event that ended before it began": trace({ 5: -1 }),
  "a call from below": call({ 6: -1000 }),
  "a call of no depth": call({ 6: "$nan" }),
  "a call of no name": call({ 3: 5 }),
  "a call with shared memory": call({ 4: BodyKind.bytes, 5: "$shared" }),
  "a handled failure whose answer is not JSON": handled({ 6: "{" }),
  "a handled failure whose answer is a megabyte": handled({
    6: JSON.stringify({ status: 500, headers: {}, body: "x".repeat(1_000_000) }),
  }),
  "an error whose answer has no status": failure({
    error: { type: "T", message: "", stepId: null, line: null, detail: { headers: {}, body: "" } },
  }),
  "failed steps without a number": failed({ 2: "x" }),
  "a failed step of no index": failed({ 3: -2 }),
  "a failed step's message that is not JSON": failed({ 4: "{" }),
  "a failed step's message of a megabyte": failed({
    4: JSON.stringify({ ...preview, body: "x".repeat(1_000_000) }),
  }),
  "what is not done to keys": state("clear", "idempotent"),
  "a key of a repository that the flow does not have": state("look", "others"),
  "a key of a repository of values": state("confirm", "values"),
  "a value of a repository of keys": state("putIf", "idempotent", "=x"),
  "a value that is too long": state("putIf", "values", `=${"x".repeat(1025)}`),
  "a wish for a route that the flow does not have": route({ 3: 1 }),
  "a wish for a route that nobody can have": route({ 3: -1 }),
  "what is not done to routes": route({ 4: "delete" }),
  "a restart without end": route({ 4: "restart", 5: 2 ** 31 }),
  "a handled failure of no step": handled({ 2: "x" }),
  "a handled failure without words": handled({ 4: null }),
  "more handled failures than a run announces": Array.from({ length: 11 }, () => handled()).flat(),
  "a negative loss": [ToControl.dropped, -5, 0],
  "a loss of no number": [ToControl.dropped, "$nan", 0],
  "an announced run beyond the most of them": [ToControl.announce, 2000, -1],
  "an announced run of a token in words": [ToControl.announce, "0", -1],
  "an announced run of a slot in words": [ToControl.announce, 0, "x"],
  "a run that is announced twice": [ToControl.announce, 0, -1, ToControl.announce, 0, -1],
  "the beginning of a run that was not announced": [ToControl.begin, 0, 0, "aggregate", "aggregate", ""],
  "the beginning of a run of another kind": [ToControl.announce, 0, -1, ToControl.begin, 0, 0, "timer", "timer:t", ""],
  "the beginning of a run of a route that the flow does not have": [
    ...[ToControl.announce, 0, -1],
    ...[ToControl.begin, 0, 1, "aggregate", "aggregate", ""],
  ],
  "the beginning of a run without a uri": [ToControl.announce, 0, -1, ToControl.begin, 0, 0, "aggregate", null, ""],
  "the beginning of a source's run in a route without one": [
    ...[ToControl.announce, 0, -1],
    ...[ToControl.begin, 0, 0, "source", "seda:q", ""],
  ],
  "an announced run that is taken back twice": [
    ...[ToControl.announce, 0, -1],
    ...[ToControl.withdraw, 0, ToControl.withdraw, 0],
  ],
  "a call of a session in words": [ToControl.mocked, "1", "$slot", "{}"],
  "a mocked call of a slot in words": [ToControl.mocked, 1, "0", "{}"],
  "steps that are not JSON": [ToControl.steps, "$slot", "{"],
  "steps that are no list": [ToControl.steps, "$slot", '{"messages":[],"steps":{}}'],
  "a body that is held elsewhere": result({ 4: BodyKind.held, 5: "0" }),
  "a hundred thousand lines in one message": "$many",
};

async function hostileApp(t: Parameters<typeof startTestApp>[0]): Promise<TestApp> {
  const app = await startTestApp(t, { threadEntry: hostile, limits });
  await app.put("f", answering("r", "x"));
  await app.put("good", answering("good", "x"));
  return app;
}

test("a thread whose message cannot be read is replaced, and its run ends", async (t) => {
  const app = await hostileApp(t);
  for (const [name, message] of Object.entries(unreadable)) {
    await t.test(name, async () => {
      const lost = await app.post("/api/r", JSON.stringify([message]));
      assert.deepEqual([lost.status, lost.headers.get("x-error-code")], [500, "run_killed"]);
      assert.equal(await (await app.post("/api/r", "echo")).text(), "echo");
    });
  }
  const runs = (await (await app.api("/runs?flowId=good")).json()) as unknown[];
  assert.deepEqual(runs, []);
  assert.ok(app.logs.length < 1000, "the lines were not read");
  assert.deepEqual(await (await app.api("/runs?status=running")).json(), []);
  const killed = app.logs.filter(({ message }) => message.startsWith("a thread was killed"));
  assert.equal(killed.length, Object.keys(unreadable).length);
  for (const { flowId, message } of killed) {
    assert.equal(flowId, "f");
    assert.ok(message.length < 2000);
  }
});

test("a source is known by a scheme, and by nothing else that a thread may say", () => {
  const yaml = "- route:\n    id: r\n    from:\n      uri: seda:q\n      steps:\n        - log: x\n";
  const model = modelOf(yaml);
  const { manifest } = compileYaml(yaml);
  const [route] = manifest.routes;
  const saying = (scheme: unknown): unknown => ({
    ...manifest,
    routes: [{ ...route, trigger: { kind: "source", scheme } }],
  });
  assert.equal(readManifest(saying("seda"), model).routes.length, 1);
  for (const scheme of [undefined, 5, "", "a b", "x".repeat(65), "<b>"]) {
    assert.throws(() => readManifest(saying(scheme), model), /not what was deployed/);
  }
});

/** Frames that are answered all the same: nothing in them is believed that is not the thread's to say. */
const ignored: Readonly<Record<string, readonly unknown[]>> = {
  "a result of a run that it was never given": [result({ 1: 40 }), result()],
  "a result twice": [result(), result({ 5: "again" })],
  "a result twice in one message": [[...result(), ...result({ 5: "again" })]],
  "a line of a run that it was never given": [log({ 1: 40 }), result()],
  "a step's event of a run that it was never given": [trace({ 1: 40 }), result()],
  "a call for a run that it was never given": [call({ 2: 40 }), result()],
  "calls of names that are another group's": [call({ 3: "private" }), call({ 3: "good" }), call({ 3: "" }), result()],
  "a stop for a run that it was never given": [route({ 2: 40, 4: "stop" }), result()],
  "a step that the flow does not have": [log({ 2: 4000 }), trace({ 3: 4000 }), result()],
  "a loss that did not happen": [[ToControl.dropped, 7, 7], result()],
  "the end of what it was not asked to finish": [[ToControl.finished], result()],
  "an announced run of a run that it was never given": [[ToControl.announce, 0, 40, ToControl.withdraw, 0], result()],
  "a mocked call of a session that it was never given": [[ToControl.mocked, 5, "$slot", "{"], result()],
  "steps of a run that it was never given": [[ToControl.steps, 40, "{"], result()],
  "a handled failure of a run that it was never given": [handled({ 1: 40 }), result()],
  "a handled failure of a step that the flow does not have": [handled({ 2: 4000 }), result()],
  "an empty message": [[], result()],
};

test("what a thread says of others is not believed, and its own run is answered", async (t) => {
  const app = await hostileApp(t);
  await app.put("private", direct("private", "private", "log: called"), { limits: {} });
  for (const [name, messages] of Object.entries(ignored)) {
    await t.test(name, async () => {
      const last = log({ 1: 40, 5: `last of ${name}` });
      assert.equal(await (await app.post("/api/r", JSON.stringify([...messages, last]))).text(), "answer");
      // What comes behind the answer must not meet the next run, which has the same slot.
      await eventually(() => app.logs.some(({ message }) => message === last[5]), "all of it has come");
      assert.equal(await (await app.post("/api/r", "echo")).text(), "echo");
    });
  }
  assert.deepEqual(
    app.logs.filter(({ level }) => level === "ERROR"),
    [],
  );
});

test("what a thread tells of a step is the step's: who it was, and when, control knows itself", async (t) => {
  const app = await hostileApp(t);
  const reader = await watch(t, app, "/trace/stream?body=full");
  const forged = {
    ...{ type: "run.completed", flowId: "good", routeId: "good", runId: "x", traceId: "y", stepId: "s", worker: 9 },
    ...{ hash: "h", revision: 7, status: "completed", durationMs: 5, ts: "never", message: "m" },
    ...{ branch: 1, error: { type: "T", message: "m", stepId: null, line: null, flowId: "good" }, in: preview },
  };
  const answer = await app.post("/api/r", JSON.stringify([trace({ 6: JSON.stringify(forged) }), result()]));
  const runId = answer.headers.get("x-run-id");
  await upTo<TraceEvent>(reader, "trace", ({ type }) => type === "run.completed");
  const told = eventsOf<TraceEvent>(reader, "trace").filter(({ type }) => type === "step.started");
  const { traceId, spanId, worker, ...rest } = told[0] as TraceEvent;
  assert.equal(told.length, 1);
  assert.notEqual(traceId, "y");
  assert.notEqual(worker, 9);
  assert.match(spanId ?? "", /^[0-9a-f]{16}$/);
  assert.deepEqual(rest, {
    ...{ type: "step.started", ts: new Date(1).toISOString(), flowId: "f", routeId: "r", runId },
    ...{ stepId: "", stepType: "", line: 0, branch: 1, in: preview },
    error: { type: "T", message: "m", stepId: null, line: null },
  });
});

test("long lines and failures are cut by control too", async (t) => {
  const app = await hostileApp(t);
  const long = "x".repeat(1_000_000);
  await app.post("/api/r", JSON.stringify([log({ 4: long, 5: long }), result()]));
  const line = await eventually(() => app.logs.find(({ message }) => message.startsWith("xxx")), "the line");
  assert.ok(line.message.length < 1200 && line.logger.length < 1200);
  assert.equal(line.flowId, "f");
  const message = "m".repeat(1_000_000);
  const failed = await app.post(
    "/api/r",
    JSON.stringify([failure({ error: { type: message, message, stepId: null, line: null } })]),
  );
  const run = await (await app.api(`/runs/${failed.headers.get("x-run-id")}`)).text();
  assert.ok(run.length < 5000, String(run.length));
});

test("threads that write the word of who watches neither begin nor end the tracing of others", async (t) => {
  const app = await hostileApp(t);
  const reader = await watch(t, app, "/trace/stream?flowId=good");
  await app.post("/api/r", "watch 0");
  const { headers } = await app.post("/api/good", "echo");
  await upTo<TraceEvent>(
    reader,
    "trace",
    ({ type, runId }) => type === "run.completed" && runId === headers.get("x-run-id"),
  );
});

test("calls in a loop are a flood", async (t) => {
  const app = await startTestApp(t, { threadEntry: hostile, limits: { ...limits, floodMessages: 100 } });
  await app.put("f", answering("r", "x"));
  const calls = Array.from({ length: 30 }, () => Array.from({ length: 20 }, () => call()).flat());
  assert.equal((await app.post("/api/r", JSON.stringify(calls))).status, 500);
  assert.ok(app.logs.some(({ message }) => message.startsWith("a thread was killed (flood)")));
});

test("a line of more characters than many messages have is a flood", async (t) => {
  const app = await hostileApp(t);
  assert.equal((await app.post("/api/r", JSON.stringify([log({ 4: "$long", 5: "$long" })]))).status, 500);
  assert.ok(app.logs.some(({ message }) => message.startsWith("a thread was killed (flood)")));
});

test("what a thread was given a run for may be large", async (t) => {
  // Fewer messages than the result would weigh that nobody has asked for.
  const app = await startTestApp(t, { threadEntry: hostile, limits: { ...limits, floodMessages: 1000 } });
  await app.put("f", answering("r", "x"));
  assert.equal(
    (await (await app.post("/api/r", JSON.stringify([result({ 5: "$long" })]))).text()).length,
    10 * 2 ** 20,
  );
});

test("messages beside its line end a thread", async (t) => {
  const app = await hostileApp(t);
  assert.equal((await app.post("/api/r", "stray")).status, 500);
  assert.ok(app.logs.some(({ message }) => message.includes("beside its line")));
});

test("lines of a flow are the flow's, whatever the line says", async (t) => {
  const app = await hostileApp(t);
  await app.post("/api/r", JSON.stringify([log({ 4: "runtime", 5: "listening on http://evil" }), result()]));
  const line = await eventually(() => app.logs.find(({ message }) => message.includes("evil")), "the line");
  const { flowId, routeId } = line as LogEvent;
  assert.deepEqual([flowId, routeId], ["f", "r"]);
});
