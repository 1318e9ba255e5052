/** The event streams of a whole runtime, fed by real flows. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { NumberedLogEvent } from "../../src/control/streams/log-hub.ts";
import type { TraceEvent } from "../../src/shared/trace-event.ts";
import { answering, webhook } from "../support/flows.ts";
import { startTestApp, type TestApp } from "../support/start-app.ts";
import { upTo, watch } from "../support/watch-stream.ts";

const sorting = webhook(
  "sort",
  `choice: { id: by-size, when: [{ simple: "\${body} == 'big'", steps: [{ log: { id: say, message: "a big one" } }] }], otherwise: { steps: [{ log: { id: other, message: "another" } }] } }`,
  'setBody: { id: done, constant: "sorted" }',
);
const failing = webhook(
  "fails",
  "setHeader: { id: before, name: h, constant: 1 }",
  "throwException: { id: breaks, exceptionType: java.lang.IllegalStateException, message: 'the inside' }",
);

async function runIdOf(call: Promise<Response>): Promise<string> {
  const answer = await call;
  await answer.arrayBuffer();
  return answer.headers.get("x-run-id") ?? "";
}

async function runOf(app: TestApp, runId: string): Promise<{ traceId: string; worker: number; hash: string }> {
  return (await (await app.api(`/runs/${runId}`)).json()) as { traceId: string; worker: number; hash: string };
}

test("a log step's line arrives on the log stream with all that identifies it", async (t) => {
  const app = await startTestApp(t);
  const reader = await watch(t, app, "/logs/stream");
  await app.put("orders", webhook("order-in", 'log: { id: say, message: "got ${body}", loggingLevel: WARN }'));
  const runId = await runIdOf(app.post("/api/order-in", "a message"));
  const line = (await upTo<NumberedLogEvent>(reader, "log", ({ logger }) => logger === "order-in")).at(-1);
  const { traceId } = await runOf(app, runId);
  assert.ok(line);
  const { ts, seq, ...rest } = line;
  assert.ok(!Number.isNaN(Date.parse(ts)));
  assert.equal(`${seq}`, reader.received.find(({ data }) => (data as NumberedLogEvent).seq === seq)?.id?.split("-")[1]);
  assert.deepEqual(rest, {
    level: "WARN",
    message: "got a message",
    logger: "order-in",
    flowId: "orders",
    routeId: "order-in",
    stepId: "say",
    runId,
    traceId,
  });
});

test("the trace of a failure tells its second tries and what handled it", async (t) => {
  const app = await startTestApp(t);
  const policy = "redeliveryPolicy: { maximumRedeliveries: 2, redeliveryDelay: 1, backOffMultiplier: 1 }";
  const dead = `- errorHandler: { deadLetterChannel: { deadLetterUri: "log:dead", ${policy} } }\n`;
  await app.put("f", dead + failing);
  const reader = await watch(t, app, "/trace/stream?type=retry.scheduled&type=failure.handled&type=run.completed");
  const runId = await runIdOf(app.post("/api/fails"));
  const events = await upTo<TraceEvent>(reader, "trace", ({ type }) => type === "run.completed");
  const error = { type: "java.lang.IllegalStateException", message: "the inside", stepId: "breaks", line: 8 };
  const place = { runId, stepId: "breaks", line: 8, error };
  assert.deepEqual(
    events.slice(0, -1).map(({ type, runId, stepId, line, error, attempt, delayMs, by, durationMs }) => ({
      ...{ type, runId, stepId, line, error, attempt, delayMs, by, durationMs },
    })),
    [
      { type: "retry.scheduled", ...place, attempt: 1, delayMs: 1, by: undefined, durationMs: undefined },
      { type: "retry.scheduled", ...place, attempt: 2, delayMs: 1, by: undefined, durationMs: undefined },
      {
        ...{ type: "failure.handled", ...place, attempt: undefined, delayMs: undefined },
        ...{ by: "deadLetterChannel at line 1", durationMs: undefined },
      },
    ],
  );
});

test("the trace of a retry has figures, whatever a message says of its redelivery", async (t) => {
  const app = await startTestApp(t);
  const dead = `- errorHandler: { deadLetterChannel: { deadLetterUri: "log:dead", redeliveryPolicy: { maximumRedeliveries: 2 } } }\n`;
  const odd = ["CamelRedeliveryCounter: -7.5", "CamelRedeliveryDelay: -5"].map((header) => {
    const [name, value] = header.split(": ");
    return `setHeader: { name: ${name}, simple: { expression: "${value}", resultType: Double } }`;
  });
  const put = await app.put("f", dead + webhook("odd", ...odd, "throwException: { exceptionType: a.B, message: m }"));
  assert.equal(put.status, 201, await put.text());
  const reader = await watch(t, app, "/trace/stream?type=retry.scheduled&type=run.*");
  await runIdOf(app.post("/api/odd"));
  const events = await upTo<TraceEvent>(reader, "trace", ({ type }) => type === "run.completed");
  const retries = events.filter(({ type }) => type === "retry.scheduled");
  assert.ok(retries.length > 0);
  for (const { attempt = -1, delayMs = -1 } of retries) assert.ok(attempt >= 0 && delayMs >= 0);
});

test("the runtime's own lines are on the log stream too", async (t) => {
  const app = await startTestApp(t);
  const reader = await watch(t, app, "/logs/stream?flowId=f");
  await app.put("f", answering("r", "x"));
  const [line] = await upTo<NumberedLogEvent>(reader, "log", () => true);
  assert.deepEqual([line?.logger, line?.level], ["runtime", "INFO"]);
  assert.match(line?.message ?? "", /^revision 1 serves .*: r$/);
});

test("the trace of a run tells its steps in order, each event with every id", async (t) => {
  const app = await startTestApp(t);
  await app.put("sorter", sorting);
  const reader = await watch(t, app, "/trace/stream");
  const runId = await runIdOf(app.post("/api/sort", "big"));
  const events = await upTo<TraceEvent>(reader, "trace", ({ type }) => type === "run.completed");
  assert.deepEqual(
    events.map(({ type, stepId, stepType, line, branch }) => [type, stepId, stepType, line, branch]),
    [
      ["run.started", undefined, undefined, undefined, undefined],
      ["step.started", "by-size", "choice", 6, undefined],
      ["branch.taken", "by-size", "choice", 6, 0],
      ["step.started", "say", "log", 6, undefined],
      ["step.completed", "say", "log", 6, undefined],
      ["step.completed", "by-size", "choice", 6, undefined],
      ["step.started", "done", "setBody", 7, undefined],
      ["step.completed", "done", "setBody", 7, undefined],
      ["run.completed", undefined, undefined, undefined, undefined],
    ],
  );
  const { traceId, worker, hash } = await runOf(app, runId);
  for (const event of events) {
    assert.deepEqual(
      [event.flowId, event.routeId, event.runId, event.traceId],
      ["sorter", "sort", runId, traceId],
      event.type,
    );
    assert.match(event.spanId ?? "", /^[0-9a-f]{16}$/);
    assert.equal(event.spanId, events[0]?.spanId);
    assert.ok(!Number.isNaN(Date.parse(event.ts)));
    if (event.type !== "run.started") assert.equal(event.worker, worker, event.type);
    const timed = /completed$/.test(event.type);
    assert.equal(typeof event.durationMs, timed ? "number" : "undefined", event.type);
  }
  const last = events.at(-1);
  assert.deepEqual([last?.status, last?.outcome, last?.hash, last?.revision], ["completed", "ok", hash, 1]);

  await runIdOf(app.post("/api/sort", "small"));
  const branches = (await upTo<TraceEvent>(reader, "trace", ({ branch }) => branch === -1)).at(-1);
  assert.equal(branches?.stepId, "by-size");
});

test("a failing step is told with its error, and so is its run", async (t) => {
  const app = await startTestApp(t);
  await app.put("f", failing);
  const reader = await watch(t, app, "/trace/stream");
  const runId = await runIdOf(app.post("/api/fails", "x"));
  const events = await upTo<TraceEvent>(reader, "trace", ({ type }) => type === "run.failed");
  assert.deepEqual(
    events.map(({ type, stepId }) => [type, stepId]),
    [
      ["run.started", undefined],
      ["step.started", "before"],
      ["step.completed", "before"],
      ["step.started", "breaks"],
      ["step.failed", "breaks"],
      ["run.failed", undefined],
    ],
  );
  const error = { type: "java.lang.IllegalStateException", message: "the inside", stepId: "breaks", line: 7 };
  assert.deepEqual(events.at(-2)?.error, error);
  assert.deepEqual(events.at(-1)?.error, error);
  assert.deepEqual([events.at(-1)?.runId, events.at(-1)?.status, events.at(-1)?.outcome], [runId, "failed", "error"]);
});

test("deployments that serve and deployments that were refused are told", async (t) => {
  const app = await startTestApp(t);
  const reader = await watch(t, app, "/trace/stream?type=deploy.*");
  const put = (await (await app.put("f", answering("r", "x"))).json()) as { hash: string };
  assert.equal((await app.put("f", webhook("r", "lgo: x"))).status, 422);
  const [completed, failed] = await upTo<TraceEvent>(reader, "trace", ({ type }) => type === "deploy.failed");
  assert.deepEqual(
    [completed?.type, completed?.flowId, completed?.hash, completed?.revision, typeof completed?.durationMs],
    ["deploy.completed", "f", put.hash, 1, "number"],
  );
  assert.equal(failed?.flowId, "f");
  assert.match(failed?.message ?? "", /f\.yaml:6:11.*'lgo'/);
});

test("secrets are in no trace, no log line and no run", async (t) => {
  const app = await startTestApp(t);
  await app.put(
    "f",
    webhook(
      "r",
      'log: "body ${body}, header ${header.Authorization}, ${headers}"',
      'to: "log:audit?showHeaders=true"',
      "setHeader: { name: X-Api-Key, constant: key-4711 }",
      'throwException: { exceptionType: java.lang.IllegalStateException, message: "no: ${body} ${headers}" }',
    ),
  );
  const traces = await watch(t, app, "/trace/stream?body=full");
  const logs = await watch(t, app, "/logs/stream");
  const runId = await runIdOf(
    app.post("/api/r", '{"user": "ann", "password": "hunter2", "nested": {"clientSecret": "s3cr3t"}}', {
      "Content-Type": "application/json",
      Authorization: "Bearer their-own-token",
      Cookie: "session=cookie-1234",
    }),
  );
  await upTo<TraceEvent>(traces, "trace", ({ type }) => type === "run.failed");
  await upTo<NumberedLogEvent>(logs, "log", ({ logger }) => logger === "audit");
  const shown = {
    trace: traces.text,
    log: logs.text,
    output: JSON.stringify(app.logs),
    runs: await (await app.api("/runs?routeId=r")).text(),
    run: await (await app.api(`/runs/${runId}`)).text(),
    flow: await (await app.api("/flows/f")).text(),
    health: await (await app.api("/health")).text(),
  };
  for (const [where, text] of Object.entries(shown)) {
    assert.ok(where === "flow" || where === "runs" || where === "health" || text.includes("ann"), where);
    const secrets = ["hunter2", "s3cr3t", "their-own-token", "cookie-1234"];
    // The YAML itself is shown to whoever holds the deploy token, as it was sent.
    for (const secret of where === "flow" ? secrets : [...secrets, "key-4711"])
      assert.ok(!text.includes(secret), `${where} has ${secret}: ${text}`);
  }
});
