/** `POST /_api/test/invoke`: routes that a session begins without their triggers, and what it says of those that it cannot. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { eventually } from "../../support/clock.ts";
import { direct, webhook } from "../../support/flows.ts";
import { startTestApp } from "../../support/start-app.ts";
import { closeSession, expectRefusal, invoke, openSession, postInvoke } from "../../support/test-sessions.ts";

const flow = [
  direct(
    "start",
    "start",
    'setHeader: { name: "kind", simple: "${body.class.simpleName}" }',
    'setHeader: { name: "x-api-key", constant: "hush" }',
  ),
  direct("ask", "ask", "to: { id: crm, uri: direct:crm }"),
  direct("crm", "crm", "throwException: { id: boom, exceptionType: java.io.IOException, message: broken }"),
  webhook("hook", 'setBody: { constant: "hooked" }'),
  direct("clock", "x", 'setBody: { constant: "ticked" }').replace("direct:x", "timer:clock?delay=3600000"),
  direct("queue", "x", "log: hello").replace("direct:x", "seda:queue"),
  direct("paths", "x", "log: hello").replace("direct:x", "platform-http:/paths"),
].join("");

test("body and headers arrive as they were sent, whatever they are, and the answer has the whole message", async (t) => {
  const app = await startTestApp(t);
  await app.put("f", flow);
  const session = await openSession(app, { flowId: "f", scope: "session", mocks: {} });
  const headers = { list: ["a", 1], object: { a: null }, number: 5, text: "line\nbreak" };
  const answer = await invoke(app, session, { endpoint: "direct:start", body: { a: [1] }, headers });
  assert.deepEqual([answer.status, answer.body], ["completed", { a: [1] }]);
  assert.deepEqual(answer.headers, { ...headers, kind: answer.headers["kind"], "x-api-key": "***" });
  assert.equal(answer.steps.length, 2);
  const bytes = Buffer.from([0, 255]).toString("base64");
  const binary = await invoke(app, session, { routeId: "start", bodyBase64: bytes });
  assert.deepEqual([binary.body, binary.bodyEncoding, binary.headers["kind"]], [bytes, "base64", "byte[]"]);
  const text = await invoke(app, session, { endpoint: "direct://start", body: "text" });
  assert.deepEqual([text.body, text.headers["kind"]], ["text", "String"]);
  assert.equal((await invoke(app, session, { endpoint: "direct:start" })).body, null);
  await expectRefusal(postInvoke(app, session, { routeId: "start", body: 1, bodyBase64: "" }), 400, "bad_request");
});

test("a run that fails is an answer; one that takes too long is 504", async (t) => {
  const app = await startTestApp(t);
  await app.put("f", flow);
  const mocks = { crm: { respond: { delayMs: 60_000 } } };
  const slow = await openSession(app, { flowId: "f", scope: "session", mocks });
  await expectRefusal(postInvoke(app, slow, { endpoint: "direct:ask", timeoutMs: 300 }), 504, "run_timeout");
  assert.equal((await closeSession(app, slow)).runs.length, 1);
  const session = await openSession(app, { flowId: "f", scope: "session", mocks: {} });
  const failed = await invoke(app, session, { endpoint: "direct:ask" });
  assert.deepEqual([failed.status, failed.error?.message, failed.error?.stepId], ["failed", "broken", "boom"]);
  assert.deepEqual(failed.mocksHit, []);
  await expectRefusal(postInvoke(app, session, { endpoint: "direct:ask", timeoutMs: 300_001 }), 400, "bad_request");
  const assertions = [{ result: { status: "failed", error: { type: "java.io.IOException", stepId: "boom" } } }];
  const report = await closeSession(app, session, "", { assertions });
  assert.deepEqual([report.passed, report.runs.length], [true, 1], JSON.stringify(report.assertions));
});

test("routes with other triggers are refused with the call that begins them, and begun when their trigger is replaced", async (t) => {
  const app = await startTestApp(t);
  await app.put("f", flow);
  const session = await openSession(app, { flowId: "f", scope: "session", mocks: {} });
  const no = (document: object): Promise<string> =>
    expectRefusal(postInvoke(app, session, document), 422, "not_invocable");
  const hook = await no({ routeId: "hook" });
  assert.ok(hook.includes(`POST ${app.url}/api/hook with the header X-Test-Session: ${session.sessionId}`), hook);
  assert.ok((await no({ routeId: "paths" })).includes(`${app.url}/paths`));
  assert.match(await no({ routeId: "clock" }), /"replaceFrom": \{"clock": "direct:clock"\}/);
  assert.match(await no({ endpoint: "timer:clock" }), /replaceFrom/);
  assert.match(await no({ endpoint: "seda:queue" }), /send something to seda:queue/);
  const unknown = await expectRefusal(postInvoke(app, session, { endpoint: "direct:strat" }), 404, "not_found");
  assert.match(unknown, /did you mean 'direct:start'/);
  await expectRefusal(postInvoke(app, session, { routeId: "nowhere" }), 404, "not_found");
  await expectRefusal(postInvoke(app, session, {}), 400, "bad_request");
  const replacing = await openSession(app, {
    flowId: "f",
    scope: "session",
    mocks: {},
    replaceFrom: { clock: "direct:tick", hook: "direct:hooked" },
    invoke: { endpoint: "direct:tick" },
  });
  assert.equal((await invoke(app, replacing, { endpoint: "direct:hooked" })).body, "hooked");
  assert.equal((await invoke(app, replacing, { routeId: "clock" })).body, "ticked");
  assert.equal((await invoke(app, replacing, {})).body, "ticked");
});

test("the ticks of a replaced clock are skipped as long as its session is open for the deployment", async (t) => {
  const app = await startTestApp(t);
  const ticking = direct("clock", "x", 'setBody: { id: said, constant: "ticked" }');
  await app.put("f", ticking.replace("direct:x", "timer:clock?period=20&delay=0"));
  const ticks = async (): Promise<number> => {
    const runs = (await (await app.api("/runs?routeId=clock&limit=1000")).json()) as { trigger: { kind: string } }[];
    return runs.filter(({ trigger }) => trigger.kind === "timer").length;
  };
  const skipped = async (): Promise<number> => {
    const text = await (await app.api("/metrics")).text();
    return Number(/ticks_skipped_total\{flow="f"\} (\d+)/.exec(text)?.[1]);
  };
  await eventually(async () => (await ticks()) > 0, "it ticks");
  const session = await openSession(app, { flowId: "f", mocks: {}, replaceFrom: { clock: "direct:tick" } });
  const [before, skippedBefore] = [await ticks(), await skipped()];
  await eventually(async () => (await skipped()) > skippedBefore + 3, "ticks are skipped");
  assert.equal((await invoke(app, session, { endpoint: "direct:tick" })).body, "ticked");
  assert.equal(await ticks(), before);
  await closeSession(app, session);
  await eventually(async () => (await ticks()) > before, "it ticks again");
});

test("a session of a quarantined flow begins no run: 423 says when the flow is tried again, and a start lets it out", async (t) => {
  const threadEntry = new URL("../../support/hostile-worker.ts", import.meta.url);
  const app = await startTestApp(t, { threadEntry, limits: { quarantineKills: 1 } });
  await app.put("f", webhook("hook", "log: x"));
  const document = { flowId: "f", scope: "session", mocks: {}, replaceFrom: { hook: "direct:start" } };
  const session = await openSession(app, document);
  assert.equal((await app.post("/api/hook", "exit")).status, 500);
  const answer = await postInvoke(app, session, { endpoint: "direct:start" });
  assert.equal(answer.headers.get("retry-after"), "30");
  const message = await expectRefusal(answer, 423, "flow_quarantined_locked");
  assert.match(message, /^flow 'f' is quarantined, .*: start it, or wait$/);
  // The mistake in the request is told first.
  await expectRefusal(postInvoke(app, session, { endpoint: "direct:nobody" }), 404, "not_found");
  assert.equal((await app.api("/flows/f/start", { method: "POST" })).status, 200);
  await expectRefusal(postInvoke(app, session, { endpoint: "direct:start" }), 409, "session_closed");
  assert.equal(await (await app.post("/api/hook", "echo")).text(), "echo");
});
