/** The Prometheus exposition: well formed, and its figures those of the runs. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Metrics } from "../../../src/control/runs/metrics.ts";
import { anOwner, aRun, ended } from "./a-run.ts";

const metrics = new Metrics({
  flows: () => [{ flowId: "orders", inflight: 2, queued: 7, threads: 1, bytesInFlight: 900 }],
  standbyThreads: () => 2,
  bytesInFlight: () => 1000,
  idempotency: () => ({ size: 5, bytes: 2500 }),
  testSessions: () => 3,
  denials: () => [{ flow: "orders", code: "unauthenticated", mode: "enforce", count: 6 }],
  streams: () => [
    { name: "trace", subscribers: 3, dropped: 11 },
    { name: "log", subscribers: 0, dropped: 0 },
  ],
});

/** Samples by name and labels, every line checked against the text format (prom-client writes NaN as `Nan`, which Prometheus reads). */
async function scrape(): Promise<Map<string, number>> {
  const { contentType, body } = await metrics.metrics();
  assert.equal(contentType, "text/plain; version=0.0.4; charset=utf-8");
  const samples = new Map<string, number>();
  for (const line of body.split("\n")) {
    if (line === "" || line.startsWith("# ")) continue;
    const [, name, labels = "", value] =
      /^([a-zA-Z_:][\w:]*)(?:\{((?:\w+="(?:[^"\\]|\\.)*",?)*)\})? (-?[\d.e+-]+|Nan|[+-]Inf)$/.exec(line) ?? [];
    assert.ok(name, `not a sample: ${line}`);
    const key = labels === "" ? name : `${name}{${labels}}`;
    assert.ok(!samples.has(key), `twice: ${key}`);
    samples.set(key, Number(value));
  }
  return samples;
}

test("runs are counted by flow and status, and their durations fall into buckets", async () => {
  metrics.flowDeployed("orders");
  const owner = anOwner("orders");
  metrics.runEnded(ended(aRun("r", owner), "completed", 0.5));
  metrics.runEnded(ended(aRun("r", owner), "completed", 4));
  metrics.runEnded(ended(aRun("r", owner), "failed", 5));
  metrics.runEnded(ended(aRun("r", owner), "timeout", 400_000));
  for (let scrapes = 0; scrapes < 2; scrapes += 1) {
    const samples = await scrape();
    const bucket = (le: string) => samples.get(`bulkhead_run_duration_seconds_bucket{le="${le}",flow="orders"}`);
    assert.equal(samples.get('bulkhead_runs_total{flow="orders",status="completed"}'), 2);
    assert.equal(samples.get('bulkhead_runs_total{flow="orders",status="failed"}'), 1);
    assert.equal(samples.get('bulkhead_runs_total{flow="orders",status="timeout"}'), 1);
    assert.equal(samples.get('bulkhead_runs_total{flow="orders",status="killed"}'), 0);
    assert.deepEqual(["0.001", "0.0025", "0.005", "300", "+Inf"].map(bucket), [1, 1, 3, 3, 4]);
    assert.equal(samples.get('bulkhead_run_duration_seconds_count{flow="orders"}'), 4);
    assert.equal(samples.get('bulkhead_run_duration_seconds_sum{flow="orders"}'), 400.0095);
  }
});

test("the figures of the moment are asked for at the scrape", async () => {
  metrics.killed("orders", "memory_limit");
  metrics.killed("orders", "memory_limit");
  metrics.eventsLost("producer_overrun", 4, 5);
  metrics.eventsLost("producer_overrun", 1, 0);
  metrics.eventsLost("thread_ended", 0, 3);
  const samples = await scrape();
  const expected = {
    'bulkhead_runs_in_flight{flow="orders"}': 2,
    'bulkhead_runs_queued{flow="orders"}': 7,
    'bulkhead_flow_threads{flow="orders"}': 1,
    'bulkhead_bytes_in_flight{flow="orders"}': 900,
    bulkhead_bytes_in_flight_all_flows: 1000,
    bulkhead_idempotency_keys: 5,
    bulkhead_idempotency_bytes: 2500,
    'bulkhead_policy_denials_total{flow="orders",code="unauthenticated",mode="enforce"}': 6,
    bulkhead_standby_threads: 2,
    'bulkhead_kills_total{flow="orders",reason="memory_limit"}': 2,
    'bulkhead_stream_subscribers{stream="trace"}': 3,
    'bulkhead_stream_subscribers{stream="log"}': 0,
    'bulkhead_events_dropped_total{stream="log",reason="producer_overrun"}': 5,
    'bulkhead_events_dropped_total{stream="trace",reason="producer_overrun"}': 5,
    'bulkhead_events_dropped_total{stream="trace",reason="thread_ended"}': 3,
    'bulkhead_events_dropped_total{stream="trace",reason="slow_consumer"}': 11,
  };
  for (const [name, value] of Object.entries(expected)) assert.equal(samples.get(name), value, name);
});

test("the process's own: memory, CPU, event-loop lag", async () => {
  const samples = await scrape();
  for (const name of [
    "process_resident_memory_bytes",
    "process_cpu_user_seconds_total",
    "nodejs_eventloop_lag_p99_seconds",
  ]) {
    assert.ok(samples.has(name), name);
  }
});

test("a deleted flow's series end, also when its last runs end after it", async () => {
  metrics.flowDeployed("gone");
  metrics.runEnded(ended(aRun("r", anOwner("gone")), "completed", 1));
  metrics.flowDeleted("gone");
  metrics.runEnded(ended(aRun("r", anOwner("gone")), "completed", 1));
  metrics.killed("gone", "timeout");
  metrics.tickSkipped("gone");
  const samples = await scrape();
  assert.deepEqual(
    [...samples.keys()].filter((key) => key.includes('flow="gone"')),
    [],
  );
});
