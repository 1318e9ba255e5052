/** Flows that go round and round: 2, 10 to 14, 19 and 20 of the list. */
import { calls, traced } from "../attacks.ts";
import { type HostileCase, hostile, route, times } from "../case.ts";

const limited = (what: string): RegExp => new RegExp(`^failed/error .*LimitExceededException.*${what}`);
const ended = { answers: ["500 run_failed"] } as const;
const runCpuMs = 1000;

export const loops: readonly HostileCase[] = [
  {
    number: 2,
    name: "a loop while true",
    flows: hostile(`loop: { doWhile: true, simple: "\${body} == 'x'", steps: [] }`),
    ...ended,
    withinMs: 2000,
    record: limited("100000 turns"),
    stoppedBy: "`loopIterations`",
  },
  {
    number: 2,
    name: "loops in loops, by their CPU time",
    flows: hostile(times(100_000, times(100_000, `setHeader: { name: a, simple: "\${body.length()}" }`))),
    limits: { runCpuMs, stepsPerRun: 10_000_000, loopIterations: 1_000_000 },
    answers: ["500 run_killed", "504 run_timeout"],
    withinMs: runCpuMs,
    record: /^killed\/cpu_limit runCpuMs/,
    stoppedBy: "`runCpuMs`",
  },
  {
    number: 2,
    name: "loops in loops, by their wall time",
    flows: hostile(times(100_000, times(100_000, `setHeader: { name: a, simple: "\${body.length()}" }`))),
    limits: { webhookWallMs: 1000, stepsPerRun: 10_000_000, loopIterations: 1_000_000 },
    answers: ["504 run_timeout"],
    withinMs: 1000,
    record: /^timeout\/timeout/,
    stoppedBy: "`webhookWallMs`",
  },
  {
    number: 10,
    name: "a split of ten million items",
    flows: hostile(`split: { tokenize: ",", steps: [{ removeHeader: a }] }`),
    body: ",".repeat(10_000_000),
    ...ended,
    withinMs: 3000,
    record: limited("100000 parts"),
    stoppedBy: "`splitItems`; parts are made one by one",
  },
  {
    number: 11,
    name: "a split of a thousand in a split of a thousand",
    flows: hostile(
      `split: { tokenize: ",", steps: [{ split: { constant: "${"a,".repeat(1000)}", steps: [{ removeHeader: a }, { removeHeader: b }] } }] }`,
    ),
    body: "a,".repeat(1000),
    ...ended,
    withinMs: 10_000,
    record: limited("1000000 steps"),
    stoppedBy: "`stepsPerRun`",
  },
  {
    number: 12,
    name: "an aggregation that is never complete",
    flows: hostile(
      times(
        100_000,
        `aggregate: { correlationExpression: { exchangeProperty: CamelLoopIndex }, aggregationStrategy: "#groupedBodyAggregationStrategy", completionSize: 2 }`,
      ),
    ),
    ...ended,
    withinMs: 3000,
    record: limited("10000 groups"),
    stoppedBy: "`aggregateGroups`, `aggregateBytes`",
  },
  {
    number: 13,
    name: "a million steps that log, while somebody reads all traces",
    flows: hostile(times(100_000, "log: line", "removeHeader: a")),
    attack: traced(calls),
    answers: ["200", "500 run_failed", "500 run_killed", "504 run_timeout"],
    limits: { webhookWallMs: 10_000, runCpuMs: 10_000 },
    withinMs: 10_000,
    record: /^(completed\/ok|failed\/error|timeout\/timeout|killed\/cpu_limit)/,
    stoppedBy: "`eventCredits`: what finds no credit is counted as dropped",
  },
  {
    number: 19,
    name: "a route that calls itself",
    flows: {
      "hostile.main": `${route("hostile", "webhook", "to: direct:again")}${route("again", "direct:again", "to: direct:again")}`,
    },
    ...ended,
    withinMs: 1000,
    record: limited("at most 64 deep"),
    stoppedBy: "`directDepth`",
  },
  {
    number: 20,
    name: "flows that call each other in a circle",
    flows: {
      "hostile.c": route("c", "direct:c", "to: direct:a"),
      "hostile.b": route("b", "direct:b", "to: direct:c"),
      "hostile.main": `${route("hostile", "webhook", "to: direct:a")}${route("a", "direct:a", "to: direct:b")}`,
    },
    ...ended,
    withinMs: 3000,
    record: limited("64 deep"),
    stoppedBy: "`directDepth`: the count travels with the call",
  },
  {
    number: 20,
    name: "a circle over a queue",
    flows: {
      "hostile.main": `${route("hostile", "webhook", "to: seda:again?waitForTaskToComplete=Never")}${route("again", "seda:again", "to: seda:again?waitForTaskToComplete=Never")}`,
    },
    answers: ["200"],
    withinMs: 1000,
    record: /^completed\/ok/,
    stoppedBy: "`directDepth` counts the hops of announced runs, too",
  },
];
