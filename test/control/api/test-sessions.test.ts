/** The endpoints of test sessions: what they pass to the service, and how they answer. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { AuditEvent } from "../../../src/control/audit/audit-line.ts";
import { requestRaw } from "../http/raw.ts";
import { assertError } from "./calls.ts";
import { invoked, openApi, opened, report, token } from "./services.ts";

const text = { "Content-Type": "text/plain" };
const session = "/_api/test/session";
const one = `${session}/${opened.sessionId}`;

test("POST opens the session that it has read, and adds its warnings to those of the service", async (t) => {
  const { send, calls } = await openApi(t);
  const answer = await send("POST", session, { body: { mocks: { "to-crm": { respond: { hedaers: {} } } } } });
  assert.equal(answer.status, 201);
  assert.equal(answer.headers.get("location"), one);
  const { warnings, ...rest } = (await answer.json()) as typeof opened;
  assert.deepEqual({ ...rest, warnings: opened.warnings }, opened);
  assert.match(warnings.join(), /^\/mocks\/to-crm\/respond: .*,of the service$/);
  const [name, request] = calls[0] ?? [];
  assert.equal(name, "tests.open");
  assert.deepEqual((request as { set: unknown }).set, {
    targets: [{ stepId: "to-crm" }],
    mocks: [{ target: 0, actions: [{ kind: "respond", body: { hedaers: {} } }], times: 0, after: "passthrough" }],
  });
});

test("POST refuses an invalid session and does not call the service", async (t) => {
  const { send, calls } = await openApi(t);
  const message = await assertError(
    await send("POST", session, { body: { mocks: [5], x: 1 } }),
    422,
    "session_invalid",
  );
  assert.match(message, /^\/x: unknown field.*; \/mocks\/0: /);
  await assertError(await send("POST", session), 400, "bad_request");
  await assertError(await send("POST", session, { body: "{" }), 400, "bad_json");
  await assertError(await send("POST", session, { body: "{}", headers: text }), 415, "unsupported_media_type");
  const deep = `{"flowId":"f","mocks":[{"stepId":"a","respond":${"[".repeat(300)}${"]".repeat(300)}}]}`;
  const json = { "Content-Type": "application/json" };
  await assertError(await send("POST", session, { body: deep, headers: json }), 400, "bad_json");
  await assertError(await send("POST", `${session}?x=1`, { body: { flowId: "f" } }), 400, "bad_query");
  assert.deepEqual(calls, []);
});

test("GET returns the whole report of a session", async (t) => {
  const { send } = await openApi(t);
  const look = await send("GET", one);
  assert.deepEqual([look.status, await look.json()], [200, { ...report, closed: false, passed: null }]);
  await assertError(await send("GET", `${session}/ts_other`), 404, "not_found");
  await assertError(await send("GET", `${session}/-x`), 400, "bad_id");
  assert.equal((await send("HEAD", one)).status, 200);
});

test("DELETE closes a session with a body and without one, whatever headers come with it", async (t) => {
  const { send, calls, port } = await openApi(t);
  const closed = await send("DELETE", one);
  assert.deepEqual([closed.status, await closed.json()], [200, report]);
  const head = `DELETE ${one} HTTP/1.1`;
  const bearer = `Authorization: Bearer ${token}`;
  for (const headers of [
    [],
    ["Content-Length: 0"],
    ["Content-Type: application/json"],
    ["Content-Type: application/json", "Content-Length: 0"],
    ["Content-Type: text/plain", "Content-Length: 0"],
  ]) {
    const answer = await requestRaw(port, head, [bearer, ...headers]);
    assert.equal(answer.status, 200, headers.join());
  }
  const none = calls.map(([, , options]) => options);
  assert.deepEqual(none, Array(6).fill({ waitMs: 1000, assertions: [] }));
  calls.length = 0;
  const assertions = [{ mockCalled: { stepId: "to-crm" } }];
  await send("DELETE", `${one}?waitMs=60000`, { body: { assertions } });
  await send("DELETE", `${one}?waitMs=0`, { body: {} });
  assert.deepEqual(calls, [
    ["tests.close", opened.sessionId, { waitMs: 60_000, assertions }],
    ["tests.close", opened.sessionId, { waitMs: 0, assertions: [] }],
  ]);
  calls.length = 0;
  await assertError(await send("DELETE", `${one}?waitMs=60001`), 400, "bad_query");
  await assertError(await send("DELETE", one, { body: { assertion: [] } }), 422, "session_invalid");
  await assertError(await send("DELETE", one, { body: "{}", headers: text }), 415, "unsupported_media_type");
  assert.deepEqual(calls, []);
});

test("POST /_api/test/invoke passes the request to the service, and answers with the end of the run", async (t) => {
  const { send, calls } = await openApi(t);
  const body = { sessionId: opened.sessionId, routeId: "r", body: [1], headers: { a: 1 }, timeoutMs: 7 };
  const answer = await send("POST", "/_api/test/invoke", { body });
  assert.deepEqual([answer.status, await answer.json()], [200, invoked]);
  const [name, id, invoke] = calls[0] ?? [];
  assert.deepEqual([name, id], ["tests.invoke", opened.sessionId]);
  const { sessionId, ...sent } = body;
  assert.deepEqual(JSON.parse(JSON.stringify(invoke)), sent);
  const message = await assertError(await send("POST", "/_api/test/invoke", { body: {} }), 400, "bad_request");
  assert.match(message, /^\/sessionId: is missing/);
});

test("the audit log has which session was opened and closed and which run was begun, and nothing of their bodies", async (t) => {
  const events: AuditEvent[] = [];
  const audit = {
    trail: {
      strict: true,
      status: () => ({ writable: true }),
      note: async (event: AuditEvent) => void events.push(event),
    },
    hashOf: async () => undefined,
    actorOf: () => "me",
  };
  const { send } = await openApi(t, { services: { audit } });
  await send("POST", session, { body: { mocks: { "to-crm": { respond: "secret-word" } } } });
  await send("GET", one);
  await send("POST", "/_api/test/invoke", { body: { sessionId: opened.sessionId, body: "secret-word" } });
  await send("DELETE", one, { body: { assertions: [{ "secret-word": {} }] } });
  await send("POST", session, { body: { "secret-word": 1 } });
  assert.deepEqual(
    events.map(({ action, resource, status, code }) => [action, resource, status, code]),
    [
      ["tests.run", `orders/${opened.sessionId}`, 201, null],
      ["tests.run", invoked.runId, 200, null],
      ["tests.run", opened.sessionId, 200, null],
      ["tests.run", null, 422, "session_invalid"],
    ],
  );
  assert.doesNotMatch(JSON.stringify(events), /secret-word/);
});
