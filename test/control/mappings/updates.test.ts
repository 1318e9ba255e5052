/** A new version of a mapping reaches live flows without a restart: it counts for runs that begin later, and for whole runs only. */
import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { Busy, busyFlowThread, busyThreads } from "../../support/busy-threads.ts";
import { eventually } from "../../support/clock.ts";
import { direct, webhook } from "../../support/flows.ts";
import { type Heard, startHttpServer } from "../../support/http-server.ts";
import { startTestApp, type TestApp } from "../../support/start-app.ts";
import { accepted, lastRun, lookingUp, putMapping, type RunSeen, refused, textOf } from "./calls.ts";

const look = "valueMapping: { id: codes }";

async function put(app: TestApp, to: string): Promise<number> {
  return (await accepted(await putMapping(app, "value", "codes", { a: to }))).revision;
}

test("a new version counts for the next call in the same thread, and the flow keeps its memory", async (t) => {
  const app = await startTestApp(t);
  await put(app, "1");
  const bean =
    "- beans:\n    - { name: seen, type: org.apache.camel.support.processor.idempotent.MemoryIdempotentRepository }\n";
  const once = `idempotentConsumer: { header: id, idempotentRepository: "#seen", steps: [{ setHeader: { name: new, constant: "yes" } }] }`;
  const steps = [`setBody: { constant: a }`, look, once, 'setBody: { simple: "${body} ${header.new}" }'];
  assert.equal((await app.put("f", bean + webhook("r", ...steps))).status, 201);
  const call = async () => (await app.post("/api/r", "", { id: "same" })).text();
  assert.equal(await call(), "1 yes");
  const { worker } = await lastRun(app, "r");
  await put(app, "2");
  assert.equal((await call()).trim(), "2", "the duplicate is still known");
  assert.equal((await lastRun(app, "r")).worker, worker);
});

test("the record of a run has the versions that the run saw", async (t) => {
  const app = await startTestApp(t);
  const first = await accepted(await putMapping(app, "value", "codes", { a: "1" }));
  await app.put("f", lookingUp("r", "codes"));
  await textOf(app, "r");
  const { mappings } = await lastRun(app, "r");
  assert.deepEqual(mappings, [{ kind: "value", id: "codes", revision: 1, hash: first.hash }]);
  const second = await accepted(await putMapping(app, "value", "codes", { a: "2" }));
  await textOf(app, "r");
  const seen = (await lastRun(app, "r")).mappings;
  assert.deepEqual(seen, [{ kind: "value", id: "codes", revision: 2, hash: second.hash }]);
});

interface Held {
  /** Resolves when a run has called the server. */
  readonly come: Promise<void>;
  go(): void;
}

/** A server whose answers wait until the test releases them. */
async function holding(t: TestContext): Promise<Held & { readonly url: string; readonly heard: Heard[] }> {
  const come = Promise.withResolvers<void>();
  const go = Promise.withResolvers<void>();
  const server = await startHttpServer(t, (_request, response) => {
    come.resolve();
    void go.promise.then(() => response.end("x"));
  });
  return { url: server.url, heard: server.heard, come: come.promise, go: go.resolve };
}

test("a run keeps the version that it began with, and so do its children and the runs that it causes in its flow", async (t) => {
  const { url, come, go } = await holding(t);
  const app = await startTestApp(t, { egressAllow: "127.0.0.1" });
  await put(app, "1");
  const asked = (name: string) => [
    `setBody: { constant: a }`,
    look,
    `setHeader: { name: ${name}, simple: "\${body}" }`,
  ];
  const flow =
    webhook(
      "r",
      ...asked("before"),
      `removeHeaders: { pattern: "CamelHttp*" }`,
      `to: "${url}/"`,
      ...asked("after"),
      "to: direct:child",
      "wireTap: { uri: direct:tapped }",
      'setBody: { simple: "${header.before} ${header.after} ${header.child}" }',
    ) +
    direct("c", "child", ...asked("child")) +
    direct("w", "tapped", ...asked("tapped"), 'log: "tapped ${header.tapped}"');
  await accepted(await app.put("f", flow));
  const answer = app.post("/api/r");
  await come;
  assert.equal(await put(app, "2"), 2);
  go();
  const answered = await answer;
  assert.deepEqual([answered.status, await answered.text()], [200, "1 1 1"]);
  await eventually(() => app.logs.some(({ message }) => message === "tapped 1"), "the tap's run");
  const runs = (await (await app.api("/runs?flowId=f")).json()) as { id: string; trigger: { kind: string } }[];
  const tap = runs.find(({ trigger }) => trigger.kind === "wireTap");
  const tapped = (await (await app.api(`/runs/${tap?.id}`)).json()) as RunSeen;
  assert.deepEqual(
    tapped.mappings.map(({ revision }) => revision),
    [1],
  );
  assert.equal(await textOf(app, "r"), "2 2 2");
});

test("an idle flow wakes with the current version", async (t) => {
  const app = await startTestApp(t, { limits: { idleMs: 20 } });
  await put(app, "1");
  await app.put("f", lookingUp("r", "codes"));
  assert.equal(await textOf(app, "r"), "1");
  const { worker } = await lastRun(app, "r");
  await eventually(
    async () => /bulkhead_flow_threads\{[^}]*\} 0/.test(await (await app.api("/metrics")).text()),
    "the thread is released",
  );
  await put(app, "2");
  assert.equal(await textOf(app, "r"), "2");
  assert.notEqual((await lastRun(app, "r")).worker, worker);
});

test("a thread that boots while a mapping changes gets the last version", async (t) => {
  const threads = busyThreads();
  const app = await startTestApp(t, { threadEntry: busyFlowThread });
  await put(app, "1");
  t.after(() => threads.end());
  threads.begin(Busy.adopting);
  const deployed = app.put("f", lookingUp("r", "codes"));
  await eventually(() => threads.count > 0, "the thread has been given flow and mapping");
  await put(app, "2");
  threads.end();
  await accepted(await deployed);
  assert.equal(await textOf(app, "r"), "2");
  assert.deepEqual(
    (await lastRun(app, "r")).mappings.map(({ revision }) => revision),
    [2],
  );
});

test("all threads of all flows that use a mapping have the acknowledged version", async (t) => {
  const app = await startTestApp(t);
  await put(app, "0");
  await app.put("f", lookingUp("r", "codes"), { limits: { threads: 2 } });
  await app.put("g", lookingUp("s", "codes"));
  for (let n = 1; n <= 5; n++) {
    await put(app, String(n));
    const answers = await Promise.all(["r", "r", "s", "r", "s", "r"].map((route) => textOf(app, route)));
    assert.deepEqual(new Set(answers), new Set([String(n)]));
  }
});

test("a flow with a missing mapping is deployed with a warning, its runs fail, and they succeed once the mapping exists", async (t) => {
  const app = await startTestApp(t);
  const flow = lookingUp("r", "codes");
  const validated = await app.api("/flows/f/validate", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ yaml: flow }),
  });
  const { valid, diagnostics } = (await validated.json()) as { valid: boolean; diagnostics: Warning[] };
  assert.ok(valid);
  const { warnings } = (await (await app.put("f", flow)).json()) as { warnings: Warning[] };
  for (const [warning, ...others] of [diagnostics, warnings]) {
    assert.deepEqual(others, []);
    assert.equal(warning?.code, "missing_mapping");
    assert.equal(warning.line, flow.split("\n").findIndex((line) => line.includes("valueMapping")) + 1);
    assert.match(warning.message, /there is no value mapping 'codes'/);
  }
  assert.equal((await app.post("/api/r")).status, 500);
  const { error } = await lastRun(app, "r");
  assert.equal(error?.type, "ValueMappingNotFoundException");
  await put(app, "1");
  assert.equal(await textOf(app, "r"), "1");
  await refused(await app.api("/value-mappings/codes", { method: "DELETE" }), 409, "mapping_in_use");
});

interface Warning {
  readonly code: string;
  readonly message: string;
  readonly line: number;
}

test("a warning names a flow whose thread is too busy to take a version in time, and its next run has the version", async (t) => {
  const threads = busyThreads();
  const limits = { mappingUpdateMs: 20, standbyThreads: 0 };
  const app = await startTestApp(t, { limits, threadEntry: busyFlowThread });
  await put(app, "1");
  await app.put("f", lookingUp("r", "codes"));
  t.after(() => threads.end());
  threads.begin(Busy.always);
  await eventually(() => threads.count > 0, "the thread is busy");
  const { warnings } = await accepted(await putMapping(app, "value", "codes", { a: "2" }));
  assert.deepEqual(
    warnings.map(({ code }) => code),
    ["flows_busy"],
  );
  assert.match(warnings[0]?.message ?? "", /next run: f$/);
  threads.end();
  assert.equal(await textOf(app, "r"), "2");
});
