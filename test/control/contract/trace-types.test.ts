/** Every type of trace event that the stream's filter takes is sent for something that callers, flows or operators do. */
import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { streamWords } from "../../../src/control/streams/stream-filter.ts";
import type { LimitName } from "../../../src/shared/limits.ts";
import type { TraceEvent } from "../../../src/shared/trace-event.ts";
import { answering, webhook } from "../../support/flows.ts";
import { startTestApp, type TestApp } from "../../support/start-app.ts";
import { openSession } from "../../support/test-sessions.ts";
import { upTo, watch } from "../../support/watch-stream.ts";

const hostile = new URL("../../support/hostile-worker.ts", import.meta.url);
const retried =
  '- onException: { exception: [java.lang.Exception], handled: { constant: "true" }, redeliveryPolicy: { maximumRedeliveries: 1, redeliveryDelay: 1 }, steps: [{ log: x }] }\n';
const failing = "throwException: { exceptionType: java.io.IOException, message: broken }";
const choosing = 'choice: { when: [{ constant: "true", steps: [{ log: { id: inner, message: x } }] }] }';

interface Cause {
  readonly limits?: Partial<Record<LimitName, number>>;
  readonly yaml?: string;
  /** Its threads do what the bodies of its requests say. */
  readonly hostile?: true;
  /** What makes the event; the flow is there, and the stream is watched. */
  readonly act: (app: TestApp) => unknown;
}

const call = (app: TestApp): unknown => app.post("/api/r");
const plain: Cause = { act: call };
const broken: Cause = { yaml: webhook("r", failing), act: call };
const handled: Cause = { yaml: retried + webhook("r", failing), act: call };
const stuck: Cause = {
  hostile: true,
  limits: { stuckLoopMs: 300 },
  act: (app) => [app.post("/api/r", "wait"), app.post("/api/r", "stuck")],
};

const causes: Readonly<Record<string, Cause>> = {
  "run.started": plain,
  "run.completed": plain,
  "step.started": plain,
  "step.completed": plain,
  "run.failed": broken,
  "step.failed": broken,
  "branch.taken": { yaml: webhook("r", choosing), act: call },
  "retry.scheduled": handled,
  "failure.handled": handled,
  "step.mocked": {
    yaml: webhook("r", "log: { id: inner, message: x }"),
    async act(app) {
      await openSession(app, { flowId: "f", mocks: { inner: { respond: 1 } } });
      call(app);
    },
  },
  "run.killed": stuck,
  "run.restarted": stuck,
  "run.shed": {
    yaml: webhook("r", "delay: { constant: 60000 }"),
    limits: { queue: 1, runsPerThread: 1 },
    act: (app) => [1, 2, 3].map(() => call(app)),
  },
  "deploy.completed": { act: (app) => app.put("f", answering("r", "another")) },
  "deploy.failed": { act: (app) => app.put("f", "- nonsense") },
  "flow.quarantined": { hostile: true, limits: { quarantineKills: 1 }, act: (app) => app.post("/api/r", "exit") },
};

test("each type has a cause, and no cause is for another type", () => {
  assert.deepEqual(Object.keys(causes).sort(), [...streamWords.type].sort());
});

for (const [type, cause] of Object.entries(causes)) {
  test(`${type} is sent`, async (t: TestContext) => {
    const { limits = {}, yaml = answering("r", "x"), act } = cause;
    const app = await startTestApp(t, { limits, ...(cause.hostile && { threadEntry: hostile }) });
    assert.equal((await app.put("f", yaml)).status, 201);
    const reader = await watch(t, app, `/trace/stream?type=${type}&flowId=f`);
    // Whoever waits for an answer may get none.
    for (const pending of [await act(app)].flat()) void Promise.resolve(pending).catch(() => undefined);
    const [event] = await upTo<TraceEvent>(reader, "trace", () => true);
    assert.deepEqual([event?.type, event?.flowId], [type, "f"]);
  });
}
