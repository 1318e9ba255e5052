/** The specification's rule for errors: whatever goes wrong, the body is a JSON object with one field, `error`, a string. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { requestRaw } from "../control/http/raw.ts";
import { answering, webhook } from "../support/flows.ts";
import { startTestApp, type TestApp } from "../support/start-app.ts";
import { errorOf } from "./answers.ts";

const json = { "Content-Type": "application/json" };
const yaml = { "Content-Type": "application/yaml" };

type Case = readonly [what: string, status: number, call: (app: TestApp) => Promise<Response>];

const management: readonly Case[] = [
  ["JSON that is not", 400, (app) => app.api("/flows/f", { method: "PUT", headers: json, body: "{" })],
  ["a bad id", 400, (app) => app.api("/flows/-bad", { method: "DELETE" })],
  ["a bad query", 400, (app) => app.api("/runs?limit=none")],
  ["a bad stream filter", 400, (app) => app.api("/trace/stream?type=nothing")],
  ["an unknown flow", 404, (app) => app.api("/flows/nobody")],
  ["an unknown run", 404, (app) => app.api("/runs/nobody")],
  ["an unknown endpoint", 404, (app) => app.api("/nothing")],
  ["a wrong method", 405, (app) => app.api("/flows/f", { method: "PATCH" })],
  ["a route of another flow", 409, (app) => app.put("other", answering("r", "x"))],
  [
    "a failed precondition",
    412,
    (app) => app.api("/flows/f", { method: "PUT", headers: { ...yaml, "If-Match": '"x"' }, body: answering("r", "y") }),
  ],
  ["a body over its limit", 413, (app) => app.put("f", "x".repeat(3000))],
  [
    "a body of another type",
    415,
    (app) => app.api("/flows/f", { method: "PUT", headers: { "Content-Type": "text/csv" }, body: "x" }),
  ],
  ["a flow that is invalid", 422, (app) => app.put("f", "- route: [")],
];

const triggers: readonly Case[] = [
  ["JSON that is not", 400, (app) => app.post("/api/r", "{", json)],
  ["an unknown route", 404, (app) => app.post("/api/nobody")],
  ["a wrong method", 405, (app) => fetch(`${app.url}/api/r`, { method: "PUT", body: "x" })],
  ["a body over its limit", 413, (app) => app.post("/api/r", "x".repeat(2001))],
  ["a compressed body", 415, (app) => app.post("/api/r", "x", { "Content-Encoding": "gzip" })],
  ["a run that failed", 500, (app) => app.post("/api/fails")],
  ["a stopped route", 503, (app) => app.post("/api/stopped")],
  ["a run over its time", 504, (app) => app.post("/api/slow")],
];

async function appWithFlows(...of: Parameters<typeof startTestApp>): Promise<TestApp> {
  const app = await startTestApp(...of);
  await app.put("f", answering("r", "x"));
  await app.put("fails", webhook("fails", "throwException: { exceptionType: java.lang.Exception, message: 'inside' }"));
  await app.put("slow", webhook("slow", "delay: { constant: 60000 }"), { limits: { webhookWallMs: 100 } });
  await app.put("stopped", answering("stopped", "x"));
  await app.api("/flows/stopped/stop", { method: "POST" });
  return app;
}

test("every error of the management API has one string field, error", async (t) => {
  const app = await appWithFlows(t, { limits: { managementBodyBytes: 2000 } });
  for (const [what, status, call] of management) {
    const message = await errorOf(await call(app), status).catch((error: unknown) => assert.fail(`${what}: ${error}`));
    assert.ok(message.length < 1024, what);
  }
});

test("every error of a trigger has one string field, error, and tells nothing of the flow's inside", async (t) => {
  const app = await appWithFlows(t, { limits: { webhookBodyBytes: 2000 } });
  for (const [what, status, call] of triggers) {
    const message = await errorOf(await call(app), status).catch((error: unknown) => assert.fail(`${what}: ${error}`));
    assert.doesNotMatch(message, /inside|Exception|\.ts|node:/, what);
  }
});

test("requests that are no proper HTTP are answered with one string field, error, too", async (t) => {
  const app = await startTestApp(t);
  const port = Number(new URL(app.url).port);
  for (const [line, headers, status] of [
    ["GET /_api/../etc HTTP/1.1", [], 400],
    ["POST //api/r HTTP/1.1", [], 400],
    ["POST /api/%2e%2e/x HTTP/1.1", [], 400],
    ["GET /api/r HTTP/1.1", ["Host: again"], 400],
    ["BREW /api/r HTTP/1.1", [], 400],
    ["POST /api/r HTTP/1.1", [`X-Long: ${"x".repeat(20_000)}`], 431],
  ] as const) {
    const answer = await requestRaw(port, line, headers);
    assert.equal(answer.status, status, line);
    const body = JSON.parse(answer.body) as Record<string, unknown>;
    assert.deepEqual([Object.keys(body), typeof body["error"]], [["error"], "string"], line);
  }
});
