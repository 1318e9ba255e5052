/** The circuitBreaker step (Camel: ResilienceRouteOkTest, ...FallbackTest, ...RejectedTest, ...TimeoutTest, ...BulkheadTest). */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Exchange } from "../../../src/workers/engine/exchange.ts";
import { repeatRoute } from "../../support/repeat-route.ts";
import { beginRoute, compileYaml, routeOf, runRoute, runSteps } from "../../support/run-route.ts";

const touchy = [
  "{ setBody: { constant: touched } }",
  "{ setHeader: { name: touched, constant: x } }",
  '{ filter: { simple: "${header.fail} != null", steps: [{ throwException: { exceptionType: java.io.IOException, message: broken } }] } }',
];

function breaker(options: string, steps: readonly string[] = touchy, fallback?: readonly string[]): string {
  const end = fallback === undefined ? "" : `, onFallback: { steps: [${fallback.join(", ")}] }`;
  return `- circuitBreaker: { resilience4jConfiguration: { ${options} }, steps: [${steps.join(", ")}]${end} }`;
}

function told({ properties }: Exchange): Record<string, unknown> {
  const prefix = "CamelCircuitBreaker";
  return Object.fromEntries(
    [...properties]
      .filter(([name]) => name.startsWith(prefix))
      .map(([name, value]) => [name.slice(prefix.length), value]),
  );
}

const opened = "slidingWindowSize: 2, waitDurationInOpenState: 1h";

test("a success becomes the message", async () => {
  const { exchange, error } = await runSteps(`${breaker("id: settings")}\n- log: after`, { body: "x" });
  assert.equal(error, undefined);
  assert.equal(exchange.message.body, "touched");
  assert.deepEqual(told(exchange), { SuccessfulExecution: true, ResponseFromFallback: false, State: "CLOSED" });
});

test("the fallback finds the message as it was, and the exception", async () => {
  const { exchange, error, logs } = await runSteps(
    breaker("", touchy, [
      '{ log: "${body} ${header.touched} ${exception.message}" }',
      "{ setBody: { constant: instead } }",
    ]),
    { body: "x", headers: { fail: true } },
  );
  assert.equal(error, undefined);
  assert.deepEqual(
    logs.map(({ message }) => message),
    ["x  broken"],
  );
  assert.equal(exchange.message.body, "instead");
  const from = { SuccessfulExecution: false, ResponseFromFallback: true, ResponseShortCircuited: true };
  assert.deepEqual(told(exchange), { ...from, State: "CLOSED" });
});

test("a failure of the fallback is the step's", async () => {
  const steps = breaker("", touchy, ["{ throwException: { exceptionType: java.io.IOException, message: worse } }"]);
  assert.match(String((await runSteps(steps, { headers: { fail: true } })).error), /worse/);
});

test("without a fallback the failure goes on, the message as it was", async () => {
  const { exchange, error } = await runSteps(breaker(""), { body: "x", headers: { fail: true } });
  assert.match(String(error), /broken/);
  assert.equal(exchange.message.body, "x");
  assert.equal(told(exchange).ResponseRejected, true);
});

test("open and without a fallback the route goes on in silence; or fails if it is to", async () => {
  for (const [options, outcome] of [
    [opened, "undefined"],
    [
      `${opened}, throwExceptionWhenHalfOpenOrOpenState: true`,
      "FlowException: CircuitBreaker 'circuitBreaker1' is OPEN",
    ],
  ] as const) {
    const flow = repeatRoute(`${breaker(options)}\n- log: "after \${body}"`);
    for (let i = 0; i < 2; i++) await flow.run("x", { fail: true });
    const { exchange, error } = await flow.run("x");
    assert.ok(String(error).startsWith(outcome), String(error));
    assert.deepEqual(told(exchange), {
      SuccessfulExecution: false,
      ResponseFromFallback: false,
      ResponseShortCircuited: true,
      ResponseRejected: true,
      State: "OPEN",
    });
    assert.deepEqual(flow.logs, error === undefined ? ["after x"] : []);
  }
});

test("open with a fallback its steps run, and no exception is there", async () => {
  const flow = repeatRoute(breaker(opened, touchy, ['{ log: "fallback ${exchangeProperty.CamelExceptionCaught}" }']));
  for (let i = 0; i < 2; i++) await flow.run("x", { fail: true });
  assert.equal((await flow.run("x")).error, undefined);
  assert.equal(flow.logs.at(-1), "fallback ");
});

test("ignored and unrecorded exceptions are no failures, by class and by cause", async () => {
  for (const [options, facts] of [
    ["ignoreException: [java.io.IOException]", { SuccessfulExecution: false, ResponseIgnored: true }],
    ["recordException: [java.lang.IllegalStateException]", { SuccessfulExecution: true }],
  ] as const) {
    const flow = repeatRoute(breaker(`${opened}, ${options}`, touchy, ["{ log: never }"]));
    for (let i = 0; i < 4; i++) {
      const { exchange, error } = await flow.run("x", { fail: true });
      assert.equal(error, undefined);
      assert.equal(exchange.message.body, "x");
      assert.deepEqual(told(exchange), {
        ...facts,
        ResponseFromFallback: false,
        ResponseShortCircuited: false,
        State: "CLOSED",
      });
    }
    assert.deepEqual(flow.logs, []);
  }
});

test("what has not ended in time is given up: its next step does not run, the fallback does", async () => {
  const slow = ["{ delay: { constant: 3600000 } }", "{ log: never }"];
  const late = breaker("timeoutEnabled: true, timeoutDuration: 10", slow, ["{ log: fallback }"]);
  const { error, logs, exchange, timed } = await runSteps(late, { body: "x" });
  assert.equal(error, undefined);
  assert.deepEqual(
    logs.map(({ message }) => message),
    ["fallback"],
  );
  assert.equal(told(exchange).ResponseTimedOut, true);
  assert.ok(timed.includes("delay1"));
  const failed = await runSteps(breaker("timeoutEnabled: true, timeoutDuration: 10", slow));
  assert.match(String(failed.error), /TimeLimiter 'circuitBreaker1' recorded a timeout exception/);
  assert.equal((failed.error as { type?: string }).type, "java.util.concurrent.TimeoutException");
});

test("within a time-out a failure has its place, and steps are counted", async () => {
  const timed = breaker("timeoutEnabled: true, timeoutDuration: 1h");
  const { failedStep, run } = await runSteps(timed, { headers: { fail: true } });
  assert.equal(failedStep, "throwException1");
  assert.equal(run.executed, 5);
  const waits = breaker("timeoutEnabled: true, timeoutDuration: 1h", ["{ delay: { constant: 1 } }", ...touchy]);
  assert.equal((await runSteps(waits)).exchange.message.body, "touched");
});

test("a cancelled run ends without a fallback", async () => {
  for (const options of ["", "timeoutEnabled: true, timeoutDuration: 1h"]) {
    const begun = beginRoute(routeOf(breaker(options, ["{ delay: { constant: 3600000 } }"], ["{ log: never }"])));
    begun.run.cancel("redeploy");
    const { error, logs } = await begun.outcome;
    assert.match(String(error), /cancelled: redeploy/);
    assert.deepEqual(logs, []);
  }
});

test("a bulkhead holds so many calls; others fail, at once or after a wait, or follow", async () => {
  const steps = ['{ delay: { simple: "${body}" } }'];
  const full = repeatRoute(breaker("bulkheadEnabled: true, bulkheadMaxConcurrentCalls: 1", steps));
  const first = full.send("3600000");
  assert.match(String((await full.run("0")).error), /Bulkhead 'circuitBreaker1' is full/);
  first.run.cancel("enough");
  await first.error;
  assert.equal((await full.run("0")).error, undefined);
  const patient = repeatRoute(
    breaker("bulkheadEnabled: true, bulkheadMaxConcurrentCalls: 1, bulkheadMaxWaitDuration: 1h", steps),
  );
  const [one, other] = [patient.send("10"), patient.send("0")];
  assert.deepEqual([await one.error, await other.error], [undefined, undefined]);
  const hasty = repeatRoute(
    breaker("bulkheadEnabled: true, bulkheadMaxConcurrentCalls: 1, bulkheadMaxWaitDuration: 5", steps),
  );
  const long = hasty.send("3600000");
  assert.match(String((await hasty.run("0")).error), /is full/);
  long.run.cancel("enough");
  await long.error;
});

test("inside the breaker the route's error handler is off, in what it calls it is not", async () => {
  const handler =
    "- onException: { exception: [java.io.IOException], handled: { constant: true }, steps: [{ log: handled }] }\n";
  const inner =
    '- route: { id: other, from: { uri: "direct:other", steps: [{ throwException: { exceptionType: java.io.IOException } }] } }\n';
  const own = await runRoute(handler + routeOf(breaker("", touchy, ["{ log: fallback }"])), {
    headers: { fail: true },
  });
  assert.deepEqual(
    own.logs.map(({ message }) => message),
    ["fallback"],
  );
  const called = routeOf(breaker("", ['{ to: "direct:other" }'], ["{ log: fallback }"]));
  const { logs } = await runRoute(handler + called + inner);
  const said = logs.filter(({ level }) => level === "INFO");
  assert.deepEqual(
    said.map(({ message }) => message),
    ["handled"],
  );
});

test("settings out of range and those of other worlds are refused", () => {
  for (const [options, why] of [
    ["failureRateThreshold: 0", /above 0, at most 100/],
    ["failureRateThreshold: x", /above 0, at most 100/],
    ["slidingWindowSize: 0", /from 1 to 100000/],
    ["timeoutExecutorService: x", /no thread pools/],
    ["config: x", /write its settings/],
    ["timeoutCancelRunningFuture: false", /always cancelled/],
  ] as const) {
    assert.throws(() => compileYaml(routeOf(breaker(options))), why);
  }
  assert.throws(
    () => compileYaml(routeOf("- circuitBreaker: { faultToleranceConfiguration: { delay: 5 }, steps: [] }")),
    /as resilience4jConfiguration/,
  );
});
