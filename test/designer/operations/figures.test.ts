/** What the screen of operations makes of metrics and of what flows have used. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { reachedLimits } from "../../../designer/web/src/operations/limits/limit-rows.ts";
import { readMetrics, sumOf } from "../../../designer/web/src/operations/metrics-text.ts";
import { nearest, pathOf, scaleEnd } from "../../../designer/web/src/operations/plot/geometry.ts";
import { largest, onlyOf, Rates, TimeSeries } from "../../../designer/web/src/operations/plot/time-series.ts";
import { processFigures } from "../../../designer/web/src/operations/process/figures.ts";
import { readPrices, usageRows } from "../../../designer/web/src/operations/usage/costs.ts";
import { eventually } from "../../support/clock.ts";
import { startTestApp } from "../../support/start-app.ts";

test("the metrics of a runtime are read, labels with any characters among them", async (t) => {
  const odd = readMetrics(
    'a{x="1",y="a \\"b\\", {c}\\n\\\\"} 2\na{x="2"} 3e1 1700000000000\n# HELP a b\nb +Inf\nc NaN\nno value\n',
  );
  assert.deepEqual(odd.get("a"), [
    { labels: { x: "1", y: 'a "b", {c}\n\\' }, value: 2 },
    { labels: { x: "2" }, value: 30 },
  ]);
  assert.deepEqual([sumOf(odd, "a"), sumOf(odd, "a", { x: "2" }), sumOf(odd, "z")], [32, 30, undefined]);
  assert.equal(sumOf(odd, "b"), Number.POSITIVE_INFINITY);
  const app = await startTestApp(t);
  const figures = await eventually(async () => {
    const found = processFigures(readMetrics(await (await app.api("/metrics")).text()), (counts) => counts);
    // The main loop is sampled some times a second.
    return found.has("lag") ? found : undefined;
  }, "the main loop was measured");
  for (const name of ["resident", "residentMost", "heapUsed", "heapTotal", "files", "threads", "lag", "cpu"] as const)
    assert.ok((figures.get(name) ?? -1) >= 0, name);
  assert.ok((figures.get("resident") ?? 0) > (figures.get("heapUsed") ?? 0));
});

test("limits that were reached come with their flow and the reason, the most frequent first", () => {
  const metrics = readMetrics(
    [
      'bulkhead_kills_total{flow="f",reason="cpu_limit"} 2',
      'bulkhead_kills_total{flow="g",reason="timeout"} 0',
      'bulkhead_runs_total{flow="f",status="completed"} 900',
      'bulkhead_runs_total{flow="f",status="shed"} 7',
      "bulkhead_overloaded 1",
    ].join("\n"),
  );
  assert.deepEqual(reachedLimits(metrics), [
    { flowId: "f", what: "shed", detail: "", count: 7 },
    { flowId: "f", what: "kills", detail: "cpu_limit", count: 2 },
    { flowId: "", what: "overloaded", detail: "", count: 1 },
  ]);
});

test("counters become rates, and a counter that began anew says nothing about that time", () => {
  const rates = new Rates();
  const take = (at: number, f: number) => [...rates.take(at, new Map([["f", f]]))];
  assert.deepEqual(take(1000, 50), []);
  assert.deepEqual(take(3000, 150), [["f", 0.05]]);
  assert.deepEqual(take(4000, 10), []);
  assert.deepEqual(take(4000, 20), []);
  assert.deepEqual(take(5000, 40), [["f", 0.02]]);
});

test("values are kept up to a number of times; lines of which nothing is known any more go", () => {
  const series = new TimeSeries(3);
  series.add(1, new Map([["a", 1]]));
  series.add(2, new Map([["b", 5]]));
  series.add(3, new Map([["b", 6]]));
  assert.deepEqual(
    [...series.lines],
    [
      ["a", [1, Number.NaN, Number.NaN]],
      ["b", [Number.NaN, 5, 6]],
    ],
  );
  series.add(4, new Map([["b", 7]]));
  assert.deepEqual([series.times, [...series.lines]], [[2, 3, 4], [["b", [5, 6, 7]]]]);
});

test("of many lines the largest are shown, in an order of all plots, and the others as their sum", () => {
  const times = [1, 2];
  const cpu = {
    times,
    lines: new Map([
      ["a", [0, 0]],
      ["b", [1, 3]],
      ["c", [0, 0]],
    ]),
  };
  const memory = {
    times,
    lines: new Map([
      ["a", [1, 1]],
      ["b", [1, 1]],
      ["c", [9, Number.NaN]],
      ["d", [2, 4]],
    ]),
  };
  const names = largest([cpu, memory], 2);
  assert.deepEqual(names, ["b", "c"]);
  assert.deepEqual(
    [...onlyOf(memory, names, "others").lines],
    [
      ["b", [1, 1]],
      ["c", [9, Number.NaN]],
      ["others", [3, 5]],
    ],
  );
  assert.deepEqual([...onlyOf(memory, ["d"]).lines.keys()], ["d"]);
});

test("a plot's scale ends at a round value, its lines have gaps, and a place leads to the nearest time", () => {
  assert.deepEqual(
    [0, 0.3, 1, 7, 21, 2500].map((value) => scaleEnd(value)),
    [1, 0.5, 1, 10, 25, 2500],
  );
  assert.deepEqual(
    [300, 3000, 48 * 1024 ** 2].map((value) => scaleEnd(value, true)),
    [500, 5 * 1024, 50 * 1024 ** 2],
  );
  assert.equal(pathOf([0, 5, Number.NaN, 10], [0, 10, 20, 30], 10), "M0.0 120.0L200.0 60.0M600.0 0.0h0.01");
  assert.deepEqual(
    [0, 0.4, 0.95].map((share) => nearest([0, 10, 30], share)),
    [0, 1, 2],
  );
});

test("the cost of a flow is its CPU time and its traffic by the prices that were given", () => {
  const used = {
    ...{ cpuMs: 1_800_000, threadSeconds: 10, peakHeapBytes: 3, peakExternalBytes: 4, bytesIn: 5e8, bytesOut: 15e8 },
    ...{ runs: { completed: 8, failed: 1, timeout: 1, killed: 0, shed: 0, cancelled: 0 }, reruns: 0, outboundCalls: 2 },
    ...{ kills: 0, demotions: 0, now: { inflight: 0, queued: 0, threads: 1, heapBytes: 1, externalBytes: 1 } },
  };
  const [row, idle] = usageRows(
    [
      { ...used, flowId: "f" },
      { ...used, flowId: "g", cpuMs: 0, runs: { ...used.runs, completed: 0, failed: 0, timeout: 0 } },
    ],
    { cpuHour: 2, gigabyte: 0.5 },
  );
  assert.deepEqual([row?.cost, row?.share, row?.cpuPerRun, row?.failed, row?.peakBytes], [2, 1, 180_000, 2, 7]);
  assert.deepEqual([idle?.cost, idle?.share, idle?.cpuPerRun], [1, 0, undefined]);
  assert.deepEqual(readPrices('{"cpuHour": 2, "gigabyte": -1}'), { cpuHour: 2, gigabyte: 0 });
  assert.deepEqual(readPrices("nonsense"), { cpuHour: 0, gigabyte: 0 });
});
