/** What the channel around each step does: counting, timing, tracing, the place of a failure. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Interest } from "../../../src/shared/protocol.ts";
import { channel } from "../../../src/workers/engine/channel.ts";
import { pipeline } from "../../../src/workers/engine/processor.ts";
import { anExchange } from "../../support/exchange.ts";
import { beginRoute, routeOf, runSteps } from "../../support/run-route.ts";

test("a route of synchronous steps never makes a promise", () => {
  const begun = beginRoute(
    routeOf(`- setBody: { constant: x }
- filter: { simple: "\${body} == 'x'", steps: [{ setHeader: { name: a, constant: "1" } }, { log: "\${body}" }] }
- choice: { when: [{ simple: "\${header.a} == 1", steps: [{ to: "log:x" }, { pipeline: { steps: [{ to: "mock:m" }] } }] }] }
- step: { steps: [{ removeHeaders: "*" }] }`),
    { interest: Interest.trace | Interest.preview },
  );
  assert.equal(begun.synchronous, true);
  assert.equal(begun.run.executed, 10);
});

test("steps are timed and counted, inner ones too", async () => {
  const { timed, run } = await runSteps('- filter: { simple: "1 == 1", steps: [{ log: a }] }\n- log: b');
  assert.deepEqual(timed, ["log1", "filter1", "log2"]);
  assert.equal(run.executed, 3);
  assert.ok(run.timings.every((number) => number >= 0));
});

test("a flow that records nothing keeps neither times nor previews, but the place", async () => {
  const { timed, run, failedStep } = await runSteps("- log: a\n- throwException: { exceptionType: a.B }", {
    recordSteps: false,
  });
  assert.deepEqual(timed, []);
  assert.equal(run.failedPreview, undefined);
  assert.equal(failedStep, "throwException1");
});

test("the failure's place is the innermost step and its preview the message as that step received it", async () => {
  const { failedStep, run, timed } = await runSteps(
    `- setBody: { constant: "kept" }
- filter:
    simple: "1 == 1"
    steps:
      - setHeader: { name: Authorization, constant: "Bearer abc" }
      - throwException: { exceptionType: a.B, message: m }`,
    { body: "first" },
  );
  assert.equal(failedStep, "throwException1");
  assert.deepEqual(run.failedPreview, { headers: { Authorization: "***" }, body: "kept", bodyType: "String" });
  assert.deepEqual(timed, ["setBody1", "setHeader1", "throwException1", "filter1"]);
});

test("a step after a wait fails with its own place", async () => {
  const { failedStep } = await runSteps(
    '- pipeline: { steps: [{ delay: { constant: "1" } }, { throwException: { exceptionType: a.B } }] }',
  );
  assert.equal(failedStep, "throwException1");
});

test("a cancelled run stops before its next step", () => {
  const exchange = anExchange();
  const ran: number[] = [];
  const step = (index: number) =>
    channel(
      ({ run }) => {
        ran.push(index);
        run.cancel("client gone");
      },
      { index, id: `s${index}`, line: 1 },
    );
  assert.throws(() => pipeline([step(0), step(1)])(exchange), /cancelled: client gone/);
  assert.deepEqual(ran, [0]);
  assert.equal(exchange.run.failedStep, 1);
});

test("more steps than the limit fail the run", async () => {
  const { error, logs } = await runSteps("- log: a\n- log: b\n- log: c", { limits: { stepsPerRun: 2 } });
  assert.match(String(error), /at most 2 steps/);
  assert.equal(logs.length, 2);
});

test("watchers see steps begin and end, and messages only when they ask", async () => {
  const steps = '- setBody: { constant: new }\n- delay: { constant: "1" }';
  const plain = await runSteps(steps, { body: "old", interest: Interest.trace });
  assert.deepEqual(
    plain.traces.map(({ type, stepId, extra }) => [type, stepId, extra]),
    [
      ["step.started", "setBody1", {}],
      ["step.completed", "setBody1", {}],
      ["step.started", "delay1", {}],
      ["step.completed", "delay1", {}],
    ],
  );
  const shown = await runSteps(steps, { body: "old", interest: Interest.trace | Interest.preview });
  const preview = (body: string) => ({ headers: {}, body, bodyType: "String" });
  assert.deepEqual(shown.traces[0]?.extra, { in: preview("old") });
  assert.deepEqual(shown.traces[1]?.extra, { out: preview("new") });
  assert.deepEqual((await runSteps(steps)).traces, []);
});

test("a failed step's event has the error, with its line, and what the step received", async () => {
  const { traces } = await runSteps('- throwException: { exceptionType: a.B, message: "token=abc" }', {
    body: "x",
    interest: Interest.trace | Interest.preview,
  });
  const [, failed] = traces;
  assert.equal(failed?.type, "step.failed");
  assert.deepEqual(failed?.extra.error, { type: "a.B", message: "token=***", stepId: "throwException1", line: 6 });
  assert.deepEqual(failed?.extra.in, { headers: {}, body: "x", bodyType: "String" });
});

test("an event's previews stay within one event, escapes included", async () => {
  const body = '"\u0001'.repeat(20_000);
  for (const bits of [Interest.preview, Interest.full]) {
    const { traces, run } = await runSteps("- log: m", { body, interest: Interest.trace | bits });
    for (const { extra } of traces) assert.ok(JSON.stringify(extra).length <= run.limits.eventBytes);
    assert.ok(traces.some(({ extra }) => extra.in !== undefined));
  }
  const { traces } = await runSteps("- log: m", { body: "b".repeat(10_000), interest: Interest.trace | Interest.full });
  assert.deepEqual(traces[0]?.extra.in, { headers: {}, body: "b".repeat(10_000), bodyType: "String" });
});
