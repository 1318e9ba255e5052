/**
 * Calls that their callers break off: while the body is sent, while the run waits, while the answer is read, and with an idempotency
 * key, under which the run goes on. Afterwards nothing is under way and nothing is held.
 * `npm run storm -- aborts [calls] [connections] [seed]`
 */
import { epochMs, monotonicMs, pause } from "../support/clock.ts";
import { abortCalls, abortedFlow, type Moment, underWay } from "./support/aborting-calls.ts";
import { startProbed } from "./support/probed-server.ts";
import { table, verdict } from "./support/table.ts";

const [calls = 10_000, connections = 100, seed = epochMs() % 2 ** 31] = process.argv.slice(2).map(Number);
const warmUp = Math.ceil(calls / 5);
const MB = 1e6;
const heapBar = 4 * MB;

const { server, holdings } = await startProbed({
  // Small enough to be full when the measured part begins.
  LIMIT_RUNS_TOTAL: "200",
  LIMIT_IDEMPOTENCY_KEYS: "100",
  LIMIT_STANDBY_THREADS: "1",
});
try {
  console.log(`seed ${seed}`);
  const random = mulberry32(seed);
  await server.put("aborted", abortedFlow);
  await abortCalls({ port: server.port, calls: warmUp, connections, random });
  await settled();
  const before = await holdings();
  const began = monotonicMs();
  const counts = await abortCalls({ port: server.port, calls, connections, random });
  const seconds = (monotonicMs() - began) / 1000;
  const settledMs = await settled();
  const after = await holdings();
  const metrics = await (await server.api("/metrics")).text();
  const gauges = underWay(metrics);
  const kills = [...metrics.matchAll(/^bulkhead_kills_total\{.*reason="(\w+)"\} (\d+)$/gm)].map(
    ([, reason, n]) => `${n} ${reason}`,
  );
  const running = (await (await server.api("/runs?status=running")).json()) as unknown[];
  const statuses = await statusCounts();
  const well = await fetch(`${server.url}/api/well`, { method: "POST", body: "x" });
  const answer = await well.text();

  table(
    ["broken off while", "calls"],
    (Object.keys(counts) as Moment[]).map((moment) => [moment, counts[moment]]),
  );
  table(
    ["", "before", "after", "bar"],
    [
      ["descriptors", before.descriptors, after.descriptors, "+-2"],
      ["threads", before.threads, after.threads, "+-2"],
      ["timers", before.timers, after.timers, "+-2"],
      ["heap (MB)", before.heap / MB, after.heap / MB, `+${heapBar / MB}`],
      ["external (MB)", before.external / MB, after.external / MB, `+${heapBar / MB}`],
      ["resident (MB)", before.resident / MB, after.resident / MB, ""],
      ...Object.entries(gauges).map(([name, value]) => [name, "", value, "0"]),
      ["records that say 'running'", "", running.length, "0"],
      ["threads killed", "", kills.join(", ") || 0, "0"],
      ["ms until all was settled", "", settledMs, ""],
      ["seconds", "", seconds, ""],
    ],
  );
  console.log(`the last 200 runs: ${statuses}`);
  const near = (name: "descriptors" | "threads" | "timers"): boolean => Math.abs(after[name] - before[name]) <= 2;
  const within = (name: "heap" | "external"): boolean => after[name] - before[name] <= heapBar;
  const met =
    Object.values(gauges).every((value) => value === 0) &&
    running.length === 0 &&
    kills.length === 0 &&
    near("descriptors") &&
    near("threads") &&
    near("timers") &&
    within("heap") &&
    within("external") &&
    answer === "ok";
  verdict(met, `${calls} calls aborted on ${connections} connections: nothing is left of them, and the flow answers`);
} finally {
  await server.remove();
}

/** Waits, for a minute at most, until nothing is under way; milliseconds. */
async function settled(): Promise<number> {
  const began = monotonicMs();
  while (monotonicMs() - began < 60_000) {
    const gauges = underWay(await (await server.api("/metrics")).text());
    if (Object.values(gauges).every((value) => value === 0)) break;
    await pause(50);
  }
  return monotonicMs() - began;
}

async function statusCounts(): Promise<string> {
  const runs = (await (await server.api("/runs?limit=500")).json()) as { status: string; outcome: string }[];
  const counts = new Map<string, number>();
  for (const { status, outcome } of runs) {
    const name = `${status} (${outcome})`;
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return [...counts].map(([name, count]) => `${count} ${name}`).join(", ");
}

/** A generator of numbers from 0 to 1 that gives the same ones for the same seed. */
function mulberry32(start: number): () => number {
  let state = start;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
