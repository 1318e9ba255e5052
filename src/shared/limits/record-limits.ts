/** Limits of records: audit, usage, run records, test sessions, streams. */
import { KiB, type LimitRows, MiB } from "./limit-row.ts";

export const recordLimits = {
  auditFileBytes: { default: 10 * MiB, unit: "bytes", docs: "one file of the audit log; then the next one begins" },
  auditFiles: { default: 10, unit: "count", docs: "files of the audit log that are kept; the oldest go first" },
  auditRefusals: {
    default: 60,
    unit: "count",
    docs: "management calls without a valid token that the audit log reports in a minute, of each kind; the others are counted",
  },

  processMemoryBytes: {
    default: 1024 * 1024 * MiB,
    unit: "bytes",
    docs: "resident memory of the process above which nothing new begins; never more than 80 % of what the machine or the container has",
  },
  usageGoneFlows: {
    default: 1000,
    unit: "count",
    docs: "flows that are gone whose usage is reported as long as it is kept (7 days); when there are more, the oldest go first",
  },
  runsPerRoute: { default: 500, unit: "count", docs: "run records kept for a route" },
  runsTotal: { default: 50_000, unit: "count", docs: "run records kept of all routes together; the oldest go first" },
  runsTotalBytes: {
    default: 64 * MiB,
    unit: "bytes",
    docs: "what the run records of all routes take together; the oldest go first",
  },
  recordedBytes: {
    default: 64 * KiB,
    unit: "bytes",
    docs: "a message as a test session, or `record: all`, keeps it of a step; what is longer is cut",
  },
  runRecordBytes: { default: MiB, unit: "bytes", docs: "messages that are kept of the steps of one run" },
  testSessions: { default: 100, unit: "count", docs: "test sessions open at once" },
  testSessionMs: { default: 300_000, unit: "ms", docs: "a test session's time to live, when it says none" },
  testSessionMostMs: { default: 3_600_000, unit: "ms", docs: "a test session's time to live at the most" },
  testSessionKeptMs: { default: 600_000, unit: "ms", docs: "a closed or expired test session can be read for so long" },
  testSessionMocks: {
    default: 1000,
    unit: "count",
    docs: "mocks of a test session, each action of a sequence counted",
  },
  testSessionCalls: {
    default: 1000,
    unit: "count",
    docs: "calls of mocks that a test session records; all are counted",
  },
  testSessionBytes: { default: 16 * MiB, unit: "bytes", docs: "calls that a test session keeps, together" },
  testSessionsBytes: { default: 64 * MiB, unit: "bytes", docs: "calls that all test sessions keep, together" },
  testSessionRuns: { default: 1000, unit: "count", docs: "ids of runs that a test session keeps; the oldest go first" },

  stateKeys: {
    default: 1_000_000,
    unit: "count",
    docs: "keys that the repositories of a flow keep together in the state store; more are refused, unless a repository evicts its oldest",
  },
  stateBytes: {
    default: 256 * MiB,
    unit: "bytes",
    docs: "what the repositories of a flow keep together in the state store",
  },

  failedMessages: {
    default: 1000,
    unit: "count",
    docs: "failed messages that are kept of a flow; the oldest of its largest route go first",
  },
  failedBytes: {
    default: 64 * MiB,
    unit: "bytes",
    docs: "what the failed messages of a flow take; the oldest of its largest route go first",
  },
  failedTotalBytes: {
    default: 1024 * MiB,
    unit: "bytes",
    docs: "what the failed messages of all flows take; the oldest of the largest flow go first",
  },
  failedKeptMs: { default: 604_800_000, unit: "ms", docs: "a failed message is kept for so long (7 days)" },

  previewBytes: { default: 4 * KiB, unit: "bytes", docs: "a message preview in a run record or a trace event" },
  eventBytes: { default: 16 * KiB, unit: "bytes", docs: "one log or trace event of a thread; longer text is cut" },
  eventCredits: {
    default: 2000,
    unit: "count",
    docs: "log and trace events of a thread that the main thread has not yet read",
  },
  eventsPerSecond: {
    default: 5000,
    unit: "count",
    docs: "log and trace events of a thread in a second, after as many at once; 4096 characters of one count as another. More are dropped and counted",
  },
  eventsPerRun: {
    default: 1000,
    unit: "count",
    docs: "log and trace events beside `eventsPerSecond` for each run that a thread ends",
  },
  streamRing: { default: 4096, unit: "count", docs: "events kept for a stream's readers to resume from" },
  streamRingBytes: {
    default: 32 * MiB,
    unit: "bytes",
    docs: "of these, what fits here, the newest in any case; texts counted by their characters",
  },
  streamSubscribers: { default: 1000, unit: "count", docs: "subscribers of a stream" },
  streamBufferBytes: { default: 256 * KiB, unit: "bytes", docs: "events waiting for one slow subscriber" },
  streamStallMs: { default: 30_000, unit: "ms", docs: "a subscriber that reads nothing is closed after this time" },
  streamHeartbeatMs: { default: 15_000, unit: "ms", docs: "between two comments on a silent stream" },
  streamLingerMs: { default: 30_000, unit: "ms", docs: "tracing goes on after the last subscriber has left" },
} as const satisfies LimitRows;
