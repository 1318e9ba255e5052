/**
 * Many deployed flows on one runtime, small webhook flows without an HTTP client. `npm run bench -- density [flows] [PUTs at a time]`
 *
 * Live: every flow keeps its thread. Memory, threads and descriptors of all, the time to deploy all and how late the main loop is
 * meanwhile, and the CPU that the runtime takes when nothing happens.
 * Idle: every flow has given its thread back. Memory of each against the runtime before them, and the time of a call to a flow that was
 * idle. Then all are removed: descriptors and threads are what they were.
 *
 * `--only live`, `--only idle`; `--isolation process`: a host process for each hundred flows; what they hold counts.
 * `--idle-seconds 20`: for so long the CPU of doing nothing is counted.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { table } from "../test/storms/support/table.ts";
import { type Bar, printBars } from "./support/bars.ts";
import { mustBeBundled } from "./support/code.ts";
import { machine, quantile, report, round } from "./support/figures.ts";
import type { MainLag } from "./support/main-probe.ts";
import { holdingsOf, type TreeHoldings, treeCpuMs } from "./support/process-tree.ts";
import { putFlow, removeFlow, type ServerProcess, startRuntime } from "./support/server-process.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    only: { type: "string" },
    isolation: { type: "string" },
    "idle-seconds": { type: "string", default: "20" },
  },
});
const [flows = 1000, atATime = 8] = positionals.map(Number);
const idleSeconds = Number(values["idle-seconds"]);
const limits = values.isolation === undefined ? {} : { isolation: values.isolation };
/** So many flows have ids that begin alike, up to a dot: those share a host process, if they are in one. */
const groupSize = 100;
/** The bars are for a thousand flows: what is a sum is taken for as many as there are. */
const share = flows / 1000;
const mostLiveGB = 9 * share;
const mostDeploySeconds = 60 * share;
const mostLagMs = 50;
const mostIdleCpuPercent = 1;
const mostIdleKB = 100;
const mostWakeMs = 25;
const mostLeft = 2;
const wakeCalls = Math.min(flows, 300);
const wakePauseMs = 100;
const idleMs = 500;
/** Threads collect the garbage of their boot when they have had no run for 20 s. */
const settleMs = 23_000;
const probe = new URL("support/main-probe.ts", import.meta.url).href;
const bars: Bar[] = [];

await mustBeBundled();
if (values.only !== "idle") await live();
if (values.only !== "live") await idle();
if (!printBars("density", bars)) process.exitCode = 1;

async function live(): Promise<void> {
  const runtime = await startRuntime({ LIMIT_IDLE_MS: "86400000" }, ".", [probe]);
  try {
    const before = await warmed(runtime);
    const { seconds, lag } = await deployAll(runtime);
    await sleep(settleMs);
    const after = holdingsOf(runtime.pid);
    const cpuPercent = await cpuOfNothing(runtime);
    await mustAnswer(runtime, 20);
    const figures = {
      deploySeconds: round(seconds),
      ...{ lagP99Ms: round(lag.p99), lagMostMs: round(lag.most) },
      residentGB: round(after.resident / 1e9),
      mbPerFlow: round((after.resident - before.resident) / flows / 1e6),
      idleCpuPercent: round(cpuPercent, 3),
    };
    print("live", figures, before, after);
    bars.push({ what: "live: resident", measured: after.resident / 1e9, most: mostLiveGB, unit: "GB" });
    bars.push({
      what: "live: CPU of doing nothing",
      measured: cpuPercent,
      most: mostIdleCpuPercent,
      unit: "% of a core",
    });
    bars.push({ what: "live: all deployed", measured: seconds, most: mostDeploySeconds, unit: "s" });
    bars.push({ what: "live: main loop late meanwhile, p99", measured: lag.p99, most: mostLagMs, unit: "ms" });
  } finally {
    await runtime.stop();
  }
}

async function idle(): Promise<void> {
  const runtime = await startRuntime({ LIMIT_IDLE_MS: String(idleMs) }, ".", [probe]);
  try {
    await warmed(runtime);
    const heapBefore = await runtime.ask<number>("heap");
    await sleep(settleMs);
    const before = holdingsOf(runtime.pid);
    await deployAll(runtime);
    const uncollected = await quiet(runtime);
    // A process at rest collects by itself, but not at a time that can be waited for.
    const heap = await runtime.ask<number>("heap");
    await sleep(settleMs);
    const after = holdingsOf(runtime.pid);
    const wakes = await wakeTimes(runtime);
    const kbPerFlow = (after.resident - before.resident) / flows / 1e3;
    const wakeP99 = quantile(wakes, 0.99);
    await inParallel((id) => removeFlow(runtime.url, id));
    const removed = await quiet(runtime);
    const figures = {
      kbPerFlow: round(kbPerFlow),
      kbPerFlowUncollected: round((uncollected.resident - before.resident) / flows / 1e3),
      heapKbPerFlow: round((heap - heapBefore) / flows / 1e3),
      ...{ wakeP50Ms: round(quantile(wakes, 0.5)), wakeP99Ms: round(wakeP99), wakeMostMs: round(wakes.at(-1) ?? 0) },
    };
    print("idle", figures, before, after, removed);
    bars.push({ what: "idle: resident of each flow", measured: kbPerFlow, most: mostIdleKB, unit: "KB" });
    bars.push({ what: `idle: ${wakeCalls} calls that wake one, p99`, measured: wakeP99, most: mostWakeMs, unit: "ms" });
    for (const name of ["descriptors", "threads"] as const) {
      const left = Math.abs(removed[name] - before[name]);
      bars.push({ what: `removed: ${name} left`, measured: left, most: mostLeft });
    }
  } finally {
    await runtime.stop();
  }
}

/** The first deployments load what all later ones share: the API, the check thread, the standby threads. What it holds without flows. */
async function warmed(runtime: ServerProcess): Promise<TreeHoldings> {
  const warm = Array.from({ length: 20 }, (_, i) => `warm-${i}`);
  for (const id of warm) await putFlow(runtime.url, id, flow(id), limits);
  for (const id of warm) await removeFlow(runtime.url, id);
  await sleep(settleMs);
  return holdingsOf(runtime.pid);
}

async function deployAll(runtime: ServerProcess): Promise<{ readonly seconds: number; readonly lag: MainLag }> {
  await runtime.ask("watch");
  const began = performance.now();
  await inParallel((id) => putFlow(runtime.url, id, flow(id), limits));
  const seconds = (performance.now() - began) / 1000;
  return { seconds, lag: await runtime.ask<MainLag>("lag") };
}

async function inParallel(work: (id: string) => Promise<void>): Promise<void> {
  const ids = Array.from({ length: flows }, (_, i) => idOf(i));
  const one = async (): Promise<void> => {
    for (let id = ids.pop(); id !== undefined; id = ids.pop()) await work(id);
  };
  await Promise.all(Array.from({ length: atATime }, one));
}

/** When no more threads come or go. */
async function quiet({ pid }: ServerProcess): Promise<TreeHoldings> {
  let last = 0;
  for (let seen = holdingsOf(pid).threads; seen !== last; seen = holdingsOf(pid).threads) {
    last = seen;
    await sleep(settleMs);
  }
  return holdingsOf(pid);
}

async function cpuOfNothing({ pid }: ServerProcess): Promise<number> {
  const before = treeCpuMs(pid);
  await sleep(idleSeconds * 1000);
  return (treeCpuMs(pid) - before) / idleSeconds / 10;
}

/** Calls of flows that are idle, each of another flow, apart from each other. */
async function wakeTimes(runtime: ServerProcess): Promise<number[]> {
  await answered(runtime, 0);
  const times: number[] = [];
  for (let i = 0; i < wakeCalls; i++) {
    await sleep(wakePauseMs);
    const began = performance.now();
    await answered(runtime, flows - 1 - i);
    times.push(performance.now() - began);
  }
  return times.sort((a, b) => a - b);
}

async function mustAnswer(runtime: ServerProcess, count: number): Promise<void> {
  for (let i = 0; i < Math.min(count, flows); i++) await answered(runtime, i);
}

async function answered({ url }: ServerProcess, n: number): Promise<void> {
  const answer = await fetch(`${url}/api/${idOf(n)}`, { method: "POST", body: "Ada" });
  const text = await answer.text();
  if (answer.status !== 200 || text !== `${idOf(n)} Ada`) throw new Error(`${idOf(n)}: ${answer.status} ${text}`);
}

function print(
  what: string,
  figures: Readonly<Record<string, number>>,
  before: TreeHoldings,
  after: TreeHoldings,
  removed?: TreeHoldings,
): void {
  console.log(`\n${flows} flows, ${what}, ${atATime} PUTs at a time`);
  const names = ["processes", "threads", "descriptors", "resident"] as const;
  const shown = (name: (typeof names)[number], of: TreeHoldings | undefined): string | number =>
    of === undefined ? "" : name === "resident" ? `${round(of[name] / 1e6, 1)} MB` : of[name];
  table(
    ["", "without flows", "with", ...(removed === undefined ? [] : ["removed"])],
    names.map((name) => [name, shown(name, before), shown(name, after), shown(name, removed)]),
  );
  table(["", ""], Object.entries(figures));
  report("density", { machine: machine(), what, flows, ...figures, before, after, removed });
}

function idOf(n: number): string {
  return `dense-${Math.floor(n / groupSize)}.flow-${n}`;
}

function flow(id: string): string {
  return `
- route:
    id: ${id}
    from:
      uri: webhook
      steps:
        - log: "got \${body}"
        - setBody: { simple: "${id} \${body}" }
`;
}
