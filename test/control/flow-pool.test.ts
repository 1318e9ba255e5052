/** A deployment's threads, without a runtime around them: arrivals, drains and closings that meet each other. Nothing is lost, and nothing ends twice. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { InvocationResult, Lost } from "../../src/control/threads/invocation.ts";
import { eventually } from "../support/clock.ts";
import { anInvocation, deployFlow, makePools } from "../support/flow-pools.ts";
import { answering, webhook } from "../support/flows.ts";
import { modelOf } from "../support/run-route.ts";

const slow = modelOf(webhook("r", "delay: { constant: 60000 }"));
const quick = modelOf(answering("r", "done"));

test("a run that waits for a waking thread is served although its deployment is replaced meanwhile", async () => {
  const { pools, limits } = makePools({ idleMs: 20 });
  const pool = await deployFlow(pools, { model: quick, limits, record: "errors" });
  await eventually(() => pool.threads === 0, "the thread is released");
  const { invocation, ended } = anInvocation("a");
  pool.invoke(invocation);
  const drained = pool.drain(10_000);
  assert.equal(((await ended) as InvocationResult).body, "done");
  assert.deepEqual(await drained, { drained: 1, killed: 0 });
  await pools.close();
});

test("a deployment whose drain is over takes nothing more, and says so", async () => {
  const { pools, limits } = makePools();
  const pool = await deployFlow(pools, { model: quick, limits, record: "errors" });
  await pool.drain(1000);
  const { invocation, ended } = anInvocation("a");
  pool.invoke(invocation);
  const lost = (await ended) as Extract<Lost, { kind: "killed" }>;
  assert.deepEqual([lost.kind, lost.culprit, lost.kill.reason], ["killed", false, "redeploy"]);
  await pools.close();
});

test("a second drain shortens the first, and both tell the same", async () => {
  const { pools, limits } = makePools();
  const pool = await deployFlow(pools, { model: slow, limits, record: "errors" });
  const { invocation, ended, begun } = anInvocation("a");
  pool.invoke(invocation);
  await begun;
  const first = pool.drain(60_000);
  const second = pool.drain(0);
  assert.deepEqual(await first, { drained: 0, killed: 1 });
  assert.deepEqual(await second, await first);
  const lost = (await ended) as Extract<Lost, { kind: "killed" }>;
  assert.deepEqual([lost.kind, lost.culprit, lost.kill.reason], ["killed", true, "redeploy"]);
  await pools.close();
});

test("a run whose deadline comes while it waits for a thread ends then", async () => {
  const { pools, limits } = makePools({ runsPerThread: 1 });
  const pool = await deployFlow(pools, { model: slow, limits, record: "errors" });
  const first = anInvocation("a");
  pool.invoke(first.invocation);
  const second = anInvocation("b", { deadlineMs: 50 });
  pool.invoke(second.invocation);
  assert.deepEqual(await second.ended, { kind: "expired" });
  await pools.close();
  await first.ended;
});

test("a drain ends when what waits is cancelled", async () => {
  const { pools, limits } = makePools({ idleMs: 20 });
  const pool = await deployFlow(pools, { model: quick, limits, record: "errors" });
  await eventually(() => pool.threads === 0, "the thread is released");
  const { invocation, ended } = anInvocation("a");
  pool.invoke(invocation);
  const drained = pool.drain(60_000);
  pool.cancel("a", "nobody wants it", true);
  assert.deepEqual(await ended, { kind: "cancelled", message: "nobody wants it" });
  await drained;
  await pools.close();
});

test("pools that close end what runs, boots and is deployed, and take no more", async () => {
  const { pools, limits } = makePools();
  const pool = await deployFlow(pools, { model: slow, limits, record: "errors" });
  const { invocation, ended, begun } = anInvocation("a");
  pool.invoke(invocation);
  await begun;
  pools.fillStandby();
  const late = assert.rejects(deployFlow(pools, { model: quick, limits, record: "errors" }));
  const larger = assert.rejects(
    deployFlow(pools, { model: quick, limits: { ...limits, threads: 2 }, record: "errors" }),
  );
  await pools.close();
  await Promise.all([late, larger]);
  assert.equal(((await ended) as Lost).kind, "killed");
  await assert.rejects(deployFlow(pools, { model: quick, limits, record: "errors" }), /shutting down/);
  const { standby, threads } = pools.stats();
  assert.deepEqual([standby, threads], [0, 0]);
});

test("an idle flow of several threads gives all of them back, and has all of them again", async () => {
  const { pools, limits } = makePools({ idleMs: 20 });
  const pool = await deployFlow(pools, { model: quick, limits: { ...limits, threads: 2 }, record: "errors" });
  for (const id of ["a", "b"]) {
    await eventually(() => pool.threads === 0, "the threads are released");
    const { invocation, ended } = anInvocation(id);
    pool.invoke(invocation);
    assert.equal(((await ended) as InvocationResult).body, "done");
  }
  await pools.close();
});
