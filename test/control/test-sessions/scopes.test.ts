/** Whom a session's mocks answer: the runs that carry it, or all runs of its deployment; and what those begin. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { eventually } from "../../support/clock.ts";
import { direct, webhook } from "../../support/flows.ts";
import { startTestApp } from "../../support/start-app.ts";
import { closeSession, expectRefusal, invoke, joinHeaders, lookAt, openSession } from "../../support/test-sessions.ts";

const priced = webhook("shop-in", 'setBody: { id: price, constant: "real" }');

test("scope session: a request with the header is mocked, live traffic on the deployment is not", async (t) => {
  const app = await startTestApp(t);
  await app.put("shop", priced);
  const session = await openSession(app, { flowId: "shop", scope: "session", mocks: { price: { respond: "mocked" } } });
  assert.deepEqual(session.armed, [{ stepId: "price", routeId: "shop-in", mocks: 1 }]);
  const answers = [{}, joinHeaders(session), {}].map(async (headers) =>
    (await app.post("/api/shop-in", "", headers)).text(),
  );
  assert.deepEqual(await Promise.all(answers), ["real", "mocked", "real"]);
  const report = await closeSession(app, session);
  assert.deepEqual([report.callCounts, report.unusedMocks, report.pending], [{ price: 1 }, [], []]);
  assert.deepEqual(
    report.runs,
    report.recordedCalls.map(({ runId }) => runId),
  );
  const message = await expectRefusal(app.post("/api/shop-in", "", joinHeaders(session)), 409, "session_closed");
  assert.match(message, /it is closed; open another one$/);
});

test("scope deployment: every run is mocked until the session is closed, and closing again answers the same", async (t) => {
  const app = await startTestApp(t);
  await app.put("shop", priced);
  const session = await openSession(app, { mocks: [{ stepId: "price", respond: "mocked", times: 1 }] });
  assert.deepEqual([session.scope, session.flowId], ["deployment", "shop"]);
  const answer = async (): Promise<string> => (await app.post("/api/shop-in")).text();
  assert.deepEqual([await answer(), await answer()], ["mocked", "real"]);
  assert.equal((await lookAt(app, session)).closed, false);
  const assertions = [{ mockCalled: { stepId: "price", times: 1 } }];
  const report = await closeSession(app, session, "", { assertions });
  assert.deepEqual([report.passed, report.runs.length, report.closed], [true, 1, true]);
  assert.equal(await answer(), "real");
  assert.deepEqual(await closeSession(app, session), report);
  assert.deepEqual(await lookAt(app, session), report);
});

test("what a session's run calls in other flows, and what it leaves behind, is in the session; steps of other flows are not", async (t) => {
  const app = await startTestApp(t);
  const audit = direct("audit", "audit", 'setBody: { id: note, constant: "noted" }', "to: { uri: seda:later }");
  const later = direct("later", "x", 'setBody: { id: late, constant: "late" }').replace("direct:x", "seda:later");
  const ask = direct("shop", "shop", "wireTap: { uri: direct:audit }", "to: { id: price, uri: direct:stock }");
  await app.put("shop", ask + audit + later);
  await app.put(
    "stock",
    direct("stock", "stock", 'setBody: { id: price, constant: "1" }', "to: { id: count, uri: direct:count }"),
  );
  await app.put("count", direct("count", "count", 'setBody: { constant: "counted" }'));
  const mocks = [
    { stepId: "late", respond: "mocked" },
    { stepId: "note", respond: "mocked" },
    { uri: "direct:count", respond: "2" },
    { stepId: "price", spy: true },
  ];
  const session = await openSession(app, { flowId: "shop", scope: "session", mocks });
  const answer = await invoke(app, session, { endpoint: "direct:shop" });
  assert.deepEqual([answer.status, answer.body, answer.error], ["completed", "2", null]);
  assert.deepEqual(answer.mocksHit.toSorted(), ["direct:count", "price"]);
  const seen = await eventually(async () => {
    const { callCounts } = await lookAt(app, session);
    return callCounts["late"] === 1 ? callCounts : undefined;
  }, "the queued message is mocked");
  assert.deepEqual(seen, { late: 1, note: 1, "direct:count": 1, price: 1 });
  const report = await closeSession(app, session);
  assert.deepEqual(report.recordedCalls.map(({ stepId, flowId }) => `${flowId}/${stepId}`).toSorted(), [
    "shop/late",
    "shop/note",
    "shop/price",
    "stock/count",
  ]);
  // The run itself, its child, the tap, and the message of the queue.
  assert.equal(new Set(report.recordedCalls.map(({ runId }) => runId)).size, 4);
  assert.deepEqual(report.unrecorded, { overLimit: 0, lost: 0 });
});

test("counters are exact: 64 requests at once over four threads", async (t) => {
  const app = await startTestApp(t, { limits: { threads: 4, testSessionCalls: 20 } });
  await app.put("shop", priced);
  const mocks = [
    { stepId: "price", respond: "a", times: 10 },
    { stepId: "price", sequence: [{ respond: "b" }, { respond: "c" }] },
    { stepId: "price", respond: { body: "d", delayMs: 20 }, times: 20 },
  ];
  const session = await openSession(app, { flowId: "shop", mocks });
  const requests = Array.from({ length: 64 }, async () => (await app.post("/api/shop-in")).text());
  const answers = Object.groupBy(await Promise.all(requests), (text) => text);
  const counts = Object.entries(answers).map(([text, all]) => `${text} ${all?.length}`);
  assert.deepEqual(counts.toSorted(), ["a 10", "b 1", "c 1", "d 20", "real 32"]);
  const assertions = [{ mockCalled: { stepId: "price", times: 32 } }];
  const report = await closeSession(app, session, "", { assertions });
  assert.deepEqual([report.passed, report.callCounts], [true, { price: 32 }]);
  assert.equal(report.recordedCalls.length, 20);
  assert.deepEqual(report.unrecorded, { overLimit: 12, lost: 0 });
  assert.deepEqual(
    report.recordedCalls.map(({ seq }) => seq),
    [...new Set(report.recordedCalls.map(({ seq }) => seq))].toSorted((a, b) => a - b),
  );
});

test("session-scoped mocks come before those of the whole deployment", async (t) => {
  const app = await startTestApp(t);
  await app.put("shop", priced);
  await openSession(app, { flowId: "shop", mocks: { price: { respond: "all" } } });
  const one = await openSession(app, {
    flowId: "shop",
    scope: "session",
    mocks: [{ stepId: "price", respond: "one", times: 1 }],
  });
  const answer = async (): Promise<string> => (await app.post("/api/shop-in", "", joinHeaders(one))).text();
  assert.deepEqual([await answer(), await answer()], ["one", "all"]);
});

test("a run with many mocked calls is no flood, however much of it control reads at once", async (t) => {
  // A message of a thread has 40 of such calls.
  const app = await startTestApp(t, { limits: { floodMessages: 30 } });
  const split = 'split: { simple: "${body}", delimiter: ",", steps: [{ setBody: { id: part, constant: "1" } }] }';
  await app.put("f", webhook("parts", split));
  const session = await openSession(app, { flowId: "f", scope: "session", mocks: { part: { spy: true } } });
  const body = Array.from({ length: 150 }, (_, i) => i).join(",");
  assert.equal((await app.post("/api/parts", body, joinHeaders(session))).status, 200);
  const { recordedCalls, unrecorded } = await closeSession(app, session);
  assert.deepEqual([recordedCalls.length, unrecorded.lost], [150, 0]);
});
