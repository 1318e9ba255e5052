/**
 * What the state store costs: a webhook message through an idempotentConsumer whose keys are durable, beside one whose keys are in memory and
 * one without the step, at the same rate in the same rounds; the same for an aggregate; and what one group's storm of keys, or of messages that
 * are aggregated, does to the messages of another group.
 * `npm run bench -- state [rounds] [seconds] [requests a second]`
 */
import { table } from "../test/storms/support/table.ts";
import { type Bar, printBars } from "./support/bars.ts";
import { machine, median, quantile, report, round } from "./support/figures.ts";
import type { MainLag } from "./support/main-probe.ts";
import { treeCpuMs } from "./support/process-tree.ts";
import type { Stream, StreamResult } from "./support/rate-client.ts";
import { RateLoad } from "./support/rate-load.ts";
import { putFlow, type ServerProcess, startRuntime } from "./support/server-process.ts";

const [rounds = 5, seconds = 5, perSecond = 250] = process.argv.slice(2).map(Number);
const probe = new URL("support/main-probe.ts", import.meta.url).href;
const memory = "org.apache.camel.support.processor.idempotent.MemoryIdempotentRepository";
const memoryGroups = "org.apache.camel.processor.aggregate.MemoryAggregationRepository";
const storedGroups = "org.apache.camel.processor.aggregate.jdbc.JdbcAggregationRepository";
/** Of a group of an aggregate. */
const groupSize = 10;
/** Of one message of the storm. */
const stormKeys = 2000;
const stormsPerSecond = 2;

/** Each message has a key of its own. */
function flow(id: string, step: string): string {
  return `
- route:
    id: ${id}
    from:
      uri: webhook
      steps:
        - setBody: { constant: ok }
        ${step}
`;
}

function idempotent(more = ""): string {
  return `- idempotentConsumer: { id: seen, simple: "\${exchangeId}", ${more} steps: [{ setBody: { constant: new } }] }`;
}

/** Messages whose keys change join groups that a message in ten completes. */
function aggregate(type: string, key: string): string {
  const strategy = "#class:org.apache.camel.processor.aggregate.UseLatestAggregationStrategy";
  const completion = `completionSize: ${groupSize}, completionTimeout: 10000`;
  return `aggregate: { id: groups, correlationExpression: { ${key} }, aggregationStrategy: "${strategy}", aggregationRepository: "#class:${type}", ${completion}, steps: [] }`;
}

function gathering(type: string): string {
  return `- ${aggregate(type, 'simple: "${random(10)}"')}\n        - setBody: { constant: new }`;
}

function keyStorm(id: string, more: string): string {
  const key = 'simple: "${exchangeProperty.CamelCorrelationId} ${exchangeId} ${body}"';
  return storm(id, `idempotentConsumer: { id: seen, ${key}, ${more} steps: [] }`);
}

function groupStorm(id: string, type: string): string {
  return storm(id, aggregate(type, 'simple: "${random(100)}"'));
}

function storm(id: string, part: string): string {
  const items = `- setBody: { simple: "\${range(${stormKeys})}" }`;
  return flow(id, `${items}\n        - split: { simple: "\${body}", parallelProcessing: true, steps: [{ ${part} }] }`);
}

const inMemory = `idempotentRepository: "#class:${memory}",`;
const kinds = {
  plain: ["bench.plain", flow("plain", "- setBody: { constant: new }")],
  memory: ["bench.memory", flow("memory", idempotent(inMemory))],
  durable: ["bench.durable", flow("durable", idempotent())],
  memoryGroups: ["bench.memory-groups", flow("memoryGroups", gathering(memoryGroups))],
  durableGroups: ["bench.durable-groups", flow("durableGroups", gathering(storedGroups))],
} as const;
type Kind = keyof typeof kinds;

interface Neighbours {
  readonly what: string;
  readonly kind: Kind;
  /** The path of the storm whose state is in memory, and of that whose state is durable. */
  readonly storms: readonly [memory: string, durable: string];
}

const keyNeighbours: Neighbours = { what: "keys", kind: "durable", storms: ["storm-memory", "storm-durable"] };
const groupNeighbours: Neighbours = {
  what: "aggregated messages",
  kind: "durableGroups",
  storms: ["storm-memory-groups", "storm-durable-groups"],
};

interface Seen {
  readonly result: StreamResult;
  readonly cpuMs: number;
  readonly lag: MainLag;
}

const client = new RateLoad();
const server = await startRuntime({}, ".", [probe]);
try {
  for (const [id, yaml] of Object.values(kinds)) await putFlow(server.url, id, yaml);
  await putFlow(server.url, "storm.memory", keyStorm("storm-memory", inMemory));
  await putFlow(server.url, "storm.durable", keyStorm("storm-durable", ""));
  await putFlow(server.url, "storm.memory-groups", groupStorm("storm-memory-groups", memoryGroups));
  await putFlow(server.url, "storm.durable-groups", groupStorm("storm-durable-groups", storedGroups));
  for (const kind of ["durable", "durableGroups"] as const) await look(kind, Math.min(2, seconds));
  const bars = [...(await costs()), ...(await neighbours(keyNeighbours)), ...(await neighbours(groupNeighbours))];
  if (!printBars("state", bars)) process.exitCode = 1;
} finally {
  client.stop();
  await server.stop();
}

async function look(kind: Kind, forSeconds: number, beside?: string): Promise<Seen> {
  const streams: Stream[] = [
    { name: "messages", url: `${server.url}/api/${kind}`, method: "POST", perSecond, expect: "new" },
  ];
  if (beside !== undefined) {
    streams.push({ name: "storm", url: `${server.url}/api/${beside}`, method: "POST", perSecond: stormsPerSecond });
  }
  await ask(server, "watch");
  const before = treeCpuMs(server.pid);
  const results = await client.run({ seconds: forSeconds, giveUpMs: 5000, streams });
  const cpuMs = treeCpuMs(server.pid) - before;
  const failed = [...results.values()].flatMap(({ examples }) => examples);
  if (failed.length > 0) console.log(`failed: ${failed.join("; ")}`);
  return { result: results.get("messages") as StreamResult, cpuMs, lag: await ask<MainLag>(server, "lag") };
}

function ask<Answer>(runtime: ServerProcess, question: string): Promise<Answer> {
  return runtime.ask<Answer>(question);
}

/** In an order that turns. */
async function inTurns<Cell extends string>(
  cells: readonly Cell[],
  measure: (cell: Cell) => Promise<Seen>,
): Promise<ReadonlyMap<Cell, Seen[]>> {
  const rows = new Map<Cell, Seen[]>(cells.map((cell) => [cell, []]));
  for (let i = 0; i < rounds; i += 1) {
    for (let n = 0; n < cells.length; n += 1) {
      const cell = cells[(n + i) % cells.length] as Cell;
      rows.get(cell)?.push(await measure(cell));
    }
  }
  return rows;
}

function figuresOf(seen: readonly Seen[]) {
  const of = (share: number): number => median(seen.map(({ result }) => quantile(result.latencies, share)));
  return {
    cpuUs: round((1000 * median(seen.map(({ cpuMs }) => cpuMs))) / (perSecond * seconds), 0),
    p50: round(of(0.5)),
    p99: round(of(0.99)),
    lagP99: round(median(seen.map(({ lag }) => lag.p99))),
    failed: seen.reduce((sum, { result }) => sum + result.failed, 0),
  };
}

function print<Cell extends string>(title: string, rows: ReadonlyMap<Cell, readonly Seen[]>): void {
  console.log(`\n${title}: ${rounds} rounds of ${seconds} s, ${perSecond} messages a second`);
  table(
    ["", "CPU us a message", "p50 ms", "p99 ms", "main loop late, p99 ms", "failed"],
    [...rows].map(([cell, seen]) => {
      const { cpuUs, p50, p99, lagP99, failed } = figuresOf(seen);
      return [cell, cpuUs, p50, p99, lagP99, failed];
    }),
  );
  const figures = [...rows].map(([cell, seen]) => [cell, figuresOf(seen)]);
  report("state", { title, machine: machine(), rounds, seconds, perSecond, ...Object.fromEntries(figures) });
}

async function costs(): Promise<readonly Bar[]> {
  const rows = await inTurns(["plain", "memory", "durable", "memoryGroups", "durableGroups"] as const, (kind) =>
    look(kind, seconds),
  );
  print(`a message with a new key, and one of a group of ${groupSize}`, rows);
  const figures = (kind: Kind) => figuresOf(rows.get(kind as Parameters<typeof rows.get>[0]) ?? []);
  return [
    ...barsOf("a durable key", figures("durable"), figures("memory")),
    ...barsOf("a durable group", figures("durableGroups"), figures("memoryGroups")),
  ];
}

function barsOf(what: string, durable: ReturnType<typeof figuresOf>, inThread: typeof durable): readonly Bar[] {
  return [
    {
      what: `CPU of a message with ${what}, to one in memory`,
      measured: round(durable.cpuUs / inThread.cpuUs),
      most: 3,
    },
    {
      what: `main loop late with ${what}, p99, to that in memory`,
      measured: round(durable.lagP99 - inThread.lagP99),
      most: 1,
      unit: "ms more",
    },
    { what: `failed with ${what}`, measured: durable.failed, most: 0 },
  ];
}

/** A group's storm beside another group's messages; the same storm in memory shows what the cores alone do. */
async function neighbours({ what, kind, storms: [inMemoryStorm, durableStorm] }: Neighbours): Promise<readonly Bar[]> {
  const cells = ["alone", "beside a storm in memory", "beside a durable storm"] as const;
  const storms = {
    alone: undefined,
    "beside a storm in memory": inMemoryStorm,
    "beside a durable storm": durableStorm,
  };
  const rows = await inTurns(cells, (cell) => look(kind, seconds, storms[cell]));
  print(`beside ${stormsPerSecond * stormKeys} ${what} a second of another group`, rows);
  const p99 = (cell: (typeof cells)[number]): number => figuresOf(rows.get(cell) ?? []).p99;
  return [
    {
      what: `p99 beside another group's storm of ${what}, to alone`,
      measured: round(p99("beside a durable storm") / p99("alone")),
      most: 2,
    },
  ];
}
