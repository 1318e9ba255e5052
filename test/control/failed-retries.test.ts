/** Retries and discards of failed messages (docs/failed-messages.md). */
import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { eventually } from "../support/clock.ts";
import { failedList, failedMessage, postFailed, retried, waitingMessages } from "../support/failed-messages.ts";
import { direct, webhook } from "../support/flows.ts";
import { install, shopOnly, withKey } from "../support/policies.ts";
import { startTestApp, type TestApp } from "../support/start-app.ts";

const async202 = { "content-type": "application/json", prefer: "respond-async" };
const broken =
  'filter: { simple: "${header.fine} == null", steps: [{ throwException: { exceptionType: java.io.IOException, message: broken } }] }';
const echo = 'setBody: { simple: "${body[n]} ${header.x-id} ${header.fine}" }';
const errorOf = async (response: Response): Promise<string> => ((await response.json()) as { error: string }).error;

async function oneWaiting(app: TestApp, body = '{"n": 7}', headers: object = {}): Promise<string> {
  await app.post("/api/in", body, { ...async202, "x-id": "a", ...headers });
  const [kept] = await waitingMessages(app, 1);
  return kept?.id ?? "";
}

test("a retry runs the message as it came in the flow as it is now; the entry stays without its content", async (t) => {
  const app = await startTestApp(t);
  await app.put("f", webhook("in", broken));
  const id = await oneWaiting(app);
  await app.put("f", webhook("in", echo));
  const { runId, status, body } = await retried(app, id);
  assert.deepEqual([status, body], ["completed", "7 a "]);
  const run = (await (await app.api(`/runs/${runId}`)).json()) as {
    trigger: { kind: string };
    revision: number;
    parentRunId: string;
  };
  assert.deepEqual([run.trigger.kind, run.revision], ["retry", 2]);
  await eventually(async () => (await failedMessage(app, id)).state === "retried", "its end");
  const { message, runs } = await failedMessage(app, id);
  assert.deepEqual([message, runs], [null, [run.parentRunId, runId]]);
  const again = await postFailed(app, `${id}/retry`);
  assert.equal(again.status, 409);
  assert.match(await errorOf(again), /is retried/);
});

test("a retry that fails counts an attempt; one with other headers and another body may succeed", async (t) => {
  const app = await startTestApp(t);
  await app.put("f", webhook("in", broken, echo));
  const id = await oneWaiting(app);
  const response = await postFailed(app, `${id}/retry`);
  assert.equal(response.status, 202);
  const { runId } = (await response.json()) as { runId: string };
  assert.equal(response.headers.get("location"), `/_api/runs/${runId}`);
  await eventually(async () => (await failedMessage(app, id)).attempts === 2, "the second failure");
  const kept = await failedMessage(app, id);
  assert.deepEqual([kept.state, kept.runId, kept.count], ["waiting", runId, 1]);
  const { body } = await retried(app, id, { headers: { fine: "yes", "x-id": "b" }, body: { n: 8 } });
  assert.equal(body, "8 b yes");
});

test("messages that began in a thread are retried with their types, at the step that began their run", async (t) => {
  const app = await startTestApp(t);
  const queue = direct(
    "q",
    "x",
    broken,
    'setBody: { simple: "${body[n]} ${exchangeProperty.p} ${body.getClass()}" }',
  ).replace("direct:x", "seda:q");
  const tap = 'wireTap: { id: tap-it, uri: "direct:tap" }';
  await app.put(
    "f",
    webhook(
      "in",
      "unmarshal: { json: {} }",
      "setProperty: { name: p, constant: kept }",
      tap,
      'to: "seda:q?waitForTaskToComplete=Never"',
    ) +
      direct("tap", "tap", broken, 'log: "tapped ${body[n]}"') +
      queue,
  );
  await app.post("/api/in", '{"n": 12345678901234567890}', { "content-type": "application/json" });
  const kept = await waitingMessages(app, 2);
  const of = (kind: string): string => kept.find(({ trigger }) => trigger.kind === kind)?.id ?? "";
  const { body } = await retried(app, of("source"), { headers: { fine: 1 } });
  assert.match(String(body), /^12345678901234567890 kept /);
  await retried(app, of("wireTap"), { headers: { fine: 1 } });
  assert.ok(app.logs.some(({ message }) => message === "tapped 12345678901234567890"));
  // The steps behind the tap did not run again.
  assert.equal((await failedList(app, "?state=waiting")).length, 0);
});

test("a second retry is refused while one is under way, and after a crash of its thread the message waits", async (t) => {
  const app = await startTestApp(t);
  await app.put("f", webhook("in", broken, 'log: "goes on"', "delay: { constant: 60000 }"));
  const id = await oneWaiting(app);
  const { runId } = (await (await postFailed(app, `${id}/retry`, { headers: { fine: 1 } })).json()) as {
    runId: string;
  };
  await eventually(() => app.logs.some(({ message }) => message === "goes on"), "the retry");
  const second = await postFailed(app, `${id}/retry`);
  assert.equal(second.status, 409);
  assert.equal(second.headers.get("x-error-code"), "retry_in_progress");
  assert.equal((await app.api(`/failed/${id}`, { method: "DELETE" })).status, 409);
  await app.api(`/runs/${runId}/cancel`, { method: "POST" });
  await eventually(async () => (await failedMessage(app, id)).state === "waiting", "the end of the run");
});

test("a retry has the principal of the record, although its credentials were never kept", async (t) => {
  const app = await startTestApp(t);
  await app.put("f", webhook("in", broken, 'setBody: { simple: "${headers}" }'));
  await install(app, "f", shopOnly);
  const answer = await app.post("/api/in", "x", { prefer: "respond-async", ...withKey });
  assert.equal(answer.status, 202);
  const [kept] = await waitingMessages(app, 1);
  assert.equal(kept?.trigger.principal, "key:shop");
  const { runId, body } = await retried(app, kept?.id ?? "", { headers: { fine: 1 } });
  const run = (await (await app.api(`/runs/${runId}`)).json()) as { trigger: { principal: string } };
  assert.equal(run.trigger.principal, "key:shop");
  assert.match(JSON.stringify(body), /shop/);
});

test("a retry passes the idempotent keys that earlier runs of the message have stored, and no others", async (t) => {
  const app = await startTestApp(t);
  const consumer = `idempotentConsumer: { id: seen, header: order, eager: true, removeOnFailure: false, steps: [{ log: "new" }, { to: "direct:part" }] }`;
  const inner = `idempotentConsumer: { id: parts, header: order, eager: true, removeOnFailure: false, steps: [{ log: "part" }] }`;
  assert.equal((await app.put("g", direct("part", "part", inner))).status, 201);
  assert.equal((await app.put("f", webhook("in", consumer, broken))).status, 201);
  const id = await oneWaiting(app, undefined, { order: "17" });
  const count = (text: string): number => app.logs.filter(({ message }) => message === text).length;
  assert.deepEqual([count("new"), count("part")], [1, 1]);
  await retried(app, id);
  assert.deepEqual([count("new"), count("part")], [2, 2]);
  await retried(app, id, { headers: { fine: 1 } });
  assert.deepEqual([count("new"), count("part")], [3, 3]);
  assert.equal((await app.post("/api/in", "x", { order: "17", fine: "1" })).status, 200);
  assert.deepEqual([count("new"), count("part")], [3, 3]);
});

test("many are retried and discarded by flow, route, time and id; everything only with its number", async (t) => {
  const app = await startTestApp(t);
  await app.put("f", webhook("in", broken));
  await app.put("g", webhook("other", broken));
  for (let n = 0; n < 30; n++) await app.post("/api/in", `{"n": ${n}}`, async202);
  for (let n = 0; n < 5; n++) await app.post("/api/other", `{"n": ${n}}`, async202);
  const all = await waitingMessages(app, 35, "?state=waiting&limit=500");
  const refused = await postFailed(app, "retry", {});
  assert.match(await errorOf(refused), /name what is meant/);
  assert.match(await errorOf(await postFailed(app, "discard", { all: true })), /expect/);
  const wrong = await postFailed(app, "discard", { all: true, expect: 34 });
  assert.equal(wrong.status, 412);
  assert.match(await errorOf(wrong), /35 failed messages wait, not 34/);
  const count = async (path: string, sent: object): Promise<number> =>
    ((await (await postFailed(app, path, sent)).json()) as { count: number }).count;
  assert.equal(await count("discard", { ids: [all[0]?.id, all[1]?.id, "none"] }), 2);
  assert.equal(await count("discard", { before: "2020-01-01T00:00:00Z" }), 0);
  await app.put("f", webhook("in", 'log: "again ${body[n]}"'));
  const expected = all.filter(({ flowId }, i) => i > 1 && flowId === "f").length;
  assert.equal(await count("retry", { flowId: "f" }), expected);
  const retriedOnes = async (): Promise<number> => (await failedList(app, "?flowId=f&state=retried&limit=500")).length;
  await eventually(async () => (await retriedOnes()) === expected, "all retries");
  const again = app.logs.flatMap(({ message }) => (message.startsWith("again") ? [message] : []));
  assert.equal(new Set(again).size, expected);
  const left = (await failedList(app, "?state=waiting&limit=500")).length;
  assert.equal(await count("discard", { all: true, expect: left }), left);
  assert.deepEqual(await failedList(app, "?state=waiting"), []);
});

test("a message whose flow, route or step is gone says so, and goes on waiting", async (t) => {
  const app = await startTestApp(t);
  const tapped = webhook("in", 'wireTap: { id: tap-it, uri: "direct:none" }');
  await app.put("f", tapped);
  await app.post("/api/in", "x");
  const [kept] = await waitingMessages(app, 1);
  const id = kept?.id ?? "";
  await app.put("f", webhook("in", "log: x"));
  const { status } = await retried(app, id);
  assert.equal(status, "failed");
  assert.match(
    (await failedMessage(app, id)).error?.message ?? "",
    /step 'tap-it', which the flow does not have any more/,
  );
  await app.put("f", webhook("elsewhere", "log: x"));
  assert.match(await errorOf(await postFailed(app, `${id}/retry`)), /no route 'in' any more/);
  await app.api("/flows/f/stop", { method: "POST" });
  assert.match(await errorOf(await postFailed(app, `${id}/retry`)), /does not run: start it first/);
  assert.equal((await failedMessage(app, id)).state, "waiting");
  const gone = await app.api(`/failed/${id}`, { method: "DELETE" });
  assert.equal(((await gone.json()) as { state: string }).state, "discarded");
  assert.equal((await postFailed(app, "none/retry")).status, 404);
});

test("who reads a message, retries it or discards it is in the audit log; who lists is not", async (t) => {
  const app = await startTestApp(t, { audit: {} });
  await app.put("f", webhook("in", broken));
  const id = await oneWaiting(app);
  await failedMessage(app, id);
  await retried(app, id);
  await app.api(`/failed/${id}`, { method: "DELETE" });
  const [name = ""] = await readdir(app.auditDirectory);
  const text = await readFile(join(app.auditDirectory, name), "utf8");
  const lines = text
    .split("\n")
    .filter((line) => line.includes('"failed.'))
    .map((line) => JSON.parse(line) as { action: string; status: number });
  assert.deepEqual(
    lines.map(({ action, status }) => [action, status]),
    [
      ["failed.read", 200],
      ["failed.retry", 200],
      ["failed.discard", 200],
    ],
  );
});

test("few retries are under way beside other runs of the flow, and more when those have ended", async (t) => {
  const app = await startTestApp(t);
  await app.put("f", webhook("in", broken));
  for (let n = 0; n < 6; n += 1) await app.post("/api/in", `{"n": ${n}}`, async202);
  await waitingMessages(app, 6);
  await app.put("f", webhook("in", "delay: { constant: 60000 }"));
  const live = await app.post("/api/in", "live", { prefer: "respond-async" });
  const running = async (): Promise<number> => {
    const runs = (await (await app.api("/runs?flowId=f&status=running")).json()) as { trigger: { kind: string } }[];
    return runs.filter(({ trigger }) => trigger.kind === "retry").length;
  };
  assert.equal((await postFailed(app, "retry", { flowId: "f" })).status, 202);
  await eventually(async () => (await running()) >= 2, "two retries");
  for (let n = 1; n <= 3; n += 1) await app.put("other", webhook("other", `log: "${n}"`));
  assert.equal(await running(), 2);
  await app.api(`/runs/${live.headers.get("x-run-id")}/cancel`, { method: "POST" });
  await eventually(async () => (await running()) === 6, "all of them");
});
