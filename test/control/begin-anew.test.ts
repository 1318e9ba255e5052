/** Runs that are lost with a thread that was killed for another run: those that are not to blame and have done nothing begin anew, once. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { ArmedMocks, InvocationResult, Lost } from "../../src/control/threads/invocation.ts";
import type { Kill } from "../../src/control/threads/kill.ts";
import { eventually } from "../support/clock.ts";
import { anInvocation, deployFlow, makePools } from "../support/flow-pools.ts";
import { answering, direct, webhook } from "../support/flows.ts";
import { modelOf } from "../support/run-route.ts";
import { startTestApp } from "../support/start-app.ts";
import { accepted, putMapping } from "./mappings/calls.ts";

const hostile = new URL("../support/hostile-worker.ts", import.meta.url);
const model = modelOf(answering("r", "x"));

type Run = ReturnType<typeof anInvocation>;
type Killed = Extract<Lost, { kind: "killed" }>;

const killedOf = async ({ ended }: Run): Promise<Killed> => {
  const how: InvocationResult | Lost = await ended;
  assert.ok("kind" in how && how.kind === "killed", JSON.stringify(how));
  return how;
};

test("of the runs that are lost with a thread, those that are not to blame and have done nothing begin anew, in order", async () => {
  const { pools, limits } = makePools({ cancelGraceMs: 50, queue: 1, runsPerThread: 5, stuckLoopMs: 60_000 }, hostile);
  const pool = await deployFlow(pools, { model, limits, record: "errors" });
  const waiting = ["a", "b"].map((id) => anInvocation(id, { body: "wait", again: true }));
  const child = anInvocation("c", { body: "wait", again: true, child: true });
  const refusing = anInvocation("refusing", { body: "wait", again: false });
  const cancelled = anInvocation("cancelled", { body: "wait", again: true });
  const culprit = anInvocation("culprit", { body: "stuck", again: true, deadlineMs: 300 });
  const queued = anInvocation("queued", { body: "wait" });
  for (const { invocation } of [...waiting, child, refusing, cancelled, culprit, queued]) pool.invoke(invocation);
  pool.cancel("cancelled", "nobody wants it", false);

  const { culprit: blamed, by, others } = await killedOf(culprit);
  assert.deepEqual([blamed, by, others], [true, "culprit", ["refusing", "cancelled"]]);
  for (const lost of [refusing, cancelled]) assert.deepEqual((await killedOf(lost)).culprit, false);
  assert.deepEqual([refusing.askedFor, cancelled.askedFor, culprit.askedFor], [["culprit"], [], []]);

  // They go before what had waited, and the queue, which has one place, does not count them.
  await queued.begun;
  for (const { threads, askedFor } of [...waiting, child]) {
    assert.equal(new Set(threads).size, 2, "it began in two threads");
    assert.deepEqual(askedFor, ["culprit"]);
  }
  assert.deepEqual([pool.inflight, pool.queued, pool.restarts], [4, 0, 1]);
  await pools.close();
  for (const run of [...waiting, child, queued]) assert.equal((await killedOf(run)).kill.reason, "redeploy");
});

test("a run that has done something is lost, and so is one in a test session", async () => {
  const { pools, limits } = makePools({ cancelGraceMs: 50, stuckLoopMs: 60_000 }, hostile);
  const pool = await deployFlow(pools, { model, limits, record: "errors" });
  // Its effect bit: the hostile thread sets those of the 32 slots around it.
  const acted = anInvocation("acted", { body: "act", again: true });
  const culprit = anInvocation("culprit", { body: "stuck", deadlineMs: 300 });
  for (const { invocation } of [acted, culprit]) pool.invoke(invocation);
  assert.deepEqual([(await killedOf(acted)).by, acted.askedFor], ["culprit", []]);

  const mocked = anInvocation("mocked", { body: "wait", again: true, mocks: [] as readonly ArmedMocks[] });
  pool.invoke(mocked.invocation);
  await mocked.begun;
  const next = anInvocation("next", { body: "stuck", deadlineMs: 300 });
  pool.invoke(next.invocation);
  assert.deepEqual([(await killedOf(mocked)).by, mocked.askedFor], ["next", []]);
  await pools.close();
});

test("nobody begins anew when it is not known whose fault it was", async () => {
  const { pools, limits } = makePools({}, hostile);
  const pool = await deployFlow(pools, { model, limits, record: "errors" });
  const runs = ["a", "b"].map((id) => anInvocation(id, { body: "wait", again: true }));
  const last = anInvocation("last", { body: "exit after" });
  for (const { invocation } of [...runs, last]) pool.invoke(invocation);
  await last.ended;
  for (const run of runs) {
    assert.deepEqual([(await killedOf(run)).by, run.askedFor], [undefined, []]);
  }
  await pools.close();
});

test("nobody begins anew in a flow that is quarantined, nor in one that is gone", async () => {
  const kills: Kill[] = [];
  const killed = (_flowId: string, kill: Kill): unknown => kills.push(kill);
  const { pools, limits } = makePools({ cancelGraceMs: 50, quarantineKills: 1, stuckLoopMs: 60_000 }, hostile, {
    killed,
  });
  const pool = await deployFlow(pools, { model, limits, record: "errors" });
  const waiting = anInvocation("a", { body: "wait", again: true });
  const culprit = anInvocation("culprit", { body: "stuck", deadlineMs: 300 });
  for (const { invocation } of [waiting, culprit]) pool.invoke(invocation);
  assert.deepEqual([(await killedOf(waiting)).by, waiting.askedFor], ["culprit", []]);
  await eventually(() => kills.length === 1, "the kill is told");

  const other = await deployFlow(pools, { model, limits, record: "errors" });
  const drained = anInvocation("b", { body: "wait", again: true });
  other.invoke(drained.invocation);
  await drained.begun;
  await other.drain(0);
  assert.deepEqual([(await killedOf(drained)).kill.reason, drained.askedFor], ["redeploy", []]);
  await pools.close();
});

interface RunDocument {
  readonly id: string;
  readonly worker: number | null;
  readonly status: string;
  readonly outcome: string;
  readonly reruns?: number;
  readonly lostWith?: string;
}

test("callers of runs that waited in a thread that another run has ended are answered; those that had called out are told", async (t) => {
  const threadEntry = new URL("../support/faults/faulty-worker.ts", import.meta.url);
  const app = await startTestApp(t, { threadEntry });
  // A run sees the mappings of its beginning: the first waits long, and the second does not.
  const waitsFor = async (ms: string): Promise<unknown> => accepted(await putMapping(app, "value", "wait", { it: ms }));
  await waitsFor("60000");
  await app.put("asked", direct("asked", "asked?shared=true", 'log: "x"'));
  const long = ["setBody: { constant: it }", "valueMapping: { id: wait }", "delay: { simple: '${body}' }"];
  const waits = webhook("waits", ...long, "setBody: { constant: waited }");
  const acts = webhook("acts", "to: direct:asked", ...long);
  const fails = webhook("fails", "setBody: { simple: '${random(9)}' }");
  await app.put("f", waits + acts + fails, { limits: { webhookWallMs: 120_000 } });
  const waiting = [1, 2, 3].map(() => app.post("/api/waits"));
  const acting = app.post("/api/acts");
  const runs = async (query: string): Promise<RunDocument[]> =>
    (await (await app.api(`/runs?${query}`)).json()) as RunDocument[];
  await eventually(async () => {
    const [asked] = await runs("routeId=asked&status=completed");
    return asked !== undefined && (await runs("status=running")).filter(({ worker }) => worker !== null).length === 4;
  }, "all are under way, and one has called out");
  await waitsFor("1");
  const failed = await app.post("/api/fails", "", { "X-Fault": "fault <exit>" });
  const culprit = failed.headers.get("x-run-id");
  assert.equal(failed.status, 500);
  assert.equal((await acting).ok, false);
  for (const answer of await Promise.all(waiting))
    assert.deepEqual([answer.status, await answer.text()], [200, "waited"]);
  for (const run of await runs("routeId=waits")) assert.deepEqual([run.status, run.reruns], ["completed", 1]);
  const [lost] = await runs("routeId=acts");
  assert.deepEqual([lost?.status, lost?.outcome, lost?.lostWith], ["killed", "collateral", culprit]);
  const [blamed] = await runs("routeId=fails");
  assert.deepEqual([blamed?.id, blamed?.status], [culprit, "killed"]);
});
