/** What is kept of the calls of mocks: how they ended, without secrets, within bounds. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { secretMask } from "../../../src/shared/secret-mask.ts";
import { exceptionType } from "../../../src/workers/engine/exception.ts";
import { withModules } from "../../../src/workers/engine/late-module.ts";
import { aSession } from "../../support/mock-session.ts";
import { beginRoute, routeOf, runSteps } from "../../support/run-route.ts";

const step = "- setBody: { id: set, constant: after }";

test("a call that waits ends with its run, and is recorded", async () => {
  const session = aSession([{ stepId: "set", respond: { body: "late", delayMs: 3_600_000 } }]);
  const { run, outcome } = await withModules(() => beginRoute(routeOf(step), { body: "before", sessions: [session] }));
  run.cancel("nobody wants it");
  const { error, calls, exchange } = await outcome;
  assert.equal(exceptionType(error), "RunCancelledException");
  assert.deepEqual(
    calls.map(({ action, response, error: failure }) => [action, response, failure?.message]),
    [["respond", null, "the run was cancelled: nobody wants it"]],
  );
  assert.equal(exchange.message.body, "before");
});

test("an answer and a failure come after their delay", async () => {
  const sequence = [{ respond: { body: "late", delayMs: 20 } }, { throw: { message: "later", delayMs: 20 } }];
  const sessions = [aSession([{ stepId: "set", sequence }])];
  for (const ends of [
    ["late", undefined],
    [undefined, "later"],
  ]) {
    const { synchronous, outcome } = beginRoute(routeOf(step), { sessions });
    const { calls } = await outcome;
    assert.equal(synchronous, false);
    assert.deepEqual([calls[0]?.response?.body, calls[0]?.error?.message], ends);
  }
});

test("a part that is given up has its call recorded before the run goes on", async () => {
  const steps = `
- circuitBreaker:
    resilience4jConfiguration: { timeoutEnabled: true, timeoutDuration: 20 }
    steps: [{ to: { id: call, uri: "mock:x" } }]
    onFallback: { steps: [{ setBody: { constant: fallback } }] }`;
  const sessions = [aSession([{ uri: "mock:x", respond: { body: "late", delayMs: 3_600_000 } }])];
  const { calls, exchange } = await runSteps(steps, { sessions });
  assert.equal(exchange.message.body, "fallback");
  assert.deepEqual(
    calls.map(({ stepId, error }) => [stepId, error?.type]),
    [["call", "RunCancelledException"]],
  );
});

test("the branches of a split, one after another and beside each other, are each a call", async () => {
  for (const parallelProcessing of [false, true]) {
    const steps = `- split: { simple: "\${body}", delimiter: ",", parallelProcessing: ${parallelProcessing}, steps: [{ to: { id: call, uri: "mock:x" } }] }`;
    const session = aSession([{ uri: "mock:x", respond: { body: 1, delayMs: 1 }, times: 3 }]);
    const { calls } = await runSteps(steps, { body: "a,b,c,d,e", sessions: [session] });
    assert.deepEqual(calls.map(({ request }) => request.body).toSorted(), ["a", "b", "c"]);
    assert.deepEqual([session.uses(), session.calls()], [[3], [3]]);
  }
});

test("only so many calls are recorded; all are counted", async () => {
  const session = aSession([{ stepId: "set", spy: true }], { mostRecorded: 2 });
  const steps = `- loop: { constant: 5, steps: [{ setBody: { id: set, constant: x } }] }`;
  const { calls } = await runSteps(steps, { sessions: [session] });
  assert.deepEqual([calls.map(({ seq }) => seq), session.calls()], [[1, 2], [5]]);
});

test("neither secrets nor what looks like one", async () => {
  const mask = secretMask(["hush-hush-1"]);
  const { calls } = await runSteps(step, {
    body: { password: "p", note: "it is hush-hush-1", ok: 1 },
    ...{ headers: { Authorization: "Bearer abcdef", plain: "x" }, properties: { key: ["hush-hush-1"] }, mask },
    sessions: [aSession([{ stepId: "set", throw: { message: "hush-hush-1 is wrong, token=abcd" } }])],
  });
  const [{ request, error } = assert.fail()] = calls;
  assert.deepEqual(request.body, { password: "***", note: "it is ***", ok: 1 });
  assert.deepEqual(request.headers, { Authorization: "***", plain: "x" });
  assert.deepEqual([request.properties, request.redacted], [{ key: ["***"] }, true]);
  assert.equal(error?.message, "*** is wrong, token=***");
});

test("a long body is cut, and says so", async () => {
  const { calls } = await runSteps(step, {
    ...{ body: "x".repeat(100_000), limits: { recordedBytes: 1000 } },
    sessions: [aSession([{ stepId: "set", spy: true }])],
  });
  assert.deepEqual([calls[0]?.request.body, calls[0]?.request.cut], ["x".repeat(1000), true]);
  assert.deepEqual([calls[0]?.response?.body, calls[0]?.response?.cut], ["after", undefined]);
});

test("a status that is none is not told as one", async () => {
  const answer = { respond: { headers: { CamelHttpResponseCode: 2.5 } } };
  const { calls } = await runSteps(step, { sessions: [aSession([{ stepId: "set", ...answer }])] });
  assert.equal(calls[0]?.response?.status, undefined);
});
