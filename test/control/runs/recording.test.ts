/** What runs keep of their steps: `record: all`, how much of it, and in what form it is told. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { RunDetail } from "../../../src/control/runs/run-document.ts";
import { startTestApp, type TestApp } from "../../support/start-app.ts";

interface Deployed {
  readonly app: TestApp;
  /** Calls the webhook and answers its run. */
  call(body: string, headers?: Readonly<Record<string, string>>): Promise<RunDetail>;
}

const text = { "Content-Type": "text/plain" };

async function runOf(app: TestApp, answer: Response): Promise<RunDetail> {
  await answer.arrayBuffer();
  return (await (await app.api(`/runs/${answer.headers.get("x-run-id")}`)).json()) as RunDetail;
}

async function deploy(
  app: TestApp,
  steps: string,
  limits: Readonly<Record<string, unknown>> = { record: "all" },
): Promise<Deployed> {
  const yaml = `- route:\n    id: in\n    from:\n      uri: webhook\n      steps:\n${steps.replaceAll(/^/gm, "        ")}\n`;
  const put = await app.put("f", yaml, { limits });
  assert.equal(put.ok, true, await put.text());
  return { app, call: async (body, headers = text) => runOf(app, await app.post("/api/in", body, headers)) };
}

test("record: all keeps each step's message before and after it, and the failures that the flow has caught", async (t) => {
  const { call } = await deploy(
    await startTestApp(t),
    `- setHeader: { name: kind, constant: a }
- doTry:
    id: try
    steps:
      - setBody: { id: body, simple: "\${body}-1" }
      - throwException: { id: throw, exceptionType: java.io.IOException, message: gone }
    doCatch:
      - { exception: [java.io.IOException], steps: [{ setBody: { id: caught, simple: "\${body}-2" } }] }`,
  );
  const { stepRuns, status } = await call("x");
  assert.equal(status, "completed");
  const byId = new Map(stepRuns.map((step) => [step.id, step]));
  const [body, thrown, caught, around] = ["body", "throw", "caught", "try"].map((id) => byId.get(id));
  assert.deepEqual([body?.in?.body, body?.out?.body, body?.status], ["x", "x-1", "completed"]);
  assert.equal(body?.in?.headers["kind"], "a");
  assert.equal(body?.in?.bodyType, "String");
  assert.deepEqual(thrown?.error, { type: "java.io.IOException", message: "gone" });
  assert.deepEqual([thrown?.status, thrown?.in?.body, thrown?.out], ["failed", "x-1", undefined]);
  assert.deepEqual([caught?.in?.body, caught?.out?.body], ["x-1", "x-1-2"]);
  assert.deepEqual([around?.in?.body, around?.out?.body, around?.error], ["x", "x-1-2", undefined]);
  assert.ok(stepRuns.every(({ mocked }) => !mocked));
});

test("the message is kept as the step received it, although the step has changed its headers", async (t) => {
  const { call } = await deploy(await startTestApp(t), `- setHeader: { id: set, name: kind, constant: new }`);
  const { stepRuns } = await call("x", { ...text, kind: "old" });
  assert.equal(stepRuns[0]?.in?.headers["kind"], "old");
  assert.equal(stepRuns[0]?.out?.headers["kind"], "new");
});

test("the branches of a fan-out that is given up in time belong to the run's record", async (t) => {
  const { call } = await deploy(
    await startTestApp(t),
    `- multicast:
    parallelProcessing: true
    timeout: "60000"
    steps:
      - setBody: { id: left, simple: "\${body}l" }
      - setBody: { id: right, simple: "\${body}r" }`,
  );
  const { stepRuns } = await call("x");
  const outs = stepRuns.filter(({ id }) => id === "left" || id === "right").map(({ out }) => out?.body);
  assert.deepEqual(outs.sort(), ["xl", "xr"]);
});

test("secrets are hidden, long bodies are cut", async (t) => {
  const { call } = await deploy(await startTestApp(t), `- setHeader: { name: x-api-key, constant: geheim }\n- log: a`);
  const { stepRuns } = await call(`{"password": "hunter2", "pad": "${"p".repeat(10_000)}"}`);
  const [, log] = stepRuns;
  assert.equal(log?.in?.headers["x-api-key"], "***");
  assert.ok(!JSON.stringify(stepRuns).includes("hunter2"));
  assert.ok((log?.in?.body.length ?? 0) <= 4096);
  assert.match(log?.in?.body ?? "", /\.\.\.$/);
});

test("a step that leaves a large body as it was says so, wherever the records of it are cut", async (t) => {
  const { call } = await deploy(
    await startTestApp(t),
    `- setHeader: { id: head, name: h, constant: "${"h".repeat(500)}" }\n- setBody: { id: body, simple: "\${body}." }`,
  );
  const { stepRuns } = await call("p".repeat(4_000_000));
  const [head, body] = stepRuns;
  assert.deepEqual([head?.sameBody ?? head?.in?.body === head?.out?.body, body?.sameBody], [true, undefined]);
});

test("what is over runRecordBytes is left out, and the steps say so", async (t) => {
  const app = await startTestApp(t, { limits: { runRecordBytes: 6000 } });
  const { call } = await deploy(
    app,
    `- setBody: { id: a, simple: "1\${body}" }\n- setBody: { id: b, simple: "2\${body}" }`,
  );
  const { stepRuns } = await call("x".repeat(2500));
  assert.equal(stepRuns[0]?.omitted, true);
  assert.equal(stepRuns[1]?.omitted, true);
  assert.equal(stepRuns[1]?.out, undefined);
});

test("long failures count as well: a run of many is recorded as far as there is room, and its thread lives", async (t) => {
  const { call } = await deploy(
    await startTestApp(t, { limits: { runRecordBytes: 50_000 } }),
    `- setProperty: { name: long, simple: "\${body}" }
- setBody: { constant: "" }
- loop:
    constant: "400"
    steps:
      - doTry:
          steps: [{ throwException: { id: throw, exceptionType: a.B, message: "\${exchangeProperty.long}" } }]
          doCatch: [{ exception: [java.lang.Exception], steps: [{ setHeader: { name: a, constant: b } }] }]`,
  );
  const { stepRuns, status } = await call("x".repeat(15_000));
  assert.equal(status, "completed");
  const lengths = stepRuns.filter(({ id }) => id === "throw").map(({ error }) => error?.message.length);
  assert.equal(lengths[0], 15_000);
  assert.equal(lengths.at(-1), 100);
});

test("of a run of many steps the first thousand are kept, each with its own messages", async (t) => {
  const { call } = await deploy(
    await startTestApp(t, { limits: { runRecordBytes: 4_000_000 } }),
    `- loop:
    constant: "1500"
    steps:
      - split:
          tokenize: ","
          steps: [{ setBody: { id: set, simple: "\${exchangeProperty.CamelLoopIndex}-\${body}" } }]`,
  );
  const { stepRuns, status } = await call("a,b");
  assert.equal(status, "completed");
  assert.equal(stepRuns.length, 1000);
  const outs = stepRuns.filter(({ id }) => id === "set").map(({ out }) => out?.body);
  assert.equal(new Set(outs).size, outs.length);
  assert.ok(outs.includes("0-a") && outs.includes("0-b") && outs.includes("1-a"));
});

test("record: errors keeps one message of a failed run, off none; another word is refused", async (t) => {
  const app = await startTestApp(t);
  const steps = "- log: a\n- throwException: { exceptionType: a.B, message: m }";
  const errors = await (await deploy(app, steps, {})).call("x");
  assert.deepEqual(
    errors.stepRuns.map((step) => step.in?.body),
    [undefined, "x"],
  );
  assert.ok(errors.stepRuns.every((step) => step.out === undefined));
  const off = await (await deploy(app, steps, { record: "off" })).call("x");
  assert.deepEqual(
    off.stepRuns.map((step) => step.in),
    [undefined],
  );
  const answer = await app.put("f", "- route: { from: { uri: webhook, steps: [] } }", { limits: { record: "some" } });
  assert.equal(answer.status, 422);
  assert.match(await answer.text(), /'off', 'errors' or 'all'/);
});

test("what was kept of a run does not stay in its thread, although a message of it waits in a group", async (t) => {
  const headers = Array.from({ length: 12 }, (_, i) => `- setHeader: { name: h${i}, constant: "1" }`);
  const group = `- aggregate: { correlationExpression: { header: key }, completionSize: 2, aggregationStrategy: "#class:org.apache.camel.processor.aggregate.UseLatestAggregationStrategy", steps: [{ log: "both" }] }`;
  // The records of these runs are 120 MB.
  const app = await startTestApp(t, { limits: { workerMemoryBytes: 96 * 2 ** 20 } });
  await deploy(app, [...headers, group].join("\n"));
  const body = "x".repeat(60_000);
  for (let key = 0; key < 150; key += 1) {
    assert.equal((await app.post("/api/in", body, { ...text, key: String(key) })).status, 200);
  }
});
