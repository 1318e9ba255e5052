/** What a run's document says of failures that did not end the run: its own steps' and those of the runs that it caused. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { FlowDetail } from "../../src/control/flows/flow-service.ts";
import type { RunDetail, RunDocument } from "../../src/control/runs/run-document.ts";
import { eventually } from "../support/clock.ts";
import { direct, webhook } from "../support/flows.ts";
import { startHttpServer } from "../support/http-server.ts";
import { startTestApp, type TestApp } from "../support/start-app.ts";

/** Of those that the route's webhook began. */
async function lastRun(app: TestApp, routeId: string): Promise<RunDetail> {
  const listed = (await (await app.api(`/runs?routeId=${routeId}`)).json()) as RunDocument[];
  const last = listed.find(({ trigger }) => trigger.kind === "webhook");
  return (await (await app.api(`/runs/${last?.id}`)).json()) as RunDetail;
}

const deadLetters = `- errorHandler: { deadLetterChannel: { deadLetterUri: "log:dead", redeliveryPolicy: { maximumRedeliveries: 1, redeliveryDelay: 0 } } }\n`;
const fail = (id: string): string =>
  `throwException: { id: ${id}, exceptionType: java.net.ConnectException, message: refused }`;
const plain = { "Content-Type": "text/plain" };

test("a failure that was handled is in the run's document, whatever is recorded", async (t) => {
  const server = await startHttpServer(t, (_, response) => {
    response.statusCode = 500;
    response.end("no");
  });
  const app = await startTestApp(t, { egressAllow: server.host });
  for (const record of ["off", "errors", "all"]) {
    const post = `filter: { id: around, simple: "1 == 1", steps: [{ to: { id: post, uri: "${server.url}/x" } }] }`;
    await app.put(record, deadLetters + webhook(record, `setBody: { constant: ours }`, post), { limits: { record } });
    await app.post(`/api/${record}`, "theirs", plain);
    const run = await lastRun(app, record);
    assert.deepEqual([run.status, run.outcome, run.error], ["completed", "ok", null]);
    // Two attempts of the call; the filter around them is no failure, since the handler is around the call.
    assert.deepEqual(run.steps, { executed: 4, failed: 2, failedStepId: null });
    const [handled, ...more] = run.handled;
    assert.equal(more.length, 0);
    assert.equal(handled?.stepId, "post");
    assert.equal(handled?.type, "org.apache.camel.http.base.HttpOperationFailedException");
    assert.equal(handled?.by, "deadLetterChannel at line 1");
    const seen = run.stepRuns.map(({ id, status, in: received }) => [id, status, received?.body]);
    const received = record === "all" ? "ours" : undefined;
    const expected = [
      ["setBody1", "completed", record === "all" ? "theirs" : undefined],
      ["around", "completed", received],
      ["post", "failed", received],
      ["post", "failed", "ours"],
    ];
    // Without times of steps there is the last one that failed.
    assert.deepEqual(seen, record === "off" ? [["post", "failed", undefined]] : expected);
  }
});

test("what a server answered to a call that failed is kept with the failure, redacted and cut", async (t) => {
  const server = await startHttpServer(t, (_, response) => {
    response.writeHead(503, { "X-Reason": "tired", "Set-Cookie": ["sid=1234567890abcdef"] });
    response.end(`{"password": "hunter2hunter2", "text": "${"é".repeat(5000)}"}`);
  });
  const app = await startTestApp(t, { egressAllow: server.host });
  for (const record of ["off", "errors"]) {
    const post = `to: { id: post, uri: "${server.url}/x" }`;
    const split = `split: { id: parts, simple: "\${body}", stopOnException: true, steps: [{ to: "${server.url}/x" }] }`;
    const flow = webhook(`fails-${record}`, post) + webhook(`within-${record}`, split);
    await app.put(`plain-${record}`, flow, { limits: { record } });
    await app.put(`dead-${record}`, deadLetters + webhook(`dead-${record}`, post), { limits: { record } });
    for (const path of ["fails", "within", "dead"]) {
      await app.post(`/api/${path}-${record}`, "a", plain);
      const run = await lastRun(app, `${path}-${record}`);
      const failure = path === "dead" ? run.handled[0] : run.error;
      if (record === "off") assert.equal(failure?.detail, undefined, path);
      else {
        const { status, headers, body } = failure?.detail ?? {};
        assert.equal(status, 503, path);
        assert.equal(headers?.["X-Reason"], "tired");
        assert.equal(headers?.["Set-Cookie"], "***");
        assert.match(body ?? "", /^\{"password": ?"\*\*\*", "text": "é+\.\.\.$/);
        assert.ok(Buffer.byteLength(body ?? "") > 4000 && Buffer.byteLength(body ?? "") <= 4096);
      }
    }
  }
});

test("steps around a step that failed have failed with it, those before it have not", async (t) => {
  const app = await startTestApp(t);
  const tried = `doTry: { id: tried, steps: [{ pipeline: { id: inner, steps: [{ log: before }, { ${fail("thrown")} }] } }], doCatch: [{ exception: [java.io.IOException], steps: [{ log: after }] }] }`;
  await app.put("f", webhook("r", tried));
  await app.post("/api/r", "x", plain);
  const run = await lastRun(app, "r");
  assert.equal(run.status, "completed");
  assert.equal(run.steps.failed, 2);
  assert.deepEqual(
    run.stepRuns.map(({ id, status }) => [id, status]),
    [
      ["tried", "completed"],
      ["inner", "failed"],
      ["log1", "completed"],
      ["thrown", "failed"],
      ["log2", "completed"],
    ],
  );
});

test("a run counts the runs that it has caused: those that failed, and those under way", async (t) => {
  const app = await startTestApp(t);
  const aggregate = `aggregate: { correlationExpression: { constant: a }, completionSize: 2, parallelProcessing: true, aggregationStrategy: "#class:org.apache.camel.processor.aggregate.GroupedBodyAggregationStrategy", steps: [{ ${fail("batch")} }] }`;
  const split = `split: { simple: "\${body}", delimiter: ",", steps: [{ ${aggregate} }] }`;
  await app.put(
    "f",
    webhook("batches", split) +
      webhook("tap", "wireTap: direct:slow") +
      direct("slow", "slow", "delay: { constant: 3600000 }"),
  );
  await app.put("other", `- route: { id: other, from: { uri: "direct:other", steps: [{ ${fail("theirs")} }] } }\n`);
  await app.put("caller", webhook("caller", "to: direct:other"));

  await app.post("/api/batches", "1,2,3,4,5,6", plain);
  const batches = await eventually(async () => {
    const run = await lastRun(app, "batches");
    return run.children.running === 0 && run.children.started === 3 ? run : undefined;
  }, "the batches are over");
  assert.deepEqual([batches.status, batches.outcome], ["completed", "ok"]);
  assert.deepEqual(batches.children, { started: 3, failed: 3, running: 0 });

  await app.post("/api/tap", "x", plain);
  await eventually(async () => (await lastRun(app, "tap")).children.running === 1, "the tap is under way");
  assert.deepEqual((await lastRun(app, "tap")).children, { started: 1, failed: 0, running: 1 });

  await app.post("/api/caller", "x", plain);
  const caller = await lastRun(app, "caller");
  assert.equal(caller.status, "failed");
  assert.deepEqual(caller.children, { started: 1, failed: 1, running: 0 });
  const usage = async (id: string) => ((await (await app.api(`/flows/${id}`)).json()) as FlowDetail).usage.routes;
  // The runs of groups are of the route whose step made them.
  assert.equal((await usage("f"))["batches"]?.childFailures, 3);
  assert.equal((await usage("caller"))["caller"]?.childFailures, 1);
  const metrics = await (await app.api("/metrics")).text();
  assert.ok(metrics.includes('bulkhead_route_child_failures_total{flow="f",route="batches"} 3'));
});
