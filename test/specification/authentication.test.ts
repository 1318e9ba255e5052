/** The specification's section Authentication, through a real socket. */
import assert from "node:assert/strict";
import crypto from "node:crypto";
import { syncBuiltinESMExports } from "node:module";
import { test } from "node:test";
import { requestRaw } from "../control/http/raw.ts";
import { eventually } from "../support/clock.ts";
import { answering } from "../support/flows.ts";
import { startTestApp, type TestApp, token } from "../support/start-app.ts";
import { startProcess } from "../support/start-process.ts";
import { assertUnauthorized, errorOf } from "./answers.ts";

/** Every endpoint of the API document but the open one, with ids filled in. */
async function guardedEndpoints(app: TestApp): Promise<(readonly [method: string, path: string])[]> {
  const { paths } = (await (await app.api("/openapi.json")).json()) as {
    paths: Record<string, Record<string, unknown>>;
  };
  return Object.entries(paths)
    .flatMap(([path, methods]) => Object.keys(methods).map((method) => [method.toUpperCase(), path] as const))
    .filter(([, path]) => path !== "/_api/health")
    .map(([method, path]) => [method, path.replaceAll(/\{\w+\}/g, "any")] as const);
}

/** The endpoints that the specification's table lists. */
const specified = [
  "GET /_api/flows",
  "PUT /_api/flows/any",
  "DELETE /_api/flows/any",
  "GET /_api/runs",
  "GET /_api/value-mappings",
  "PUT /_api/value-mappings/any",
  "DELETE /_api/value-mappings/any",
  "GET /_api/message-mappings",
  "PUT /_api/message-mappings/any",
  "DELETE /_api/message-mappings/any",
  "PUT /_api/auth/any",
  "GET /_api/auth/any",
  "DELETE /_api/auth/any",
  "GET /_api/trace/stream",
  "GET /_api/logs/stream",
  "POST /_api/test/session",
  "DELETE /_api/test/session/any",
  "POST /_api/test/invoke",
];

test("every management endpoint but health needs the bearer", async (t) => {
  const app = await startTestApp(t);
  const endpoints = await guardedEndpoints(app);
  const known = new Set(endpoints.map((endpoint) => endpoint.join(" ")));
  for (const endpoint of specified) assert.ok(known.has(endpoint), `${endpoint} is not offered`);
  for (const [method, path] of endpoints) await assertUnauthorized(await fetch(app.url + path, { method }));
});

test("a missing header and a wrong token are answered 401 with exactly the error unauthorized", async (t) => {
  const app = await startTestApp(t);
  for (const sent of [
    undefined,
    "",
    "Bearer",
    "Bearer ",
    "Bearer wrong",
    `Bearer ${token.slice(0, -1)}`,
    `Bearer ${token}x`,
    `Bearer ${token.toUpperCase()}`,
    `Bearer ${token} ${token}`,
    `Basic ${token}`,
    token,
  ]) {
    const answer = await fetch(`${app.url}/_api/flows`, sent === undefined ? {} : { headers: { Authorization: sent } });
    assert.ok(answer.headers.has("www-authenticate"));
    await assertUnauthorized(answer);
  }
  const twice = Array.from({ length: 2 }, () => `Authorization: Bearer ${token}`);
  const raw = await requestRaw(Number(new URL(app.url).port), "GET /_api/flows HTTP/1.1", twice);
  assert.deepEqual([raw.status, raw.body], [401, '{"error":"unauthorized"}']);
});

test("every presented token, right, wrong or none, is compared in constant time, as a digest of one length", async (t) => {
  const app = await startTestApp(t);
  const compare = t.mock.method(crypto, "timingSafeEqual");
  syncBuiltinESMExports();
  t.after(() => {
    compare.mock.restore();
    syncBuiltinESMExports();
  });
  for (const sent of [
    undefined,
    "Bearer x",
    `Bearer ${token.slice(0, -1)}x`,
    `Bearer ${"x".repeat(9000)}`,
    `Bearer ${token}`,
  ]) {
    compare.mock.resetCalls();
    await app.api("/flows", { headers: { Authorization: sent ?? "" } });
    assert.equal(compare.mock.callCount(), 1);
    for (const side of compare.mock.calls[0]?.arguments ?? []) assert.equal(side.byteLength, 32);
  }
});

test("the right token lets the request through to its endpoint", async (t) => {
  const app = await startTestApp(t);
  const answer = await fetch(`${app.url}/_api/flows`, { headers: { Authorization: `Bearer ${token}` } });
  assert.equal(answer.status, 200);
  assert.deepEqual(await answer.json(), []);
});

test("who is not let in learns nothing of what exists, and changes nothing", async (t) => {
  const app = await startTestApp(t);
  await app.put("f", answering("r", "x"));
  for (const [method, path] of [
    ["GET", "/_api/flows/f"],
    ["GET", "/_api/flows/none"],
    ["GET", "/_api/nothing/here"],
    ["PATCH", "/_api/flows"],
    ["DELETE", "/_api/flows/f"],
    ["PUT", "/_api/flows/f"],
  ] as const) {
    await assertUnauthorized(
      await fetch(app.url + path, { method, ...(method === "PUT" && { body: "not even JSON" }) }),
    );
  }
  assert.equal(await (await app.post("/api/r")).text(), "x");
});

test("without SERVICE_DEPLOY_TOKEN every management endpoint but health answers 503 and names the variable", async (t) => {
  const { url } = await startProcess(t, {});
  for (const endpoint of [...specified, "GET /_api/nothing", "PATCH /_api/flows"]) {
    const [method = "", path = ""] = endpoint.split(" ");
    for (const headers of [{}, { Authorization: "Bearer anything" }]) {
      const message = await errorOf(await fetch(url + path, { method, headers }), 503);
      assert.match(message, /SERVICE_DEPLOY_TOKEN is not configured/, endpoint);
    }
  }
  assert.equal((await fetch(`${url}/_api/health`)).status, 200);
});

test("the token is read once at boot: a change of the variable afterwards has no effect", async (t) => {
  const changed = "another-token-that-came-too-late-0000";
  const preload = `process.on("SIGUSR2", () => {
    process.env.SERVICE_DEPLOY_TOKEN = ${JSON.stringify(changed)};
    process.stdout.write('{"message":"the variable has changed"}\\n');
  });`;
  const { child, url, lines } = await startProcess(t, {
    SERVICE_DEPLOY_TOKEN: token,
    NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(preload)}`,
  });
  const flows = (bearer: string): Promise<Response> =>
    fetch(`${url}/_api/flows`, { headers: { Authorization: `Bearer ${bearer}` } });
  assert.equal((await flows(token)).status, 200);
  child.kill("SIGUSR2");
  await eventually(() => lines.some((line) => line.includes("the variable has changed")), "the variable changed");
  assert.equal((await flows(token)).status, 200);
  await assertUnauthorized(await flows(changed));
});

test("triggers need no token while their flow has no policy", async (t) => {
  const app = await startTestApp(t);
  await app.put("f", answering("r", "open"));
  assert.equal(await (await app.post("/api/r")).text(), "open");
  assert.equal(await (await app.post("/api/r", "", { Authorization: "Bearer wrong" })).text(), "open");
});
