/**
 * What a value mapping costs the flows that use it, and what its update does: the product's tables in bytes beside plain Maps, one in each
 * thread, that are filled in slices of 2000 rows (support/mapping-ways). Whole flows over HTTP; each round starts a runtime of each way.
 * `npm run bench -- mapping-updates [rounds] [flows] [rows]`; `--one-way`: lookups only from the first column, for which both keep less.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { table } from "../test/storms/support/table.ts";
import { machine, median, report, round } from "./support/figures.ts";
import type { MainLag } from "./support/main-probe.ts";
import { columns, keyOf, type Pauses, questions, type ThreadMemory } from "./support/mapping-ways/probe.ts";
import { type RuntimeTree, runtimeTree } from "./support/runtime-tree.ts";
import { cpuMsOf, putFlow, rssOf, type ServerProcess, startRuntime, token } from "./support/server-process.ts";

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: { "one-way": { type: "boolean", default: false } },
});
const [rounds = 3, flows = 50, rows = 100_000] = positionals.map(Number);
const updates = 3;
const settleMs = 3000;
const pauseMs = 100;
const probe = new URL("support/main-probe.ts", import.meta.url).href;
const productLookup = new URL("support/mapping-ways/product-lookup.ts", import.meta.url);
const slicedRegistry = new URL("support/mapping-ways/sliced-registry.ts", import.meta.url);
const slicedTable = new URL("support/mapping-ways/sliced-table.ts", import.meta.url);
const ids = Array.from({ length: flows }, (_, i) => `uses-codes-${i}`);

/** Of one runtime; those of updates are medians. */
interface Figures {
  /** What the rows add to the process, a flow, after a collection in each thread: MB. */
  readonly mbPerFlow: number;
  readonly heapMbPerFlow: number;
  readonly bufferMbPerFlow: number;
  /** The process three seconds after three updates, nothing collected by the bench: MB. */
  readonly mbAfterUpdates: number;
  /** From the beginning of the PUT: seconds. */
  readonly putSeconds: number;
  readonly allUseItSeconds: number;
  readonly cpuSeconds: number;
  /** The longest of all threads: ms. */
  readonly threadPauseMs: number;
  readonly threadPauseCpuMs: number;
  readonly threadPauseCpuMedianMs: number;
  readonly mainPauseMs: number;
  readonly callerWaitMs: number;
  readonly lookupNs: number;
  /** The PUT of one flow more, with its first call. */
  readonly deployMs: number;
  /** Threads that the runtime has ended, and the calls of callers that failed for it: of all updates. */
  readonly kills: number;
  readonly failedCalls: number;
}

const trees: Readonly<Record<string, RuntimeTree>> = {
  table: await runtimeTree({ "workers/mappings/value-lookup.ts": productLookup }),
  map: await runtimeTree({
    "workers/mappings/registry.ts": slicedRegistry,
    "shared/value-table-build.ts": slicedTable,
    "shared/value-table.ts": slicedTable,
  }),
};
let failedCalls = 0;
const results: Record<string, Figures[]> = { table: [], map: [] };
try {
  for (let turn = 0; turn < rounds; turn++) {
    const names = Object.keys(trees);
    for (const name of turn % 2 === 0 ? names : names.reverse()) {
      const figures = await measure(trees[name] as RuntimeTree);
      results[name]?.push(figures);
      console.log(`round ${turn + 1}, ${name}: ${JSON.stringify(figures)}`);
    }
  }
} finally {
  for (const tree of Object.values(trees)) await tree.remove();
}
print();

async function measure({ directory }: RuntimeTree): Promise<Figures> {
  const runtime = await startRuntime({ LIMIT_IDLE_MS: "86400000" }, directory, [probe]);
  failedCalls = 0;
  try {
    await putMapping(runtime, 0, 10);
    for (const id of ids) await putFlow(runtime.url, id, flow(id));
    const before = await held(runtime);
    await putMapping(runtime, 1, rows);
    await allUse(runtime, 1);
    const after = await held(runtime);
    const perFlow = (of: (one: typeof before) => number): number => round((of(after) - of(before)) / flows / 1e6);
    const lookups: number[] = [];
    for (const id of ids.slice(0, 5)) lookups.push(Number(await ask(runtime, id, questions.lookups)));
    const each: Awaited<ReturnType<typeof update>>[] = [];
    for (let n = 0; n < updates; n++) each.push(await update(runtime, n + 2));
    const mbAfterUpdates = round(rssOf(runtime.pid) / 1e6, 0);
    const began = performance.now();
    await putFlow(runtime.url, "late", flow("late"));
    await ask(runtime, "late", keyOf(0));
    const deployMs = round(performance.now() - began, 0);
    const middle = (of: (one: (typeof each)[number]) => number): number => round(median(each.map(of)));
    return {
      mbPerFlow: perFlow(({ resident }) => resident),
      heapMbPerFlow: perFlow(({ heap }) => heap),
      bufferMbPerFlow: perFlow(({ buffers }) => buffers),
      mbAfterUpdates,
      putSeconds: middle(({ put }) => put / 1000),
      allUseItSeconds: middle(({ used }) => used / 1000),
      cpuSeconds: middle(({ cpu }) => cpu / 1000),
      threadPauseMs: middle(({ pauses }) => Math.max(...pauses.map(({ wall }) => wall))),
      threadPauseCpuMs: middle(({ pauses }) => Math.max(...pauses.map(({ cpu }) => cpu))),
      threadPauseCpuMedianMs: middle(({ pauses }) => median(pauses.map(({ cpu }) => cpu))),
      mainPauseMs: middle(({ lag }) => lag.most),
      callerWaitMs: middle(({ waits }) => Math.max(...waits)),
      lookupNs: round(median(lookups), 0),
      deployMs,
      kills: await kills(runtime),
      failedCalls,
    };
  } finally {
    await runtime.stop();
  }
}

/** A new version, while each flow has a caller. */
async function update(runtime: ServerProcess, version: number) {
  await askAll(runtime, questions.watch);
  await runtime.ask("watch");
  const cpuBefore = cpuMsOf(runtime.pid);
  const began = performance.now();
  const putting = putMapping(runtime, version, rows).then(() => performance.now() - began);
  const waits = await allUse(runtime, version);
  const used = performance.now() - began;
  const put = await putting;
  const lag = await runtime.ask<MainLag>("lag");
  const pauses = (await askAll(runtime, questions.pauses)).map((text) => JSON.parse(text) as Pauses);
  await sleep(settleMs);
  return { put, used, waits, lag, pauses, cpu: cpuMsOf(runtime.pid) - cpuBefore };
}

/** Resolves when each flow has answered with this version; answers how long the callers have waited, in ms. */
async function allUse(runtime: ServerProcess, version: number): Promise<number[]> {
  const waits: number[] = [];
  const call = async (id: string): Promise<void> => {
    for (;;) {
      const began = performance.now();
      const answer = await ask(runtime, id, keyOf(0)).catch((error: unknown) => {
        failedCalls += 1;
        console.log(String(error));
      });
      waits.push(performance.now() - began);
      if (answer === `ZVERSION${version}`) return;
      await sleep(pauseMs);
    }
  };
  await Promise.all(ids.map(call));
  return waits;
}

async function held(runtime: ServerProcess): Promise<ThreadMemory & { readonly resident: number }> {
  await sleep(settleMs);
  await askAll(runtime, questions.memory);
  const all = (await askAll(runtime, questions.memory)).map((text) => JSON.parse(text) as ThreadMemory);
  await runtime.ask("heap");
  const heap = sum(all.map((one) => one.heap));
  return { heap, buffers: sum(all.map(({ buffers }) => buffers)), resident: rssOf(runtime.pid) };
}

async function askAll(runtime: ServerProcess, question: string): Promise<readonly string[]> {
  const answers: string[] = [];
  for (const id of ids) answers.push(await ask(runtime, id, question));
  return answers;
}

async function ask({ url }: ServerProcess, id: string, value: string): Promise<string> {
  const headers = { "Content-Type": "text/plain" };
  const answer = await fetch(`${url}/api/${id}`, { method: "POST", headers, body: value });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${id}: ${answer.status} ${text}`);
  return text;
}

async function kills({ url }: ServerProcess): Promise<number> {
  const answer = await fetch(`${url}/_api/metrics`, { headers: { Authorization: `Bearer ${token}` } });
  const lines = (await answer.text()).split("\n").filter((line) => line.startsWith("bulkhead_kills_total{"));
  const byReason = Object.groupBy(lines, (line) => /reason="([^"]*)"/.exec(line)?.[1] ?? "");
  const counts = Object.entries(byReason).map(([reason, of = []]) => [reason, sum(of.map(countOf))] as const);
  if (counts.length > 0) console.log(`threads ended: ${JSON.stringify(Object.fromEntries(counts))}`);
  return sum(counts.map(([, count]) => count));
}

function countOf(line: string): number {
  return Number(line.split(" ").at(-1));
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

async function putMapping({ url }: ServerProcess, version: number, count: number): Promise<void> {
  const document = {
    columns: { [columns[0]]: {}, [columns[1]]: {} },
    rows: Array.from({ length: count }, (_, i) => ({
      [columns[0]]: keyOf(i),
      [columns[1]]: i === 0 ? `ZVERSION${version}` : `ZSTATUS${i}`,
    })),
    ...(options["one-way"] && { bidirectional: false }),
  };
  const answer = await fetch(`${url}/_api/value-mappings/codes`, {
    method: "PUT",
    headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
    body: JSON.stringify(document),
  });
  if (!answer.ok) throw new Error(`PUT: ${answer.status} ${await answer.text()}`);
  await answer.arrayBuffer();
}

function print(): void {
  const of = (name: string, what: keyof Figures): number[] => (results[name] ?? []).map((one) => one[what]);
  const names = Object.keys(results.table?.[0] ?? {}) as (keyof Figures)[];
  const all = names.map((what) => {
    const [tables, maps] = [of("table", what), of("map", what)];
    const ratio = round(median(tables.map((value, i) => (value === 0 ? 1 : (maps[i] ?? 0) / value))));
    return { what, table: round(median(tables)), map: round(median(maps)), ratio, tables, maps };
  });
  table(
    ["medians", "table in bytes", "Map in slices", "ratio within rounds"],
    all.map(({ what, table, map, ratio }) => [what, table, map, ratio]),
  );
  report("mapping-updates", { machine: machine(), rounds, flows, rows, oneWay: options["one-way"], figures: all });
}

function flow(id: string): string {
  return `
- route:
    id: ${id}
    from:
      uri: webhook
      steps:
        - valueMapping: { id: codes, from: ${columns[0]}, to: ${columns[1]} }
`;
}
