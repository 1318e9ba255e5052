/**
 * Cold start: from spawning the process to the first answered webhook; of one flow, of the sample flows of routes/samples/, and of many,
 * where any one of them is asked at random. `first`: an empty data directory, as after a clone; `again`: the start after it.
 * Of many only the second start counts; then all of them are called one after another.
 * `npm run bench -- start [runs] [flows]`; `--only one`, `--only samples`, `--only many`.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { cp, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { type Bar, printBars } from "./support/bars.ts";
import { machine, median, report, round } from "./support/figures.ts";
import { rssOf, type ServerProcess, startRuntime } from "./support/server-process.ts";

const { values, positionals } = parseArgs({ allowPositionals: true, options: { only: { type: "string" } } });
const [runs = 9, flows = 500] = positionals.map(Number);
const bars: Bar[] = [];
const nodeMs = median(await repeat(runs, bareNode));

if (values.only === undefined || values.only === "one") await cold("one", 200, "route-0", writeFlows(1));
if (values.only === undefined || values.only === "samples") {
  await cold("samples", 250, "hello", (directory) => cp("routes/samples", directory, { recursive: true }));
}
if (values.only === undefined || values.only === "many") await many();
if (!printBars("start", bars)) process.exitCode = 1;

async function cold(
  what: string,
  barMs: number,
  route: string,
  fill: (directory: string) => Promise<void>,
): Promise<void> {
  const first: number[] = [];
  const again: number[] = [];
  const listening: number[] = [];
  for (let i = 0; i < runs; i++) {
    await inDirectory(fill, async (env) => {
      for (const times of [first, again]) {
        const began = performance.now();
        const server = await startRuntime(env);
        listening.push(server.startMs);
        await answered(server, route);
        times.push(performance.now() - began);
        await server.stop();
      }
    });
  }
  const againMs = median(again);
  report("start", {
    machine: machine(),
    ...{ what, runs, barMs },
    nodeMs: round(nodeMs, 0),
    firstMs: round(median(first), 0),
    againMs: round(againMs, 0),
    againToNode: round(againMs / nodeMs, 1),
    listeningMs: round(median(listening), 0),
    all: again.map((ms) => round(ms, 0)),
  });
  bars.push({ what: `${what}: first answer of the second start`, measured: againMs, most: barMs, unit: "ms" });
}

async function many(): Promise<void> {
  await inDirectory(writeFlows(flows), async (env) => {
    const filled = performance.now();
    const filling = await startRuntime(env);
    while ((await call(filling, "GET", "/_api/health?probe=ready")) !== 200) await sleep(50);
    const fillMs = performance.now() - filled;
    const filledMB = rssOf(filling.pid) / 1e6;
    await filling.stop();
    const starts: { readonly firstMs: number; readonly mb: number }[] = [];
    let allMs = 0;
    let allMB = 0;
    for (let i = 0; i < Math.min(runs, 3); i++) {
      const began = performance.now();
      const server = await startRuntime(env);
      await answered(server, `route-${Math.floor(Math.random() * flows)}`);
      starts.push({ firstMs: performance.now() - began, mb: rssOf(server.pid) / 1e6 });
      const calling = performance.now();
      for (let n = 0; n < flows; n++) await answered(server, `route-${n}`);
      allMs = performance.now() - calling;
      allMB = rssOf(server.pid) / 1e6;
      await server.stop();
    }
    const firstMs = median(starts.map((one) => one.firstMs));
    const mb = median(starts.map((one) => one.mb));
    report("start", {
      machine: machine(),
      ...{ what: "many", flows },
      nodeMs: round(nodeMs, 0),
      emptyReadyMs: round(fillMs, 0),
      emptyReadyMB: round(filledMB, 0),
      firstMs: round(firstMs, 0),
      firstToNode: round(firstMs / nodeMs, 1),
      firstMB: round(mb, 0),
      allSeconds: round(allMs / 1000, 1),
      allMB: round(allMB, 0),
      all: starts.map((one) => round(one.firstMs, 0)),
    });
    const share = flows / 500;
    bars.push({ what: `${flows} flows: first answer of any`, measured: firstMs, most: 2000 * share, unit: "ms" });
    bars.push({ what: `${flows} flows: resident then`, measured: mb, most: 600 * share, unit: "MB" });
    bars.push({ what: `${flows} flows: all called`, measured: allMs / 1000, most: 15 * share, unit: "s" });
  });
}

async function inDirectory(
  fill: (directory: string) => Promise<void>,
  work: (env: Readonly<Record<string, string>>) => Promise<void>,
): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), "bulkhead-bench-start-"));
  try {
    await fill(join(directory, "routes"));
    await work({ ROUTES_DIR: join(directory, "routes"), DATA_DIR: join(directory, "data") });
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

function writeFlows(count: number): (directory: string) => Promise<void> {
  return async (directory) => {
    await mkdir(directory);
    for (let n = 0; n < count; n++) await writeFile(join(directory, `flow-${n}.yaml`), flow(n));
  };
}

function flow(n: number): string {
  return `
- route:
    id: route-${n}
    from:
      uri: webhook
      steps:
        - log: "got \${body}"
        - setBody: { simple: "route-${n} \${body}" }
`;
}

/** What Node itself needs, from spawning it to its end. */
async function bareNode(): Promise<number> {
  const began = performance.now();
  await once(spawn(process.execPath, ["-e", "0"], { stdio: "ignore" }), "exit");
  return performance.now() - began;
}

async function repeat(times: number, measure: () => Promise<number>): Promise<number[]> {
  const all: number[] = [];
  for (let i = 0; i < times; i++) all.push(await measure());
  return all;
}

async function answered(server: ServerProcess, route: string): Promise<void> {
  for (let tries = 0; (await call(server, "POST", `/api/${route}`)) !== 200; tries++) {
    if (tries > 50_000) throw new Error("the webhook was never answered");
    await sleep(1);
  }
}

/** A status; plain `node:http`, because `fetch` takes tens of milliseconds to load. */
function call({ url }: ServerProcess, method: string, path: string): Promise<number> {
  return new Promise((resolve) => {
    const sent = request(`${url}${path}`, { method }, (response) => {
      response.resume();
      response.once("end", () => resolve(response.statusCode ?? 0));
    });
    sent.once("error", () => resolve(0));
    sent.end(method === "POST" ? "hi" : undefined);
  });
}
