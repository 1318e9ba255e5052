/** Assertions beside what a session has seen: exact, and with messages that say what to do. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type {
  AssessedResult,
  AssessRequest,
  MockedCall,
  MockTarget,
  RecordedMessage,
} from "../../../src/shared/mock.ts";
import { assessAll } from "../../../src/workers/testing/assess.ts";

const targets: readonly MockTarget[] = [{ stepId: "to-crm" }, { stepId: "audit" }, { uri: "http:erp*" }];

type Call = MockedCall & { readonly runId: string };

const call = (
  seq: number,
  target: number,
  body: unknown,
  request: Partial<RecordedMessage> & { uri?: string } = {},
): Call => ({
  seq,
  mock: target,
  target,
  stepId: "s",
  routeId: "r",
  runId: `run${seq}`,
  action: "respond",
  at: 0,
  durationMs: 1,
  request: { headers: {}, bodyType: "java.util.LinkedHashMap", properties: {}, ...request, body },
  response: null,
  error: null,
});

interface Seen {
  readonly calls?: readonly Call[];
  readonly counts?: readonly number[];
  readonly result?: AssessedResult | null;
}

function assess(assertion: unknown, { calls = [], counts, result = null }: Seen) {
  const callCounts = counts ?? targets.map((_, i) => calls.filter(({ target }) => target === i).length);
  const request: AssessRequest = { assertions: [assertion], targets, callCounts, calls, result };
  const [assessed] = assessAll(structuredClone(request));
  assert.ok(assessed);
  return assessed;
}

const three = [1, 2, 3].map((seq) => call(seq, 0, { id: seq }));

for (const [count, passes, expected] of [
  [{}, true, "at least 1 call"],
  [{ times: 3 }, true, "3 calls"],
  [{ times: 2 }, false, "2 calls"],
  [{ times: 0 }, false, "no calls"],
  [{ atLeast: 3 }, true, "at least 3 calls"],
  [{ atLeast: 4 }, false, "at least 4 calls"],
  [{ atMost: 3 }, true, "at most 3 calls"],
  [{ atMost: 1 }, false, "at most 1 call"],
  [{ atLeast: 2, atMost: 5 }, true, "2 to 5 calls"],
] as const) {
  test(`three calls, ${expected} expected`, () => {
    const assessed = assess({ mockCalled: { stepId: "to-crm", ...count } }, { calls: three });
    assert.deepEqual(assessed, { passed: passes, actual: 3, message: `step 'to-crm': expected ${expected}, got 3` });
  });
}

test("counts are the session's own: calls without a record count, too", () => {
  const assessed = assess({ mockCalled: { step: "to-crm", times: 5000 } }, { calls: three, counts: [5000, 0, 0] });
  assert.equal(assessed.passed, true);
  assert.equal(
    assess({ mockCalled: { uri: "http:erp*" } }, { calls: three }).message,
    "endpoint 'http:erp*': expected at least 1 call, got 0",
  );
});

test("of calls that do not match, the nearest one is told", () => {
  const calls = [
    call(1, 0, { id: 17, n: 1 }, { headers: { OrderId: 17 } }),
    call(2, 0, { n: 2 }, {}),
    call(3, 0, { id: 18, n: 3 }, { headers: { orderId: "17" } }),
    call(4, 0, { id: 19, n: 3 }, { headers: { orderId: "17" } }),
  ];
  const wanted = { body: { $contains: { id: 17 } }, headers: { orderId: "17" } };
  const assessed = assess({ mockCalled: { stepId: "to-crm", times: 2, with: wanted } }, { calls });
  assert.deepEqual(assessed, {
    passed: false,
    actual: 1,
    message: `step 'to-crm': expected 2 calls with body.id = 17, header orderId = "17", got 1 of 4; nearest miss: call 3 (run run3): body.id: expected 17, got 18`,
  });
  assert.equal(assess({ mockCalled: { stepId: "to-crm", times: 1, with: wanted } }, { calls }).passed, true);
  assert.match(
    assess({ mockCalled: { stepId: "to-crm", times: 0, with: wanted } }, { calls }).message,
    /expected no calls with .*, got 1 of 4; they are call 1$/,
  );
});

test("calls are told apart by their uri", () => {
  const calls = [
    call(1, 2, null, { uri: "http:erp/a?x=1" }),
    call(2, 2, null, { uri: "http:erp/b" }),
    call(3, 2, null),
  ];
  const assessed = assess({ mockCalled: { uri: "http:erp*", times: 2, with: { uri: { $regex: "/a" } } } }, { calls });
  assert.equal(assessed.actual, 1);
  assert.match(
    assessed.message,
    /with uri: a text that matches \/\/a\/, got 1 of 3; nearest miss: call 2 .*: uri: expected .*, got "http:erp\/b"/,
  );
});

test("a body that is a text, or bytes, of JSON is compared as JSON", () => {
  const bytes = Buffer.from('{"id":17}').toString("base64");
  const calls = [
    call(1, 0, '{"id": 17}', { bodyType: "String" }),
    call(2, 0, bytes, { bodyType: "byte[]", encoding: "base64" }),
    call(3, 0, Buffer.from("plain").toString("base64"), { encoding: "base64" }),
  ];
  assert.equal(
    assess({ mockCalled: { stepId: "to-crm", times: 2, with: { body: { id: 17 } } } }, { calls }).passed,
    true,
  );
  assert.equal(
    assess({ mockCalled: { stepId: "to-crm", times: 1, with: { body: "cGxhaW4=" } } }, { calls }).passed,
    true,
  );
});

test("what hangs on calls that cannot be compared, or have no record, is not held to be so", () => {
  const cut = call(1, 0, '{"id":17,"te...', { cut: true });
  const hidden = call(2, 0, { id: 17, password: "***" }, { redacted: true });
  const whole = call(3, 0, { id: 17, password: "x" });
  const of = (count: object, wanted: object, calls: readonly Call[], counts?: readonly number[]) =>
    assess({ mockCalled: { stepId: "to-crm", ...count, with: wanted } }, { calls, ...(counts && { counts }) });
  const byId = { body: { $contains: { id: 17 } } };
  assert.equal(
    of({ times: 0 }, byId, [cut]).message,
    "step 'to-crm': expected no calls with body.id = 17, got 0 of 1; call 1 cannot be compared: its body, or a header, was cut; so the outcome is uncertain",
  );
  assert.equal(of({ times: 0 }, byId, [cut]).passed, false);
  assert.equal(of({ atLeast: 2 }, byId, [cut, hidden, whole]).passed, true);
  const byPassword = { body: { $contains: { password: "x" } } };
  const assessed = of({ times: 1 }, byPassword, [hidden, whole]);
  assert.equal(assessed.passed, false);
  assert.match(
    assessed.message,
    /got 1 of 2; call 2 cannot be compared: a value is hidden or cut at body.password; so the outcome is uncertain/,
  );
  for (const password of [{ $ne: "y" }, { $not: { $regex: "y" } }]) {
    assert.equal(of({ times: 1 }, { body: { $contains: { password } } }, [hidden]).passed, false);
  }
  // What differs elsewhere differs.
  assert.equal(of({ times: 0 }, { body: { $contains: { id: 18, password: "x" } } }, [hidden]).passed, true);
  assert.equal(
    of({ times: 0 }, { ...byId, headers: { a: "b" } }, [{ ...cut, request: { ...cut.request, body: {}, headers: {} } }])
      .passed,
    true,
  );
  const headersCut = { ...call(1, 0, {}), request: { ...call(1, 0, {}).request, cut: true as const } };
  assert.match(
    of({ times: 0 }, { headers: { a: "b" } }, [headersCut]).message,
    /hidden or cut at header a; so the outcome is uncertain/,
  );
  const unrecorded = of({ times: 3 }, byId, [whole], [4, 0, 0]);
  assert.equal(unrecorded.passed, false);
  assert.match(
    unrecorded.message,
    /expected 3 calls with body.id = 17, got 1 of 4; 3 calls have no record; so the outcome is uncertain/,
  );
  assert.equal(of({ atLeast: 1 }, byId, [whole], [4, 0, 0]).passed, true);
  const bytes = call(1, 0, "e30=", { encoding: "base64", redacted: true });
  assert.match(of({}, byId, [bytes]).message, /something in its bytes is hidden/);
});

test("a step that no mock is for is not taken for one that was not called", () => {
  const assessed = assess({ mockCalled: { stepId: "to-crn", times: 0 } }, { calls: three });
  assert.equal(assessed.passed, false);
  assert.match(
    assessed.message,
    /^step 'to-crn': no mock of the session is for it, did you mean 'to-crm'\?; only mocked and spied steps are counted/,
  );
  assert.match(assess({ mockCalled: { uri: "http:crm*" } }, {}).message, /\(\{"uri": "http:crm\*", "spy": true\}\)/);
  assert.match(
    assess({ mockOrder: ["audit", "other"] }, {}).message,
    /^'other': no mock .*its mocks are for to-crm, audit, http:erp\*$/,
  );
});

test("first calls have an order", () => {
  const calls = [call(1, 1, 1), call(2, 0, 1), call(3, 1, 1), call(4, 2, 1)];
  assert.deepEqual(assess({ mockOrder: ["audit", "to-crm", "http:erp*"] }, { calls }), {
    passed: true,
    actual: ["audit", "to-crm", "http:erp*"],
    message:
      "expected first calls in the order 'audit', 'to-crm', 'http:erp*'; found 'audit' (call 1), 'to-crm' (call 2), 'http:erp*' (call 4)",
  });
  assert.equal(assess({ mockOrder: ["to-crm", "audit"] }, { calls }).passed, false);
  const never = assess({ mockOrder: ["audit", "to-crm"] }, { calls: calls.slice(0, 1) });
  assert.deepEqual([never.passed, never.actual], [false, ["audit"]]);
  assert.match(never.message, /; never called: 'to-crm'$/);
});

test("an order is not held to be so when a first call may have no record", () => {
  const calls = [call(2, 1, 1), call(3, 0, 1)];
  const lost = assess({ mockOrder: ["audit", "to-crm"] }, { calls, counts: [2, 1, 0] });
  assert.equal(lost.passed, false);
  assert.match(lost.message, /the order is uncertain for 'to-crm', whose first calls may have no record/);
  assert.equal(
    assess({ mockOrder: ["audit", "to-crm"] }, { calls: [call(1, 1, 1), call(2, 0, 1)], counts: [9, 9, 0] }).passed,
    true,
  );
});

const completed: AssessedResult = {
  runId: "01R",
  status: "completed",
  httpStatus: 200,
  headers: { "Content-Type": "application/json" },
  body: { ok: true, items: [1, 2] },
  error: null,
};
const failed: AssessedResult = {
  ...completed,
  status: "failed",
  httpStatus: 500,
  body: null,
  error: { type: "org.apache.camel.http.base.HttpOperationFailedException", message: "HTTP 503", stepId: "to-crm" },
};

test("the last run's result is compared", () => {
  const fine = {
    status: "completed",
    httpStatus: { $lt: 300 },
    headers: { "content-type": { $contains: "json" } },
    error: null,
  };
  assert.deepEqual(assess({ result: { ...fine, body: { $contains: { ok: true } } } }, { result: completed }), {
    passed: true,
    actual: { runId: "01R", status: "completed", httpStatus: 200, error: null },
    message: "result of run 01R: status, httpStatus, headers, error, body as expected",
  });
  const wrong = assess({ result: { status: "completed", body: { ok: true } } }, { result: failed });
  assert.equal(wrong.passed, false);
  assert.equal(
    wrong.message,
    `result of run 01R: status: expected "completed", got "failed"; body: expected {"ok":true}, got null; it failed at step 'to-crm': "org.apache.camel.http.base.HttpOperationFailedException: HTTP 503"`,
  );
  assert.match(assess({ result: { status: "completed" } }, {}).message, /no run that the session began has ended/);
  const cut = assess({ result: { body: { $exists: true } } }, { result: { ...completed, body: null, cut: true } });
  assert.deepEqual([cut.passed, /too large to be kept/.test(cut.message)], [false, true]);
});

test("a result's error is named as in onException", () => {
  const passes = (error: unknown, result = failed): boolean => assess({ result: { error } }, { result }).passed;
  assert.equal(passes({ type: "HttpOperationFailedException", stepId: "to-crm" }), true);
  assert.equal(passes({ type: "org.apache.camel.component.http.HttpOperationFailedException" }), true);
  assert.equal(passes({ type: { $contains: "Http" }, message: { $regex: "50[0-9]" } }), true);
  assert.equal(passes({ type: "IOException" }), false);
  assert.equal(passes({ stepId: "audit" }), false);
  assert.equal(passes(null), false);
  assert.equal(passes(null, completed), true);
  assert.equal(passes({ message: "x" }, completed), false);
});

test("an assertion that cannot be read fails and says why", () => {
  assert.equal(
    assess({ mockCalled: { stepId: "to-crm", tmes: 2 } }, { calls: three }).message,
    "/mockCalled/tmes: unknown field (did you mean 'times'?)",
  );
});

test("a thousand long calls, lists that hold each other, and long messages stay within their bounds", () => {
  const long = "x".repeat(64 * 1024 - 100);
  const calls = Array.from({ length: 1000 }, (_, i) =>
    call(i + 1, 0, { id: i, text: long, list: [long.slice(0, 50)] }),
  );
  const wide = Array.from({ length: 2000 }, (_, i) => i);
  const lists = Array.from({ length: 1000 }, (_, i) => call(i + 1, 1, wide));
  const asked = [
    { mockCalled: { stepId: "to-crm", times: 1, with: { body: { $contains: { text: { $regex: "y$" } } } } } },
    { mockCalled: { stepId: "audit", times: 1, with: { body: { $contains: wide.map((n) => n + 0.5) } } } },
  ];
  const assessed = assessAll({
    assertions: asked,
    targets,
    callCounts: [1000, 1000, 0],
    calls: [...calls, ...lists],
    result: null,
  });
  assert.deepEqual(
    assessed.map(({ passed }) => passed),
    [false, false],
  );
  assert.match(assessed[1]?.message ?? "", /too much to compare/);
});

test("a message has at most 4 KiB", () => {
  const keys = Array.from({ length: 100 }, (_, i) => `${i}${"x".repeat(200)}`);
  const body = (letter: string) => Object.fromEntries(keys.map((key) => [key, letter.repeat(5000)]));
  const asked = { mockCalled: { stepId: "audit", with: { body: body("ä") } } };
  const { message } = assess(asked, { calls: [call(1, 1, body("ö"))] });
  assert.match(message, /nearest miss: call 1 .*\.\.\.$/);
  assert.ok(Buffer.byteLength(message) <= 4096 && Buffer.byteLength(message) > 4000);
});
