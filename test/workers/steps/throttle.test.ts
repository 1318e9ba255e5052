/** The throttle step (Camel: ThrottlerTest, ConcurrentRequestsThrottlerTest). */
import assert from "node:assert/strict";
import { test } from "node:test";
import { RequestRate } from "../../../src/workers/steps/throttle.ts";
import { repeatRoute } from "../../support/repeat-route.ts";
import { compileYaml, routeOf } from "../../support/run-route.ts";

const hour = 3_600_000;

test("within the period no more than the maximum pass; with rejectExecution the next one fails", async () => {
  const flow = repeatRoute(
    '- throttle: { constant: "2", timePeriodMillis: 1h, rejectExecution: true }\n- log: "${body}"',
  );
  for (const body of ["a", "b"]) assert.equal((await flow.run(body)).error, undefined);
  const { error } = await flow.run("c");
  assert.match(String(error), /Exceeded the max throttle rate of 2 within 3600000ms/);
  assert.equal((error as { type?: string }).type, "org.apache.camel.processor.ThrottlerRejectedExecutionException");
  assert.deepEqual(flow.logs, ["a", "b"]);
});

test("others wait for the period to pass, in their order", async () => {
  const flow = repeatRoute('- throttle: { constant: "1", timePeriodMillis: 30 }\n- log: "${body}"');
  const sent = ["a", "b", "c"].map((body) => flow.send(body));
  assert.equal(sent[0]?.synchronous, true);
  assert.equal(sent[1]?.synchronous, false);
  for (const { error } of sent) assert.equal(await error, undefined);
  assert.deepEqual(flow.logs, ["a", "b", "c"]);
});

test("the window slides, and a passage counts for one period", () => {
  let now = 0;
  const rate = new RequestRate(1000, () => now);
  rate.limit = 2;
  const taken = [0, 400, 999, 1000, 1399, 1400].map((at) => {
    now = at;
    return rate.tryTake();
  });
  assert.deepEqual(taken, [true, true, false, true, false, true]);
  assert.equal(rate.idle, false);
  now = 3000;
  assert.equal(rate.idle, true);
});

test("a cancelled run stops waiting", async () => {
  const flow = repeatRoute('- throttle: { constant: "1", timePeriodMillis: 1h }');
  await flow.run("a");
  const { run, error } = flow.send("b");
  run.cancel("redeploy");
  assert.match(String(await error), /cancelled: redeploy/);
});

test("ConcurrentRequests counts exchanges that are under way, until they have ended", async () => {
  const flow = repeatRoute(
    '- throttle: { constant: "1", mode: ConcurrentRequests, rejectExecution: true }\n- delay: { simple: "${body}" }',
  );
  const slow = flow.send(String(hour));
  assert.match(String((await flow.run("0")).error), /Exceeded the max throttle rate of 1$/);
  slow.run.cancel("enough");
  await slow.error;
  assert.equal((await flow.run("0")).error, undefined);
});

test("ConcurrentRequests lets who waits in when another leaves", async () => {
  const flow = repeatRoute(
    '- throttle: { constant: "1", mode: ConcurrentRequests }\n- delay: { simple: "${body}" }\n- log: "${body}"',
  );
  const [first, second] = [flow.send("20"), flow.send("0")];
  assert.equal(await first.error, undefined);
  assert.equal(await second.error, undefined);
  assert.deepEqual(flow.logs, ["20", "0"]);
});

test("each correlation key has a maximum of its own, and no value is an error", async () => {
  const flow = repeatRoute(
    '- throttle: { constant: "1", timePeriodMillis: 1h, rejectExecution: true, correlationExpression: { header: key } }',
  );
  assert.equal((await flow.run("", { key: "a" })).error, undefined);
  assert.equal((await flow.run("", { key: "b" })).error, undefined);
  assert.notEqual((await flow.run("", { key: "a" })).error, undefined);
  for (const end of ["x", "y"])
    assert.equal((await flow.run("", { key: `${"a".repeat(1000)}${end}` })).error, undefined);
  assert.match(String((await flow.run("", {})).error), /correlationExpression has no value/);
});

test("the maximum is asked for each message", async () => {
  const flow = repeatRoute("- throttle: { header: most, timePeriodMillis: 1h, rejectExecution: true }");
  const sends = async (most: unknown): Promise<string> => String((await flow.run("", { most })).error ?? "passed");
  assert.match(await sends(null), /gave null/);
  assert.match(await sends(-1), /not negative/);
  assert.equal(await sends(1), "passed");
  assert.match(await sends(null), /rate of 1 /);
  assert.equal(await sends("2"), "passed");
  assert.match(await sends(1), /rate of 1 /);
  assert.match(await sends(1_000_000), /at most 100000 messages/);
});

test("its flow has one thread, and options of thread pools are refused", () => {
  assert.equal(compileYaml(routeOf('- throttle: { constant: "1" }')).manifest.stateful, true);
  for (const option of ["executorService: x", "callerRunsWhenRejected: false"]) {
    assert.throws(() => compileYaml(routeOf(`- throttle: { constant: "1", ${option} }`)), /no thread pools/);
  }
  compileYaml(routeOf('- throttle: { constant: "1", asyncDelayed: true, callerRunsWhenRejected: true }'));
});
