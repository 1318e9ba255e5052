/** The control bus: restarts, and tasks that nobody waits for. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { eventually } from "../support/clock.ts";
import { direct, webhook } from "../support/flows.ts";
import { startTestApp, type TestApp } from "../support/start-app.ts";

const other = webhook("other", 'setBody: { constant: "here" }');
const asks = (id: string, options: string): string =>
  webhook(id, 'setBody: { constant: "before" }', `to: "controlbus:route?routeId=other&${options}"`, 'log: "after"');

const messages = (app: TestApp, text: string): string[] =>
  app.logs.flatMap(({ message }) => (message.includes(text) ? [message] : []));

test("a restart stops the route for its delay, and its caller waits for it", async (t) => {
  const app = await startTestApp(t);
  await app.put("f", asks("r", "action=restart&restartDelay=30") + other);
  const answer = await app.post("/api/r", "x");
  assert.equal(await answer.text(), "before");
  assert.deepEqual(messages(app, "route 'other' is"), ["route 'other' is Stopped", "route 'other' is Started"]);
  assert.deepEqual(messages(app, "ControlBus"), ["ControlBus task done [restart route other] with result -> void"]);
  assert.equal((await app.post("/api/other", "x")).status, 200);
});

test("an asynchronous restart goes on when its run is over, and a second one beside it is told and ignored", async (t) => {
  const app = await startTestApp(t);
  const restart = asks("r", "action=restart&restartDelay=3600000&async=true");
  const again = asks("again", "action=restart&loggingLevel=WARN");
  const start = asks("start", "action=start&loggingLevel=OFF");
  await app.put("f", restart + again + start + other);
  for (const name of ["r", "again"]) assert.equal(await (await app.post(`/api/${name}`, "x")).text(), "before");
  assert.equal((await app.post("/api/other", "x")).status, 503);
  const line = app.logs.find(({ message }) => message.startsWith("Error executing"));
  assert.equal(
    line?.message,
    "Error executing ControlBus task [restart route other]. This exception will be ignored. Caused by: it is being restarted already",
  );
  assert.deepEqual([line?.level, line?.stepId], ["WARN", "to2"]);
  await app.post("/api/start", "x");
  assert.equal((await app.post("/api/other", "x")).status, 200);
  assert.deepEqual(messages(app, "task done"), []);
});

test("an asynchronous status leaves the body alone", async (t) => {
  const app = await startTestApp(t);
  await app.put("f", asks("r", "action=status&async=true") + asks("s", "action=status") + other);
  assert.equal(await (await app.post("/api/r", "x")).text(), "before");
  assert.equal(await (await app.post("/api/s", "x")).text(), "Started");
  await eventually(() => messages(app, "result -> Started").length === 2, "both are told");
});

test("a run of a replaced deployment controls nothing any more", async (t) => {
  const app = await startTestApp(t);
  const steps = '[{ delay: { constant: 10 } }, { to: "direct:gate?failIfNoConsumers=false" }]';
  const waits = `loop: { doWhile: true, simple: "\${header.open} == null", steps: ${steps} }`;
  const flow = (text: string): string =>
    webhook("r", waits, "to: controlbus:route?routeId=other&action=stop") + other.replace("here", text);
  await app.put("f", flow("old"));
  const slow = app.post("/api/r", "x");
  await eventually(async () => /"inflight":1/.test(await (await app.api("/flows/f")).text()), "the run is under way");
  await app.put("f", flow("new"));
  await app.put("gate", direct("gate", "gate", "setHeader: { name: open, constant: yes }"));
  assert.equal((await slow).status, 200);
  assert.match(messages(app, "Error executing")[0] ?? "", /its deployment has been replaced or stopped/);
  assert.equal(await (await app.post("/api/other", "x")).text(), "new");
});
