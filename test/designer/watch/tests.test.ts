/** Tests that the page writes: `bulkhead test` reads them, and a runtime's session decides the same. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { coverageOf } from "../../../designer/web/src/tests/coverage.ts";
import { type FlowTest, sessionOf, withTest, writeTestFile } from "../../../designer/web/src/tests/test-file.ts";
import { startTestApp, token } from "../../support/start-app.ts";

const yaml = `- route:
    id: shop
    from:
      uri: webhook
      steps:
        - to: { id: crm, uri: "http://127.0.0.1:1/x" }
        - setBody: { constant: done }
`;
const mocked: FlowTest = {
  name: "an order is done",
  mocks: [{ stepId: "crm", respond: { body: { ok: true } } }],
  post: { path: "/api/shop", body: { total: 3 } },
  expect: { status: 200, body: "done" },
  assert: [{ mockCalled: { stepId: "crm", times: 1, with: { body: { total: 3 } } } }],
};

test("a test is a session of the runtime that passes when what it expects holds, and not otherwise", async (t) => {
  const { url } = await startTestApp(t);
  const headers = { Authorization: `Bearer ${token}`, "Content-Type": "application/json" };
  const send = async (method: string, path: string, body?: unknown) => {
    const answer = await fetch(`${url}${path}`, {
      method,
      headers,
      body: body === undefined ? null : JSON.stringify(body),
    });
    return { status: answer.status, document: (await answer.json()) as Record<string, unknown> };
  };
  assert.equal((await send("PUT", "/_api/flows/shop", { yaml })).status, 201);
  const passes = async (one: FlowTest): Promise<unknown> => {
    const opened = await send("POST", "/_api/test/session?strict=true", sessionOf("shop", one));
    assert.equal(opened.status, 201, JSON.stringify(opened.document));
    const session = String(opened.document["sessionId"]);
    await fetch(`${url}/api/shop`, {
      method: "POST",
      headers: { "Content-Type": "application/json", "X-Test-Session": session },
      body: JSON.stringify(one.post?.body),
    });
    return (await send("DELETE", `/_api/test/session/${session}`)).document["passed"];
  };
  assert.equal(await passes(mocked), true);
  assert.equal(await passes({ ...mocked, expect: { status: 201 } }), false);
  assert.equal(await passes({ ...mocked, expect: { body: "other" } }), false);
  const silent: FlowTest = { name: "silent", post: { path: "/api/shop", body: {} } };
  assert.equal(await passes(silent), false, "the call fails without its mock");
  assert.equal(await passes({ ...silent, mocks: mocked.mocks }), true);
  assert.equal(await passes({ ...silent, expect: { status: 500, error: { stepId: "crm" } } }), true);
});

test("a test file has the keys of the documentation, without empty ones", () => {
  assert.equal(
    writeTestFile(
      "shop",
      [{ name: "one", mocks: [], post: { path: "/api/shop" }, expect: { status: 200 } }],
      ["prices"],
    ),
    "flow: shop\nwith:\n  - prices\ntests:\n  - name: one\n    post:\n      path: /api/shop\n    expect:\n      status: 200\n",
  );
});

test("a test of the same name is replaced, another one is added", () => {
  const tests = withTest(withTest([], mocked), { name: "other", post: { path: "/api/shop" } });
  const again = withTest(tests, { ...mocked, expect: { status: 201 } });
  assert.deepEqual(
    again.map(({ name, expect }) => [name, expect?.status]),
    [
      ["an order is done", 201],
      ["other", undefined],
    ],
  );
});

test("coverage names the steps that no test comes to", () => {
  const { covered, missing, by } = coverageOf(
    ["a", "b", "c"],
    new Map([
      ["one", new Set(["a"])],
      ["two", new Set(["a", "c"])],
    ]),
  );
  assert.deepEqual([covered, missing, by.get("a")], [["a", "c"], ["b"], ["one", "two"]]);
});
