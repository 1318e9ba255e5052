/** `X-Test-Session` on requests: decided behind the access policy, never silently ignored, never seen by the flow. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { LogEvent, TraceEvent } from "../../../src/shared/trace-event.ts";
import { webhook } from "../../support/flows.ts";
import { startTestApp } from "../../support/start-app.ts";
import { closeSession, expectRefusal, joinHeaders, openSession } from "../../support/test-sessions.ts";
import { upTo, watch } from "../../support/watch-stream.ts";

const flow = webhook("in", 'setBody: { id: said, simple: "${header.X-Test-Session}" }');

test("a session that is not there is 409, and no run begins", async (t) => {
  const app = await startTestApp(t);
  await app.put("f", flow);
  const gone = { "X-Test-Session": "ts_00000000000000000000000000000000" };
  assert.match(
    await expectRefusal(app.post("/api/in", "", gone), 409, "session_closed"),
    /there is no test session 'ts_0+'/,
  );
  const session = await openSession(app, { flowId: "f", scope: "session", mocks: {} });
  const twice = { "X-Test-Session": `${session.sessionId}, ${session.sessionId}` };
  await expectRefusal(app.post("/api/in", "", twice), 409, "session_closed");
  assert.deepEqual(await (await app.api("/runs?flowId=f")).json(), []);
});

test("a request to any flow may join, on a path of the route's own, too; steps of another flow stay real", async (t) => {
  const app = await startTestApp(t);
  await app.put("f", flow);
  const other = webhook("other", 'setBody: { id: said, constant: "real" }', "to: { uri: direct:crm }");
  await app.put("g", other.replace("webhook", "platform-http:/other"));
  const mocks = [
    { stepId: "said", respond: "mocked" },
    { uri: "direct:crm", respond: { expression: { simple: "crm of ${body}" } } },
  ];
  const session = await openSession(app, { flowId: "f", scope: "session", mocks });
  assert.equal(await (await app.post("/other", "", joinHeaders(session))).text(), "crm of real");
  const report = await closeSession(app, session);
  assert.deepEqual(report.callCounts, { said: 0, "direct:crm": 1 });
  assert.equal(report.recordedCalls[0]?.flowId, "g");
});

test("the flow does not see the header; its result is what assertions are about", async (t) => {
  const app = await startTestApp(t);
  await app.put("f", flow);
  const assertions = [{ result: { status: "completed", httpStatus: 200, body: "" } }];
  const session = await openSession(app, { flowId: "f", scope: "session", mocks: {}, assertions });
  const answer = await app.post("/api/in", "x", joinHeaders(session));
  const report = await closeSession(app, session);
  assert.equal(await answer.text(), "");
  assert.deepEqual(report.runs, [answer.headers.get("x-run-id")]);
  assert.equal(report.assertions.length, 1);
});

test("a large answer, which leaves its thread as bytes, is the text or the value that it was", async (t) => {
  const app = await startTestApp(t);
  await app.put("f", webhook("in", "setBody: { simple: '${body}' }") + webhook("json", "unmarshal: { json: {} }"));
  const text = "é".repeat(70_000);
  for (const [path, sent, body] of [
    ["/api/in", text, text],
    ["/api/json", JSON.stringify([text]), [text]],
  ] as const) {
    const assertions = [{ result: { body } }];
    const session = await openSession(app, { flowId: "f", scope: "session", mocks: {}, assertions });
    const answer = await app.post(path, sent, { "Content-Type": "text/plain", ...joinHeaders(session) });
    assert.equal(await answer.text(), sent);
    assert.equal((await closeSession(app, session)).passed, true, path);
  }
});

test("a run that joins is among the session's, mocked or not, and streams can be narrowed to it", async (t) => {
  const app = await startTestApp(t);
  await app.put("f", webhook("in", 'log: { id: say, message: "joined" }'));
  await app.put("g", webhook("other", 'log: { id: say, message: "did not" }'));
  const session = await openSession(app, { flowId: "f", mocks: {} });
  const { sessionId: testSessionId } = session;
  const traces = await watch(t, app, `/trace/stream?session=${testSessionId}`);
  const logs = await watch(t, app, `/logs/stream?session=${testSessionId}`);
  await app.post("/api/other");
  const runId = (await app.post("/api/in", "", joinHeaders(session))).headers.get("x-run-id");
  const events = await upTo<TraceEvent>(traces, "trace", ({ type }) => type === "run.completed");
  const types = ["run.started", "step.started", "step.completed", "run.completed"];
  assert.deepEqual(
    events.map((event) => [event.type, event.runId, event.testSessionId]),
    types.map((type) => [type, runId, testSessionId]),
  );
  const [line] = await upTo<LogEvent>(logs, "log", () => true);
  assert.deepEqual([line?.message, line?.testSessionId], ["joined", testSessionId]);
  assert.deepEqual((await closeSession(app, session)).runs, [runId]);
});

test("a session and an idempotency key do not go together", async (t) => {
  const app = await startTestApp(t);
  await app.put("f", flow);
  const session = await openSession(app, { flowId: "f", scope: "session", mocks: { said: { respond: "mocked" } } });
  const key = { "Idempotency-Key": "one" };
  await expectRefusal(app.post("/api/in", "", { ...key, ...joinHeaders(session) }), 400, "bad_request");
  const real = await app.post("/api/in", "", key);
  assert.deepEqual([real.status, real.headers.get("idempotency-replayed")], [204, null]);
});

test("the access policy decides first", async (t) => {
  const app = await startTestApp(t);
  await app.put("f", flow);
  const policy = { authenticate: [{ type: "apiKey", keys: [{ name: "shop", sha256: "ab".repeat(32) }] }], rules: [] };
  const put = await app.api("/auth/f", {
    method: "PUT",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(policy),
  });
  assert.ok(put.ok, await put.text());
  await expectRefusal(app.post("/api/in", "", { "X-Test-Session": "ts_0" }), 403, "forbidden");
});
