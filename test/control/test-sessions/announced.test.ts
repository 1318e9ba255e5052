/** Runs that a session's run begins in its thread, beside taps and queues, are in the session; those of time are no run's. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { eventually } from "../../support/clock.ts";
import { webhook } from "../../support/flows.ts";
import { startTestApp } from "../../support/start-app.ts";
import { closeSession, joinHeaders, lookAt, openSession } from "../../support/test-sessions.ts";

test("what follows the answer, and a group that is complete, meet the session's mocks", async (t) => {
  const app = await startTestApp(t);
  const completion =
    '- onCompletion: { steps: [{ to: { id: after, uri: "http:127.0.0.1:1/after" } }, { to: "log:after" }] }\n';
  const group = (id: string, more = ""): string =>
    `aggregate: { correlationExpression: { constant: all }, completionSize: 2, ${more}aggregationStrategy: '#class:org.apache.camel.processor.aggregate.UseLatestAggregationStrategy', steps: [{ to: { id: ${id}, uri: "http:127.0.0.1:1/group" } }] }`;
  const flow = completion + webhook("in", group("group"), group("parallel", "parallelProcessing: true, "));
  assert.equal((await app.put("f", flow)).status, 201);
  const mocks = [{ uri: "http:127.0.0.1:1/*", respond: { body: "mocked", delayMs: 10 } }];
  const session = await openSession(app, { flowId: "f", scope: "session", mocks });
  for (const body of ["a", "b"]) assert.equal((await app.post("/api/in", body, joinHeaders(session))).status, 200);
  await eventually(async () => {
    const { callCounts } = await lookAt(app, session);
    return callCounts["http:127.0.0.1:1/*"] === 4;
  }, "two completions and two groups are mocked");
  const { recordedCalls, pending } = await closeSession(app, session, "?waitMs=30000");
  assert.deepEqual(recordedCalls.map(({ stepId, request }) => `${stepId} ${request.body}`).toSorted(), [
    "after a",
    "after b",
    "group b",
    "parallel b",
  ]);
  assert.deepEqual(pending, []);
});
