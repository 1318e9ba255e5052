/** Each endpoint with each method and each credential that is not the deploy token answers 401. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { endpointTable } from "../../../src/control/api/index.ts";
import type { Services } from "../../../src/control/api/services.ts";
import { jwt, startProvider, tokenKey } from "../../support/credentials.ts";
import { webhook } from "../../support/flows.ts";
import { install, shopKey, shopOnly } from "../../support/policies.ts";
import { startTestApp, token } from "../../support/start-app.ts";

const methods = ["GET", "HEAD", "PUT", "POST", "DELETE", "PATCH", "OPTIONS"];
/** Building the table calls no service, so these need not work. */
const noServices = new Proxy({}, { get: () => new Proxy({}, { get: () => 0 }) }) as Services;

test("health is the only open endpoint of the table and of the OpenAPI document", async (t) => {
  const key = tokenKey("k");
  const provider = await startProvider(t, [key]);
  const app = await startTestApp(t, { egressAllow: provider.host });
  // These credentials open the flow, and nothing else.
  await app.put("any", webhook("any", 'setBody: { constant: "in" }'));
  await install(app, "any", {
    principals: {
      ...shopOnly.principals,
      ...provider.policy.principals,
    },
    rules: [{ allow: ["*"], principals: ["*"] }],
  });
  const bearer = jwt(key, provider.claims({ sub: "admin" }));
  const credentials: readonly Readonly<Record<string, string>>[] = [
    {},
    { Authorization: "Bearer wrong" },
    { Authorization: `Bearer ${shopKey}` },
    { "X-API-Key": shopKey },
    { "X-API-Key": token },
    { Authorization: `Bearer ${bearer}` },
    { Authorization: `Basic ${token}` },
  ];
  for (const headers of [{ "X-API-Key": shopKey }, { Authorization: `Bearer ${bearer}` }]) {
    assert.equal((await app.post("/api/any", "", headers)).status, 200);
  }

  const { paths } = (await (await app.api("/openapi.json")).json()) as {
    paths: Record<string, Record<string, unknown>>;
  };
  const documented = Object.entries(paths).flatMap(([path, of]) =>
    Object.keys(of).map((method) => `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ":$1")}`),
  );
  const table = endpointTable(noServices, () => ({})).map(({ method, path }) => `${method} ${path}`);
  assert.deepEqual(
    documented.filter((endpoint) => !endpoint.startsWith("HEAD ")).sort(),
    [...table].sort(),
    "the document shows the table",
  );
  assert.ok(table.length > 30, `${table.length} endpoints`);

  const open: string[] = [];
  const found = [...new Set(table.map((endpoint) => endpoint.split(" ")[1] as string))];
  for (const path of found) {
    const url = app.url + path.replaceAll(/:\w+/g, "any");
    const calls = methods.flatMap((method) => credentials.map((headers) => ({ method, headers })));
    const answers = calls.map(async ({ method, headers }) => {
      const answer = await fetch(url, { method, headers });
      const body = await answer.text();
      const expected = method === "HEAD" ? "" : '{"error":"unauthorized"}';
      if (answer.status !== 401 || body !== expected) open.push(`${method} ${path}`);
    });
    await Promise.all(answers);
  }
  assert.deepEqual([...new Set(open)].sort(), ["GET /_api/health", "HEAD /_api/health"]);
  assert.equal(await (await app.post("/api/any", "", { "X-API-Key": shopKey })).text(), "in");
});
