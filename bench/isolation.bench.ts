/**
 * The same flow in a thread of the runtime's process and in a host process, a second each by turns: requests a second and CPU time per
 * request (host process included), as medians of the pairs' ratios; and the time from the SIGKILL of a host process to the next good answer.
 * `npm run bench -- isolation [pairs] [kills]`. Bars: 15 % of the throughput, 600 ms.
 */
import { readdirSync, readFileSync } from "node:fs";
import { machine, median, quantile, report, round } from "./support/figures.ts";
import { hasWrk, type LoadResult, load } from "./support/load.ts";
import { cpuMsOf, putFlow, startRuntime } from "./support/server-process.ts";

const [pairs = 10, kills = 20] = process.argv.slice(2).map(Number);
const connections = 32;
const body = JSON.stringify({
  orderNo: "17",
  items: Array.from({ length: 8 }, (_, i) => ({ sku: `a${i}`, quantity: i })),
});
const flow = (id: string): string => `
- route:
    id: ${id}
    from:
      uri: webhook
      steps:
        - log: "order \${body[orderNo]}"
`;
const server = await startRuntime();
await putFlow(server.url, "thread", flow("thread"));
await putFlow(server.url, "process", flow("process"), { isolation: "process" });

interface Measured extends LoadResult {
  readonly cpuMicros: number;
}

for (const id of ["thread", "process"]) await measure(id, 2);
const rows: { thread: Measured; process: Measured }[] = [];
for (let i = 0; i < pairs; i += 1) {
  const [first, second] = i % 2 === 0 ? (["thread", "process"] as const) : (["process", "thread"] as const);
  const one = await measure(first, 1);
  const other = await measure(second, 1);
  rows.push(first === "thread" ? { thread: one, process: other } : { thread: other, process: one });
}
const recoveries: number[] = [];
for (let i = 0; i < kills; i += 1) recoveries.push(await recovery());
recoveries.sort((a, b) => a - b);
report("isolation", {
  machine: machine(),
  client: hasWrk ? "wrk" : "autocannon",
  connections,
  pairs,
  ratio: round(median(rows.map((row) => row.process.perSecond / row.thread.perSecond)), 3),
  cpuRatio: round(median(rows.map((row) => row.process.cpuMicros / row.thread.cpuMicros)), 3),
  thread: summary(rows.map((row) => row.thread)),
  process: summary(rows.map((row) => row.process)),
  killToAnswerMs: { p50: round(quantile(recoveries, 0.5)), p95: round(quantile(recoveries, 0.95)), kills },
});
await server.stop();

async function measure(id: string, seconds: number): Promise<Measured> {
  const pids = [server.pid, ...hosts()];
  const cpu = (): number => pids.reduce((sum, pid) => sum + cpuMsOf(pid), 0);
  const before = cpu();
  const result = await load(`${server.url}/api/${id}`, connections, seconds, body);
  if (result.errors > 0) throw new Error(`${result.errors} requests failed`);
  return { ...result, cpuMicros: ((cpu() - before) * 1000) / result.requests };
}

/** Milliseconds from the kill to an answer. */
async function recovery(): Promise<number> {
  const call = (): Promise<boolean> =>
    fetch(`${server.url}/api/process`, { method: "POST", headers: { "Content-Type": "application/json" }, body }).then(
      async (response) => (await response.text()) !== "" && response.ok,
      () => false,
    );
  while (!(await call()));
  // It has lived long enough to be followed by another at once.
  await new Promise((resolve) => setTimeout(resolve, 10_500));
  const began = performance.now();
  for (const pid of hosts()) process.kill(pid, "SIGKILL");
  while (!(await call()));
  return performance.now() - began;
}

function hosts(): number[] {
  const children = readFileSync(`/proc/${server.pid}/task/${server.pid}/children`, "utf8").trim();
  const pids = children === "" ? [] : children.split(" ").map(Number);
  return pids.filter((pid) => readdirSync(`/proc/${pid}`).length > 0);
}

function summary(runs: readonly Measured[]): Readonly<Record<string, number>> {
  return {
    perSecond: Math.round(median(runs.map(({ perSecond }) => perSecond))),
    p99Ms: round(median(runs.map(({ p99 }) => p99))),
    cpuMicrosPerRequest: round(median(runs.map(({ cpuMicros }) => cpuMicros)), 1),
  };
}
