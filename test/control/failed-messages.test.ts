/** Failed messages (docs/failed-messages.md): which messages are kept, when, with what, and what is not kept. */
import assert from "node:assert/strict";
import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { eventually } from "../support/clock.ts";
import { failedList, failedMessage, postFailed, retried, waitingMessages } from "../support/failed-messages.ts";
import { direct, webhook } from "../support/flows.ts";
import { startTestApp, type TestApp } from "../support/start-app.ts";

const json = { "content-type": "application/json" };
const async202 = { ...json, prefer: "respond-async" };
const fails = 'throwException: { exceptionType: java.io.IOException, message: "broken" }';
/** Fails until the flow is deployed with another step in its place. */
const broken =
  'filter: { simple: "${header.fine} == null", steps: [{ throwException: { exceptionType: java.io.IOException, message: broken } }] }';

const isIdle = async (app: TestApp): Promise<boolean> =>
  ((await (await app.api("/runs?status=running")).json()) as unknown[]).length === 0;

test("a call that was answered 202 is kept when its run fails, as it came, without credentials", async (t) => {
  const app = await startTestApp(t);
  await app.put("f", webhook("in", "setBody: { constant: changed }", "setHeader: { name: n, constant: 9 }", fails));
  const sent = {
    ...async202,
    authorization: "Bearer hush",
    "x-api-key": "hush",
    "x-hub-signature-256": "hush",
    cookie: "a=hush",
    "x-id": "7",
  };
  const response = await app.post("/api/in", '{"n": 12345678901234567890}', sent);
  assert.equal(response.status, 202);
  const [kept] = await waitingMessages(app, 1);
  assert.ok(kept);
  assert.deepEqual(
    [
      kept.flowId,
      kept.routeId,
      kept.revision,
      kept.attempts,
      kept.count,
      kept.deadLetter,
      kept.trigger.kind,
      kept.runId,
    ],
    ["f", "in", 1, 1, 1, false, "webhook", response.headers.get("x-run-id")],
  );
  assert.deepEqual([kept.error?.type, kept.error?.message], ["java.io.IOException", "broken"]);
  const { message, runs } = await failedMessage(app, kept.id);
  assert.deepEqual(runs, [kept.runId]);
  assert.equal(message?.headers["x-id"], "7");
  assert.ok(!JSON.stringify(message).includes("hush"));
  assert.equal(JSON.stringify(message?.body), '{"n":12345678901234567000}');
});

test("a message that was discarded is still shown, without its content", async (t) => {
  const app = await startTestApp(t);
  await app.put("f", webhook("in", fails));
  await app.post("/api/in", "{}", async202);
  const [kept] = await waitingMessages(app, 1);
  assert.equal((await postFailed(app, "discard", { ids: [kept?.id] })).status, 200);
  const { state, message } = await failedMessage(app, kept?.id ?? "");
  assert.deepEqual([state, message], ["discarded", null]);
});

test("what is answered with its failure, or succeeds, is not kept; with keepFailed: all the former is", async (t) => {
  const app = await startTestApp(t);
  await app.put("f", webhook("in", broken));
  assert.equal((await app.post("/api/in", "x")).status, 500);
  assert.equal((await app.post("/api/in", "x", { fine: "1", prefer: "respond-async" })).status, 202);
  await eventually(() => isIdle(app), "the end of the runs");
  await eventually(async () => (await failedList(app)).length === 0, "no entry");
  await app.put("f", webhook("in", broken), { keepFailed: "all" });
  assert.equal((await app.post("/api/in", "x")).status, 500);
  assert.equal((await waitingMessages(app, 1))[0]?.trigger.kind, "webhook");
});

test("nothing is kept with keepFailed: false or record: off", async (t) => {
  const app = await startTestApp(t);
  for (const more of [{ keepFailed: false }, { record: "off" }, { record: "off", keepFailed: "all" }]) {
    await app.put("f", webhook("in", "wireTap: direct:tap", fails) + direct("tap", "tap", fails), more);
    assert.equal((await app.post("/api/in", "x", { prefer: "respond-async" })).status, 202);
    await eventually(() => isIdle(app), "the end of the runs");
  }
  assert.deepEqual(await failedList(app), []);
  const refused = await app.put("f", webhook("in", fails), { keepFailed: "some" });
  assert.equal(refused.status, 400);
  assert.match(await refused.text(), /keepFailed/);
});

test("wire taps, queues, groups and completions are kept with the message that they began with, and its types", async (t) => {
  const app = await startTestApp(t);
  const grouped = '"#class:org.apache.camel.processor.aggregate.GroupedBodyAggregationStrategy"';
  const aggregate = `aggregate: { id: group, correlationExpression: { constant: k }, aggregationStrategy: ${grouped}, completionSize: 2, parallelProcessing: true, steps: [{ setBody: { constant: other } }, { throwException: { exceptionType: java.io.IOException, message: group } }] }`;
  await app.put(
    "f",
    webhook(
      "tap",
      'setBody: { simple: "${body}!" }',
      "wireTap: { id: tap-it, uri: 'direct:none' }",
      "setBody: { constant: later }",
    ) +
      webhook("queue", "setProperty: { name: p, constant: kept }", 'to: "seda:q?waitForTaskToComplete=Never"') +
      direct("q", "x", "setBody: { constant: other }", "log: { id: l, message: '${headers.gone.x.y}' }", fails).replace(
        "direct:x",
        "seda:q",
      ) +
      webhook("group", aggregate),
  );
  await app.post("/api/tap", "hello");
  await app.post("/api/queue", '{"big": 12345678901234567890}', json);
  for (const body of ["a", "b"]) await app.post("/api/group", body);
  const kept = await waitingMessages(app, 3);
  const byRoute = new Map(kept.map((one) => [one.trigger.kind, one]));
  assert.deepEqual([...byRoute.keys()].sort(), ["aggregate", "source", "wireTap"]);
  const bodies = await Promise.all(
    ["wireTap", "source", "aggregate"].map(
      async (kind) => (await failedMessage(app, byRoute.get(kind)?.id ?? "")).message,
    ),
  );
  assert.deepEqual(
    bodies.map((message) => message?.body),
    ["hello!", { big: Number("12345678901234567890") }, ["a", "b"]],
  );
  assert.equal(bodies[1]?.properties["p"], "kept");
});

test("a message that ends in a dead letter channel is kept before its sender is answered", async (t) => {
  const app = await startTestApp(t);
  const channel =
    '- errorHandler:\n    deadLetterChannel: { deadLetterUri: "log:dead", redeliveryPolicy: { maximumRedeliveries: 0 } }\n';
  await app.put("f", channel + webhook("in", "setBody: { constant: changed }", broken));
  assert.equal((await app.post("/api/in", "asked")).status, 200);
  // No waiting: it is there when the answer is.
  const [kept] = await failedList(app);
  assert.deepEqual(
    [kept?.deadLetter, kept?.state, kept?.error?.message, kept?.trigger.kind],
    [true, "waiting", "broken", "webhook"],
  );
  assert.equal((await failedMessage(app, kept?.id ?? "")).message?.body, "asked");
  assert.equal((await retried(app, kept?.id ?? "", { headers: { fine: 1 } })).status, "completed");
});

test("equal messages that fail alike are one entry with a count", async (t) => {
  const app = await startTestApp(t);
  await app.put(
    "f",
    webhook("in", 'to: "seda:q?waitForTaskToComplete=Never"') + direct("q", "x", fails).replace("direct:x", "seda:q"),
  );
  await app.put("g", webhook("called", fails));
  for (let i = 0; i < 5; i++)
    await app.post("/api/called", "same", {
      prefer: "respond-async",
      traceparent: `00-${String(i).padStart(32, "1")}-0000000000000001-01`,
    });
  await app.post("/api/called", "another", { prefer: "respond-async" });
  await eventually(
    async () => (await failedList(app, "?flowId=g")).some(({ count }) => count === 5),
    "a count of five",
  );
  assert.equal((await waitingMessages(app, 2, "?flowId=g")).length, 2);
});

test("ticks that fail are counted and not kept", async (t) => {
  const app = await startTestApp(t);
  await app.put("f", direct("tick", "x", fails).replace("direct:x", "timer:t?delay=0&period=20&repeatCount=3"));
  await eventually(
    async () =>
      /bulkhead_failed_messages_total\{flow="f",event="tick"\} 3/.test(await (await app.api("/metrics")).text()),
    "three ticks",
  );
  assert.deepEqual(await failedList(app), []);
});

test("a file is kept when it moves away for good, before it moves, and not when it stays", async (t) => {
  const app = await startTestApp(t);
  const inbox = join(app.directory, "files", "f", "in");
  await mkdir(inbox, { recursive: true });
  await writeFile(join(inbox, "a.csv"), "1;2");
  await app.put("f", direct("files", "x", fails).replace("direct:x", "file:in?initialDelay=0&delay=20&moveFailed=bad"));
  const [kept] = await waitingMessages(app, 1);
  await eventually(async () => (await readdir(join(inbox, "bad")).catch(() => [])).length === 1, "its move");
  const { message } = await failedMessage(app, kept?.id ?? "");
  assert.deepEqual([message?.body, message?.headers["CamelFileName"]], ["1;2", "a.csv"]);
  await app.put(
    "g",
    direct("stays", "x", 'log: "again"', fails).replace("direct:x", "file:in?initialDelay=0&delay=20"),
  );
  const other = join(app.directory, "files", "g", "in");
  await mkdir(other, { recursive: true });
  await writeFile(join(other, "b.csv"), "3");
  await eventually(() => app.logs.filter(({ message }) => message === "again").length > 2, "three attempts");
  assert.deepEqual(await failedList(app, "?flowId=g"), []);
});

test("a sender that waits for its queue has the failure itself", async (t) => {
  const app = await startTestApp(t);
  await app.put("f", webhook("in", 'to: "seda:q"') + direct("q", "x", fails).replace("direct:x", "seda:q"));
  assert.equal((await app.post("/api/in", "x")).status, 500);
  assert.deepEqual(await failedList(app), []);
});

test("runs of a test session keep nothing", async (t) => {
  const app = await startTestApp(t);
  await app.put("f", webhook("in", "to: { id: call, uri: 'log:x' }", fails));
  const opened = await app.api("/test/session", {
    method: "POST",
    headers: json,
    body: JSON.stringify({ flowId: "f", scope: "session", mocks: { call: { respond: { body: 1 } } } }),
  });
  const { sessionId } = (await opened.json()) as { sessionId: string };
  assert.equal((await app.post("/api/in", "x", { prefer: "respond-async", "x-test-session": sessionId })).status, 202);
  await eventually(() => isIdle(app), "the end of the run");
  assert.deepEqual(await failedList(app), []);
});

test("all failed messages are listed as soon as the flows serve, although what is kept is counted later", async (t) => {
  const flows = ["a", "b", "c", "d", "e", "f"];
  const app = await startTestApp(t);
  await Promise.all(flows.map((name) => app.put(`${name}.f`, webhook(name, broken))));
  for (const name of flows) await app.post(`/api/${name}`, "kept", { prefer: "respond-async" });
  await waitingMessages(app, flows.length);
  await app.close();
  const again = await startTestApp(t, { directory: app.directory, early: true });
  await eventually(async () => (await again.api("/health?probe=ready")).ok, "the flows");
  assert.equal((await failedList(again)).length, flows.length);
});

test("failed messages outlive a restart, with their state, in a file that only the runtime's user may read", async (t) => {
  const app = await startTestApp(t);
  await app.put("f", webhook("in", broken));
  await app.post("/api/in", "kept", { prefer: "respond-async" });
  const [before] = await waitingMessages(app, 1);
  await app.close();
  const again = await startTestApp(t, { directory: app.directory });
  assert.deepEqual(await failedList(again), [before]);
  const counted = "1 failed messages wait to be retried or discarded";
  await eventually(() => again.logs.some(({ message }) => message === counted), "the count");
  const health = (await (await again.api("/health")).json()) as {
    status: string;
    problems: { code: string; flowId: string }[];
  };
  assert.deepEqual(
    [health.status, health.problems.find(({ code }) => code === "failed_messages")?.flowId],
    ["UP", "f"],
  );
  assert.equal((await retried(again, before?.id ?? "", { headers: { fine: "1" } })).status, "completed");
});
