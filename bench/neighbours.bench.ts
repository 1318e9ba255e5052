/**
 * A victim, a webhook flow under a steady open-loop load, alone and beside flows that burn CPU for as long as they can. The load and
 * a client of `GET /_api/health` are in one process of their own; latencies count from the moment that a request was due. Rounds in
 * turn, each with its own "alone"; the ratio is taken within a round, the figure is the median of the rounds.
 *
 * `npm run bench -- neighbours [rounds] [seconds] [requests a second]`
 * `--burners 1,2,4,8`: how many, in turn.
 * `--isolation process`: each flow in a host process of its own.
 * `--no-demotion`: the same without the supervisor's lowest priority, beside the runtime as it is.
 * `--node-red`: the same for Node-RED, with one hostile function; `--node-red-dir DIR`: one that is installed there.
 */
import { parseArgs } from "node:util";
import { table } from "../test/storms/support/table.ts";
import { type Bar, printBars } from "./support/bars.ts";
import { burningEnv, burningFlow, burningLimits } from "./support/burning-flow.ts";
import { machine, median, quantile, report, round } from "./support/figures.ts";
import type { MainLag } from "./support/main-probe.ts";
import { type NodeRed, nodeRedDirectory, startNodeRed } from "./support/node-red.ts";
import { treeCpuMs } from "./support/process-tree.ts";
import type { Stream, StreamResult } from "./support/rate-client.ts";
import { RateLoad } from "./support/rate-load.ts";
import { putFlow, removeFlow, type ServerProcess, startRuntime } from "./support/server-process.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    burners: { type: "string", default: "1,2,4,8" },
    isolation: { type: "string" },
    "no-demotion": { type: "boolean", default: false },
    "node-red": { type: "boolean", default: false },
    "node-red-dir": { type: "string", default: "" },
  },
});
const [rounds = 5, seconds = 10, perSecond = 250] = positionals.map(Number);
const burners = values.burners.split(",").map(Number);
/** At most so many times the p99 of the victim alone, by the number of burners. */
const mostRatio: Readonly<Record<number, number>> = { 2: 1.25, 4: 1.25, 8: 3 };
const mostHealthMs = 100;
const mostLagMs = 50;
const healthPerSecond = 20;
const giveUpMs = 5000;
/** From the deployment of the burners to the first request that counts: what is measured is their burning, not their beginning. */
const settleMs = 1000;
const probe = new URL("support/main-probe.ts", import.meta.url).href;
const noDemotion = new URL("support/no-demotion.ts", import.meta.url).href;
const limits = values.isolation === undefined ? {} : { isolation: values.isolation };

const body = JSON.stringify({ orderNo: "17", customer: { name: "Ada", city: "London" } });
const answer = JSON.stringify({ order: "17", city: "London" });
const victim = `
- route:
    id: victim
    from:
      uri: webhook
      steps:
        - setVariable: { name: city, simple: "\${body[customer][city]}" }
        - setBody: { simple: '{"order":"\${body[orderNo]}","city":"\${variable.city}"}' }
`;

/** One cell of one round. */
interface Seen {
  readonly victim: StreamResult;
  readonly health: StreamResult;
  /** Absent: not known of this server. */
  readonly lag?: MainLag;
  /** Cores that the server's processes were on, on average. */
  readonly cores: number;
}

/** By the number of burners, 0: alone; one for each round. */
type Rows = ReadonlyMap<number, Seen[]>;

interface Hostility {
  /** Node-RED's functionTimeout in seconds, 0: none, as it comes. */
  readonly timeout: number;
  /** Calls of the hostile function a second. */
  readonly perSecond: number;
}

const hostilities: readonly Hostility[] = [
  { timeout: 0, perSecond: 1 },
  { timeout: 1, perSecond: 1 },
  { timeout: 1, perSecond: 0.2 },
];

const client = new RateLoad();
const bars: Bar[] = [];
try {
  if (values["node-red"] || values["node-red-dir"] !== "") await beside(await nodeRedDirectory(values["node-red-dir"]));
  const modes = values["no-demotion"] ? ["as it is", "without demotion"] : ["as it is"];
  for (const mode of modes) await ours(mode);
  if (!printBars("neighbours", bars)) process.exitCode = 1;
} finally {
  client.stop();
}

async function ours(mode: string): Promise<void> {
  const demoted = mode === "as it is";
  const runtime = await startRuntime(burningEnv, ".", demoted ? [probe] : [probe, noDemotion]);
  try {
    await putFlow(runtime.url, "victim", victim, limits);
    await look(runtime, Math.min(2, seconds));
    const rows = await inTurns(async (count) => {
      const ids = Array.from({ length: count }, (_, i) => `burner-${i}`);
      for (const id of ids) await putFlow(runtime.url, id, burningFlow(id), { ...burningLimits, ...limits });
      await new Promise((resolve) => setTimeout(resolve, settleMs));
      const seen = await look(runtime, seconds);
      for (const id of ids) await removeFlow(runtime.url, id);
      return seen;
    });
    const isolation = values.isolation ?? "the default";
    print(`${mode}, isolation: ${isolation}`, rows);
    if (demoted) judge(rows);
  } finally {
    await runtime.stop();
  }
}

/** In an order that turns, so that no cell always comes after the same one. */
async function inTurns(measure: (burners: number) => Promise<Seen>): Promise<Rows> {
  const cells = [0, ...burners];
  const rows = new Map<number, Seen[]>(cells.map((count) => [count, []]));
  for (let i = 0; i < rounds; i++) {
    for (let n = 0; n < cells.length; n++) {
      const count = cells[(n + i) % cells.length] as number;
      rows.get(count)?.push(await measure(count));
    }
  }
  return rows;
}

async function look(runtime: ServerProcess, forSeconds: number): Promise<Seen> {
  await runtime.ask("watch");
  const seen = await drive(runtime, `${runtime.url}/_api/health`, forSeconds);
  return { ...seen, lag: await runtime.ask<MainLag>("lag") };
}

/** `hostile`: requests that begin something beside, whose own answers do not count. */
async function drive(
  server: ServerProcess,
  healthUrl: string,
  forSeconds: number,
  hostile: readonly Stream[] = [],
): Promise<Seen> {
  const streams: readonly Stream[] = [
    {
      ...{ name: "victim", url: `${server.url}/api/victim`, method: "POST", perSecond },
      ...{ body, headers: { "content-type": "application/json" }, expect: answer },
    },
    { name: "health", url: healthUrl, method: "GET", perSecond: healthPerSecond },
    ...hostile,
  ];
  const before = treeCpuMs(server.pid);
  const began = performance.now();
  const results = await client.run({ seconds: forSeconds, giveUpMs, streams });
  const cores = (treeCpuMs(server.pid) - before) / (performance.now() - began);
  const of = (name: string): StreamResult => results.get(name) as StreamResult;
  return { victim: of("victim"), health: of("health"), cores };
}

/** Node-RED with one hostile function: in each round a new process, since one that is stuck stays so. */
async function beside(directory: string): Promise<void> {
  for (const { timeout, perSecond: calls } of hostilities) {
    const rows = new Map<number, Seen[]>([0, 1].map((count) => [count, []]));
    let version = "";
    for (let i = 0; i < rounds; i++) {
      const server = await startNodeRed(directory, timeout);
      version = server.version;
      const hostile: Stream = { name: "hostile", url: `${server.url}/api/burn`, method: "POST", perSecond: calls };
      const health = `${server.url}/settings`;
      try {
        await answering(server);
        await drive(server, health, Math.min(2, seconds));
        rows.get(0)?.push(await drive(server, health, seconds));
        rows.get(1)?.push(await drive(server, health, seconds, [hostile]));
      } finally {
        await server.stop();
      }
    }
    const limit = timeout === 0 ? "no functionTimeout" : `functionTimeout ${timeout} s`;
    print(`Node-RED ${version}, ${limit}, the hostile function called every ${1 / calls} s`, rows);
  }
}

/** It listens before it has its flows. */
async function answering(server: NodeRed): Promise<void> {
  const headers = { "content-type": "application/json" };
  for (let tries = 0; tries < 600; tries++) {
    const response = await fetch(`${server.url}/api/victim`, { method: "POST", headers, body });
    if (response.ok && (await response.text()) === answer) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error("Node-RED never answered the victim's request");
}

function print(title: string, rows: Rows): void {
  console.log(`\n${title}: ${rounds} rounds of ${seconds} s, ${perSecond} requests a second`);
  table(
    [
      "burners",
      "p50 ms",
      "p99 ms",
      "p99.9 ms",
      "ratio of p99",
      "sent",
      "failed",
      "health p99 ms",
      "lag p99 ms",
      "cores",
    ],
    [...rows].map(([count, seen]) => {
      const { p50, p99, p999, sent, failed, healthP99, lagP99, cores } = figuresOf(seen);
      return [count, p50, p99, p999, ratioOf(rows, count), sent, failed, healthP99, lagP99 ?? "", cores];
    }),
  );
  for (const example of new Set([...rows.values()].flat().flatMap(({ victim: { examples } }) => examples)))
    console.log(`  failed: ${example}`);
  const figures = [...rows].map(([count, seen]) => [count, { ...figuresOf(seen), ratio: ratioOf(rows, count) }]);
  report("neighbours", { title, machine: machine(), rounds, seconds, perSecond, ...Object.fromEntries(figures) });
}

/** Medians of the rounds; what is rare (p99.9, health) of all rounds together. */
function figuresOf(seen: readonly Seen[]) {
  const of = (share: number): number => median(seen.map(({ victim }) => quantile(victim.latencies, share)));
  const pooled = (name: "victim" | "health"): number[] =>
    seen.flatMap((one) => one[name].latencies).sort((a, b) => a - b);
  const lags = seen.flatMap(({ lag }) => (lag === undefined ? [] : [lag.p99]));
  return {
    p50: round(of(0.5)),
    p99: round(of(0.99)),
    p999: round(quantile(pooled("victim"), 0.999)),
    sent: pooled("victim").length,
    failed: seen.reduce((sum, { victim }) => sum + victim.failed, 0),
    healthP99: round(quantile(pooled("health"), 0.99)),
    healthFailed: seen.reduce((sum, { health }) => sum + health.failed, 0),
    ...(lags.length > 0 && { lagP99: round(median(lags)) }),
    cores: round(median(seen.map(({ cores }) => cores))),
  };
}

/** To alone, in the median of the rounds. */
function ratioOf(rows: Rows, count: number): number {
  const p99 = (of: number): number[] => (rows.get(of) ?? []).map(({ victim }) => quantile(victim.latencies, 0.99));
  const alone = p99(0);
  return round(median(p99(count).map((value, i) => value / (alone[i] as number))));
}

function judge(rows: Rows): void {
  for (const [count, seen] of rows) {
    const { failed, healthP99, healthFailed, lagP99 = Number.NaN, cores } = figuresOf(seen);
    const beside = count === 0 ? "alone" : `beside ${count}`;
    const most = mostRatio[count];
    if (most !== undefined) bars.push({ what: `${beside}: p99 to alone`, measured: ratioOf(rows, count), most });
    bars.push({ what: `${beside}: failed requests`, measured: failed + healthFailed, most: 0 });
    bars.push({ what: `${beside}: health p99`, measured: healthP99, most: mostHealthMs, unit: "ms" });
    bars.push({ what: `${beside}: main loop late, p99`, measured: lagP99, most: mostLagMs, unit: "ms" });
    // Flows that do not burn would meet all bars.
    if (count > 0 && cores < 0.5) throw new Error(`${beside} took ${cores} cores: they do not burn`);
  }
}
