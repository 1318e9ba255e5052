/** A deployment's threads at the host's door: arrivals, drains and closings that meet each other. Nothing is lost, and nothing ends twice. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { InvocationResult, Lost } from "../../src/control/threads/invocation.ts";
import { aHost, anInvocation, deployFlow } from "../support/a-host.ts";
import { answering, webhook } from "../support/flows.ts";
import { modelOf } from "../support/run-route.ts";
import { eventually } from "../support/start-app.ts";

const slow = modelOf(webhook("r", "delay: { constant: 60000 }"));
const quick = modelOf(answering("r", "done"));

test("a run that waits for a waking thread is served although its deployment is replaced meanwhile", async () => {
  const { host, limits } = aHost({ idleMs: 20 });
  const hosted = await deployFlow(host, { model: quick, limits, record: "errors" });
  await eventually(() => hosted.threads === 0, "the thread is released");
  const { invocation, ended } = anInvocation("a");
  hosted.invoke(invocation);
  const drained = hosted.drain(10_000);
  assert.equal(((await ended) as InvocationResult).body, "done");
  assert.deepEqual(await drained, { drained: 1, killed: 0 });
  await host.close();
});

test("a deployment whose drain is over takes nothing more, and says so", async () => {
  const { host, limits } = aHost();
  const hosted = await deployFlow(host, { model: quick, limits, record: "errors" });
  await hosted.drain(1000);
  const { invocation, ended } = anInvocation("a");
  hosted.invoke(invocation);
  const lost = (await ended) as Extract<Lost, { kind: "killed" }>;
  assert.deepEqual([lost.kind, lost.culprit, lost.kill.reason], ["killed", false, "redeploy"]);
  await host.close();
});

test("a second drain shortens the first, and both tell the same", async () => {
  const { host, limits } = aHost();
  const hosted = await deployFlow(host, { model: slow, limits, record: "errors" });
  const { invocation, ended, begun } = anInvocation("a");
  hosted.invoke(invocation);
  await begun;
  const first = hosted.drain(60_000);
  const second = hosted.drain(0);
  assert.deepEqual(await first, { drained: 0, killed: 1 });
  assert.deepEqual(await second, await first);
  const lost = (await ended) as Extract<Lost, { kind: "killed" }>;
  assert.deepEqual([lost.kind, lost.culprit, lost.kill.reason], ["killed", true, "redeploy"]);
  await host.close();
});

test("a run whose deadline comes while it waits for a thread ends then", async () => {
  const { host, limits } = aHost({ runsPerThread: 1 });
  const hosted = await deployFlow(host, { model: slow, limits, record: "errors" });
  const first = anInvocation("a");
  hosted.invoke(first.invocation);
  const second = anInvocation("b", { deadlineMs: 50 });
  hosted.invoke(second.invocation);
  assert.deepEqual(await second.ended, { kind: "expired" });
  await host.close();
  await first.ended;
});

test("a drain ends when what waits is cancelled", async () => {
  const { host, limits } = aHost({ idleMs: 20 });
  const hosted = await deployFlow(host, { model: quick, limits, record: "errors" });
  await eventually(() => hosted.threads === 0, "the thread is released");
  const { invocation, ended } = anInvocation("a");
  hosted.invoke(invocation);
  const drained = hosted.drain(60_000);
  hosted.cancel("a", "nobody wants it", true);
  assert.deepEqual(await ended, { kind: "cancelled", message: "nobody wants it" });
  await drained;
  await host.close();
});

test("a host that closes ends what runs, boots and is deployed, and takes no more", async () => {
  const { host, limits } = aHost();
  const hosted = await deployFlow(host, { model: slow, limits, record: "errors" });
  const { invocation, ended, begun } = anInvocation("a");
  hosted.invoke(invocation);
  await begun;
  host.fillStandby();
  const late = assert.rejects(deployFlow(host, { model: quick, limits, record: "errors" }));
  const larger = assert.rejects(
    deployFlow(host, { model: quick, limits: { ...limits, threads: 2 }, record: "errors" }),
  );
  await host.close();
  await Promise.all([late, larger]);
  assert.equal(((await ended) as Lost).kind, "killed");
  await assert.rejects(deployFlow(host, { model: quick, limits, record: "errors" }), /shutting down/);
  const { standby, threads } = host.stats();
  assert.deepEqual([standby, threads], [0, 0]);
});

test("an idle flow of several threads gives all of them back, and has all of them again", async () => {
  const { host, limits } = aHost({ idleMs: 20 });
  const hosted = await deployFlow(host, { model: quick, limits: { ...limits, threads: 2 }, record: "errors" });
  for (const id of ["a", "b"]) {
    await eventually(() => hosted.threads === 0, "the threads are released");
    const { invocation, ended } = anInvocation(id);
    hosted.invoke(invocation);
    assert.equal(((await ended) as InvocationResult).body, "done");
  }
  await host.close();
});
