/** What sessions are opened for: which flow, which names, how many, how long; and what is refused, with what to do instead. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { direct, webhook } from "../../support/flows.ts";
import { startTestApp } from "../../support/start-app.ts";
import { closeSession, expectRefusal, openSession, postSession, problemsOf } from "../../support/test-sessions.ts";

const steps = webhook("in", 'setBody: { id: price, constant: "1" }', 'setBody: { id: audit, constant: "2" }');

test("names that the flow does not have are refused, with those that are near", async (t) => {
  const app = await startTestApp(t);
  await app.put("shop", steps + direct("d", "start", "log: hello"));
  await app.put("stock", direct("s", "stock", 'setBody: { id: audit, constant: "2" }'));
  const no = (document: object, status = 422, code = "session_invalid"): Promise<string> =>
    expectRefusal(postSession(app, document), status, code);
  assert.match(await no({ flowId: "shpo", mocks: {} }, 404, "not_found"), /no flow 'shpo' .*did you mean 'shop'/);
  assert.match(await no({ flowId: "shop", mocks: { prize: { spy: true } } }), /no step 'prize' .*did you mean 'price'/);
  assert.match(await no({ mocks: { audit: { spy: true } } }), /in several flows \('shop', 'stock'\)/);
  assert.match(await no({ mocks: { price: { spy: true }, tax: { spy: true } } }), /'shop' lacks 'tax'/);
  assert.match(await no({ mocks: { prcie: { spy: true } } }), /did you mean 'price'/);
  assert.match(await no({ mocks: [{ uri: "http:*", spy: true }] }), /no mock names a step/);
  assert.match(await no({ flowId: "shop", mocks: {}, replaceFrom: { inn: "direct:x" } }), /\/replaceFrom\/inn: .*'in'/);
  assert.match(await no({ flowId: "shop", mocks: {}, replaceFrom: { in: "direct:start" } }), /already/);
  assert.match(await no({ flowId: "shop", mocks: {}, replaceFrom: { in: "direct:x", d: "direct:x" } }), /already/);
  assert.match(await no({ flowId: "shop", mocks: {}, ttlMs: 999 }), /ttlMs/);
  assert.match(await no({ flowId: "shop", mocks: {}, ttlMs: 3_600_001 }), /ttlMs/);
  const both = [
    { stepId: "price", spy: true },
    { uri: "price", spy: true },
  ];
  assert.match(await no({ flowId: "shop", mocks: both }), /^\/mocks\/1: 'price' is a step and a pattern/);
  const pattern = [{ stepId: "price", when: { body: { $regex: "(" } }, spy: true }];
  assert.match(await no({ flowId: "shop", mocks: pattern }), /^\/mocks\/0\/when\/body\/\$regex: /);
  assert.equal((await openSession(app, { mocks: { price: { spy: true }, audit: { spy: true } } })).flowId, "shop");
});

test("a document is validated as it would be opened: every problem has its place, and no session is open", async (t) => {
  const app = await startTestApp(t, { testScope: "session" });
  await app.put("shop", steps);
  const places = async (document: object): Promise<readonly string[]> =>
    (await problemsOf(app, document)).map(({ pointer }) => pointer);
  assert.deepEqual(await places({ flowId: "shop", mocks: { price: { spy: true } } }), []);
  assert.deepEqual(await places({ flowId: 5, mocks: [7], ttlMs: 0 }), ["/flowId", "/ttlMs", "/mocks/0"]);
  const mocks = [
    { uri: "http:x", spy: true },
    { stepId: "prize", spy: true },
    { stepId: "tax", spy: true },
  ];
  const unknown = await problemsOf(app, { flowId: "shop", mocks, invoke: { routeId: "inn" } });
  assert.deepEqual(unknown, [
    { pointer: "/mocks/1", message: "flow 'shop' has no step 'prize' (did you mean 'price'?)" },
    { pointer: "/mocks/2", message: "flow 'shop' has no step 'tax'" },
    { pointer: "/invoke/routeId", message: "flow 'shop' has no route 'inn' (did you mean 'in'?)" },
  ]);
  assert.deepEqual(await places({ mocks: { prcie: { spy: true } } }), [""]);
  assert.match(await (await app.api("/metrics")).text(), /^bulkhead_test_sessions_open 0$/m);
});

test("two sessions for a whole deployment cannot mock the same step or pattern; for single runs they can", async (t) => {
  const app = await startTestApp(t);
  await app.put("shop", steps);
  const step = { flowId: "shop", mocks: { price: { respond: 1 } } };
  const uri = { flowId: "shop", mocks: [{ uri: "http:erp*", respond: 1 }], replaceFrom: { in: "direct:in" } };
  const first = await openSession(app, step);
  const message = await expectRefusal(postSession(app, step), 409, "mock_conflict");
  assert.ok(message.includes(first.sessionId) && message.includes("step 'price'"), message);
  await openSession(app, uri);
  assert.match(await expectRefusal(postSession(app, uri), 409, "mock_conflict"), /'http:erp\*'/);
  assert.match(
    await expectRefusal(postSession(app, { ...uri, mocks: {} }), 409, "mock_conflict"),
    /trigger of route 'in'/,
  );
  await openSession(app, { ...step, scope: "session" });
  await closeSession(app, first);
  await openSession(app, step);
});

test("as many sessions are open as the limit says, and a closed one makes room", async (t) => {
  const app = await startTestApp(t, { limits: { testSessions: 2, testSessionMocks: 2 } });
  await app.put("shop", steps);
  const document = { flowId: "shop", scope: "session", mocks: {} };
  const first = await openSession(app, document);
  const second = await openSession(app, document);
  const metrics = async (): Promise<string> => (await app.api("/metrics")).text();
  assert.match(await metrics(), /^bulkhead_test_sessions_open 2$/m);
  const third = await postSession(app, document);
  assert.equal(third.headers.get("retry-after"), "5");
  assert.match(await expectRefusal(third, 429, "too_many_sessions"), /2 test sessions are open/);
  await closeSession(app, first);
  await closeSession(app, second);
  assert.match(await metrics(), /^bulkhead_test_sessions_open 0$/m);
  await closeSession(app, await openSession(app, document));
  // Of closed ones no more are kept than may be open.
  assert.equal((await app.api(`/test/session/${first.sessionId}`)).status, 404);
  assert.equal((await app.api(`/test/session/${second.sessionId}`)).status, 200);
  const many = [{ stepId: "price", sequence: [{ respond: 1 }, { respond: 2 }, { respond: 3 }] }];
  await expectRefusal(postSession(app, { ...document, mocks: many }), 422, "session_invalid");
});

test("an operator can forbid mocks for a whole deployment", async (t) => {
  const app = await startTestApp(t, { testScope: "session" });
  await app.put("shop", steps);
  const document = { flowId: "shop", mocks: { price: { respond: 1 } } };
  assert.match(await expectRefusal(postSession(app, document), 403, "scope_forbidden"), /send scope: session/);
  await expectRefusal(postSession(app, { ...document, scope: "deployment" }), 403, "scope_forbidden");
  await openSession(app, { ...document, scope: "session" });
});

test("what was probably not meant is a warning", async (t) => {
  const app = await startTestApp(t);
  await app.put("shop", steps);
  const { warnings } = await openSession(app, {
    flowId: "shop",
    scope: "session",
    mocks: {
      price: [{ respond: { status: 503 } }, { respond: 2 }],
      audit: [{ respond: 1, times: 1 }, { respond: 2 }],
    },
    recordedFrom: { runId: "r", hash: "0".repeat(64) },
  });
  assert.match(
    warnings.join("\n"),
    /^\/mocks\/price\/1 is never tried: \/mocks\/price\/0 takes all calls of 'price'$/m,
  );
  assert.match(warnings.join("\n"), /^\/mocks\/price\/0: respond\.status 503 .*HttpOperationFailedException/m);
  assert.match(warnings.join("\n"), /recorded with another version/);
  assert.equal(warnings.length, 3, warnings.join("\n"));
});
