/** The management API behind a real door, with services that return what a test has put into them. */
import type { TestContext } from "node:test";
import { Policies } from "../../../src/control/access/policies.ts";
import { createManagementApi } from "../../../src/control/api/index.ts";
import type { Services } from "../../../src/control/api/services.ts";
import type { FlowDetail, FlowService, PutAnswer, RevisionSummary } from "../../../src/control/flows/flow-service.ts";
import type { MappingService } from "../../../src/control/mappings/mapping-service.ts";
import type { Fixture } from "../../../src/control/runs/fixture/fixture-document.ts";
import type { RunDetail, RunDocument } from "../../../src/control/runs/run-document.ts";
import type {
  InvokeAnswer,
  OpenedSession,
  SessionReport,
  TestService,
} from "../../../src/control/runs/test-sessions/test-service.ts";
import { Places } from "../../../src/control/stores/keyed-queue.ts";
import { MemoryDocuments } from "../../../src/control/stores/memory-stores.ts";
import { AppError } from "../../../src/shared/errors.ts";
import { defaultLimits } from "../../../src/shared/limits.ts";
import { aReader } from "../access/a-reader.ts";
import { openDoor, token } from "../http/door.ts";

export { token };

export const flow: FlowDetail = {
  id: "orders",
  lastModified: "2026-01-01T00:00:00.000Z",
  hash: "ab".repeat(32),
  routeCount: 1,
  state: "Started",
  revision: 7,
  deployedHash: "ab".repeat(32),
  routes: [{ id: "order-in", uri: "webhook", status: "Started", webhook: "/api/order-in" }],
  yaml: "- route: ä\n",
  params: { city: "Bonn", nothing: null },
  limits: { record: "off", queue: 5 },
  usage: {
    inflight: 0,
    queued: 0,
    threads: 1,
    heapBytes: 1000,
    externalBytes: 500,
    cpuMs: 1.5,
    runs: { completed: 3, failed: 1, timeout: 0, killed: 0, shed: 0, cancelled: 0 },
    reruns: 0,
    bytesIn: 412,
    bytesOut: 2,
    outboundCalls: 7,
    kills: { timeout: 1 },
    restarts: 1,
    routes: {
      "order-in": {
        runs: { completed: 3, failed: 1, timeout: 0, killed: 0, shed: 0, cancelled: 0 },
        childFailures: 1,
        retries: 2,
        deadLetters: 1,
        handledFailures: 1,
        idempotentHits: 0,
        openAggregations: 0,
        breakers: { closed: 1, open: 0, halfOpen: 0 },
      },
    },
    endpoints: { "https://crm.example.com": { ok: 3, failed: 4, retries: 2 } },
  },
};

export const putAnswer: PutAnswer = {
  id: "orders",
  hash: flow.hash,
  lastModified: flow.lastModified,
  routeCount: 1,
  revision: 8,
  created: false,
  changed: true,
  routes: flow.routes,
  warnings: [],
  swap: { readyMs: 8.2, draining: 3 },
};

export const revision: RevisionSummary = {
  revision: 7,
  hash: flow.hash,
  savedAt: flow.lastModified,
  state: "started",
  params: flow.params,
  limits: flow.limits,
  current: true,
  yaml: flow.yaml,
};

export const run: RunDocument = {
  id: "mabc-0123456789abcdef",
  flowId: "orders",
  routeId: "order-in",
  hash: flow.hash,
  revision: 7,
  trigger: { kind: "webhook", uri: "webhook", method: "POST", path: "/api/order-in" },
  status: "failed",
  outcome: "error",
  startedAt: "2026-01-01T00:00:00.000Z",
  finishedAt: "2026-01-01T00:00:00.004Z",
  durationMs: 4.2,
  queueMs: 0.1,
  cpuMs: 0.8,
  httpStatus: 500,
  bytesIn: 412,
  bytesOut: 2,
  steps: { executed: 4, failed: 1, failedStepId: "s1" },
  handled: [{ stepId: "s1", type: "IOException", message: "no", by: "onException at line 5" }],
  children: { started: 2, failed: 1, running: 0 },
  split: null,
  error: { type: "IOException", message: "no", stepId: "s1", line: 3 },
  traceId: "0af7651916cd43dd8448eb211c80319c",
  parentRunId: null,
  testSessionId: null,
  worker: 3,
  limit: null,
  lostWith: null,
  collateral: [],
  collateralCount: 0,
  reruns: 0,
};

export const runDetail: RunDetail = {
  ...run,
  mappings: [{ kind: "value", id: "order-status", revision: 2, hash: flow.hash }],
  stepRuns: [
    {
      id: "s1",
      type: "log",
      start: "2026-01-01T00:00:00.001Z",
      duration: 1.25,
      status: "failed",
      mocked: false,
      in: { headers: { a: "1" }, body: "x", bodyType: "String" },
    },
  ],
};

export const fixture: Fixture = {
  flowId: "orders",
  name: "a run",
  scope: "session",
  mocks: [{ stepId: "s1", respond: { body: 1, headers: {} } }],
  invoke: { endpoint: "direct:a", headers: {} },
  assertions: [{ result: { status: "completed" } }],
  notes: [],
  recordedFrom: { runId: run.id, hash: flow.hash },
};

export interface Api {
  readonly url: string;
  readonly port: number;
  /** Calls of the services: name and arguments. */
  readonly calls: (readonly [name: string, ...args: unknown[]])[];
  /** Errors that were answered as `internal`. */
  readonly errors: unknown[];
  /** A request with the deploy token; a body that is not a string or bytes is sent as JSON. */
  send(method: string, path: string, options?: SendOptions): Promise<Response>;
}

export interface SendOptions {
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Given {
  readonly flows?: Partial<FlowService>;
  readonly tests?: Partial<TestService>;
  readonly services?: Partial<Services>;
}

export async function openApi(t: TestContext, { flows = {}, tests = {}, services = {} }: Given = {}): Promise<Api> {
  const calls: [name: string, ...args: unknown[]][] = [];
  const errors: unknown[] = [];
  const policies = new Policies(new MemoryDocuments("access policy"), aReader);
  await policies.load();
  const all: Services = {
    flows: spied("flows", { ...fakeFlows(), ...flows }, calls),
    mappings: spied("mappings", fakeMappings(), calls),
    runs: spied(
      "runs",
      { list: () => [run], get: async () => runDetail, fixture: () => fixture, cancel: () => runDetail },
      calls,
    ),
    tests: spied("tests", { ...fakeTests(), ...tests }, calls),
    policies,
    streams: { trace: fakeStream("trace"), logs: fakeStream("log") },
    describe: async () => ({
      catalog: {
        steps: [{ name: "log", docs: "Logs.", example: "log: x", schema: { type: "object", properties: { a: {} } } }],
        components: [
          { name: "timer", docs: "Ticks.", example: "timer:x", schema: {}, consumer: true, producer: false },
        ],
        languages: [],
        formats: [],
        elements: [{ name: "intercept", docs: "Intercepts.", example: "- intercept: {}", schema: {} }],
        kamelets: [{ name: "log-sink", docs: "Logs.", schema: {} }],
      },
      flowSchema: { type: "array", $schema: "https://json-schema.org/draft/2020-12/schema" },
    }),
    problems: () => [],
    refuseOverload() {},
    usage: async ({ groupBy }) => ({
      groupBy,
      from: flow.lastModified,
      to: flow.lastModified,
      resolution: "minute",
      usage: [],
    }),
    metrics: async () => ({ contentType: "text/plain; version=0.0.4; charset=utf-8", body: "# HELP x\n" }),
    limits: { values: { ...defaultLimits, flowYamlBytes: 2000, managementBodyBytes: 4000 }, ceilings: { queue: 9 } },
    runtime: { version: "1.2.3", startedAt: Date.now() - 5000 },
    onError: (error) => errors.push(error),
    ...services,
  };
  const { port } = await openDoor(t, { management: () => createManagementApi(all), limits: all.limits.values });
  const url = `http://127.0.0.1:${port}`;
  return {
    url,
    port,
    calls,
    errors,
    send(method, path, { body, headers = {} } = {}) {
      const bare = body === undefined || typeof body === "string" || body instanceof Uint8Array;
      return fetch(url + path, {
        method,
        headers: {
          Authorization: `Bearer ${token}`,
          ...(body !== undefined && { "Content-Type": "application/json" }),
          ...headers,
        },
        ...(body !== undefined && { body: bare ? (body as string | Uint8Array<ArrayBuffer>) : JSON.stringify(body) }),
      });
    },
  };
}

function fakeFlows(): FlowService {
  const places = new Places();
  return {
    enter: (id) => places.enter(id),
    list: async () => [
      { ...summary(), id: "z" },
      { ...summary(), id: "a", revision: null, error: "bad", state: "Failed" },
    ],
    get: async (id) => {
      if (id !== "orders") throw new AppError("not_found", `there is no flow '${id}'`);
      return flow;
    },
    put: async () => putAnswer,
    revisions: async () => [revision],
    rollback: async () => putAnswer,
    validate: async () => ({
      valid: true,
      routeCount: 1,
      diagnostics: [],
      plan: { start: [], stop: [], unchanged: [] },
    }),
    remove: async (id) => ({ id, deleted: true, draining: 0 }),
    start: async () => flow,
    stop: async () => flow,
    reload: async () => putAnswer,
    health: () => ({
      boot: { flows: 0, loaded: 0, compiled: 0 },
      routes: [],
      flows: 0,
      failedFiles: [],
      store: { writable: true },
    }),
    ready: () => true,
  };
}

function fakeMappings(): MappingService {
  const version = { id: "x", revision: 2, hash: flow.hash, lastModified: "2026-01-01T00:00:00.000Z", bytes: 9 };
  const document = { ...version, text: '{"a":"b"}' };
  return {
    list: async () => [],
    get: async () => document,
    put: async (_kind, id) => {
      const facts = { rows: 1, columns: ["from", "to"], tests: { passed: 0, failed: 0 } };
      return { ...{ id, hash: flow.hash, revision: 1 }, ...facts, usedBy: [], warnings: [], created: true };
    },
    remove: async () => {},
    lookup: async () => ({ value: "b", found: true }),
    try: async () => "{}",
    exportCsv: async () => ({ document, csv: "from,to\r\na,b\r\n" }),
  };
}

export const opened: OpenedSession = {
  sessionId: `ts_${"0f".repeat(16)}`,
  ttlMs: 300_000,
  expiresAt: "2026-01-01T00:05:00.000Z",
  flowId: "orders",
  hash: flow.hash,
  scope: "deployment",
  armed: [
    { stepId: "to-crm", routeId: "order-in", mocks: 2 },
    { uri: "http:erp*", mocks: 1 },
  ],
  header: "X-Test-Session",
  warnings: ["of the service"],
};

export const report: SessionReport = {
  sessionId: opened.sessionId,
  name: null,
  notes: ["a note"],
  flowId: "orders",
  hash: flow.hash,
  scope: "deployment",
  closed: true,
  expired: false,
  stale: false,
  expiresAt: opened.expiresAt,
  passed: false,
  recordedCalls: [
    {
      ...{ seq: 1, stepId: "to-crm", routeId: "order-in", runId: run.id, flowId: "orders", mock: 0, action: "throw" },
      at: "2026-01-01T00:00:00.000Z",
      durationMs: 1.5,
      request: {
        headers: { a: [1] },
        body: { id: 17 },
        bodyType: "java.util.LinkedHashMap",
        uri: "http:x",
        properties: {},
      },
      response: null,
      error: { type: "HttpOperationFailedException", message: "503", statusCode: 503, responseBody: { no: true } },
    },
    {
      ...{ seq: 2, stepId: "to-crm", routeId: "order-in", runId: run.id, flowId: "orders", mock: 1, action: "respond" },
      at: "2026-01-01T00:00:00.000Z",
      durationMs: 1.5,
      request: {
        headers: {},
        body: "AA==",
        bodyType: "byte[]",
        encoding: "base64",
        cut: true,
        properties: { p: null },
      },
      response: { headers: {}, body: null, bodyType: "null", redacted: true, status: 200 },
      error: null,
    },
  ],
  callCounts: { "to-crm": 2, "http:erp*": 0 },
  unrecorded: { overLimit: 1, lost: 2 },
  assertions: [{ mockCalled: { stepId: "to-crm" }, passed: false, actual: 2, message: "expected 1 call, got 2" }],
  unusedMocks: [2],
  runs: [run.id],
  pending: [],
};

export const invoked: InvokeAnswer = {
  runId: run.id,
  status: "completed",
  body: { ok: true },
  headers: { a: "1" },
  durationMs: 4.2,
  error: null,
  steps: [],
  mocksHit: ["to-crm"],
};

function fakeTests(): TestService {
  return {
    validate: async () => {},
    open: async () => opened,
    look: (id) => {
      if (id !== opened.sessionId) throw new AppError("not_found", `there is no test session '${id}'`);
      return { ...report, closed: false, passed: null };
    },
    close: async () => report,
    invoke: async () => invoked,
  };
}

function summary() {
  const { yaml, params, limits, usage, ...fields } = flow;
  return fields;
}

function fakeStream(name: string): Services["streams"]["trace"] {
  return {
    subscribe(_request, reply, query) {
      if (query.flowId === "full") throw new AppError("too_many_subscribers", "full", { "Retry-After": "5" });
      setImmediate(() => {
        reply.writeHead(200, { "Content-Type": "text/event-stream" });
        reply.end(`event: ready\ndata: ${JSON.stringify({ stream: name, query })}\n\n`);
      });
    },
  };
}

/** The same service, which records each call. */
function spied<T extends object>(prefix: string, service: T, calls: [name: string, ...args: unknown[]][]): T {
  return new Proxy(service, {
    get(target, name, receiver) {
      const member: unknown = Reflect.get(target, name, receiver);
      if (typeof member !== "function") return member;
      return (...args: unknown[]) => {
        // The place of a change in the queue of its flow is left out, since it is not part of the request.
        if (name !== "enter") calls.push([`${prefix}.${String(name)}`, ...withoutPlaces(args)]);
        return member.apply(target, args);
      };
    },
  });
}

function withoutPlaces(args: readonly unknown[]): unknown[] {
  return args
    .filter((argument) => !isPlace(argument))
    .map((argument) => {
      if (typeof argument !== "object" || argument === null || !("place" in argument)) return argument;
      const { place: _, ...asked } = argument;
      return asked;
    });
}

function isPlace(argument: unknown): boolean {
  return typeof argument === "object" && argument !== null && "turn" in argument;
}
