/** Limits of requests, documents and messages: their sizes, and how many are kept. */
import { KiB, type LimitRows, MiB } from "./limit-row.ts";

export const requestLimits = {
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
  deploymentBytes: { default: 64 * MiB, unit: "bytes", docs: "body of a deployment of a set" },
  deploymentItems: { default: 1000, unit: "count", docs: "flows, mappings, policies and connections of a set" },
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
} as const satisfies LimitRows;
