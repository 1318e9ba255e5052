/** Assertions over the public door: evaluated when the session is closed, in a check thread, with messages to act on. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { webhook } from "../../support/flows.ts";
import { startTestApp } from "../../support/start-app.ts";
import {
  closeSession,
  expectRefusal,
  joinHeaders,
  openSession,
  postSession,
  problemsOf,
} from "../../support/test-sessions.ts";

const flow = webhook(
  "in",
  'setHeader: { name: orderId, simple: "${body[id]}" }',
  'setBody: { id: to-crm, constant: "real" }',
  'setBody: { id: audit, constant: "real" }',
);

test("what mocked steps were called with is compared, and the nearest miss is told", async (t) => {
  const app = await startTestApp(t);
  await app.put("f", flow);
  const mocks = [
    { stepId: "to-crm", when: { body: { $contains: { id: { $gt: 18 } } } }, throw: "java.io.IOException: down" },
    { stepId: "to-crm", respond: { ok: true } },
    { stepId: "audit", spy: true },
  ];
  const to = (more: object) => ({ mockCalled: { stepId: "to-crm", ...more } });
  const assertions = [
    to({ times: 3 }),
    to({ times: 1, with: { body: { $contains: { id: 17 } }, headers: { OrderId: "17" } } }),
    to({ times: 2, with: { body: { $contains: { id: 17, lines: [{ sku: "A" }] } }, headers: { orderId: "17" } } }),
    { mockCalled: { stepId: "audit", times: 2, with: { body: { ok: true } } } },
    { mockOrder: ["audit", "to-crm"] },
    { result: { status: "failed", error: { type: "IOException", message: "down", stepId: "to-crm" } } },
  ];
  const session = await openSession(app, { flowId: "f", scope: "session", mocks, assertions });
  const runs: (string | null)[] = [];
  for (const id of [17, 18, 19]) {
    const body = JSON.stringify({ id, lines: [{ sku: id === 17 ? "B" : "A", qty: 1 }] });
    const answer = await app.post("/api/in", body, { "Content-Type": "application/json", ...joinHeaders(session) });
    runs.push(answer.headers.get("x-run-id"));
  }
  const report = await closeSession(app, session);
  const shown = report.assertions.map(({ passed, actual }) => [passed, typeof actual === "object" ? null : actual]);
  assert.deepEqual(shown, [
    [true, 3],
    [true, 1],
    [false, 0],
    [true, 2],
    [false, null],
    [true, null],
  ]);
  assert.equal(
    report.assertions[2]?.["message"],
    `step 'to-crm': expected 2 calls with body.id = 17, body.lines = [{"sku":"A"}], header orderId = "17", got 0 of 3; ` +
      `nearest miss: call 1 (run ${runs[0]}): body.lines: expected an item {"sku":"A"}, got [{"sku":"B","qty":1}]`,
  );
  assert.equal(
    report.assertions[4]?.["message"],
    "expected first calls in the order 'audit', 'to-crm'; found 'to-crm' (call 1), 'audit' (call 2)",
  );
  assert.equal(report.passed, false);
});

test("assertions that cannot be evaluated are refused before anything is mocked", async (t) => {
  const app = await startTestApp(t);
  await app.put("f", flow);
  const assertions = [{ mockCalled: { stepId: "to-crm", tmes: 2, with: { body: { $regex: "(" } } } }];
  const mocks = { "to-crm": [{ respond: 1, when: { body: { $regx: "" } } }] };
  const told = await expectRefusal(postSession(app, { flowId: "f", mocks, assertions }), 422, "session_invalid");
  assert.match(told, /^\/mocks\/to-crm\/0\/when\/body\/\$regx: unknown operator \(did you mean '\$regex'\?\); /);
  assert.match(told, /; \/assertions\/0\/mockCalled\/tmes: unknown field \(did you mean 'times'\?\); /);
  assert.match(told, /; \/assertions\/0\/mockCalled\/with\/body\/\$regex: bad regular expression: /);
  const listed = await problemsOf(app, { flowId: "f", mocks, assertions });
  assert.deepEqual(
    listed.map(({ pointer }) => pointer),
    ["/mocks/to-crm/0/when/body/$regx", "/assertions/0/mockCalled/tmes", "/assertions/0/mockCalled/with/body/$regex"],
  );
  assert.match(listed[2]?.message ?? "", /^bad regular expression: /);
});
