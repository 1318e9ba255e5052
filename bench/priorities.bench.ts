/**
 * What a low priority of its thread costs a flow that nobody disturbs: requests a second of one webhook flow under as much load as it
 * takes. Each priority is a runtime of its own; they take turns, in an order that turns, and the figure is the median of the rounds' ratios
 * to the first. It has no bar: it is what `threadNice` is chosen by. `npm run bench -- priorities [rounds] [seconds] [--nice 0,2,5,10]`
 */
import { parseArgs } from "node:util";
import { table } from "../test/storms/support/table.ts";
import { mustBeBundled } from "./support/code.ts";
import { machine, median, report, round } from "./support/figures.ts";
import { hasWrk, load } from "./support/load.ts";
import { putFlow, type ServerProcess, startRuntime } from "./support/server-process.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { nice: { type: "string", default: "0,2,5,10" } },
});
const [rounds = 7, seconds = 4] = positionals.map(Number);
const connections = 32;
const noPriorities = new URL("support/no-priorities.ts", import.meta.url).href;
const body = JSON.stringify({ orderNo: "17", customer: { name: "Ada", city: "London" } });
const flow = `
- route:
    id: hello
    from:
      uri: webhook
      steps:
        - log: "order \${body[orderNo]}: \${body}"
`;

interface Variant {
  readonly name: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly imports?: readonly string[];
}

const variants = values.nice.split(",").map(niceVariant);

interface Running {
  readonly name: string;
  readonly runtime: ServerProcess;
  readonly perSecond: number[];
  readonly p99: number[];
}

const running: Running[] = [];
try {
  await mustBeBundled();
  for (const variant of variants) running.push(await started(variant));
  for (const one of running) await load(`${one.runtime.url}/api/hello`, connections, Math.min(2, seconds), body);
  for (let i = 0; i < rounds; i++) {
    for (let n = 0; n < running.length; n++) await measure(running[(n + i) % running.length] as Running);
  }
  const first = running[0] as Running;
  table(
    ["", "requests a second", `to ${first.name}`, "p99 ms"],
    running.map((one) => [one.name, median(one.perSecond), ratio(one, first), median(one.p99)]),
  );
  report("priorities", {
    ...{ machine: machine(), client: hasWrk ? "wrk" : "autocannon", connections, rounds, seconds },
    perSecond: Object.fromEntries(running.map(({ name, perSecond }) => [name, perSecond.map(Math.round)])),
  });
} finally {
  for (const { runtime } of running) await runtime.stop();
}

function niceVariant(nice: string): Variant {
  // The limit's least value is what any other limit's is; 0 is the main thread's.
  if (nice === "0") return { name: "nice 0", imports: [noPriorities] };
  return { name: `nice ${nice}`, env: { LIMIT_THREAD_NICE: nice } };
}

async function started({ name, env, imports }: Variant): Promise<Running> {
  const runtime = await startRuntime(env, ".", imports);
  await putFlow(runtime.url, "hello", flow);
  return { name, runtime, perSecond: [], p99: [] };
}

async function measure({ runtime, perSecond, p99 }: Running): Promise<void> {
  const result = await load(`${runtime.url}/api/hello`, connections, seconds, body);
  if (result.errors > 0) throw new Error(`${result.errors} requests failed`);
  perSecond.push(result.perSecond);
  p99.push(result.p99);
}

function ratio(one: Running, other: Running): number {
  return round(median(one.perSecond.map((value, i) => value / (other.perSecond[i] as number))), 3);
}
