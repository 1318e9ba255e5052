/** Limits of one run: its time, its steps, its calls to servers. */
import { type LimitRows, MiB } from "./limit-row.ts";

export const runLimits = {
  webhookWallMs: { default: 30_000, unit: "ms", docs: "wall time of a run begun by a webhook", ceiling: 600_000 },
  timerWallMs: {
    default: 300_000,
    unit: "ms",
    docs: "wall time of a run begun by a timer, or inside a thread",
    ceiling: 3_600_000,
  },
  cancelGraceMs: { default: 1000, unit: "ms", docs: "from a cancel to the kill of a thread that does not answer it" },
  runCpuMs: { default: 10_000, unit: "ms", docs: "CPU time of a run", ceiling: 3_600_000 },
  stuckLoopMs: {
    default: 5000,
    unit: "ms",
    docs: "a thread's event loop that does not turn: a step that never waits keeps it from doing so",
    ceiling: 600_000,
  },
  stepsPerRun: { default: 1_000_000, unit: "count", docs: "steps that one run may execute", ceiling: 10_000_000 },
  scriptMs: {
    default: 1000,
    unit: "ms",
    docs: "CPU time of one evaluation of a text in js, jq, jsonata, jsonpath or xpath",
    ceiling: 30_000,
  },
  loopIterations: {
    default: 100_000,
    unit: "count",
    docs: "turns of a loop, hops of a routing slip",
    ceiling: 1_000_000,
  },
  directDepth: { default: 64, unit: "count", docs: "direct calls inside each other, over flows too", ceiling: 256 },

  outboundConnectMs: { default: 5000, unit: "ms", docs: "time to connect to a server", ceiling: 60_000 },
  outboundHeadersMs: {
    default: 10_000,
    unit: "ms",
    docs: "a server's silence before its answer, and in the middle of it",
    ceiling: 600_000,
  },
  outboundTotalMs: {
    default: 30_000,
    unit: "ms",
    docs: "a request to a server with its redirects and its answer",
    ceiling: 600_000,
  },
  outboundRedirects: { default: 5, unit: "count", docs: "redirects that one request follows", ceiling: 20 },
  outboundResponseBytes: {
    default: 10 * MiB,
    unit: "bytes",
    docs: "body of a server's answer, compressed and decompressed",
    ceiling: 64 * MiB,
  },
  outboundConnections: {
    default: 200,
    unit: "count",
    docs: "requests of a thread to servers at once",
    ceiling: 1000,
  },
  connectionIdleMs: {
    default: 60_000,
    unit: "ms",
    docs: "an open connection of a named connection that nobody uses is closed after this time",
  },
  connectionRetryMs: {
    default: 5000,
    unit: "ms",
    docs: "the longest time between attempts to reach the server of a named connection that cannot be reached",
  },
} as const satisfies LimitRows;
