/** How sessions end, and what ends under them: closed with runs under way, expired, their deployment replaced, a thread lost. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Busy, busyFlowThread, busyThreads } from "../../support/busy-threads.ts";
import { eventually } from "../../support/clock.ts";
import { webhook } from "../../support/flows.ts";
import { startTestApp, type TestApp } from "../../support/start-app.ts";
import {
  closeSession,
  expectRefusal,
  joinHeaders,
  lookAt,
  openSession,
  postInvoke,
} from "../../support/test-sessions.ts";

const two = webhook("two", 'setBody: { id: first, constant: "1" }', 'setBody: { id: second, constant: "2" }');

const held = { respond: { body: "held", delayMs: 60_000 } };

type Session = Awaited<ReturnType<typeof openSession>>;

async function called(app: TestApp, session: Session, stepId: string): Promise<string> {
  const { runs } = await eventually(async () => {
    const report = await lookAt(app, session);
    return report.callCounts[stepId] === 1 ? report : undefined;
  }, `${stepId} is called`);
  return runs[0] ?? "";
}

const cancel = (app: TestApp, runId: string): Promise<Response> => app.api(`/runs/${runId}/cancel`, { method: "POST" });

test("closing waits for the session's runs, whose mocks answer meanwhile, and takes no new ones", async (t) => {
  const app = await startTestApp(t);
  await app.put("f", two);
  const mocks = { first: { respond: { body: "a", delayMs: 300 } }, second: { respond: "b" } };
  const session = await openSession(app, { flowId: "f", scope: "session", mocks });
  const answer = app.post("/api/two", "", joinHeaders(session));
  await called(app, session, "first");
  const report = await closeSession(app, session, "?waitMs=60000");
  assert.equal(await (await answer).text(), "b");
  assert.deepEqual([report.pending, report.callCounts], [[], { first: 1, second: 1 }]);
  assert.equal(report.recordedCalls.length, 2);
});

test("closing lists the runs that it has not waited for; their next steps are real", async (t) => {
  const app = await startTestApp(t);
  await app.put("f", two);
  const mocks = { first: { respond: { body: "a", delayMs: 300 } }, second: { respond: "b" } };
  const session = await openSession(app, { flowId: "f", scope: "session", mocks });
  const answer = app.post("/api/two", "", joinHeaders(session));
  const runId = await called(app, session, "first");
  const report = await closeSession(app, session, "?waitMs=0");
  // On a slow machine it may be over by then.
  if (report.callCounts["second"] === 0) assert.deepEqual(report.pending, [runId]);
  assert.equal(await (await answer).text(), report.callCounts["second"] === 0 ? "2" : "b");
});

test("a session expires: live traffic is real again, its assertions are still evaluated when it is closed", async (t) => {
  const app = await startTestApp(t);
  await app.put("f", two);
  const assertions = [{ mockCalled: { stepId: "second", times: 1 } }];
  const document = { flowId: "f", mocks: { second: { respond: "b" } }, assertions };
  const session = await openSession(app, { ...document, ttlMs: 1000 });
  assert.equal(session.ttlMs, 1000);
  await eventually(async () => (await lookAt(app, session)).expired, "it expires");
  assert.equal(await (await app.post("/api/two")).text(), "2");
  assert.match(
    await expectRefusal(app.post("/api/two", "", joinHeaders(session)), 409, "session_closed"),
    /it expired after 1000 ms/,
  );
  const report = await closeSession(app, session);
  assert.deepEqual([report.expired, report.closed, report.passed], [true, true, false]);
  assert.match(String(report.assertions[0]?.["message"]), /expected 1/);
  await openSession(app, document);
});

test("a redeploy makes a session stale: its runs keep their mocks, the new deployment has none", async (t) => {
  const app = await startTestApp(t);
  await app.put("f", two);
  const mocks = { first: { respond: { body: "a", delayMs: 1000 } }, second: { respond: "b" } };
  const session = await openSession(app, { flowId: "f", mocks });
  const before = app.post("/api/two");
  await eventually(async () => (await lookAt(app, session)).callCounts["first"] === 1, "the run is under way");
  assert.equal((await app.put("f", two.replace('"2"', '"3"'))).status, 200);
  assert.equal(await (await app.post("/api/two")).text(), "3");
  assert.equal(await (await before).text(), "b");
  assert.match(
    await expectRefusal(app.post("/api/two", "", joinHeaders(session)), 409, "session_closed"),
    /deployed anew/,
  );
  await expectRefusal(postInvoke(app, session, { routeId: "two" }), 409, "session_closed");
  const report = await closeSession(app, session);
  assert.deepEqual([report.stale, report.callCounts], [true, { first: 1, second: 1 }]);
  assert.notEqual((await openSession(app, { flowId: "f", mocks })).hash, session.hash);
});

test("counts outlive a killed thread, and the calls that were lost with it are told; the next thread is mocked, too", async (t) => {
  const busy = busyThreads();
  t.after(() => busy.end());
  const app = await startTestApp(t, { threadEntry: busyFlowThread, limits: { cancelGraceMs: 50 } });
  await app.put("f", two);
  const mocks = [
    { stepId: "first", respond: "a" },
    { stepId: "second", ...held, times: 1 },
    { stepId: "second", respond: "b" },
  ];
  const session = await openSession(app, { flowId: "f", scope: "session", mocks });
  const lost = app.post("/api/two", "", joinHeaders(session));
  const runId = await called(app, session, "second");
  await eventually(async () => (await lookAt(app, session)).recordedCalls.length === 1, "the first call is recorded");
  busy.begin(Busy.always);
  await eventually(() => busy.count === 1, "the thread is busy");
  assert.equal((await cancel(app, runId)).status, 202);
  assert.equal((await lost).status, 503);
  busy.end();
  assert.equal(await (await app.post("/api/two", "", joinHeaders(session))).text(), "b");
  const report = await closeSession(app, session);
  assert.deepEqual(report.callCounts, { first: 2, second: 2 });
  assert.deepEqual(report.unrecorded, { overLimit: 0, lost: 1 });
  assert.equal(report.recordedCalls.length, 3);
});

test("a closed session can be read for a while, then it is forgotten", async (t) => {
  const app = await startTestApp(t, { limits: { testSessionKeptMs: 300 } });
  await app.put("f", two);
  const session = await openSession(app, { flowId: "f", scope: "session", mocks: {} });
  await closeSession(app, session);
  await eventually(async () => (await app.api(`/test/session/${session.sessionId}`)).status === 404, "it is forgotten");
  await expectRefusal(postInvoke(app, session, { routeId: "two" }), 404, "not_found");
});

test("the result is that of the run that began last, also when one that began before it ends later", async (t) => {
  const app = await startTestApp(t);
  await app.put("f", two);
  const mocks = [
    { stepId: "first", when: { headers: { slow: "yes" } }, respond: { body: "a", delayMs: 500 } },
    { stepId: "second", respond: { expression: "result of ${header.slow}" } },
  ];
  const assertions = [{ result: { body: "result of no" } }];
  const session = await openSession(app, { flowId: "f", scope: "session", mocks, assertions });
  const slow = app.post("/api/two", "", { slow: "yes", ...joinHeaders(session) });
  await called(app, session, "first");
  await (await app.post("/api/two", "", { slow: "no", ...joinHeaders(session) })).text();
  assert.equal(await (await slow).text(), "result of yes");
  assert.equal((await closeSession(app, session)).passed, true);
});
