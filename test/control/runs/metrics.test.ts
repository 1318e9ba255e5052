/** The Prometheus exposition: well formed, and its figures those of the runs. */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { Metrics } from "../../../src/control/runs/metrics.ts";
import { MainLoop } from "../../../src/control/runs/process-health.ts";
import { StateCounts } from "../../../src/control/state/state-counts.ts";
import { anOwner, aRun, ended } from "./a-run.ts";

const mainLoop = new MainLoop();
after(() => mainLoop.stop());

const metrics = new Metrics({
  flows: () => [{ flowId: "orders", inflight: 2, queued: 7, threads: 1, bytesInFlight: 900 }],
  standbyThreads: () => 2,
  threads: () => ({ live: 4, standby: 2, stuck: 1 }),
  stats: () => ({
    busyThreads: 3,
    waitingFlows: 9,
    hosts: [
      { group: "a", pids: [7], memoryBytes: 300, restarts: 1, flows: 2 },
      { group: "b", pids: [8], memoryBytes: 400, restarts: 0, flows: 1 },
    ],
    hostRestarts: 4,
  }),
  memory: { most: 5000, over: true },
  mainLoop,
  bytesInFlight: () => 1000,
  idempotency: () => ({ size: 5, bytes: 2500 }),
  failedMessages: () => [],
  testSessions: () => 3,
  state: () => new StateCounts(),
  embedded: () => [{ pid: 1, memoryBytes: 5, restarts: 2 }],
  connections: () => [
    {
      ...{ name: "shop", kind: "postgres" },
      state: { open: 3, idle: 2, waiting: 1, errors: 4, failingSince: null },
    },
  ],
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
  metrics.killed("orders", { reason: "memory_limit", detail: "" });
  metrics.killed("orders", { reason: "memory_limit", detail: "" });
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
    'bulkhead_threads{state="live"}': 4,
    'bulkhead_threads{state="stuck"}': 1,
    bulkhead_busy_threads: 3,
    bulkhead_waiting_flows: 9,
    bulkhead_embedded_processes: 1,
    bulkhead_embedded_memory_bytes: 5,
    bulkhead_embedded_restarts_total: 2,
    bulkhead_hosts: 2,
    bulkhead_host_memory_bytes: 700,
    bulkhead_host_restarts_total: 4,
    bulkhead_process_memory_limit_bytes: 5000,
    bulkhead_overloaded: 1,
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
    "process_open_fds",
    "process_max_fds",
  ]) {
    assert.ok(samples.has(name), name);
  }
});

test("the main loop's lag is a histogram, and what is late now is told of the last samples", async () => {
  const before = await scrape();
  for (const lagMs of [0.5, 0.5, 30, 400]) mainLoop.sample(lagMs);
  const samples = await scrape();
  const more = (le: string): number => {
    const key = `bulkhead_main_loop_lag_seconds_bucket{le="${le}"}`;
    return (samples.get(key) ?? Number.NaN) - (before.get(key) ?? Number.NaN);
  };
  assert.ok(more("0.05") >= 3 && more("0.5") >= 4 && more("+Inf") >= 4);
  for (let i = 0; i < 500; i += 1) mainLoop.sample(i < 490 ? 1 : 300);
  assert.ok(mainLoop.lateMs >= 300);
});

test("a deleted flow's series end, also when its last runs end after it", async () => {
  metrics.flowDeployed("gone");
  metrics.runEnded(ended(aRun("r", anOwner("gone")), "completed", 1));
  metrics.flowDeleted("gone");
  metrics.runEnded(ended(aRun("r", anOwner("gone")), "completed", 1));
  metrics.killed("gone", { reason: "timeout", detail: "" });
  metrics.tickSkipped("gone");
  const samples = await scrape();
  assert.deepEqual(
    [...samples.keys()].filter((key) => key.includes('flow="gone"')),
    [],
  );
});

test("each metric says what it counts, and no two say the same", async () => {
  const { body } = await metrics.metrics();
  const helps = [...body.matchAll(/^# HELP (\S+) (.*)$/gm)].map(([, name = "", help = ""]) => ({ name, help }));
  assert.ok(helps.length > 40);
  const texts = helps.map(({ help }) => help);
  assert.deepEqual(
    helps.filter(({ help }, at) => help.trim().split(" ").length < 2 || texts.indexOf(help) !== at),
    [],
  );
});
