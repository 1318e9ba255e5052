/** A sound request of each operation, to a runtime that `furnish` has furnished. */
import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { waitingMessages } from "../../support/failed-messages.ts";
import { answering, direct, webhook } from "../../support/flows.ts";
import { install, shopOnly } from "../../support/policies.ts";
import { type TestApp, token } from "../../support/start-app.ts";
import { openSession } from "../../support/test-sessions.ts";
import type { Operation } from "./declared.ts";

export interface Sound {
  /** Of what the path names. */
  readonly id?: string;
  /** Of what it names second. */
  readonly routeId?: string;
  readonly name?: string;
  readonly query?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export type Requests = Readonly<Record<string, Sound>>;

/** A flow that keeps keys as `seen`. */
export const keeping = webhook("keeps", "idempotentConsumer: { id: seen, header: id, steps: [] }");

/** A route that only `trigger` begins. */
export const timer = direct("tick", "x", "log: x").replace("direct:x", "timer:x?delay=1h");

/** A route whose runs fail. */
export const failing = webhook("failing", "throwException: { exceptionType: java.io.IOException, message: broken }");

const codes = { entries: { DE: "Germany" } };
const greeting = { expression: "{ 'hello': name }" };

const shopConnection = { kind: "postgres", servers: ["127.0.0.1:1"], database: "shop", username: "shop" };

/** Flows, one of them stopped and one edited on disk, mappings, a policy, runs and a session. */
export async function furnish(app: TestApp): Promise<Requests> {
  const orders = webhook("order-in", 'to: "direct:crm"') + direct("crm", "crm", "log: { id: write, message: x }");
  const uses = "valueMapping: { id: codes, from: from, to: to }";
  for (const [id, yaml, limits] of [
    ["orders", answering("order-in", "one"), {}],
    ["orders", orders, { record: "all" }],
    ["stopped", webhook("stopped", uses), {}],
    ["edited", answering("edited", "one"), {}],
    ["clocked", timer, {}],
    ["keeps", keeping, {}],
    ["failing", failing, {}],
  ] as const) {
    const { status } = await app.put(id, yaml, { limits });
    assert.ok(status === 200 || status === 201, `${id}: ${status}`);
  }
  assert.equal((await app.api("/flows/stopped/stop", { method: "POST" })).status, 200);
  await writeFile(join(app.routesDirectory, "edited.yaml"), answering("edited", "two"));
  await sendJson(app, "PUT", "/value-mappings/codes", codes);
  await sendJson(app, "PUT", "/message-mappings/greeting", greeting);
  await sendJson(app, "PUT", "/connections/shop", shopConnection);
  await install(app, "orders", shopOnly);
  const run =
    (await app.post("/api/order-in", "x", { Authorization: `Bearer ${token}` })).headers.get("x-run-id") ?? "";
  await app.post("/api/failing", "x", { Prefer: "respond-async" });
  const [{ id: failed = "" } = {}] = await waitingMessages(app, 1);
  const { sessionId } = await openSession(app, { flowId: "orders", scope: "session", mocks: {} });
  const yaml = answering("order-in", "three");
  return {
    getHealth: {},
    listFlows: {},
    getFlow: { id: "orders" },
    putFlow: { id: "orders", body: { yaml } },
    deploySet: { body: { set: "shop", flows: [{ id: "orders", yaml }], mappings: [] } },
    deleteFlow: { id: "orders" },
    validateFlow: { id: "orders", body: { yaml } },
    startFlow: { id: "stopped" },
    stopFlow: { id: "orders" },
    reloadFlow: { id: "edited" },
    listRevisions: { id: "orders" },
    rollbackFlow: { id: "orders", body: { revision: 1 } },
    listState: { id: "keeps" },
    listStateKeys: { id: "keeps", name: "seen", query: "prefix=a&limit=5" },
    deleteState: { id: "keeps", name: "seen" },
    listSecrets: { id: "orders" },
    listConnectionSecrets: {},
    putPolicy: { id: "orders", body: { public: true } },
    listPolicies: {},
    getPolicy: { id: "orders" },
    deletePolicy: { id: "orders" },
    explainPolicy: { id: "orders", body: { as: "shop", route: "order-in" } },
    listValueMappings: {},
    putValueMapping: { id: "codes", body: { entries: { FR: "France" } } },
    getValueMapping: { id: "codes" },
    deleteValueMapping: { id: "codes", query: "force=true" },
    testValueMapping: { id: "codes", body: { document: { entries: { FR: "France" } } } },
    lookUpValue: { id: "codes", body: { value: "DE" } },
    listMessageMappings: {},
    putMessageMapping: { id: "greeting", body: { expression: "1" } },
    getMessageMapping: { id: "greeting" },
    deleteMessageMapping: { id: "greeting" },
    testMessageMapping: { id: "greeting", body: { input: { name: "x" } } },
    listConnections: {},
    getConnection: { id: "shop" },
    putConnection: { id: "shop", body: { ...shopConnection, maxConnections: 2 } },
    deleteConnection: { id: "shop" },
    testConnection: { id: "shop" },
    listRuns: {},
    getRun: { id: run },
    getRunFixture: { id: run },
    cancelRun: { id: run },
    listFailed: { query: "flowId=failing" },
    getFailed: { id: failed },
    retryFailed: { id: failed, query: "wait=true", body: { headers: { n: 1 } } },
    discardFailed: { id: failed },
    retryManyFailed: { body: { flowId: "failing" } },
    discardManyFailed: { body: { flowId: "failing" } },
    peekMessages: { id: "clocked", routeId: "tick" },
    triggerRoute: { id: "clocked", routeId: "tick", body: { headers: { n: 1 } } },
    openTestSession: { body: { flowId: "orders", scope: "session", mocks: {} } },
    listTestSessions: {},
    validateTestSession: { body: { flowId: "orders", mocks: {} } },
    getTestSession: { id: sessionId },
    closeTestSession: { id: sessionId },
    tryExpression: { body: { language: "simple", expression: "${body[n]}", body: { n: 1 } } },
    invokeInTest: { body: { sessionId, endpoint: "direct:crm" } },
    streamTrace: {},
    streamLogs: {},
    listAudit: {},
    listLimits: {},
    getMetrics: {},
    getUsage: {},
    getCatalog: {},
    getFlowSchema: {},
    getOpenApi: {},
  };
}

export function sendJson(app: TestApp, method: string, path: string, body: unknown): Promise<Response> {
  return app.api(path, { method, headers: json, body: JSON.stringify(body) });
}

const json = { "Content-Type": "application/json" };

/** The operation's request, with what `change` has in place of its parts. */
export function send(app: TestApp, operation: Operation, sound: Sound, change: Change = {}): Promise<Response> {
  const { path, init } = requestOf(operation, sound, change);
  return fetch(`${app.url}${path}`, init);
}

export interface Change extends Sound {
  /** In place of the body: these characters, or bytes. */
  readonly text?: string;
  readonly bytes?: Uint8Array<ArrayBuffer>;
  readonly path?: (path: string) => string;
  /** false: without the token. */
  readonly bearer?: boolean;
}

export function requestOf(
  { method, path }: Operation,
  sound: Sound,
  change: Change,
): { readonly path: string; readonly init: RequestInit & { readonly headers: Readonly<Record<string, string>> } } {
  const {
    id = "",
    routeId = "x",
    name = "x",
    query,
    body,
    headers,
    text,
    bytes,
    path: changed = (same: string) => same,
    bearer = true,
  } = { ...sound, ...change };
  const target = changed(
    path
      .replace("{routeId}", routeId)
      // A connection has a name in place of an id.
      .replace("{name}", encodeURIComponent(path.includes("{id}") ? name : id))
      .replace(/\{\w+\}/, encodeURIComponent(id)),
  );
  const sent = bytes ?? text ?? (body === undefined ? undefined : JSON.stringify(body));
  return {
    path: query === undefined ? target : `${target}?${query}`,
    init: {
      method,
      headers: {
        ...(bearer && { Authorization: `Bearer ${token}` }),
        ...(sent === undefined ? {} : json),
        ...headers,
      },
      ...(sent === undefined ? {} : { body: sent }),
    },
  };
}
