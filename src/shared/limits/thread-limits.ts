/** Limits of threads and host processes: memory, concurrency, queues, starts and ends. */
import { type LimitRows, MiB } from "./limit-row.ts";

export const threadLimits = {
  workerMemoryBytes: {
    default: 128 * MiB,
    unit: "bytes",
    docs: "heap and external memory of a flow's thread; V8's own limit of the heap is four times that",
    ceiling: 1024 * MiB,
  },
  threadNice: {
    default: 2,
    unit: "count",
    docs: "how far below the main thread the operating system ranks flow threads, 1 to 19 (nice); one that burns CPU time is at 19",
  },
  threads: { default: 1, unit: "count", docs: "threads of a flow", ceiling: 16 },
  runsPerThread: { default: 64, unit: "count", docs: "concurrent runs of a thread", ceiling: 1000 },
  callsPerThread: {
    default: 64,
    unit: "count",
    docs: "concurrent child runs of a thread, beside runsPerThread",
    ceiling: 1000,
  },
  threadBodyBytes: {
    default: 40 * MiB,
    unit: "bytes",
    docs: "bodies with which runs of a thread begin, those under way together: JSON and forms count four times; child runs apart",
    ceiling: 1024 * MiB,
  },
  aggregateGroups: {
    default: 10_000,
    unit: "count",
    docs: "groups that one aggregate step keeps at the same time",
    ceiling: 100_000,
  },
  aggregateBytes: {
    default: 64 * MiB,
    unit: "bytes",
    docs: "messages that one aggregate step keeps in its groups, or one resequence step",
    ceiling: 512 * MiB,
  },
  splitItems: {
    default: 100_000,
    unit: "count",
    docs: "parts of one split, recipients of one recipientList, messages of one group or one resequence",
    ceiling: 1_000_000,
  },
  announcedRuns: {
    default: 2000,
    unit: "count",
    docs: "messages of a thread that wait for a run that begins in it, or are in one (wireTap, seda, aggregate, resequence, file)",
    ceiling: 20_000,
  },
  flowFilesBytes: {
    default: 1024 * MiB,
    unit: "bytes",
    docs: "files of a flow together; each file and directory counts for 4096 at least",
    ceiling: 64 * 1024 * MiB,
  },
  queue: { default: 1000, unit: "count", docs: "runs of a flow that wait for a thread", ceiling: 100_000 },
  idleMs: { default: 60_000, unit: "ms", docs: "idle time before a flow's threads are released", ceiling: 86_400_000 },
  drainMs: { default: 30_000, unit: "ms", docs: "a replaced deployment's time to finish its runs", ceiling: 600_000 },
  shutdownMs: { default: 10_000, unit: "ms", docs: "the runtime's time to finish its runs on SIGTERM" },
  busyThreads: { default: 256, unit: "count", docs: "threads of all flows that have runs of callers at the same time" },
  turnMs: {
    default: 100,
    unit: "ms",
    docs: "a thread that has been busy for so long lets other flows go first, when more are waiting than `busyThreads`",
  },
  standbyThreads: {
    default: 2,
    unit: "count",
    docs: "blank threads kept ready for deployments; 0: none, and a flow that starts waits until its thread has booted",
    least: 0,
  },
  threadBootMs: { default: 10_000, unit: "ms", docs: "time for a thread to boot before it is given up" },
  hostMemoryBytes: {
    default: 2048 * MiB,
    unit: "bytes",
    docs: "resident memory of a host process (`isolation: process`) before it is killed",
  },
  hostSilentMs: {
    default: 5000,
    unit: "ms",
    docs: "a host process whose main loop does not answer is killed after this time",
  },
  embeddedMemoryBytes: {
    default: 256 * MiB,
    unit: "bytes",
    docs: "memory of the process that has a group's embedded databases open, beside the 64 MiB of Node itself, before it is killed",
  },
  floodMessages: {
    default: 3000,
    unit: "count",
    docs: "messages of one thread at once before it is killed, beside two for each run that it is given; 4 KiB that nobody asked it for count as one, as do 1 MiB of results",
  },
  quarantineKills: {
    default: 5,
    unit: "count",
    docs: "kills of a flow's threads within a minute before the flow is quarantined",
  },
  quarantineMs: {
    default: 30_000,
    unit: "ms",
    docs: "quarantine before a trial start; doubles each time, to 10 minutes",
  },
} as const satisfies LimitRows;
