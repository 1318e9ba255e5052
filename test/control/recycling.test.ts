/** Threads whose place is to be given up: others take over from them, what they have is finished, and nobody's run is lost. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { BootedThread, ThreadListener } from "../../src/control/threads/booted-thread.ts";
import type { InvocationResult } from "../../src/control/threads/invocation.ts";
import type { PoolEvents } from "../../src/control/threads/pooled-flow.ts";
import { BodyKind } from "../../src/shared/protocol.ts";
import { eventually } from "../support/clock.ts";
import { anInvocation, deployFlow, makePools } from "../support/flow-pools.ts";
import { answering, webhook } from "../support/flows.ts";
import { modelOf } from "../support/run-route.ts";

const long = modelOf(webhook("r", "delay: { constant: 60000 }"));

/** Threads as their hosts hear them: `listeners` has one for each, in the order of their coming. `early`: the first has to leave before it has compiled. */
function heardThreads(early = false): {
  readonly listeners: ThreadListener[];
  readonly events: Pick<PoolEvents, "adopted">;
} {
  const listeners: ThreadListener[] = [];
  const adopted = (_flowId: string, thread: BootedThread): void => {
    const { port } = thread;
    const listen = port.listen.bind(port);
    port.listen = (listener) => {
      listen(listener);
      if (listeners.push(listener) === 1 && early) queueMicrotask(() => listener.leave());
    };
  };
  return { listeners, events: { adopted } };
}

for (const threads of [1, 2]) {
  test(`another thread takes over from one that has to leave, of ${threads}; its runs are found, cancelled and finished where they are`, async () => {
    const { listeners, events } = heardThreads();
    const { pools, limits } = makePools({ threads }, undefined, events);
    const pool = await deployFlow(pools, { model: long, limits, record: "errors" });
    const old = Array.from({ length: threads }, (_, i) => anInvocation(`old ${i}`));
    for (const { invocation } of old) pool.invoke(invocation);
    for (const listener of listeners) {
      listener.leave();
      listener.leave();
    }
    await eventually(() => pool.threads === 2 * threads, "the others have come");
    // The old ones have as many runs as the new ones will have.
    const young = Array.from({ length: 3 * threads }, (_, i) => anInvocation(`young ${i}`));
    await eventually(() => {
      const next = young.find(({ threads: begun }) => begun.length === 0);
      if (next !== undefined) pool.invoke(next.invocation);
      return next === undefined;
    }, "they have begun");
    const numbers = new Set(old.flatMap((run) => run.threads));
    assert.equal(numbers.size, threads);
    for (const run of young) assert.ok(!numbers.has(run.threads[0] ?? 0), "it began in a new thread");

    const drained = pool.drain(60_000);
    assert.equal(pool.find("old 0"), old[0]?.invocation);
    for (const run of [...young, ...old]) {
      pool.cancel(run.invocation.runId, "it is enough", true);
      assert.ok(!("kind" in (await run.ended)), "its thread has answered it");
    }
    assert.deepEqual(await drained, { drained: 4 * threads, killed: 0 });
    assert.deepEqual([pool.threads, pool.restarts, listeners.length], [0, 0, 2 * threads]);
    await pools.close();
  });
}

for (const early of [true, false])
  test(`an idle thread that has to leave goes at once, ${early ? "and so does one that is still arriving" : "when another has come"}`, async () => {
    const { listeners, events } = heardThreads(early);
    const { pools, limits } = makePools({}, undefined, events);
    const pool = await deployFlow(pools, { model: modelOf(answering("r", "done")), limits, record: "errors" });
    if (!early) listeners[0]?.leave();
    await eventually(() => listeners.length === 2 && pool.threads === 1, "the first is gone");
    const { invocation, ended } = anInvocation("a");
    pool.invoke(invocation);
    assert.equal(((await ended) as InvocationResult).body, "done");
    assert.equal(pool.restarts, 0);
    await pools.close();
  });

test("a flow that keeps state finishes what it keeps before its next thread begins; what comes meanwhile waits", async () => {
  const { listeners, events } = heardThreads();
  const told: string[] = [];
  const announced: PoolEvents["announced"] = (_hosted, run) => {
    told.push(`announced, ${listeners.length} threads so far`);
    const { invocation } = anInvocation("announced");
    run.invoke({ ...invocation, bodyKind: BodyKind.held, body: String(run.token) });
  };
  const log: PoolEvents["log"] = (_flowId, _invocation, _step, _level, _logger, message) => told.push(message);
  const keeping = new URL("../support/keeping-worker.ts", import.meta.url);
  const { pools, limits } = makePools({ standbyThreads: 1 }, keeping, { ...events, announced, log });
  const pool = await deployFlow(pools, { model: modelOf(answering("r", "x")), limits, record: "errors" });
  pool.serve("1");
  pools.fillStandby();
  await eventually(() => pools.stats().standby === 1, "the next thread could begin at once");
  const [held, late] = [anInvocation("held"), anInvocation("late", { body: "heard" })];
  pool.invoke(held.invocation);
  listeners[0]?.leave();
  pool.invoke(late.invocation);
  assert.deepEqual([pool.inflight, pool.queued], [1, 1]);
  assert.equal(((await held.ended) as InvocationResult).body, "serves 1, halted");
  assert.equal(((await late.ended) as InvocationResult).body, "serves 1");
  assert.notEqual(held.threads[0], late.threads[0]);
  const [lost, ...rest] = told;
  assert.match(lost ?? "", /its thread has to go/);
  assert.deepEqual(rest, ["announced, 1 threads so far", "announced, 1 threads so far"]);
  assert.deepEqual([pool.threads, pool.restarts], [1, 0]);
  await pools.close();
});
