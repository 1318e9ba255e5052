/** Many flows that lose their threads at the same time, and threads that cannot be ended: each flow is on another thread, and answers. */
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { test } from "node:test";
import type { InvocationResult } from "../../src/control/threads/invocation.ts";
import { eventually } from "../support/clock.ts";
import { anInvocation, deployFlow, makePools } from "../support/flow-pools.ts";
import { answering } from "../support/flows.ts";
import { modelOf } from "../support/run-route.ts";

const hostile = new URL("../support/hostile-worker.ts", import.meta.url);
const model = modelOf(answering("r", "x"));

test("flows that lose their threads at the same moment are all served again: on standby ones, booted ones, and their own", async () => {
  const { pools, limits } = makePools({ standbyThreads: 2 }, hostile);
  pools.fillStandby();
  const kinds = [{}, {}, {}, { workerMemoryBytes: 2 * limits.workerMemoryBytes }, { threads: 2 }];
  const flows = await Promise.all(
    Array.from({ length: 15 }, (_, i) => {
      return deployFlow(pools, { model, limits: { ...limits, ...kinds[i % kinds.length] }, record: "errors" });
    }),
  );
  const killed = flows.map((flow) => {
    const { invocation, ended } = anInvocation("killed", { body: "exit" });
    flow.invoke(invocation);
    return ended;
  });
  for (const how of await Promise.all(killed)) assert.equal("kind" in how && how.kind, "killed");
  const answers = flows.map((flow, i) => {
    const { invocation, ended } = anInvocation("next", { body: `echo ${i}` });
    flow.invoke(invocation);
    return ended;
  });
  for (const [i, how] of (await Promise.all(answers)).entries()) {
    assert.equal((how as InvocationResult).body, `echo ${i}`);
  }
  assert.ok(flows.every(({ restarts }) => restarts === 1));
  await pools.close();
});

const onLinux = { skip: process.platform === "linux" ? false : "threads have their numbers in /proc" };

test("a flow whose thread is in native code is on another one at once", onLinux, async () => {
  const { pools, limits } = makePools({ standbyThreads: 1, cancelGraceMs: 50 }, hostile);
  pools.fillStandby();
  const pool = await deployFlow(pools, { model, limits, record: "errors" });
  await eventually(() => pools.stats().standby === 1, "a standby thread is there");
  const who = async (): Promise<string> => {
    const { invocation, ended } = anInvocation("who", { body: "who" });
    pool.invoke(invocation);
    return String(((await ended) as InvocationResult).body);
  };
  const old = await who();
  const stuck = anInvocation("stuck", { body: "native", deadlineMs: 50 });
  pool.invoke(stuck.invocation);
  await stuck.ended;
  assert.notEqual(await who(), old);
  assert.ok(existsSync(`/proc/self/task/${old}`), "the old thread is still there");
  await pools.close();
});
