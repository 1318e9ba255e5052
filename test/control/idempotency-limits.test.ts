/** How much is kept under idempotency keys, and for how long. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { eventually } from "../support/clock.ts";
import { webhook } from "../support/flows.ts";
import { startTestApp, type TestApp } from "../support/start-app.ts";

async function replayed(app: TestApp, key: string, body = "x"): Promise<boolean> {
  const answer = await app.post("/api/r", body, { "Idempotency-Key": key });
  assert.equal(answer.status, 200);
  await answer.arrayBuffer();
  return answer.headers.get("idempotency-replayed") === "true";
}

async function gauge(app: TestApp, name: string): Promise<number> {
  const body = await (await app.api("/metrics")).text();
  return Number(new RegExp(`^bulkhead_idempotency_${name} (\\S+)$`, "m").exec(body)?.[1]);
}

test("the oldest keys go when there are too many", async (t) => {
  const app = await startTestApp(t, { limits: { idempotencyKeys: 3 } });
  await app.put("f", webhook("r", 'log: "ran"'));
  for (const key of ["a", "b", "c", "d"]) assert.equal(await replayed(app, key), false);
  // The reading of `a` makes it the newest again, in place of `b`.
  for (const [key, expected] of [
    ["b", true],
    ["c", true],
    ["d", true],
    ["a", false],
    ["b", false],
    ["d", true],
  ] as const) {
    assert.equal(await replayed(app, key), expected, key);
  }
  assert.equal(await gauge(app, "keys"), 3);
});

test("the oldest answers go when they hold too many bytes", async (t) => {
  const app = await startTestApp(t, { limits: { idempotencyBytes: 10_000 } });
  await app.put("f", webhook("r", "setBody: { simple: '${body}' }"));
  const body = "x".repeat(3000);
  for (const key of ["a", "b", "c"]) assert.equal(await replayed(app, key, body), false);
  for (const [key, expected] of [
    ["b", true],
    ["c", true],
    ["a", false],
  ] as const) {
    assert.equal(await replayed(app, key, body), expected, key);
  }
  const held = await gauge(app, "bytes");
  assert.ok(held > 6000 && held <= 10_000, `${held}`);
});

test("an answer that is too large is not kept, and a repeat is told so instead of being carried out", async (t) => {
  const app = await startTestApp(t, { limits: { idempotencyAnswerBytes: 1000 } });
  await app.put("f", webhook("r", 'log: "ran"', "setBody: { simple: '${body}' }"));
  assert.equal(await replayed(app, "small", "x".repeat(1000)), false);
  assert.equal(await replayed(app, "small", "x".repeat(1000)), true);
  const large = "x".repeat(1001);
  const first = await app.post("/api/r", large, { "Idempotency-Key": "large" });
  assert.equal(await first.text(), large);
  const repeat = await app.post("/api/r", large, { "Idempotency-Key": "large" });
  assert.deepEqual([repeat.status, repeat.headers.get("x-error-code")], [409, "idempotency_answer_lost"]);
  assert.equal(repeat.headers.get("x-run-id"), first.headers.get("x-run-id"));
  assert.equal(app.logs.filter(({ message }) => message === "ran").length, 2);
});

test("a key is free again after its time", async (t) => {
  const app = await startTestApp(t, { limits: { idempotencyMs: 1 } });
  await app.put("f", webhook("r", 'log: "ran"'));
  await replayed(app, "a");
  await eventually(async () => !(await replayed(app, "a")), "the time is over");
  for (let i = 0; i < 5; i += 1) await replayed(app, `b${i}`);
  await eventually(async () => {
    await replayed(app, "c");
    return (await gauge(app, "keys")) === 1;
  }, "old ones go along with new ones");
});
