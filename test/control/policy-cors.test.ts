/** CORS by policy: preflights are answered without credentials and without a run, and every answer says whether a script may read it. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { webhook } from "../support/flows.ts";
import { install, outcome, shopOnly, withKey } from "../support/policies.ts";
import { startTestApp } from "../support/start-app.ts";

const shop = "https://shop.example";
const cors = {
  ...{ origins: [shop, "https://other.example"], methods: ["POST"], headers: ["X-API-Key", "Content-Type"] },
  ...{ exposed: ["X-Run-Id"], credentials: true, maxAgeSeconds: 60 },
};

test("callers in browsers", async (t) => {
  const app = await startTestApp(t, { limits: { webhookBodyBytes: 100 } });
  const steps = [
    "setHeader: { name: Access-Control-Allow-Origin, constant: '*' }",
    "setHeader: { name: Vary, constant: Accept }",
    "setHeader: { name: X-Own, constant: kept }",
  ];
  for (const id of ["offered", "silent", "open"]) await app.put(id, webhook(id, ...steps));
  await app.put("failing", webhook("failing", "throwException: { exceptionType: java.lang.Exception, message: no }"));
  await app.put(
    "paths",
    `- route:\n    id: paths\n    from:\n      uri: platform-http:/items\n      steps:\n        - setBody: { constant: "mine" }\n`,
  );
  for (const id of ["offered", "failing", "paths"]) await install(app, id, { ...shopOnly, cors });
  await install(app, "silent", shopOnly);

  const preflight = (path: string, origin = shop): Promise<Response> =>
    fetch(app.url + path, { method: "OPTIONS", headers: { Origin: origin, "Access-Control-Request-Method": "POST" } });
  const corsHeaders = (answer: Response): Record<string, string> =>
    Object.fromEntries([...answer.headers].filter(([name]) => name.startsWith("access-control-")));

  await t.test("a preflight is answered without credentials, and starts no run", async () => {
    for (const path of ["/api/offered", "/items"]) {
      const answer = await preflight(path);
      assert.equal(answer.status, 204);
      assert.deepEqual(corsHeaders(answer), {
        "access-control-allow-origin": shop,
        "access-control-allow-credentials": "true",
        "access-control-allow-methods": "POST",
        "access-control-allow-headers": "x-api-key, content-type",
        "access-control-max-age": "60",
      });
      assert.match(answer.headers.get("vary") ?? "", /Origin/);
    }
    for (const id of ["offered", "paths"]) assert.deepEqual(await (await app.api(`/runs?routeId=${id}`)).json(), []);
  });

  await t.test("another origin is permitted nothing", async () => {
    for (const origin of ["https://evil.example", "null", `${shop}.evil.example`, "http://shop.example"]) {
      const answer = await preflight("/api/offered", origin);
      assert.deepEqual([answer.status, corsHeaders(answer)], [204, {}]);
      const call = await app.post("/api/offered", "", { ...withKey, Origin: origin });
      assert.deepEqual([call.status, corsHeaders(call)], [200, {}]);
      assert.match(call.headers.get("vary") ?? "", /Origin/);
    }
  });

  await t.test("without cors in the policy, and without a policy, none is offered", async () => {
    const silent = await preflight("/api/silent");
    assert.deepEqual([outcome(silent), corsHeaders(silent)], ["401 unauthenticated", {}]);
    const open = await preflight("/api/open");
    assert.deepEqual([outcome(open), corsHeaders(open)], ["405 method_not_allowed", {}]);
    // Then the flow says what it likes.
    const call = await app.post("/api/open", "", { Origin: shop });
    assert.deepEqual(corsHeaders(call), { "access-control-allow-origin": "*" });
  });

  await t.test("an answer of the flow says what the policy says, errors too", async () => {
    const permitted = {
      "access-control-allow-origin": shop,
      "access-control-allow-credentials": "true",
      "access-control-expose-headers": "X-Run-Id",
    };
    const answer = await app.post("/api/offered", "", { ...withKey, Origin: shop });
    assert.deepEqual([answer.status, corsHeaders(answer)], [200, permitted]);
    assert.equal(answer.headers.get("x-own"), "kept");
    assert.deepEqual(answer.headers.get("vary")?.split(", ").sort(), ["Accept", "Origin"]);
    const big = "x".repeat(101);
    for (const [path, headers, body, expected] of [
      ["/api/offered", {}, "", "401 unauthenticated"],
      ["/api/offered", withKey, big, "413 body_too_large"],
      ["/api/failing", withKey, "", "500 run_failed"],
    ] as const) {
      const refused = await app.post(path, body, { ...headers, Origin: shop });
      assert.deepEqual([outcome(refused), corsHeaders(refused)], [expected, permitted]);
      assert.equal(refused.headers.get("vary"), "Origin");
    }
    const kept = { ...withKey, Origin: shop, "Idempotency-Key": "k1" };
    const first = await app.post("/api/offered", "x", kept);
    const again = await app.post("/api/offered", "x", { ...kept, Origin: "https://other.example" });
    assert.equal(again.headers.get("x-run-id"), first.headers.get("x-run-id"));
    assert.equal(again.headers.get("access-control-allow-origin"), "https://other.example");
  });
});
