/** Endpoints of the specification that a later version brings: known, guarded like all others, and answered 501. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { startTestApp, type TestApp } from "../support/start-app.ts";
import { startProcess } from "../support/start-process.ts";
import { assertUnauthorized, errorOf } from "./answers.ts";

type Call = readonly [method: string, path: string];

const json = { "Content-Type": "application/json" };

/** 401 comes first, then 501: what is not there yet is told only to who may use it. */
async function comesLater(app: TestApp, calls: readonly Call[], what: RegExp): Promise<void> {
  for (const [method, path] of calls) {
    const request: RequestInit = { method, ...(method === "GET" ? {} : { headers: json, body: "{}" }) };
    await assertUnauthorized(await fetch(`${app.url}/_api${path}`, request));
    const answer = await app.api(path, request);
    assert.equal(answer.headers.get("x-error-code"), "not_implemented");
    const message = await errorOf(answer, 501);
    assert.match(message, what, `${method} ${path}`);
    assert.match(message, /later version/);
  }
}

const testSessions: readonly Call[] = [
  ["POST", "/test/session"],
  ["DELETE", "/test/session/s1"],
  ["POST", "/test/invoke"],
];

test("test sessions come later: 501 after the bearer check", async (t) => {
  await comesLater(await startTestApp(t), testSessions, /test sessions/);
});

test("without a configured token what comes later answers 503 like everything else", async (t) => {
  const { url } = await startProcess(t, {});
  for (const [method, path] of testSessions) await errorOf(await fetch(`${url}/_api${path}`, { method }), 503);
});
