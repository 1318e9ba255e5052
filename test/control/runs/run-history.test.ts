/** What is kept of runs: rings, bounds in all, deleted flows, lists and documents. */
import assert from "node:assert/strict";
import { afterEach, mock, test } from "node:test";
import fc from "fast-check";
import { RunHistory } from "../../../src/control/runs/run-history.ts";
import type { RunRecord } from "../../../src/control/runs/run-record.ts";
import { readSteps } from "../../../src/control/threads/line/run-frames.ts";
import { defaultLimits } from "../../../src/shared/limits.ts";
import { anOwner, aRun, ended } from "./a-run.ts";

afterEach(() => mock.timers.reset());

const all = { limit: 1000 };
const ids = (list: readonly { readonly id: string }[]) => list.map(({ id }) => id);

function opened(history: RunHistory, record: RunRecord): RunRecord {
  history.open(record);
  return record;
}

test("runs are listed newest first, over all routes or of one, running ones included", () => {
  const history = new RunHistory(defaultLimits);
  const a = opened(history, aRun("a"));
  const b = opened(history, aRun("b"));
  const c = opened(history, aRun("a"));
  history.close(ended(b, "completed"));
  assert.deepEqual(ids(history.list(all)), [c.id, b.id, a.id]);
  assert.deepEqual(ids(history.list({ routeId: "a", limit: 10 })), [c.id, a.id]);
  assert.deepEqual(ids(history.list({ limit: 2 })), [c.id, b.id]);
  assert.deepEqual(history.list({ routeId: "unknown", limit: 10 }), []);
  assert.deepEqual(history.list({ routeId: "a", flowId: "other", limit: 10 }), []);
});

test("filters: flow, status, since (inclusive), before (exclusive)", () => {
  mock.timers.enable({ apis: ["Date"], now: 1000 });
  const history = new RunHistory(defaultLimits);
  const first = opened(history, aRun("a", anOwner("one")));
  mock.timers.setTime(2000);
  const second = opened(history, aRun("b", anOwner("two")));
  mock.timers.setTime(3000);
  const third = opened(history, aRun("a", anOwner("one")));
  history.close(ended(first, "failed"));
  history.close(ended(second, "failed"));
  assert.deepEqual(ids(history.list({ ...all, flowId: "one" })), [third.id, first.id]);
  assert.deepEqual(ids(history.list({ ...all, status: "failed" })), [second.id, first.id]);
  assert.deepEqual(ids(history.list({ ...all, status: "running" })), [third.id]);
  assert.deepEqual(ids(history.list({ ...all, since: 2000 })), [third.id, second.id]);
  assert.deepEqual(ids(history.list({ ...all, before: 2000 })), [first.id]);
  assert.deepEqual(ids(history.list({ ...all, since: 2000, before: 3000, status: "failed" })), [second.id]);
});

test("a route keeps its last runs, and no other route's run goes for them", () => {
  const history = new RunHistory({ ...defaultLimits, runsPerRoute: 3 });
  const quiet = opened(history, aRun("quiet"));
  const busy = Array.from({ length: 20 }, () => opened(history, aRun("busy")));
  assert.deepEqual(ids(history.list({ routeId: "busy", limit: 50 })), ids(busy.slice(-3).reverse()));
  assert.deepEqual(ids(history.list({ routeId: "quiet", limit: 50 })), [quiet.id]);
  assert.equal(history.count, 4);
  assert.equal(history.find(busy[0]?.id ?? ""), undefined);
  assert.equal(history.find(quiet.id), quiet);
});

test("beyond the number in all, the longest ring loses its oldest first", () => {
  const history = new RunHistory({ ...defaultLimits, runsTotal: 5 });
  const long = Array.from({ length: 4 }, () => opened(history, aRun("long")));
  const short = opened(history, aRun("short"));
  const newest = opened(history, aRun("new"));
  assert.deepEqual(ids(history.list(all)), [newest.id, short.id, ...ids(long.slice(1).reverse())]);
});

test("beyond the bytes in all, too; a run that is gone when it ends is not counted again", () => {
  const history = new RunHistory({ ...defaultLimits, runsTotalBytes: 20_000 });
  const gone = opened(history, aRun("a"));
  for (let i = 0; i < 3; i += 1) {
    const failed = opened(history, aRun("a"));
    failed.preview = { headers: { x: "y" }, body: "b".repeat(4000), bodyType: "String" };
    failed.error = { type: "E", message: "m", stepId: null, line: null };
    history.close(ended(failed, "failed"));
    assert.ok(history.bytes <= 20_000);
  }
  assert.equal(history.count, 2);
  assert.equal(history.find(gone.id), undefined);
  const { bytes } = history;
  gone.preview = { headers: {}, body: "b".repeat(4000), bodyType: "String" };
  history.close(ended(gone, "failed"));
  assert.equal(history.bytes, bytes);
});

test("a deleted flow's runs stay ten minutes; other flows' stay", () => {
  mock.timers.enable({ apis: ["setTimeout", "Date"] });
  const history = new RunHistory(defaultLimits);
  const deleted = opened(history, aRun("r", anOwner("gone")));
  const other = opened(history, aRun("s", anOwner("here")));
  history.flowDeleted("gone");
  mock.timers.tick(599_999);
  assert.equal(history.find(deleted.id), deleted);
  mock.timers.tick(1);
  assert.deepEqual(ids(history.list(all)), [other.id]);
  assert.equal(history.count, 1);
  history.close(ended(deleted, "completed"));
  history.flowDeleted("here");
  mock.timers.tick(600_000);
  assert.deepEqual([history.count, history.bytes], [0, 0]);
});

test("a flow that is deployed again meanwhile keeps its runs", () => {
  mock.timers.enable({ apis: ["setTimeout", "Date"] });
  const history = new RunHistory(defaultLimits);
  const record = opened(history, aRun());
  history.flowDeleted("f");
  mock.timers.tick(1000);
  history.flowDeployed("f");
  mock.timers.tick(600_000);
  assert.equal(history.find(record.id), record);
});

test("what goes with a deleted flow are its runs, not those of a later revision", () => {
  mock.timers.enable({ apis: ["setTimeout", "Date"] });
  const history = new RunHistory(defaultLimits);
  const deleted = anOwner("f", 7);
  opened(history, aRun("r", deleted));
  history.flowDeleted("f");
  const draining = opened(history, aRun("r", deleted));
  const again = opened(history, aRun("r", anOwner("f", 8)));
  mock.timers.tick(600_000);
  assert.deepEqual(ids(history.list(all)), [again.id]);
  assert.equal(history.find(draining.id), undefined);
});

test("the rings behave like lists, bounds and totals included", () => {
  const route = fc.integer({ min: 0, max: 4 });
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 6 }),
      fc.integer({ min: 1, max: 15 }),
      fc.array(route),
      (per, total, routes) => {
        const history = new RunHistory({ ...defaultLimits, runsPerRoute: per, runsTotal: total });
        const model = new Map<string, string[]>();
        for (const route of routes) {
          const record = opened(history, aRun(`r${route}`));
          const list = model.get(record.routeId) ?? [];
          model.set(record.routeId, [...list, record.id].slice(-per));
          const lengths = [...model.values()].map(({ length }) => length);
          if (lengths.reduce((sum, length) => sum + length, 0) > total) {
            // Which of several longest rings loses is free; the model follows.
            const longest = Math.max(...lengths);
            const lost = [...model].filter(
              ([id, runs]) => runs.length === longest && history.list({ routeId: id, limit: 99 }).length < runs.length,
            );
            assert.equal(lost.length, 1);
            lost[0]?.[1].shift();
          }
          for (const [id, runs] of model) {
            assert.deepEqual(ids(history.list({ routeId: id, limit: 99 })), runs.toReversed());
          }
        }
        assert.equal(history.count, [...model.values()].flat().length);
        assert.equal(history.list(all).length, history.count);
      },
    ),
    { numRuns: 60 },
  );
});

test("a run's document", () => {
  mock.timers.enable({ apis: ["Date"], now: Date.UTC(2026, 0, 1) });
  const history = new RunHistory(defaultLimits);
  const record = opened(history, aRun("order-in", anOwner("orders", 8)));
  const running = history.get(record.id);
  assert.equal(running?.status, "running");
  assert.equal(running?.finishedAt, null);
  assert.ok((running?.durationMs ?? -1) >= 0);

  Object.assign(record, { queueMs: 0.1004, cpuMs: 0.8, httpStatus: 200, bytesIn: 412, bytesOut: 2, worker: 3 });
  Object.assign(record, { stepsExecuted: 2, timings: [1, 1, 0.5, 0, 0.5, 2] });
  history.close(ended(record, "completed", 4.2));
  assert.deepEqual(history.get(record.id), {
    id: record.id,
    flowId: "orders",
    routeId: "order-in",
    hash: "9f2c",
    revision: 8,
    trigger: { kind: "webhook", uri: "webhook", method: "POST", path: "/api/order-in" },
    status: "completed",
    outcome: "ok",
    startedAt: "2026-01-01T00:00:00.000Z",
    finishedAt: "2026-01-01T00:00:00.004Z",
    durationMs: 4.2,
    queueMs: 0.1,
    cpuMs: 0.8,
    httpStatus: 200,
    bytesIn: 412,
    bytesOut: 2,
    steps: { executed: 2, failed: 0, failedStepId: null },
    handled: [],
    children: { started: 0, failed: 0, running: 0 },
    split: null,
    error: null,
    traceId: "0".repeat(32),
    parentRunId: null,
    testSessionId: null,
    worker: 3,
    limit: null,
    lostWith: null,
    collateral: [],
    collateralCount: 0,
    reruns: 0,
    mappings: [],
    stepRuns: [
      {
        id: "choice1",
        type: "choice",
        start: "2026-01-01T00:00:00.000Z",
        duration: 2,
        status: "completed",
        mocked: false,
      },
      { id: "log1", type: "log", start: "2026-01-01T00:00:00.001Z", duration: 0.5, status: "completed", mocked: false },
    ],
  });
  assert.equal(history.get("unknown"), undefined);
  assert.equal("stepRuns" in (history.list(all)[0] ?? {}), false);
});

test("a failed run: the failing step, the steps around it, and the message it received", () => {
  const history = new RunHistory(defaultLimits);
  const record = opened(history, aRun());
  const preview = { headers: { a: "1" }, body: "{}", bodyType: "String" };
  record.error = { type: "HttpOperationFailedException", message: "503", stepId: "to-crm", line: 9 };
  record.preview = preview;
  // Noted as they end: a first, successful call; a log; the failing call; the choice around both.
  record.timings = [2, 0.2, 1, 1, 1.5, 0.1, 2, 2, 3, 0, 1.4, 4];
  Object.assign(record, { stepsFailed: 2, failedTimings: [2, 3] });
  history.close(ended(record, "failed"));
  const document = history.get(record.id);
  assert.deepEqual(document?.steps, { executed: 0, failed: 2, failedStepId: "to-crm" });
  assert.deepEqual(
    document?.stepRuns.map(({ id, status, in: received }) => [id, status, received]),
    [
      ["to-crm", "completed", undefined],
      ["choice1", "failed", undefined],
      ["log1", "completed", undefined],
      ["to-crm", "failed", preview],
    ],
  );
});

test("a failed step whose times were not noted any more stands last", () => {
  const history = new RunHistory(defaultLimits);
  const record = opened(history, aRun());
  record.error = { type: "E", message: "m", stepId: "to-crm", line: 9 };
  record.timings = [1, 0, 1];
  history.close(ended(record, "failed"));
  assert.deepEqual(
    history.get(record.id)?.stepRuns.map(({ id, status, duration }) => [id, status, duration]),
    [
      ["log1", "completed", 1],
      ["to-crm", "failed", 0],
    ],
  );
});

test("messages of steps are counted, and go before any record does, the oldest first", () => {
  const message = JSON.stringify({ headers: {}, body: "x".repeat(10_000), bodyType: "String" });
  const json = JSON.stringify({ messages: [message], steps: [{ timing: -1, in: 0, out: 0 }] });
  const history = new RunHistory({ ...defaultLimits, runsTotalBytes: 50_000 });
  const records = Array.from({ length: 4 }, () => {
    const record = opened(history, aRun());
    record.steps = readSteps(json, defaultLimits);
    history.close(ended(record, "completed"));
    return record;
  });
  assert.equal(history.count, 4);
  assert.deepEqual(
    records.map(({ steps }) => steps[0]?.in?.body === "x".repeat(10_000)),
    [false, false, true, true],
  );
  assert.deepEqual(
    records.map(({ stepsDropped }) => stepsDropped),
    [true, true, false, false],
  );
  assert.ok(history.bytes > 40_000 && history.bytes < 50_000, "what several steps share is counted once");
});
