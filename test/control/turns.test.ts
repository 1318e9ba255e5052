/** Busy threads of all flows are so many at a time (`busyThreads`); flows that wait for one have their turns, whatever the others want. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { PooledFlow } from "../../src/control/threads/pooled-flow.ts";
import { anInvocation, deployFlow, makePools } from "../support/flow-pools.ts";
import { direct, webhook } from "../support/flows.ts";
import { modelOf } from "../support/run-route.ts";
import { startTestApp, type TestApp } from "../support/start-app.ts";

interface RunDocument {
  readonly routeId: string;
  readonly startedAt: string;
  readonly queueMs: number;
}

/** Route ids of the runs of two routes, in the order in which they had a thread. */
async function begun(app: TestApp, ...routes: readonly string[]): Promise<readonly string[]> {
  const documents = async (id: string): Promise<RunDocument[]> =>
    (await (await app.api(`/runs?routeId=${id}`)).json()) as RunDocument[];
  const all = (await Promise.all(routes.map(documents))).flat();
  const at = ({ startedAt, queueMs }: RunDocument): number => Date.parse(startedAt) + queueMs;
  return all.toSorted((a, b) => at(a) - at(b)).map(({ routeId }) => routeId);
}

/** The longest row of the same. */
function longestRow(names: readonly string[]): number {
  let longest = 0;
  let row = 0;
  names.forEach((name, i) => {
    row = name === names[i - 1] ? row + 1 : 1;
    longest = Math.max(longest, row);
  });
  return longest;
}

test("two flows with many runs that wait take turns for the one place; calls between flows need none", async (t) => {
  const app = await startTestApp(t, { limits: { busyThreads: 1, turnMs: 0, runsPerThread: 1 } });
  const slow = "delay: { constant: 30 }";
  await app.put("asked", direct("asked", "asked?shared=true", "to: direct:deep"));
  await app.put("deep", direct("deep", "deep?shared=true", slow, "setBody: { constant: deep }"));
  for (const id of ["a", "b"]) await app.put(id, webhook(id, slow, "to: direct:asked"));
  const calls = Array.from({ length: 6 }, () => ["a", "b"].map((id) => app.post(`/api/${id}`))).flat();
  const answers = await Promise.all((await Promise.all(calls)).map((answer) => answer.text()));
  assert.deepEqual(
    answers,
    answers.map(() => "deep"),
  );
  const order = await begun(app, "a", "b");
  assert.equal(order.length, 12);
  // Before the other flow's first call is there, and when its last one is over, nobody waits.
  assert.ok(longestRow(order) <= 4, order.join(" "));
});

const long = modelOf(webhook("r", "delay: { constant: 60000 }"));
const short = modelOf(webhook("r", "delay: { constant: 5 }"));

test("a light flow has its turn among four that never rest, and so have they", async () => {
  const { pools, limits } = makePools({ busyThreads: 2, turnMs: 0, runsPerThread: 2 });
  const deploy = (): Promise<PooledFlow> => deployFlow(pools, { model: short, limits, record: "errors" });
  const hogs = [await deploy(), await deploy(), await deploy(), await deploy()];
  const light = await deploy();
  let stopped = false;
  const done = hogs.map(() => 0);
  const hog = async (flow: PooledFlow, i: number): Promise<void> => {
    while (!stopped) {
      const { invocation, ended } = anInvocation("hog");
      flow.invoke(invocation);
      await ended;
      done[i] = (done[i] ?? 0) + 1;
    }
  };
  const hogging = hogs.flatMap((flow, i) => Array.from({ length: 6 }, () => hog(flow, i)));
  for (let i = 0; i < 5; i++) {
    const before = [...done];
    const { invocation, begun, ended } = anInvocation("light");
    light.invoke(invocation);
    await begun;
    // Meanwhile each of the others has ended what it had, and has had one turn: two runs each.
    for (const [at, count] of done.entries()) assert.ok(count - (before[at] ?? 0) <= 4, `${done} after ${before}`);
    await ended;
  }
  stopped = true;
  await Promise.all(hogging);
  assert.ok(Math.min(...done) > 0, done.join(" "));
  await pools.close();
});

test("a flow whose turn is over goes on as soon as nobody else waits; a place is free when its thread is gone", async () => {
  const { pools, limits } = makePools({ busyThreads: 1, turnMs: 0 });
  const busy = await deployFlow(pools, { model: long, limits, record: "errors" });
  const other = await deployFlow(pools, { model: short, limits, record: "errors" });
  const [first, second, third] = ["first", "second", "third"].map((id) => anInvocation(id));
  const [waiting, next] = ["waiting", "next"].map((id) => anInvocation(id));
  assert.ok(first && second && third && waiting && next);
  busy.invoke(first.invocation);
  busy.invoke(second.invocation);
  other.invoke(waiting.invocation);
  busy.invoke(third.invocation);
  assert.deepEqual([busy.inflight, busy.queued, other.inflight, other.queued], [2, 1, 0, 1]);
  other.cancel("waiting", "nobody wants it", false);
  assert.deepEqual(await waiting.ended, { kind: "cancelled", message: "nobody wants it" });
  assert.deepEqual([busy.inflight, busy.queued], [3, 0]);
  other.invoke(next.invocation);
  assert.equal(other.queued, 1);
  await busy.drain(0);
  assert.ok(!("kind" in (await next.ended)));
  await pools.close();
});
