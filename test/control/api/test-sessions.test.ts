/** The endpoints of test sessions: how their requests are read. What sessions do has tests in test/control/test-sessions. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { SessionReport, SessionSummary } from "../../../src/control/runs/test-sessions/test-service.ts";
import { webhook } from "../../support/flows.ts";
import { startTestApp, token } from "../../support/start-app.ts";
import { openSession } from "../../support/test-sessions.ts";
import { requestRaw } from "../http/raw.ts";
import { assertError, send } from "./calls.ts";

const session = "/test/session";
const text = { "Content-Type": "text/plain" };

test("requests of test sessions", async (t) => {
  const app = await startTestApp(t, { files: { "shop.yaml": webhook("in", "log: { id: a, message: x }") } });
  const open = async (): Promise<string> => {
    const { sessionId } = await openSession(app, { flowId: "shop", scope: "session", mocks: {} });
    return `${session}/${sessionId}`;
  };

  await t.test(
    "POST returns the location of the session, and warnings about its document before those about its flow",
    async () => {
      const recordedFrom = { runId: "r", hash: "0".repeat(64) };
      const body = { scope: "session", mocks: { a: { respond: { hedaers: {} } } }, recordedFrom };
      const answer = await send(app, "POST", session, { body });
      const { sessionId, warnings } = (await answer.json()) as { sessionId: string; warnings: string[] };
      assert.deepEqual([answer.status, answer.headers.get("location")], [201, `/_api${session}/${sessionId}`]);
      assert.equal(warnings.length, 2, warnings.join("\n"));
      assert.match(warnings[0] ?? "", /^\/mocks\/a\/respond: the whole object is the body/);
      assert.match(warnings[1] ?? "", /recorded with another version/);
    },
  );

  await t.test("POST refuses an invalid session with all problems", async () => {
    const body = { mocks: [5], x: 1 };
    const message = await assertError(await send(app, "POST", session, { body }), 422, "session_invalid");
    assert.match(message, /^\/x: unknown field.*; \/mocks\/0: /);
    await assertError(await send(app, "POST", session), 400, "bad_request");
    await assertError(await send(app, "POST", session, { body: "{" }), 400, "bad_json");
    await assertError(await send(app, "POST", session, { body: "{}", headers: text }), 415, "unsupported_media_type");
    const deep = `{"flowId":"f","mocks":[{"stepId":"a","respond":${"[".repeat(300)}${"]".repeat(300)}}]}`;
    await assertError(await send(app, "POST", session, { body: deep }), 400, "bad_json");
    await assertError(await send(app, "POST", `${session}?x=1`, { body: { flowId: "f" } }), 400, "bad_query");
    const invoked = await assertError(await send(app, "POST", "/test/invoke", { body: {} }), 400, "bad_request");
    assert.match(invoked, /^\/sessionId: is missing/);
  });

  await t.test("GET lists open sessions and those that have ended, the newest first", async () => {
    const [first, second] = [(await open()).split("/").at(-1), (await open()).split("/").at(-1)];
    await app.api(`${session}/${first}`, { method: "DELETE" });
    const all = (await (await app.api(session)).json()) as SessionSummary[];
    const [newest, older] = all;
    assert.deepEqual([newest?.sessionId, newest?.closed, newest?.passed], [second, false, null]);
    assert.deepEqual([older?.sessionId, older?.closed, older?.passed], [first, true, true]);
    assert.deepEqual([newest?.flowId, newest?.scope, newest?.name], ["shop", "session", null]);
    assert.ok(!("recordedCalls" in (newest ?? {})));
  });

  await t.test("DELETE closes a session without a body, whatever headers come with it", async () => {
    const port = Number(new URL(app.url).port);
    const bearer = `Authorization: Bearer ${token}`;
    for (const headers of [
      [],
      ["Content-Length: 0"],
      ["Content-Type: application/json"],
      ["Content-Type: application/json", "Content-Length: 0"],
      ["Content-Type: text/plain", "Content-Length: 0"],
    ]) {
      const answer = await requestRaw(port, `DELETE /_api${await open()} HTTP/1.1`, [bearer, ...headers]);
      assert.equal(answer.status, 200, headers.join());
      const { closed, assertions } = JSON.parse(answer.body) as SessionReport;
      assert.deepEqual([closed, assertions], [true, []]);
    }
  });

  await t.test("DELETE accepts assertions and waitMs, and a refused one does not close the session", async () => {
    const one = await open();
    await assertError(await send(app, "DELETE", `${one}?waitMs=60001`), 400, "bad_query");
    await assertError(await send(app, "DELETE", one, { body: { assertion: [] } }), 422, "session_invalid");
    await assertError(await send(app, "DELETE", one, { body: "{}", headers: text }), 415, "unsupported_media_type");
    const look = await send(app, "GET", one);
    assert.equal(((await look.json()) as SessionReport).closed, false);
    assert.equal((await send(app, "HEAD", one)).status, 200);
    const body = { assertions: [{ mockCalled: { stepId: "a", times: 0 } }] };
    const closed = (await (await send(app, "DELETE", `${one}?waitMs=60000`, { body })).json()) as SessionReport;
    assert.deepEqual(
      closed.assertions.map(({ mockCalled }) => mockCalled),
      [{ stepId: "a", times: 0 }],
    );
    assert.equal((await send(app, "DELETE", `${await open()}?waitMs=0`, { body: {} })).status, 200);
  });
});
