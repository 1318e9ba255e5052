/** Errors that only some operations declare: what causes each. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { readFile, rm, writeFile } from "node:fs/promises";
import { request } from "node:http";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { eventually } from "../../support/clock.ts";
import { asks, document, putConnection, startAskingApp } from "../../support/connections.ts";
import { waitingMessages } from "../../support/failed-messages.ts";
import { answering, direct, webhook } from "../../support/flows.ts";
import { startTestApp, type TestApp, token } from "../../support/start-app.ts";
import { openSession, postInvoke, postSession } from "../../support/test-sessions.ts";
import { watch } from "../../support/watch-stream.ts";
import type { Causes } from "./declared.ts";
import { failing, furnish, keeping, send, sendJson, timer } from "./requests.ts";

const platform = (path: string): string => direct("p", "x", "log: x").replace("direct:x", `platform-http:${path}`);
const counting = webhook(
  "counting",
  'aggregate: { correlationExpression: { constant: "x" }, completionSize: 2, aggregationStrategy: "#class:org.apache.camel.processor.aggregate.GroupedBodyAggregationStrategy" }',
);

/** Of PUT, and of files that were dropped into the routes directory and are started or reloaded. */
export async function deploymentErrors(t: TestContext, causes: Causes): Promise<void> {
  const app = await startTestApp(t, { files: { "legacy.yml": answering("legacy", "x") } });
  await furnish(app);
  await app.put("owner", direct("crm-owner", "owned", "log: x") + platform("/owned"));
  const flows: readonly (readonly [code: string, id: string, yaml: string])[] = [
    ["flow_invalid", "bad", "- nonsense"],
    ["route_taken", "thief", answering("order-in", "x")],
    ["direct_taken", "thief", direct("d", "owned", "log: x")],
    ["path_taken", "thief", platform("/owned").replace("id: p", "id: q")],
    ["id_case_clash", "ORDERS", answering("other", "x")],
    ["flow_failed", "secret", webhook("secret", 'log: "{{secret:NONE}}"')],
  ];
  for (const [code, id, yaml] of flows) {
    await causes.note("putFlow", code, await app.put(id, yaml));
    await causes.note("deploySet", code, await deploySet(app, { flows: [{ id, yaml }] }));
    const file = join(app.routesDirectory, `${id}.yaml`);
    await writeFile(file, yaml);
    for (const name of ["startFlow", "reloadFlow"])
      await causes.note(name, code, await send(app, causes.operation(name), { id }));
    await rm(file);
  }
  await causes.note(
    "putFlow",
    "limit_not_allowed",
    await app.put("f", answering("f", "x"), { limits: { nonsense: 1 } }),
  );
  await causes.note("putFlow", "id_taken", await app.put("legacy.yml", answering("f", "x")));
  const clear = { principals: { shop: { type: "apiKey", key: "a-key-that-is-long-enough-to-be-one" } } };
  await causes.note("putFlow", "policy_invalid", await app.put("f", answering("f", "x"), { policy: clear }));
  await setErrors(app, causes, clear);
  await writeFile(join(app.routesDirectory, "beside.yaml"), answering("beside", "x"));
  await writeFile(join(app.routesDirectory, "beside.flow.yaml"), JSON.stringify({ policy: clear }));
  for (const name of ["startFlow", "stopFlow", "reloadFlow"])
    await causes.note(name, "policy_invalid", await send(app, causes.operation(name), { id: "beside" }));
  for (const name of ["stopFlow", "deleteFlow"])
    await causes.note(name, "flow_invalid", await send(app, causes.operation(name), { id: "legacy.yml" }));

  // Two threads are too many for a flow that begins to keep state.
  assert.equal((await app.put("many", answering("counting", "x"), { limits: { threads: 2 } })).status, 201);
  await writeFile(join(app.routesDirectory, "many.yaml"), counting);
  await causes.note("reloadFlow", "limit_not_allowed", await send(app, causes.operation("reloadFlow"), { id: "many" }));
  // An operator who allows less than before.
  await writeFile(join(app.routesDirectory, "many.yaml"), answering("counting", "x"));
  assert.equal((await app.api("/flows/many/stop", { method: "POST" })).status, 200);
  assert.equal((await app.put("many", answering("counting", "y"))).status, 200);
  assert.equal((await app.put("still", answering("still", "y"), { limits: { threads: 2 } })).status, 201);
  assert.equal((await app.api("/flows/still/stop", { method: "POST" })).status, 200);
  await app.close();
  const strict = await startTestApp(t, { directory: app.directory, operator: { LIMIT_THREADS_CEILING: "1" } });
  await causes.note(
    "startFlow",
    "limit_not_allowed",
    await send(strict, causes.operation("startFlow"), { id: "still" }),
  );
  const back = await send(strict, causes.operation("rollbackFlow"), { id: "many", body: { revision: 1 } });
  await causes.note("rollbackFlow", "limit_not_allowed", back);
}

/** Revisions that were right when they were made. */
export async function rollbackErrors(t: TestContext, causes: Causes): Promise<void> {
  const app = await startTestApp(t, { secrets: { "secret/KEY": "x" } });
  const deploy = async (id: string, yaml: string): Promise<void> => {
    const answer = await app.put(id, yaml);
    assert.ok(answer.ok, `${id}: ${answer.status} ${await answer.text()}`);
  };
  const back = async (code: string, id: string): Promise<void> => {
    const answer = await send(app, causes.operation("rollbackFlow"), { id, body: { revision: 1 } });
    await causes.note("rollbackFlow", code, answer);
  };
  await deploy("a", answering("taken", "x"));
  await deploy("b", direct("b", "taken", "log: x"));
  await deploy("c", platform("/taken"));
  for (const id of ["a", "b", "c"]) await deploy(id, answering(`own-${id}`, "x"));
  await deploy(
    "thief",
    answering("taken", "x") + direct("t", "taken", "log: x") + platform("/taken").replace("id: p", "id: q"),
  );
  await back("route_taken", "a");
  await back("direct_taken", "b");
  await back("path_taken", "c");

  await deploy("secret", webhook("secret", 'log: "{{secret:KEY}}"'));
  await deploy("secret", answering("secret", "x"));
  await rm(join(app.secretsDirectory, "secret", "KEY"));
  await back("flow_failed", "secret");

  const mapping = (shared: boolean) => ({ entries: { DE: "Germany" }, shared });
  await sendJson(app, "PUT", "/value-mappings/team-a.codes", mapping(true));
  await deploy("mapped", webhook("mapped", "valueMapping: { id: team-a.codes, from: from, to: to }"));
  await deploy("mapped", answering("mapped", "x"));
  await sendJson(app, "PUT", "/value-mappings/team-a.codes", mapping(false));
  await back("flow_invalid", "mapped");

  await deploy("case", answering("case", "x"));
  await app.api("/flows/case", { method: "DELETE" });
  await deploy("CASE", answering("other", "x"));
  await back("id_case_clash", "case");

  await deploy("legacy.yml", answering("legacy", "x"));
  await app.api("/flows/legacy.yml", { method: "DELETE" });
  await writeFile(join(app.routesDirectory, "legacy.yml"), answering("legacy", "x"));
  await back("id_taken", "legacy.yml");
}

function deploySet(app: TestApp, parts: object, query = ""): Promise<Response> {
  return sendJson(app, "POST", `/deployments${query}`, { set: "s", ...parts });
}

async function setErrors(app: TestApp, causes: Causes, policy: object): Promise<void> {
  const flow = { id: "f", yaml: answering("f", "x") };
  const failing = { kind: "value", id: "fails", document: { entries: { a: "b" }, tests: [{ in: "a", out: "c" }] } };
  const used = { kind: "value", id: "used", document: { entries: { a: "b" } } };
  assert.equal((await deploySet(app, { mappings: [used] })).status, 200);
  const user = webhook("user", "valueMapping: { id: used, from: from, to: to }");
  assert.equal((await app.put("user", user)).status, 201);
  for (const [code, parts, query] of [
    ["limit_not_allowed", { flows: [{ ...flow, limits: { nonsense: 1 } }] }],
    ["id_taken", { flows: [{ ...flow, id: "legacy.yml" }] }],
    ["policy_invalid", { flows: [{ ...flow, policy }] }],
    ["mapping_invalid", { mappings: [failing] }],
    ["mapping_in_use", {}, "?prune=true"],
    ["removals_refused", {}, "?prune=true&expectRemovals=7"],
    ["connection_invalid", { connections: [{ name: "shop", document: { kind: "none" } }] }],
  ] as const)
    await causes.note("deploySet", code, await deploySet(app, parts, query));
}

/** Of flows that use connections. */
export async function connectionErrors(t: TestContext, causes: Causes): Promise<void> {
  const app = await startAskingApp(t);
  await causes.note("putConnection", "connection_invalid", await putConnection(app, "shop", { kind: "none" }));
  const trial = { id: "shop", body: { document: { kind: "none" } } };
  await causes.note("testConnection", "connection_invalid", await send(app, causes.operation("testConnection"), trial));
  const yaml = asks("in", "asking:#shop");
  await causes.note("putFlow", "connection_missing", await app.put("in", yaml));
  await causes.note("deploySet", "connection_missing", await deploySet(app, { flows: [{ id: "in", yaml }] }));
  await writeFile(join(app.routesDirectory, "in.yaml"), yaml);
  for (const name of ["startFlow", "reloadFlow"])
    await causes.note(name, "connection_missing", await send(app, causes.operation(name), { id: "in" }));
  await rm(join(app.routesDirectory, "in.yaml"));
  const connections = [{ name: "shop", document: document(1) }];
  assert.equal((await deploySet(app, { flows: [{ id: "in", yaml }], connections })).status, 200);
  await causes.note("putConnection", "id_case_clash", await putConnection(app, "SHOP", document(1)));
  await causes.note("deleteConnection", "connection_in_use", await app.api("/connections/shop", { method: "DELETE" }));
  assert.equal((await app.put("outside", asks("outside", "asking:#shop"))).status, 201);
  await causes.note("deploySet", "connection_in_use", await deploySet(app, {}, "?prune=true"));
  for (const id of ["in", "outside"]) assert.equal((await app.put(id, answering(id, "x"))).status, 200);
  assert.equal((await app.api("/connections/shop", { method: "DELETE" })).status, 200);
  const back = { id: "in", body: { revision: 1 } };
  await causes.note("rollbackFlow", "connection_missing", await send(app, causes.operation("rollbackFlow"), back));
}

export async function documentErrors(t: TestContext, causes: Causes): Promise<void> {
  const app = await startTestApp(t);
  await furnish(app);
  const cause = async (code: string, name: string, sound: Parameters<typeof send>[2]): Promise<void> =>
    causes.note(name, code, await send(app, causes.operation(name), sound));
  await cause("mapping_invalid", "putValueMapping", {
    id: "bad",
    body: { entries: { a: "b" }, tests: [{ in: "a", out: "c" }] },
  });
  await cause("mapping_invalid", "putMessageMapping", { id: "bad", body: { expression: "((" } });
  await cause("mapping_invalid", "lookUpValue", { id: "codes", body: { from: "nobody", value: 1 } });
  await cause("id_case_clash", "putValueMapping", { id: "CODES", body: { entries: { a: "b" } } });
  await cause("id_case_clash", "putMessageMapping", { id: "GREETING", body: { expression: "1" } });
  await cause("id_case_clash", "putPolicy", { id: "ORDERS", body: { public: true } });
  await cause("policy_invalid", "putPolicy", { id: "orders", query: "strict=true", body: { nonsense: 1 } });
  assert.equal(
    (
      await app.put(
        "user",
        webhook("user", "messageMapping: { id: greeting }", "valueMapping: { id: codes, from: from, to: to }"),
      )
    ).status,
    201,
  );
  await cause("mapping_in_use", "deleteValueMapping", { id: "codes" });
  await cause("mapping_in_use", "deleteMessageMapping", { id: "greeting" });

  const id = (await app.post("/api/edited")).headers.get("x-run-id") ?? "";
  await cause("run_not_recorded", "getRunFixture", { id });
  await cause("run_finished", "cancelRun", { id });

  await app.close();
  for (const file of ["value-mappings/codes.document", "message-mappings/greeting.document"]) {
    const path = join(app.directory, "data", file);
    await writeFile(path, (await readFile(path)).subarray(0, -2));
  }
  const damaged = await startTestApp(t, { directory: app.directory });
  for (const [name, sound] of [
    ["getValueMapping", { id: "codes", headers: { Accept: "text/csv" } }],
    ["testMessageMapping", { id: "greeting", body: { input: 1 } }],
  ] as const)
    await causes.note(name, "mapping_invalid", await send(damaged, causes.operation(name), sound));
}

export async function sessionErrors(t: TestContext, causes: Causes): Promise<void> {
  const app = await startTestApp(t);
  const yaml = direct("start", "start", "delay: { id: wait, constant: 60000 }") + answering("hook", "x");
  assert.equal((await app.put("f", yaml)).status, 201);
  const mocks = { wait: { respond: 1 } };
  const session = await openSession(app, { flowId: "f", scope: "session", mocks: {} });
  await causes.note("openTestSession", "session_invalid", await postSession(app, { flowId: "f", mocks: 5 }));
  const close = { id: session.sessionId, body: { assertions: [{ mockCalled: 5 }] } };
  await causes.note(
    "closeTestSession",
    "session_invalid",
    await send(app, causes.operation("closeTestSession"), close),
  );
  const deployed = await openSession(app, { flowId: "f", scope: "deployment", mocks });
  await causes.note("openTestSession", "mock_conflict", await postSession(app, { flowId: "f", mocks }));
  assert.equal((await app.api(`/test/session/${deployed.sessionId}`, { method: "DELETE" })).status, 200);

  await causes.note("invokeInTest", "not_invocable", await postInvoke(app, session, { routeId: "hook" }));
  const slow = { endpoint: "direct:start", timeoutMs: 100 };
  await causes.note("invokeInTest", "run_timeout", await postInvoke(app, session, slow));
  await causes.note("invokeInTest", "session_closed", await postInvoke(app, deployed, { endpoint: "direct:start" }));

  const scoped = await startTestApp(t, { testScope: "session", limits: { testSessions: 1 } });
  assert.equal((await scoped.put("f", yaml)).status, 201);
  await causes.note("openTestSession", "scope_forbidden", await postSession(scoped, { flowId: "f", mocks }));
  await openSession(scoped, { flowId: "f", scope: "session", mocks });
  const another = await postSession(scoped, { flowId: "f", scope: "session", mocks });
  await causes.note("openTestSession", "too_many_sessions", another);

  const threadEntry = new URL("../../support/hostile-worker.ts", import.meta.url);
  const hostile = await startTestApp(t, { threadEntry, limits: { quarantineKills: 1 } });
  await hostile.put("f", webhook("hook", "log: x"));
  const replaceFrom = { hook: "direct:start" };
  const quarantined = await openSession(hostile, { flowId: "f", scope: "session", mocks: {}, replaceFrom });
  await hostile.post("/api/hook", "exit");
  const answer = await postInvoke(hostile, quarantined, { endpoint: "direct:start" });
  await causes.note("invokeInTest", "flow_quarantined_locked", answer);
}

/** Of runs that are begun by hand. */
export async function triggerErrors(t: TestContext, causes: Causes): Promise<void> {
  const cause = async (app: TestApp, code: string, id: string, routeId: string): Promise<void> => {
    const operation = causes.operation("triggerRoute");
    await causes.note("triggerRoute", code, await send(app, operation, { id, routeId }));
  };
  const app = await startTestApp(t, { limits: { timerWallMs: 200 } });
  await app.put("slow", timer.replace("log: x", "delay: { constant: 60000 }") + answering("hook", "x"));
  await cause(app, "not_triggerable", "slow", "hook");
  const peeked = await send(app, causes.operation("peekMessages"), { id: "slow", routeId: "hook" });
  await causes.note("peekMessages", "not_peekable", peeked);
  await cause(app, "run_timeout", "slow", "tick");

  const threadEntry = new URL("../../support/hostile-worker.ts", import.meta.url);
  const hostile = await startTestApp(t, { threadEntry, limits: { quarantineKills: 1 } });
  await hostile.put("f", timer + webhook("hook", "log: x"));
  await hostile.post("/api/hook", "exit");
  await cause(hostile, "flow_quarantined_locked", "f", "tick");

  const full = await startTestApp(t, { limits: { processMemoryBytes: 1 } });
  await eventually(() => isFull(full), "it is short of memory");
  await cause(full, "overloaded", "f", "tick");
  for (const [name, sound] of [
    ["retryFailed", { id: "x" }],
    ["retryManyFailed", { body: { flowId: "f" } }],
  ] as const)
    await causes.note(name, "overloaded", await send(full, causes.operation(name), sound));
}

/** Of failed messages. */
export async function retryErrors(t: TestContext, causes: Causes): Promise<void> {
  const app = await startTestApp(t, { limits: { timerWallMs: 5000 } });
  const cause = async (name: string, code: string, sound: Parameters<typeof send>[2], of = app): Promise<void> =>
    causes.note(name, code, await send(of, causes.operation(name), sound));
  const failed = async (of: TestApp): Promise<string> => {
    await of.put("f", failing);
    await of.post("/api/failing", "x", { Prefer: "respond-async" });
    return (await waitingMessages(of, 1))[0]?.id ?? "";
  };
  const id = await failed(app);
  const many = { all: true, expect: 7 };
  await cause("retryManyFailed", "precondition_failed", { body: many });
  await cause("discardManyFailed", "precondition_failed", { body: many });
  await app.put("f", webhook("failing", 'log: "waits"', "delay: { constant: 60000 }"));
  const slow = send(app, causes.operation("retryFailed"), { id, query: "wait=true" });
  await eventually(() => app.logs.some(({ message }) => message === "waits"), "the retry");
  await cause("retryFailed", "retry_in_progress", { id });
  await cause("discardFailed", "not_retryable", { id });
  await causes.note("retryFailed", "run_timeout", await slow);
  await app.api("/flows/f/stop", { method: "POST" });
  await cause("retryFailed", "not_retryable", { id });

  const threadEntry = new URL("../../support/hostile-worker.ts", import.meta.url);
  const hostile = await startTestApp(t, { threadEntry, limits: { quarantineKills: 1 } });
  await hostile.put("f", webhook("failing", "log: x"));
  await hostile.post("/api/failing", "exit", { Prefer: "respond-async" });
  const [quarantined] = await waitingMessages(hostile, 1);
  await cause("retryFailed", "flow_quarantined_locked", { id: quarantined?.id ?? "" }, hostile);
}

function isFull({ logs }: TestApp): boolean {
  return logs.some(({ message }) => message.includes("processMemoryBytes"));
}

export async function backupErrors(t: TestContext, causes: Causes): Promise<void> {
  const none = await startTestApp(t, { backupless: true });
  await causes.note("getBackup", "not_found", await none.api("/backup"));
  const app = await startTestApp(t, { files: { "orders.yaml": answering("order-in", "one") } });
  // A change whose body does not come holds up what reads the flow.
  const headers = { Authorization: `Bearer ${token}`, "Content-Type": "application/yaml", "Content-Length": 9 };
  const change = request(`${app.url}/_api/flows/orders`, {
    method: "PUT",
    headers: { ...headers, Expect: "100-continue" },
  });
  change.on("error", () => {}).flushHeaders();
  await once(change, "continue");
  const first = await app.api("/backup");
  await causes.note("getBackup", "too_many_in_flight", await app.api("/backup"));
  await first.body?.cancel();
  change.destroy();
}

/** What flows keep is not on the file system of the stores. */
export const stateOperations: ReadonlySet<string> = new Set(["listState", "listStateKeys", "deleteState"]);

/** Of what flows keep. */
export async function stateErrors(t: TestContext, causes: Causes): Promise<void> {
  const stateEntry = new URL("../../support/state/failing-thread.ts", import.meta.url);
  const app = await startTestApp(t, { stateEntry });
  for (const [id, code] of [
    ["full.keeps", "disk_full"],
    ["other.keeps", "store_failed"],
  ] as const) {
    await app.put(id, keeping.replace("id: keeps", `id: ${id}`));
    // The store is asked for something, so that it has to be asked again.
    assert.equal((await app.post(`/api/${id}`, "", { id: "1" })).status, 500);
    for (const { name } of causes.declaring(code)) {
      if (!stateOperations.has(name)) continue;
      await causes.note(name, code, await send(app, causes.operation(name), { id, name: "seen" }));
    }
  }
}

export async function runtimeErrors(t: TestContext, causes: Causes): Promise<void> {
  const app = await startTestApp(t, { limits: { streamSubscribers: 1 } });
  const full = await startTestApp(t, { limits: { processMemoryBytes: 1 } });
  await eventually(() => isFull(full), "it is short of memory");
  for (const [name, path] of [
    ["streamTrace", "/trace/stream"],
    ["streamLogs", "/logs/stream"],
  ] as const) {
    await watch(t, app, path);
    await causes.note(name, "too_many_subscribers", await app.api(path));
    await causes.note(name, "overloaded", await full.api(path));
  }
}
