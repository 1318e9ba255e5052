/**
 * Retries of many failed messages beside live traffic: 10 000 messages fail, the flow is mended, and all are retried at its pace while live
 * calls go to the same flow and to one of another group. The same calls without retries, before and after, are what they are held against.
 * `npm run bench -- retries [messages] [live calls a second, of each flow] [seconds of a window]`
 */
import { Pool } from "undici";
import { FlakySink } from "../test/storms/support/flaky-sink.ts";
import { table } from "../test/storms/support/table.ts";
import { type Bar, printBars } from "./support/bars.ts";
import { machine, median, quantile, report, round } from "./support/figures.ts";
import type { MainLag } from "./support/main-probe.ts";
import { RateLoad } from "./support/rate-load.ts";
import { putFlow, startRuntime, token } from "./support/server-process.ts";

const [messages = 10_000, perSecond = 50, seconds = 3] = process.argv.slice(2).map(Number);
const windowsAlone = 3;
const senders = 16;
const settleMs = 600_000;
const probe = new URL("support/main-probe.ts", import.meta.url).href;
const flows = ["same", "neighbour"] as const;

const sink = new FlakySink(() => false);
const port = await sink.listen();
const server = await startRuntime(
  { LIMIT_FAILED_MESSAGES: String(2 * messages), EGRESS_ALLOW: `127.0.0.1:${port}` },
  ".",
  [probe],
);
const client = new RateLoad();
const post = new Pool(server.url, { connections: senders });
const flow = (live: string, orders: string): string => `
- route: { id: ${live}, from: { uri: webhook, steps: [{ setBody: { constant: new } }] } }
- route: { id: orders-${live}, from: { uri: webhook, steps: [${orders}] } }
`;
const failing = "{ throwException: { exceptionType: java.io.IOException, message: the sink is down } }";
const sending = `{ toD: "http:127.0.0.1:${port}/in?id=\${body}&bridgeEndpoint=true&httpMethod=POST" }`;

interface Window {
  readonly latencies: ReadonlyMap<string, readonly number[]>;
  readonly failed: number;
  readonly lag: MainLag;
}

try {
  await putFlow(server.url, "bench.same", flow("same", failing));
  await putFlow(server.url, "other.neighbour", flow("neighbour", failing));
  await window();
  const filledMs = await fill();
  await putFlow(server.url, "bench.same", flow("same", sending));
  const alone = [];
  for (let n = 0; n < windowsAlone; n += 1) alone.push(await window());
  const began = performance.now();
  const asked = await retryAll();
  const done = allDone().then(() => performance.now() - began);
  let isOver = false;
  void done.finally(() => {
    isOver = true;
  });
  const beside = [];
  while (!isOver) {
    const one = await window();
    // One that outlives the retries measures less than they cost.
    if (!isOver || beside.length === 0) beside.push(one);
  }
  const tookMs = await done;
  for (let n = 0; n < windowsAlone; n += 1) alone.push(await window());
  if (!printBars("retries", await results(alone, beside, { asked, tookMs, filledMs }))) process.exitCode = 1;
} finally {
  client.stop();
  await post.destroy();
  await server.stop();
  sink.close();
}

/** Calls that are answered 202, whose runs all fail. */
async function fill(): Promise<number> {
  const began = performance.now();
  let next = 0;
  const sender = async (): Promise<void> => {
    while (next < messages) {
      const body = `m${next++}`;
      const headers = { "content-type": "text/plain", prefer: "respond-async" };
      const answer = await post.request({ path: "/api/orders-same", method: "POST", headers, body });
      const text = await answer.body.text();
      if (answer.statusCode !== 202) throw new Error(`${answer.statusCode} ${text}`);
    }
  };
  await Promise.all(Array.from({ length: senders }, sender));
  const until = performance.now() + settleMs;
  while ((await counts()).waiting < messages) {
    if (performance.now() > until) throw new Error("the messages are not kept");
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
  return performance.now() - began;
}

async function window(): Promise<Window> {
  const streams = flows.map((name) => {
    const url = `${server.url}/api/${name}`;
    return { name, url, method: "POST" as const, perSecond, expect: "new" };
  });
  await server.ask("watch");
  const found = await client.run({ seconds, giveUpMs: 5000, streams });
  const lag = await server.ask<MainLag>("lag");
  const failed = [...found.values()].reduce((sum, one) => sum + one.failed, 0);
  return { latencies: new Map([...found].map(([name, { latencies }]) => [name, latencies])), failed, lag };
}

async function api(path: string, body?: object): Promise<Response> {
  const headers = { Authorization: `Bearer ${token}`, "Content-Type": "application/json" };
  const sent = body === undefined ? {} : { method: "POST", body: JSON.stringify(body) };
  return fetch(`${server.url}/_api${path}`, { headers, ...sent });
}

async function retryAll(): Promise<number> {
  const answer = await api("/failed/retry", { flowId: "bench.same" });
  return ((await answer.json()) as { count: number }).count;
}

async function counts(): Promise<{ readonly waiting: number; readonly retried: number }> {
  const lines = (await (await api("/metrics")).text()).split("\n");
  const of = (pattern: RegExp): number =>
    lines.filter((line) => pattern.test(line)).reduce((sum, line) => sum + Number(line.split(" ").at(-1)), 0);
  return {
    waiting: of(/^bulkhead_failed_messages\{.*state="waiting"/),
    retried: of(/^bulkhead_failed_messages_total\{.*event="retried"/),
  };
}

/** Ends when the sink has all of them, or nothing comes any more. */
async function allDone(): Promise<void> {
  let before = -1;
  let same = 0;
  while (sink.taken.size < messages && same < 60) {
    same = sink.taken.size === before ? same + 1 : 0;
    before = sink.taken.size;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}

function figuresOf(windows: readonly Window[], name: string) {
  const of = (share: number): number =>
    median(windows.map(({ latencies }) => quantile(latencies.get(name) ?? [], share)));
  return { p50: of(0.5), p99: of(0.99) };
}

async function results(
  alone: readonly Window[],
  beside: readonly Window[],
  { asked, tookMs, filledMs }: { asked: number; tookMs: number; filledMs: number },
): Promise<readonly Bar[]> {
  const lag = (windows: readonly Window[]): number => median(windows.map((one) => one.lag.p99));
  const rows = flows.map((name) => ({ name, alone: figuresOf(alone, name), beside: figuresOf(beside, name) }));
  const { retried } = await counts();
  const doubled = [...sink.taken.values()].filter((times) => times > 1).length;
  const perSecondRetried = Math.round((1000 * messages) / tookMs);
  console.log(
    `${messages} failed messages (kept within ${round(filledMs / 1000, 1)} s), ${perSecond} live calls a second of each flow`,
  );
  console.log(`${retried} retried within ${round(tookMs / 1000, 1)} s: ${perSecondRetried} a second`);
  table(
    ["live calls of", "p50 ms", "p99 ms", "p50 beside retries", "p99 beside retries"],
    rows.map((row) => [row.name, ...[row.alone, row.beside].flatMap(({ p50, p99 }) => [round(p50), round(p99)])]),
  );
  const most = Math.max(...beside.map((one) => one.lag.most));
  console.log(
    `main loop late, p99: ${round(lag(alone))} ms, beside retries ${round(lag(beside))} ms (most ${round(most)})`,
  );
  report("retries", { machine: machine(), messages, retried, doubled, tookMs: round(tookMs, 0), rows });
  const failed = [...alone, ...beside].reduce((sum, one) => sum + one.failed, 0);
  return [
    { what: "asked for", measured: asked, least: messages },
    { what: "lost", measured: messages - sink.taken.size, most: 0 },
    { what: "doubled", measured: doubled, most: 0 },
    { what: "live calls failed", measured: failed, most: 0 },
    ...rows.map((row) => ({
      what: `p99 of live calls of the ${row.name} flow beside retries, to that without`,
      measured: row.beside.p99 / row.alone.p99,
      most: 3,
    })),
    {
      what: "main loop late beside retries, p99, to that without",
      measured: lag(beside) - lag(alone),
      most: 5,
      unit: "ms more",
    },
  ];
}
