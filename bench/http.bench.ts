/**
 * Webhook throughput of a flow in its own thread against a bare `node:http` handler that does the same work in one process.
 * Alternating pairs in one run; the ratios are taken within a pair. `npm run bench -- http [pairs] [seconds]`
 */
import { machine, median, quantile, report, round } from "./support/figures.ts";
import { hasWrk, type LoadResult, load, loadAtRate } from "./support/load.ts";
import { cpuMsOf, putFlow, type ServerProcess, start, startRuntime } from "./support/server-process.ts";

const [pairs = 5, seconds = 4] = process.argv.slice(2).map(Number);
const connections = 32;
const body = JSON.stringify({
  orderNo: "17",
  customer: { name: "Ada", city: "London" },
  items: Array.from({ length: 4 }, (_, i) => ({ sku: `a${i}`, quantity: i })),
});
const flow = `
- route:
    id: hello
    from:
      uri: webhook
      steps:
        - log: "order \${body[orderNo]}: \${body}"
`;

const runtime = await startRuntime();
await putFlow(runtime.url, "hello", flow);
const bare = await start(["bench/support/bare-server.ts"]);

await measure(runtime, 2);
await measure(bare, 2);
const rows: { isolated: Measured; bare: Measured }[] = [];
for (let i = 0; i < pairs; i++) {
  const isolatedFirst = i % 2 === 0;
  const first = await measure(isolatedFirst ? runtime : bare, seconds);
  const second = await measure(isolatedFirst ? bare : runtime, seconds);
  rows.push(isolatedFirst ? { isolated: first, bare: second } : { isolated: second, bare: first });
}
report("http.throughput", {
  machine: machine(),
  client: hasWrk ? "wrk" : "autocannon",
  connections,
  pairs,
  seconds,
  ratio: round(median(rows.map(({ isolated, bare: other }) => isolated.perSecond / other.perSecond)), 3),
  ratios: rows.map(({ isolated, bare: other }) => round(isolated.perSecond / other.perSecond, 3)),
  isolated: summary(rows.map(({ isolated }) => isolated)),
  bare: summary(rows.map(({ bare: other }) => other)),
});

const rate = 1000;
const open = { isolated: [] as number[], bare: [] as number[] };
for (let i = 0; i < 3; i++) {
  open.isolated.push(quantile(await loadAtRate(`${runtime.url}/api/hello`, rate, seconds, body), 0.5));
  open.bare.push(quantile(await loadAtRate(`${bare.url}/api/hello`, rate, seconds, body), 0.5));
}
report("http.latency", {
  rate,
  p50: { isolated: round(median(open.isolated), 3), bare: round(median(open.bare), 3) },
  differenceMs: round(median(open.isolated.map((value, i) => value - (open.bare[i] as number))), 3),
});

await runtime.stop();
await bare.stop();

interface Measured extends LoadResult {
  readonly cpuMicros: number;
}

async function measure(server: ServerProcess, duration: number): Promise<Measured> {
  const before = cpuMsOf(server.pid);
  const result = await load(`${server.url}/api/hello`, connections, duration, body);
  if (result.errors > 0) throw new Error(`${result.errors} requests failed`);
  return { ...result, cpuMicros: ((cpuMsOf(server.pid) - before) * 1000) / result.requests };
}

function summary(runs: readonly Measured[]): Readonly<Record<string, number>> {
  return {
    perSecond: Math.round(median(runs.map(({ perSecond }) => perSecond))),
    p50Ms: round(median(runs.map(({ p50 }) => p50))),
    p99Ms: round(median(runs.map(({ p99 }) => p99))),
    cpuMicrosPerRequest: round(median(runs.map(({ cpuMicros }) => cpuMicros)), 1),
  };
}
