/** The specification's test sessions: mocks on the current deployment, what they saw, and what is said of it at the end. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { InvokeAnswer, OpenedSession, SessionReport } from "../../src/control/runs/test-sessions/test-service.ts";
import { eventually } from "../support/clock.ts";
import { answering, direct, webhook } from "../support/flows.ts";
import { startTestApp, type TestApp } from "../support/start-app.ts";
import { errorOf } from "./answers.ts";

const orders =
  webhook(
    "order-in",
    'setBody: { id: to-crm, constant: "the real CRM" }',
    'setBody: { id: done, simple: "done: ${body}" }',
  ) + direct("inner", "start", "setBody: { id: to-erp, constant: { expression: the real ERP } }");

async function appWithOrders(...[t, options]: Parameters<typeof startTestApp>): Promise<TestApp> {
  const app = await startTestApp(t, options);
  assert.equal((await app.put("orders", orders)).status, 201);
  return app;
}

function call(app: TestApp, method: string, path: string, body?: unknown): Promise<Response> {
  const json = { "Content-Type": "application/json" };
  return app.api(`/test/${path}`, {
    method,
    ...(body !== undefined && { headers: json, body: JSON.stringify(body) }),
  });
}

async function answered<T>(answer: Response, status: number): Promise<T> {
  const text = await answer.text();
  assert.equal(answer.status, status, text);
  return JSON.parse(text) as T;
}

async function open(app: TestApp, body: object): Promise<OpenedSession> {
  return answered(await call(app, "POST", "session", body), 201);
}

async function close(app: TestApp, { sessionId }: OpenedSession, body?: object): Promise<SessionReport> {
  return answered(await call(app, "DELETE", `session/${sessionId}?waitMs=60000`, body), 200);
}

async function invoke(app: TestApp, { sessionId }: OpenedSession, body: object): Promise<InvokeAnswer> {
  return answered(await call(app, "POST", "invoke", { sessionId, ...body }), 200);
}

async function post(app: TestApp, body: object, headers: Readonly<Record<string, string>> = {}) {
  const answer = await app.post("/api/order-in", JSON.stringify(body), {
    "Content-Type": "application/json",
    ...headers,
  });
  return [answer.status, await answer.text()];
}

test("a session's mocks respond and throw in the current deployment; closed, it returns what each mocked step saw", async (t) => {
  const app = await appWithOrders(t);
  const opened = await open(app, {
    flowId: "orders",
    mocks: [
      { stepId: "to-crm", respond: { body: "a mock", headers: { x: "1" } }, times: 1 },
      { stepId: "to-crm", throw: { type: "java.io.IOException", message: "no CRM" }, times: 1 },
    ],
  });
  assert.match(opened.sessionId, /^ts_[0-9a-f]{32}$/);
  assert.equal(opened.ttlMs, 300_000);
  assert.deepEqual(opened.armed, [{ stepId: "to-crm", routeId: "order-in", mocks: 2 }]);

  assert.deepEqual(await post(app, { id: 1 }), [200, "done: a mock"]);
  assert.equal((await post(app, { id: 2 }))[0], 500);
  assert.deepEqual(await post(app, { id: 3 }), [200, "done: the real CRM"], "the mocks have no use left");

  const { recordedCalls, callCounts, runs, ...report } = await close(app, opened);
  assert.deepEqual(
    recordedCalls.map(({ seq, stepId, routeId, action, request, response, error }) => [
      ...[seq, stepId, routeId, action, request.body, response?.body, response?.headers["x"]],
      error && [error.type, error.message],
    ]),
    [
      [1, "to-crm", "order-in", "respond", { id: 1 }, "a mock", "1", null],
      [2, "to-crm", "order-in", "throw", { id: 2 }, undefined, undefined, ["java.io.IOException", "no CRM"]],
    ],
  );
  assert.deepEqual(callCounts, { "to-crm": 2 });
  assert.ok(recordedCalls.every(({ runId }) => runs.includes(runId)));
  assert.deepEqual([report.closed, report.passed, report.unusedMocks, report.pending], [true, true, [], []]);
});

test("closing evaluates the recorded calls against mockCalled assertions, those of its body too", async (t) => {
  const app = await appWithOrders(t);
  const calledOnce = { mockCalled: { stepId: "to-crm", times: 1, with: { body: { $contains: { id: 17 } } } } };
  const good = await open(app, { mocks: { "to-crm": { respond: "x" } }, assertions: [calledOnce] });
  await post(app, { id: 17, more: true });
  const { passed, assertions } = await close(app, good);
  assert.equal(passed, true);
  assert.deepEqual(
    assertions.map(({ mockCalled, passed, actual }) => ({ mockCalled, passed, actual })),
    [{ ...calledOnce, passed: true, actual: 1 }],
  );

  const bad = await open(app, { mocks: { "to-crm": { respond: "x" } }, assertions: [calledOnce] });
  await post(app, { id: 18 });
  const failed = await close(app, bad, { assertions: [{ mockCalled: { stepId: "to-crm", times: 2 } }] });
  assert.equal(failed.passed, false);
  assert.deepEqual(
    failed.assertions.map((one) => [one["passed"], one["actual"]]),
    [
      [false, 0],
      [false, 1],
    ],
  );
  assert.match(String(failed.assertions[1]?.["message"]), /to-crm.*2.*1/);
  const again = await close(app, bad);
  assert.deepEqual(again, failed, "closed once more it says the same");
});

test("closed, a session's mocks answer nothing any more, and a look before that closes nothing", async (t) => {
  const app = await appWithOrders(t);
  const opened = await open(app, { mocks: { "to-crm": { respond: "a mock" } } });
  const look = await answered<SessionReport>(await call(app, "GET", `session/${opened.sessionId}`), 200);
  assert.deepEqual([look.closed, look.passed], [false, null]);
  assert.deepEqual(await post(app, {}), [200, "done: a mock"]);
  await close(app, opened);
  assert.deepEqual(await post(app, {}), [200, "done: the real CRM"]);
});

test("the mocks apply to the current deployment: not to the next one", async (t) => {
  const app = await appWithOrders(t);
  const opened = await open(app, { mocks: { "to-crm": { respond: "a mock" } } });
  const next = await app.put("orders", `# changed\n${orders}`);
  assert.equal(next.status, 200);
  assert.deepEqual(await post(app, {}), [200, "done: the real CRM"]);
  assert.equal((await close(app, opened)).stale, true);
});

test("invoke fires a direct: endpoint inside an open session, and answers how the run ended", async (t) => {
  const app = await appWithOrders(t);
  const opened = await open(app, {
    scope: "session",
    mocks: [
      { stepId: "to-erp", respond: { expression: { simple: "saw ${body} with ${header.a}" } }, times: 1 },
      { stepId: "to-erp", throw: { statusCode: 503, message: "no ERP" } },
    ],
  });
  const good = await invoke(app, opened, { endpoint: "direct:start", body: "this", headers: { a: "that" } });
  assert.deepEqual([good.status, good.body, good.error], ["completed", "saw this with that", null]);
  assert.deepEqual(good.mocksHit, ["to-erp"]);
  assert.deepEqual(
    good.steps.map(({ id, status }) => [id, status]),
    [["to-erp", "completed"]],
  );
  const bad = await invoke(app, opened, { endpoint: "direct:start" });
  assert.deepEqual([bad.status, bad.error?.message, bad.error?.stepId], ["failed", "no ERP", "to-erp"]);
  const { runs, recordedCalls } = await close(app, opened);
  assert.deepEqual(runs, [good.runId, bad.runId]);
  assert.deepEqual(
    recordedCalls.map(({ runId }) => runId),
    runs,
  );
});

test("a session has the ttlMs that it was opened with, and after it its mocks are gone", async (t) => {
  const app = await appWithOrders(t);
  const opened = await open(app, { ttlMs: 1000, mocks: { "to-crm": { respond: "a mock" } } });
  assert.equal(opened.ttlMs, 1000);
  const expired = async () =>
    (await answered<SessionReport>(await call(app, "GET", `session/${opened.sessionId}`), 200)).expired;
  await eventually(expired, "the session expires");
  assert.deepEqual(await post(app, {}), [200, "done: the real CRM"]);
  assert.deepEqual((await close(app, opened)).expired, true);
});

test("what test sessions refuse has a code of its own each, and says what to do", async (t) => {
  const app = await appWithOrders(t, { limits: { testSessions: 2 } });
  await app.put(
    "clock",
    "- route:\n    id: clock\n    from:\n      uri: timer:x?repeatCount=1\n      steps:\n        - log: x\n",
  );
  await app.put("slow", direct("slow", "slow", "delay: { constant: 60000 }"));
  const spy = { mocks: { "to-crm": { spy: true } } };
  const expect = async (answer: Promise<Response>, status: number, code: string, message: RegExp): Promise<void> => {
    const got = await answer;
    assert.match(await errorOf(got, status), message);
    assert.equal(got.headers.get("x-error-code"), code);
  };
  const post = (body: object) => call(app, "POST", "session", body);
  const start = (body: object) => call(app, "POST", "invoke", body);

  await expect(
    post({ mocks: { "to-cmr": { spy: true } } }),
    422,
    "session_invalid",
    /'to-cmr' \(did you mean 'to-crm'\?\)/,
  );
  await expect(post({ ...spy, flowId: "order" }), 404, "not_found", /'order'.*\(did you mean 'orders'\?\)/);
  const misspelt = { ...spy, mokcs: 1 };
  await expect(call(app, "POST", "session?strict=true", misspelt), 422, "session_invalid", /mokcs.*'mocks'/);
  const warned = await open(app, misspelt);
  assert.match(warned.warnings.join(), /mokcs.*'mocks'/);
  await close(app, warned);
  const badWhen = { mocks: { "to-crm": [{ spy: true, when: { body: { $regexp: "x" } } }] } };
  await expect(post(badWhen), 422, "session_invalid", /\/mocks\/to-crm\/0.*\$regex/);
  await expect(post({ ...spy, assertions: [{ mockCaled: {} }] }), 422, "session_invalid", /mockCalled/);

  const nowhere = { mocks: { x: { spy: true }, y: { spy: true } }, invoke: { uri: "direct:strat" }, flowId: "orders" };
  await expect(post(nowhere), 422, "session_invalid", /step 'x'.*step 'y'.*'direct:strat'.*'direct:start'/);
  const noDirect = { invoke: { routeId: "order-in" }, flowId: "orders" };
  await expect(post(noDirect), 422, "session_invalid", /add "replaceFrom": \{"order-in": "direct:order-in"\}/);
  const opened = await open(app, spy);
  const { sessionId } = opened;
  await expect(post(spy), 409, "mock_conflict", new RegExp(sessionId));
  const clock = await open(app, { flowId: "clock", scope: "session" });
  await expect(post({ flowId: "slow" }), 429, "too_many_sessions", /2 test sessions are open/);
  await expect(start({ sessionId: clock.sessionId, routeId: "clock" }), 422, "not_invocable", /replaceFrom/);
  await expect(
    start({ sessionId, routeId: "order-in" }),
    422,
    "not_invocable",
    /POST .*\/api\/order-in .*X-Test-Session/,
  );
  await expect(start({ sessionId, endpoint: "direct:strat" }), 404, "not_found", /'direct:start'/);
  await expect(start({ sessionId }), 400, "bad_request", /endpoint/);
  await expect(start({ sessionId: "ts_0", endpoint: "direct:start" }), 404, "not_found", /ts_0/);
  await expect(call(app, "GET", "session/ts_0"), 404, "not_found", /ts_0/);
  await expect(call(app, "DELETE", "session/ts_0"), 404, "not_found", /ts_0/);
  await close(app, opened);
  await expect(start({ sessionId, endpoint: "direct:start" }), 409, "session_closed", /closed/);
  const late = app.post("/api/order-in", "", { "X-Test-Session": sessionId });
  await expect(late, 409, "session_closed", /closed/);
  const slow = await open(app, { flowId: "slow" });
  const timeout = start({ sessionId: slow.sessionId, endpoint: "direct:slow", timeoutMs: 50 });
  await expect(timeout, 504, "run_timeout", /timeoutMs/);
});

test("an operator may forbid mocks for a whole deployment", async (t) => {
  const app = await appWithOrders(t, { testScope: "session" });
  const mocks = { "to-crm": { respond: "a mock" } };
  const refused = await call(app, "POST", "session", { mocks });
  assert.match(await errorOf(refused, 403), /send scope: session/);
  assert.equal(refused.headers.get("x-error-code"), "scope_forbidden");
  const { sessionId } = await open(app, { mocks, scope: "session" });
  assert.deepEqual(await post(app, {}), [200, "done: the real CRM"]);
  assert.deepEqual(await post(app, {}, { "X-Test-Session": sessionId }), [200, "done: a mock"]);
});

test("each short form of a session does what its long form does", async (t) => {
  const app = await startTestApp(t);
  await app.put("f", direct("r", "start", "setBody: { id: a, constant: real }") + answering("other", "x"));
  const step = (does: object) => ({ mocks: [{ stepId: "a", ...does }] });
  const pairs: readonly (readonly [what: string, short: object, long: object])[] = [
    [
      "mocks by step id",
      { mocks: { a: [{ respond: 1, times: 1 }, { throw: "no" }] } },
      {
        mocks: [
          { stepId: "a", respond: { body: 1 }, times: 1 },
          { stepId: "a", throw: { message: "no" } },
        ],
      },
    ],
    ["id for stepId", { mocks: [{ id: "a", respond: "x" }] }, step({ respond: { body: "x" } })],
    ["step for stepId", { mocks: [{ step: "a", respond: [1, null] }] }, step({ respond: { body: [1, null] } })],
    [
      "a body alone",
      step({ respond: { ok: { deep: [true] } } }),
      step({ respond: { body: { ok: { deep: [true] } } } }),
    ],
    [
      "an expression in Simple",
      step({ respond: { expression: "${body.n}!" } }),
      step({ respond: { expression: { simple: "${body.n}!" } } }),
    ],
    [
      "a class that is thrown",
      step({ throw: "java.io.IOException: no" }),
      step({ throw: { type: "java.io.IOException", message: "no" } }),
    ],
    ["no flowId", step({ spy: true }), { flowId: "f", ...step({ spy: true }) }],
  ];
  const outcome = async (body: object): Promise<unknown> => {
    const opened = await open(app, { scope: "session", ...body });
    const runs: unknown[] = [];
    for (const n of [1, 2]) {
      const { status, body, error } = await invoke(app, opened, { endpoint: "direct:start", body: { n } });
      runs.push([status, body, error?.type, error?.message]);
    }
    const { recordedCalls, callCounts } = await close(app, opened);
    const calls = recordedCalls.map(({ action, request, response, error }) => [action, request, response, error]);
    return { runs, calls, callCounts };
  };
  for (const [what, short, long] of pairs) assert.deepEqual(await outcome(short), await outcome(long), what);
});
