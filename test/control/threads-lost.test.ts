/** Threads that are lost at awkward moments: before the first call, in a drain, while they compile. Every run ends once, every drain ends. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { InvocationResult, Lost } from "../../src/control/threads/invocation.ts";
import type { Kill } from "../../src/control/threads/kill.ts";
import { Interest } from "../../src/shared/protocol.ts";
import { eventually } from "../support/clock.ts";
import { anInvocation, deployFlow, makePools } from "../support/flow-pools.ts";
import { answering } from "../support/flows.ts";
import { modelOf } from "../support/run-route.ts";

const hostile = new URL("../support/hostile-worker.ts", import.meta.url);
const model = modelOf(answering("r", "x"));

const kindOf = (how: InvocationResult | Lost): string => ("kind" in how ? how.kind : String(how.body));

test("a deployment that loses its thread before its first call serves that in another", async () => {
  const { pools, limits } = makePools({}, hostile);
  const pool = await deployFlow(pools, { model, limits, record: "errors" });
  const last = anInvocation("a", { body: "leave" });
  pool.invoke(last.invocation);
  await last.ended;
  const first = anInvocation("b", { body: "echo" });
  pool.invoke(first.invocation);
  assert.equal(kindOf(await first.ended), "echo");
  assert.equal(pool.restarts, 1);
  await pools.close();
});

test("a drain whose thread is lost goes on in another with what waits", async () => {
  const { pools, limits } = makePools({ runsPerThread: 1 }, hostile);
  const pool = await deployFlow(pools, { model, limits, record: "errors" });
  const lost = anInvocation("a", { body: "exit" });
  const waiting = anInvocation("b", { body: "echo" });
  pool.invoke(lost.invocation);
  pool.invoke(waiting.invocation);
  const drained = pool.drain(60_000);
  assert.equal(kindOf(await lost.ended), "killed");
  assert.equal(kindOf(await waiting.ended), "echo");
  assert.equal((await drained).killed, 0);
  await pools.close();
});

test("a drain whose flow is quarantined meanwhile ends, and what waits is told", async () => {
  const { pools, limits } = makePools({ runsPerThread: 1, quarantineKills: 1 }, hostile);
  const pool = await deployFlow(pools, { model, limits, record: "errors" });
  const lost = anInvocation("a", { body: "exit" });
  const waiting = anInvocation("b", { body: "echo" });
  pool.invoke(lost.invocation);
  pool.invoke(waiting.invocation);
  const drained = pool.drain(60_000);
  assert.equal(kindOf(await waiting.ended), "quarantined");
  assert.equal(kindOf(await lost.ended), "killed");
  assert.equal((await drained).killed, 0);
  await pools.close();
});

for (const [what, interest] of Object.entries({ "says nothing": Interest.trace, dies: Interest.preview })) {
  test(`a thread that ${what} while it compiles for a waking flow is one kill, and the drain behind it ends`, async () => {
    const kills: string[] = [];
    const killed = (_flowId: string, { detail }: Kill): unknown => kills.push(detail);
    const { pools, limits, interest: watched } = makePools({ idleMs: 20, compileMs: 5000 }, hostile, { killed });
    const pool = await deployFlow(pools, { model, limits, record: "errors" });
    await eventually(() => pool.threads === 0, "the thread is released");
    watched[0] = interest;
    const { invocation, ended } = anInvocation("a", { body: "echo" });
    pool.invoke(invocation);
    const drained = pool.drain(60_000);
    const lost = (await ended) as Extract<Lost, { kind: "killed" }>;
    assert.deepEqual([lost.kind, lost.culprit, lost.kill.reason], ["killed", false, "exit"]);
    assert.equal((await drained).killed, 0);
    assert.equal(kills.length, 1, kills.join("; "));
    await pools.close();
  });
}
