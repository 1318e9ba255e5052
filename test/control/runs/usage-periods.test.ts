/** For how long usage is kept, how finely, and what is forgotten. Time is the test's own. */
import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { FlowStats } from "../../../src/control/runs/flow-stats.ts";
import { Usage } from "../../../src/control/runs/usage/usage.ts";
import { epochMs } from "../../support/clock.ts";
import { anOwner, aRun, ended } from "./a-run.ts";

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const start = Date.parse("2026-03-01T10:00:30Z");

function aUsage(t: TestContext, mostGone = 10) {
  t.mock.timers.enable({ apis: ["Date", "setTimeout"], now: start });
  const flows = new Map<string, FlowStats>();
  const usage = new Usage({ flows, mostGone, now: () => ({ inflight: 0, queued: 0, restarts: 0 }) });
  t.after(() => usage.stop());
  return {
    flows,
    usage,
    run(flowId: string, bytesIn: number): void {
      const stats = flows.get(flowId) ?? new FlowStats();
      stats.installed = true;
      flows.set(flowId, stats);
      const record = ended(aRun("r", anOwner(flowId)), "completed");
      record.bytesIn = bytesIn;
      stats.runEnded(record);
    },
    /** Time goes by, with all that is done every ten seconds. */
    pass(ms: number): void {
      for (let left = ms; left > 0; left -= hour) t.mock.timers.tick(Math.min(left, hour));
    },
    async bytes(sinceMs?: number): Promise<[number, string, string]> {
      const since = sinceMs === undefined ? undefined : epochMs() - sinceMs;
      const { usage: all, from, resolution } = await usage.report({ groupBy: "none", since });
      return [all[0]?.bytesIn ?? Number.NaN, from, resolution];
    },
  };
}

test("minutes are kept for an hour and hours for seven days; the answer tells what it covers", async (t) => {
  const { run, pass, bytes } = aUsage(t);
  run("f", 1);
  assert.deepEqual(await bytes(), [1, "2026-03-01T10:00:30.000Z", "minute"]);
  pass(20 * minute);
  run("f", 10);
  assert.deepEqual(await bytes(5 * minute), [10, "2026-03-01T10:15:00.000Z", "minute"]);
  assert.deepEqual(await bytes(2 * day), [11, "2026-03-01T10:00:30.000Z", "minute"]);
  pass(2 * hour);
  run("f", 100);
  assert.deepEqual(await bytes(45 * minute), [100, "2026-03-01T11:35:00.000Z", "minute"]);
  assert.deepEqual(await bytes(2 * hour + minute), [111, "2026-03-01T10:00:30.000Z", "hour"]);
  assert.deepEqual(await bytes(), [111, "2026-03-01T10:00:30.000Z", "hour"]);
  pass(6 * day);
  assert.deepEqual(await bytes(), [111, "2026-03-01T10:00:30.000Z", "hour"]);
  pass(day);
  run("f", 1000);
  assert.deepEqual(await bytes(), [1000, "2026-03-01T13:00:00.000Z", "hour"]);
});

test("what came before a minute's end is in that minute", async (t) => {
  const { run, pass, bytes } = aUsage(t);
  pass(hour + 25_000);
  run("f", 7);
  pass(10_000);
  assert.deepEqual(await bytes(3000), [0, "2026-03-01T11:01:00.000Z", "minute"]);
  assert.deepEqual(await bytes(minute), [7, "2026-03-01T11:00:00.000Z", "minute"]);
});

test("the clock being set back loses nothing that was counted", async (t) => {
  const { run, pass, bytes, usage } = aUsage(t);
  pass(3 * hour);
  run("f", 3);
  usage.take(epochMs());
  // So far that the minutes of then and of now have the same place.
  t.mock.timers.setTime(start + 3 * hour - 75 * minute);
  run("f", 4);
  usage.take(epochMs());
  run("f", 5);
  t.mock.timers.setTime(start + 3 * hour + minute);
  usage.take(epochMs());
  assert.equal((await bytes())[0], 12);
  assert.deepEqual(await bytes(5 * minute), [7, "2026-03-01T12:56:00.000Z", "minute"]);
});

test("a flow that is gone is told of as long as there is usage of it; when there are too many, the first go", async (t) => {
  const { run, pass, flows, usage } = aUsage(t, 2);
  for (const flowId of ["a", "b", "c", "stays"]) run(flowId, 1);
  pass(minute);
  for (const flowId of ["a", "b", "c"]) (flows.get(flowId) as FlowStats).installed = false;
  const told = async () => (await usage.report({ groupBy: "flow" })).usage.map(({ flowId }) => flowId);
  pass(minute);
  assert.deepEqual(await told(), ["b", "c", "stays"]);
  pass(8 * day);
  assert.deepEqual(await told(), ["stays"]);
  assert.deepEqual([...flows.keys()], ["stays"]);
  assert.equal(flows.get("stays")?.periods.forget(epochMs()), true);
});
