/** Every limit of the runtime, one row each: published by `GET /_api/limits`, settable as `LIMIT_<NAME>`. */

type Unit = "bytes" | "ms" | "count";

interface LimitRow {
  readonly default: number;
  readonly unit: Unit;
  readonly docs: string;
  /** Present: a flow's `limits` may override it, up to this ceiling (`LIMIT_<NAME>_CEILING`). */
  readonly ceiling?: number;
  /** Absent: 1. */
  readonly least?: 0;
}

const KiB = 1024;
const MiB = 1024 * KiB;

export const limitTable = {
  requestHeaderBytes: { default: 16 * KiB, unit: "bytes", docs: "a request's target and headers as they arrive" },
  requestHeaderCount: { default: 100, unit: "count", docs: "headers of a request as they arrive" },
  requestHeadersMs: { default: 10_000, unit: "ms", docs: "time for a request's headers to arrive" },
  requestMs: { default: 30_000, unit: "ms", docs: "time for a whole request to arrive" },
  responseStallMs: {
    default: 30_000,
    unit: "ms",
    docs: "an answer that its reader takes nothing of is cut off after this time",
  },
  pipelinedRequests: {
    default: 16,
    unit: "count",
    docs: "requests that wait on one connection for the answer before theirs; a connection with more is refused (429) and closed",
  },
  waitingRequests: {
    default: 4096,
    unit: "count",
    docs: "requests that wait so on all connections together; one more is refused (429), and its connection is closed",
  },
  keepAliveMs: { default: 5000, unit: "ms", docs: "an idle connection is closed after this time" },

  managementBodyBytes: { default: 2 * MiB, unit: "bytes", docs: "body of a management request" },
  flowYamlBytes: { default: 256 * KiB, unit: "bytes", docs: "a flow's YAML" },
  mappingRows: { default: 100_000, unit: "count", docs: "rows of a value mapping" },
  checkMs: { default: 2000, unit: "ms", docs: "checking a flow's YAML before the check thread is killed" },
  mappingBytes: { default: 16 * MiB, unit: "bytes", docs: "a value mapping's or a message mapping's document" },
  mappingCheckMs: {
    default: 10_000,
    unit: "ms",
    docs: "checking a mapping with its tests, or trying one, before the check thread is killed",
  },
  mappingUpdateMs: {
    default: 5000,
    unit: "ms",
    docs: "a mapping's PUT waits so long for threads that are busy; they have its new version for their next run in any case",
  },
  secretBytes: { default: 64 * KiB, unit: "bytes", docs: "the value of a secret" },
  compileMs: { default: 2000, unit: "ms", docs: "compiling a flow in its thread before the thread is killed" },

  signedBodyBytes: {
    default: MiB,
    unit: "bytes",
    docs: "body of a webhook request whose signature a policy checks, which the main thread computes",
    ceiling: 10 * MiB,
  },
  webhookBodyBytes: { default: 10 * MiB, unit: "bytes", docs: "body of a webhook request", ceiling: 64 * MiB },
  messageBodyBytes: { default: 10 * MiB, unit: "bytes", docs: "a message's body inside a run", ceiling: 64 * MiB },
  flowBytesInFlight: {
    default: 128 * MiB,
    unit: "bytes",
    docs: "webhook bodies in flight and queued, and answers not yet read, one flow",
    ceiling: 256 * MiB,
  },
  totalBytesInFlight: {
    default: 512 * MiB,
    unit: "bytes",
    docs: "webhook bodies in flight and queued, and answers not yet read, all flows",
  },
  authFailuresPerMinute: {
    default: 10,
    unit: "count",
    docs: "failed authentications of one address a minute, after as many at once; then 429",
  },
  rateBuckets: {
    default: 50_000,
    unit: "count",
    docs: "callers whose rate is remembered, each of policies' names, addresses, failed authentications and known keys",
  },
  idempotencyMs: { default: 86_400_000, unit: "ms", docs: "an answer is kept for repeats of its Idempotency-Key" },
  idempotencyKeys: { default: 10_000, unit: "count", docs: "idempotency keys kept, all flows; the oldest go first" },
  idempotencyBytes: { default: 64 * MiB, unit: "bytes", docs: "answers kept under idempotency keys, all flows" },
  idempotencyAnswerBytes: {
    default: MiB,
    unit: "bytes",
    docs: "body of an answer that is kept under its idempotency key",
  },
  headerCount: { default: 200, unit: "count", docs: "headers of a message", ceiling: 1000 },
  headerBytes: { default: 64 * KiB, unit: "bytes", docs: "headers of a message together", ceiling: 256 * KiB },
  variableCount: {
    default: 1000,
    unit: "count",
    docs: "variables of a message, and as many properties",
    ceiling: 10_000,
  },
  variableBytes: {
    default: 32 * MiB,
    unit: "bytes",
    docs: "variables of a message together; as much for its properties, and for what claimCheck puts aside",
    ceiling: 256 * MiB,
  },

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
    docs: "one evaluation of a text in js, jq, jsonata, jsonpath or xpath",
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
    docs: "messages that one aggregate step keeps in its groups",
    ceiling: 512 * MiB,
  },
  splitItems: {
    default: 100_000,
    unit: "count",
    docs: "parts of one split, recipients of one recipientList",
    ceiling: 1_000_000,
  },
  announcedRuns: {
    default: 2000,
    unit: "count",
    docs: "messages of a thread that wait for a run that begins in it, or are in one (wireTap, seda, aggregate, file)",
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

  auditFileBytes: { default: 10 * MiB, unit: "bytes", docs: "one file of the audit log; then the next one begins" },
  auditFiles: { default: 10, unit: "count", docs: "files of the audit log that are kept; the oldest go first" },
  auditRefusals: {
    default: 60,
    unit: "count",
    docs: "management calls without a valid token that the audit log tells in a minute, of each kind; the others are counted",
  },

  processMemoryBytes: {
    default: 1024 * 1024 * MiB,
    unit: "bytes",
    docs: "resident memory of the process above which nothing new begins; never more than 80 % of what the machine or the container has",
  },
  usageGoneFlows: {
    default: 1000,
    unit: "count",
    docs: "flows that are gone whose usage is told as long as it is kept (7 days); when there are more, the oldest go first",
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
} as const satisfies Record<string, LimitRow>;

export type LimitName = keyof typeof limitTable;
export type Limits = Readonly<Record<LimitName, number>>;

export const limitNames = Object.keys(limitTable) as LimitName[];

export const defaultLimits = Object.fromEntries(limitNames.map((name) => [name, limitTable[name].default])) as Limits;

/** `webhookWallMs` -> `LIMIT_WEBHOOK_WALL_MS` */
export function limitVariable(name: LimitName): string {
  return `LIMIT_${name.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`;
}

/** How a limit is raised, for the end of a message: `raise the limit splitItems with LIMIT_SPLIT_ITEMS, for this flow alone with ...`. */
export function howToRaise(name: LimitName): string {
  const own = defaultCeiling(name) === undefined ? "" : `, for this flow alone with '${name}' in its limits`;
  return `raise the limit ${name} with ${limitVariable(name)}${own}`;
}

/** The ceiling of a limit that flows may override, undefined for one that they may not. */
export function defaultCeiling(name: LimitName): number | undefined {
  const row: LimitRow = limitTable[name];
  return row.ceiling;
}
