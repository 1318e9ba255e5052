/** Runs are admitted by the bytes of their bodies as well as by their number (`threadBodyBytes`): what a thread has no room for waits. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { BodyKind } from "../../src/shared/protocol.ts";
import { anInvocation, deployFlow, makePools } from "../support/flow-pools.ts";
import { webhook } from "../support/flows.ts";
import { modelOf } from "../support/run-route.ts";
import { startTestApp } from "../support/start-app.ts";

const model = modelOf(webhook("r", "delay: { constant: 60000 }"));

test("a thread takes runs as long as their bodies have room in it, and calls from other flows beside them", async () => {
  const { pools, limits } = makePools({ threadBodyBytes: 1000 });
  const pool = await deployFlow(pools, { model, limits, record: "errors" });
  const invoke = (body: string, more: Parameters<typeof anInvocation>[1] = {}): void =>
    pool.invoke(anInvocation(body, { body, ...more }).invocation);
  const held = (): readonly number[] => [pool.inflight, pool.queued];
  const json = { bodyKind: BodyKind.json } as const;
  const call = { child: true } as const;

  invoke("x".repeat(700));
  assert.deepEqual(held(), [1, 0]);
  // 90 characters of JSON count as 360.
  invoke(`"${"x".repeat(88)}"`, json);
  assert.deepEqual(held(), [1, 1]);
  // It would fit, but the other one came first.
  invoke("x");
  invoke("");
  assert.deepEqual(held(), [1, 3]);
  // Calls have as much room again.
  invoke("x".repeat(700), call);
  assert.deepEqual(held(), [2, 3]);
  invoke("x".repeat(400), call);
  assert.deepEqual(held(), [2, 4]);
  // What a called run calls never waits for a call above it.
  invoke("x".repeat(5000), { ...call, nested: true });
  assert.deepEqual(held(), [3, 4]);
  await pools.close();
});

test("what waits begins in its order as bodies go; one that is too heavy for any company is alone", async () => {
  const quick = modelOf(webhook("r", "delay: { constant: 50 }"));
  const { pools, limits } = makePools({ threadBodyBytes: 1000 });
  const pool = await deployFlow(pools, { model: quick, limits, record: "errors" });
  const runs = [400, 5000, 400, 400].map((length, i) => anInvocation(String(i), { body: "x".repeat(length) }));
  for (const { invocation } of runs) pool.invoke(invocation);
  await runs[1]?.begun;
  assert.deepEqual([pool.inflight, pool.queued], [1, 2]);
  await runs[2]?.begun;
  assert.deepEqual([pool.inflight, pool.queued], [2, 0]);
  await Promise.all(runs.map(({ ended }) => ended));
  assert.equal(pool.restarts, 0);
  await pools.close();
});

test("large JSON documents that come at the same time wait for each other, and all are answered by one thread", async (t) => {
  // On a busy machine the last one waits for longer than callers usually do.
  const app = await startTestApp(t, { limits: { webhookWallMs: 300_000, runCpuMs: 300_000 } });
  const step = 'setBody: { jsonpath: { expression: "$.rows.length()", resultType: "java.lang.Integer" } }';
  await app.put("big", webhook("big", "unmarshal: { json: {} }", step));
  const row = { id: 12345, name: "a name of some length", values: [1, 2, 3, 4, 5, 6, 7, 8] };
  const rows = Array.from({ length: 6_000_000 / JSON.stringify(row).length }, () => row);
  const body = JSON.stringify({ rows });
  const calls = Array.from({ length: 6 }, () => app.post("/api/big", body, { "Content-Type": "application/json" }));
  const answers = await Promise.all(calls);
  for (const answer of answers) assert.deepEqual([answer.status, await answer.text()], [200, String(rows.length)]);
  const runs = (await (await app.api("/runs?routeId=big")).json()) as { worker: number }[];
  assert.equal(new Set(runs.map(({ worker }) => worker)).size, 1);
});
