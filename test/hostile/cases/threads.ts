/** Faults inside of a thread, which no flow can express: 6, 14, 16 to 18 of the list, and floods. */
import { faulty, type HostileCase } from "../case.ts";

const webhookWallMs = 1000;
const workerMemoryBytes = 64 * 1024 * 1024;
const killed = ["500 run_killed"];
const memoryLimit = /^killed\/memory_limit workerMemoryBytes/;

const stuck = {
  limits: { webhookWallMs },
  answers: ["504 run_timeout"],
  withinMs: webhookWallMs,
  record: /^timeout\/timeout/,
} as const;
const flood = { limits: { webhookWallMs }, withinMs: webhookWallMs, lagMostMs: 20 } as const;
const greedy = {
  limits: { workerMemoryBytes },
  answers: killed,
  withinMs: 1000,
  stoppedBy: "`workerMemoryBytes`",
} as const;

export const threads: readonly HostileCase[] = [
  {
    number: 6,
    name: "a storm of microtasks",
    ...faulty("microtask storm"),
    ...stuck,
    stoppedBy: "`webhookWallMs`, watched by control; the thread is ended",
  },
  {
    number: 6,
    name: "a loop that never turns",
    ...faulty("endless loop"),
    limits: { stuckLoopMs: 1000 },
    answers: killed,
    withinMs: 1000,
    record: /^killed\/cpu_limit stuckLoopMs/,
    stoppedBy: "`stuckLoopMs`",
  },
  {
    number: 6,
    name: "a loop that burns CPU",
    ...faulty("endless loop"),
    limits: { runCpuMs: 1000 },
    answers: killed,
    withinMs: 1000,
    record: /^killed\/cpu_limit runCpuMs/,
    stoppedBy: "`runCpuMs`",
  },
  {
    number: 6,
    name: "native code that nothing interrupts",
    ...faulty("native code"),
    ...stuck,
    stoppedBy: "`webhookWallMs`; the thread ends when it is back from there, its flow has another at once",
  },
  {
    number: 14,
    name: "output without end",
    ...faulty("output without end"),
    ...flood,
    answers: ["504 run_timeout"],
    record: /^timeout\/timeout/,
    stoppedBy:
      "`eventCredits` and `eventsPerSecond`: output is log lines of the flow, and what finds no credit is dropped",
  },
  {
    number: 16,
    name: "process.exit",
    ...faulty("exit"),
    limits: {},
    answers: killed,
    withinMs: 500,
    record: /^killed\/error/,
    stoppedBy: "it ends its thread alone, which is replaced",
  },
  {
    number: 16,
    name: "an error that nobody catches",
    ...faulty("crash"),
    limits: {},
    answers: killed,
    withinMs: 500,
    record: /^killed\/error/,
    stoppedBy: "it ends its thread alone, which is replaced",
  },
  {
    number: 17,
    name: "an array that grows until V8 aborts",
    ...faulty("push without end"),
    ...greedy,
    answers: [...killed, "0"],
    record: /^killed\/(memory_limit workerMemoryBytes|error)/,
    // Arrays grow by half, and both are there meanwhile.
    oneAllocationMiB: 200,
    costsProcess: true,
  },
  {
    number: 18,
    name: "allocations that nothing interrupts",
    ...faulty("arrays without end"),
    ...greedy,
    answers: [...killed, "0"],
    record: /^killed\/(memory_limit workerMemoryBytes|error)/,
    withinMs: 3000,
    costsProcess: true,
  },
  { number: 32, name: "objects without end", ...faulty("objects without end"), ...greedy, record: memoryLimit },
  {
    number: 33,
    name: "posts without end",
    ...faulty("posts without end"),
    ...flood,
    answers: killed,
    record: /^killed\/error/,
    stoppedBy: "`floodMessages`",
  },
  {
    number: 33,
    name: "large posts without end",
    ...faulty("large posts"),
    ...flood,
    answers: killed,
    record: /^killed\/error/,
    stoppedBy: "`floodMessages`",
  },
  { number: 34, name: "memory off the heap", ...faulty("off the heap"), ...greedy, lagMostMs: 20, record: memoryLimit },
  {
    number: 35,
    name: "one huge array",
    ...faulty("one huge array"),
    ...greedy,
    answers: [...killed, "0"],
    record: /^killed\/(memory_limit workerMemoryBytes|error)/,
    oneAllocationMiB: 240,
    costsProcess: true,
    lagMostMs: 20,
  },
  {
    number: 35,
    name: "one huge table",
    ...faulty("one huge table"),
    ...greedy,
    limits: { workerMemoryBytes, stuckLoopMs: 2000 },
    withinMs: 2000,
    answers: [...killed, "0"],
    record: /^killed\/(memory_limit workerMemoryBytes|cpu_limit stuckLoopMs|error)/,
    stoppedBy: "`workerMemoryBytes`, or `stuckLoopMs` when it does not report what it uses",
    oneAllocationMiB: 700,
    costsProcess: true,
  },
];
