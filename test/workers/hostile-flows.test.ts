/** Whatever a run waits for: when it is cancelled, it is over, and nothing of it stays behind. */
import assert from "node:assert/strict";
import { getEventListeners } from "node:events";
import { describe, test } from "node:test";
import { isDeepStrictEqual } from "node:util";
import type { Limits } from "../../src/shared/limits.ts";
import { exceptionType } from "../../src/workers/engine/exception.ts";
import { withModules } from "../../src/workers/engine/late-module.ts";
import { eventually, pause, turn } from "../support/clock.ts";
import { startHttpServer } from "../support/http-server.ts";
import { repeatRoute } from "../support/repeat-route.ts";
import { beginRoute, routeOf } from "../support/run-route.ts";
import { loopback } from "./components/http-calls.ts";

const hour = "{ delay: { constant: 3600000 } }";
const route = (steps: string): string => routeOf(`${steps}\n- log: never`);
const seda = (parameters: string): string => `{ to: { uri: "seda:b", parameters: { ${parameters} } } }`;

interface Wait {
  readonly flow: string;
  readonly body?: unknown;
  readonly limits?: Partial<Limits>;
}

const waits: Readonly<Record<string, Wait>> = {
  "a delay": { flow: route(`- ${hour}`) },
  "a delay longer than a timer": { flow: route("- delay: { constant: 99999999999 }") },
  "a loop": { flow: route(`- loop: { constant: "3", steps: [${hour}] }`) },
  "a loop over copies": { flow: route(`- loop: { constant: "3", copy: true, steps: [${hour}] }`) },
  "a split": { flow: route(`- split: { tokenize: ",", steps: [${hour}] }`), body: "a,b" },
  "a parallel split": {
    flow: route(`- split: { tokenize: ",", parallelProcessing: true, steps: [${hour}] }`),
    body: "a,".repeat(50),
  },
  "a parallel split with a time-out": {
    flow: route(`- split: { tokenize: ",", parallelProcessing: true, timeout: 1800000, steps: [${hour}] }`),
    body: "a,b",
  },
  "a multicast": { flow: route(`- multicast: { parallelProcessing: true, steps: [${hour}, ${hour}] }`) },
  "a multicast with a time-out": {
    flow: route(`- multicast: { parallelProcessing: true, timeout: 1800000, steps: [${hour}, ${hour}] }`),
  },
  "fan-outs in each other": {
    flow: route(
      `- split: { tokenize: ",", parallelProcessing: true, timeout: 1800000, steps: [{ multicast: { parallelProcessing: true, timeout: 1800000, steps: [${hour}, ${hour}] } }] }`,
    ),
    body: "a,b",
  },
  "a recipientList": {
    flow: `${route(`- recipientList: { constant: "direct:b,direct:b", parallelProcessing: true }`)}- route: { id: b, from: { uri: direct:b, steps: [${hour}] } }\n`,
  },
  "a slip": {
    flow: `${route("- routingSlip: { constant: direct:b }")}- route: { id: b, from: { uri: direct:b, steps: [${hour}] } }\n`,
  },
  "an enrich": {
    flow: `${route("- enrich: { constant: direct:b }")}- route: { id: b, from: { uri: direct:b, steps: [${hour}] } }\n`,
  },
  "a throttle of requests": {
    flow: route(`- loop: { constant: "2", steps: [{ throttle: { constant: "1", timePeriodMillis: 30d } }] }`),
  },
  "a throttle of concurrent requests": {
    flow: route(`- loop: { constant: "2", steps: [{ throttle: { constant: "1", mode: ConcurrentRequests } }] }`),
  },
  "a breaker": { flow: route(`- circuitBreaker: { steps: [${hour}], onFallback: { steps: [{ log: never }] } }`) },
  "a breaker with a time-out": {
    flow: route(
      `- circuitBreaker: { resilience4jConfiguration: { timeoutEnabled: true, timeoutDuration: "1800000" }, steps: [${hour}], onFallback: { steps: [{ log: never }] } }`,
    ),
  },
  "a breaker's bulkhead": {
    flow: `${route(
      "- multicast: { parallelProcessing: true, steps: [{ to: direct:b }, { to: direct:b }] }",
    )}- route: { id: b, from: { uri: direct:b, steps: [{ circuitBreaker: { resilience4jConfiguration: { bulkheadEnabled: true, bulkheadMaxConcurrentCalls: 1, bulkheadMaxWaitDuration: 1800000 }, steps: [${hour}] } }] } }\n`,
  },
  "a redelivery": {
    flow: `- errorHandler: { defaultErrorHandler: { redeliveryPolicy: { maximumRedeliveries: 3, redeliveryDelay: 3600000 } } }\n${route("- throwException: { exceptionType: a, message: a }")}`,
  },
  "a redelivery of an onException": {
    flow: `- onException: { exception: [java.lang.Throwable], handled: { constant: "true" }, redeliveryPolicy: { maximumRedeliveries: -1, redeliveryDelay: 3600000 }, steps: [{ log: never }] }\n${route("- throwException: { exceptionType: a, message: a }")}`,
  },
  "the steps of an onException": {
    flow: `- onException: { exception: [java.lang.Throwable], handled: { constant: "true" }, steps: [${hour}, { log: never }] }\n${route("- throwException: { exceptionType: a, message: a }")}`,
  },
  "a dead letter channel": {
    flow: `- errorHandler: { deadLetterChannel: { deadLetterUri: direct:b } }\n${route("- throwException: { exceptionType: a, message: a }")}- route: { id: b, from: { uri: direct:b, steps: [${hour}] } }\n`,
  },
  "a doTry": {
    flow: route(
      `- doTry: { steps: [${hour}], doCatch: [{ exception: [java.lang.Throwable], steps: [{ log: never }] }], doFinally: { steps: [{ log: never }] } }`,
    ),
  },
  "a doFinally": { flow: route(`- doTry: { steps: [], doFinally: { steps: [${hour}] } }`) },
  "a reply from seda": {
    flow: `${route(`- ${seda("waitForTaskToComplete: Always, timeout: 0")}`)}- route: { id: b, from: { uri: seda:b, steps: [${hour}] } }\n`,
  },
  "a reply from seda with a time-out": {
    flow: `${route(`- ${seda("waitForTaskToComplete: Always, timeout: 1800000")}`)}- route: { id: b, from: { uri: seda:b, steps: [${hour}] } }\n`,
  },
  "replies from a queue whose consumer is busy": {
    flow: `${route(
      `- multicast: { parallelProcessing: true, steps: [${seda("waitForTaskToComplete: Always, timeout: 0")}, ${seda("waitForTaskToComplete: Always, timeout: 0")}] }`,
    )}- route: { id: b, from: { uri: seda:b, steps: [${hour}] } }\n`,
  },
  "a reply from a queue that nobody consumes": {
    flow: route(`- ${seda("waitForTaskToComplete: Always, timeout: 0")}`),
  },
  "room in a queue": {
    flow: route(`- loop: { constant: "3", steps: [${seda("size: 1, blockWhenFull: true")}] }`),
  },
  "room in a queue with a time-out": {
    flow: route(`- loop: { constant: "3", steps: [${seda("size: 1, blockWhenFull: true, offerTimeout: 1800000")}] }`),
  },
};

/** Timers and sockets of the process. */
function active(): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const kind of process.getActiveResourcesInfo()) {
    if (/^(Timeout|TCPSocketWrap|GetAddrInfoReqWrap)$/.test(kind)) counts[kind] = (counts[kind] ?? 0) + 1;
  }
  return counts;
}

async function turns(count: number): Promise<void> {
  for (let i = 0; i < count; i++) await turn();
}

/** `waiting` resolves when the run waits for what it is to wait for. */
async function cancelled({ flow, body, limits }: Wait, waiting: () => Promise<unknown>): Promise<void> {
  const before = active();
  const begun = await withModules(() => beginRoute(flow, { body, limits: { ...limits }, egress: loopback }));
  const { run, outcome, announced } = begun;
  try {
    assert.equal(begun.synchronous, false);
    await waiting();
  } finally {
    run.cancel("the test has seen enough");
  }
  const { error, logs } = await outcome;
  for (const other of announced.running) other.cancel("the flow ends");
  begun.flow.life.halt();
  await begun.flow.life.finish();
  await announced.settled();
  assert.equal(exceptionType(error), "RunCancelledException", String(error));
  assert.deepEqual(
    logs.filter(({ message }) => message === "never"),
    [],
  );
  assert.deepEqual(getEventListeners(run.signal, "abort"), []);
  await eventually(() => isDeepStrictEqual(active(), before), "timers and sockets are gone");
}

describe("a run that is cancelled while it waits for", { timeout: 60_000 }, () => {
  for (const [name, wait] of Object.entries(waits)) test(name, () => cancelled(wait, () => turns(5)));

  const call = (url: string, parameters = ""): string =>
    route(`- to: { uri: "${url}", parameters: { ${parameters} } }`);

  test("the answer of a server", async (t) => {
    const server = await startHttpServer(t, () => {});
    await cancelled({ flow: call(server.url) }, () => eventually(() => server.heard.length === 1, "the request"));
  });

  test("the rest of an answer", async (t) => {
    const server = await startHttpServer(t, (_, response) => response.write("half"));
    await cancelled({ flow: call(server.url) }, () => eventually(() => server.heard.length === 1, "the request"));
  });

  test("its turn to call a server", async (t) => {
    const server = await startHttpServer(t, () => {});
    const flow = route(
      `- multicast: { parallelProcessing: true, steps: [{ to: "${server.url}" }, { to: "${server.url}" }] }`,
    );
    await cancelled({ flow, limits: { outboundConnections: 1 } }, () =>
      eventually(() => server.heard.length === 1, "the first request"),
    );
  });
});

describe("a run that has waited leaves no listener behind:", () => {
  const short = "{ delay: { constant: 1 } }";
  const flows = {
    "a delay": route(`- ${short}`),
    "a multicast with a time-out": route(
      `- multicast: { parallelProcessing: true, timeout: 1800000, steps: [${short}, ${short}] }`,
    ),
    "a throttle": route(`- loop: { constant: "3", steps: [{ throttle: { constant: "1", timePeriodMillis: 1 } }] }`),
    "a breaker with a time-out": route(
      `- circuitBreaker: { resilience4jConfiguration: { timeoutEnabled: true, timeoutDuration: "1800000" }, steps: [${short}] }`,
    ),
    "a reply from seda": `${route(`- ${seda("waitForTaskToComplete: Always, timeout: 0")}`)}- route: { id: b, from: { uri: seda:b, steps: [${short}] } }\n`,
  };
  for (const [name, flow] of Object.entries(flows)) {
    test(name, async () => {
      const { outcome, run } = beginRoute(flow);
      const { error, logs } = await outcome;
      assert.equal(error, undefined);
      assert.equal(logs.length, 1);
      assert.deepEqual(getEventListeners(run.signal, "abort"), []);
    });
  }
});

describe("the place of a cancelled run is free again", () => {
  const places = {
    "in a throttle": `- throttle: { constant: "1", mode: ConcurrentRequests }\n- delay: { header: ms }`,
    "in a bulkhead": `- circuitBreaker: { resilience4jConfiguration: { bulkheadEnabled: true, bulkheadMaxConcurrentCalls: 1, bulkheadMaxWaitDuration: 1800000 }, steps: [{ delay: { header: ms } }] }`,
  };
  for (const [name, steps] of Object.entries(places)) {
    test(name, async (t) => {
      const flow = repeatRoute(steps);
      const first = flow.send("", { ms: 3_600_000 });
      const second = flow.send("", { ms: 3_600_000 });
      t.after(() => {
        for (const { run } of [second, first]) run.cancel("the test is over");
      });
      await turns(3);
      for (const { run } of [second, first]) run.cancel("enough");
      assert.equal(exceptionType(await first.error), "RunCancelledException");
      assert.equal(exceptionType(await second.error), "RunCancelledException");
      assert.equal((await flow.run("", { ms: 0 })).error, undefined);
    });
  }
});

test("a trial call that is cancelled leaves its place to another", async () => {
  const flow = repeatRoute(
    `- circuitBreaker: { resilience4jConfiguration: { minimumNumberOfCalls: 1, permittedNumberOfCallsInHalfOpenState: 1, waitDurationInOpenState: 100, throwExceptionWhenHalfOpenOrOpenState: true }, steps: [{ delay: { header: ms } }, { filter: { simple: "\${header.fails}", steps: [{ throwException: { exceptionType: a, message: a } }] } }] }`,
  );
  assert.equal(exceptionType((await flow.run("", { ms: 0, fails: true })).error), "a");
  await pause(120);
  const trial = flow.send("", { ms: 3_600_000 });
  const { error } = await flow.run("", { ms: 0 });
  trial.run.cancel("enough");
  assert.match(exceptionType(error), /CallNotPermittedException/);
  await trial.error;
  assert.equal((await flow.run("", { ms: 0 })).error, undefined);
});

describe("a time that is longer than a timer of the platform is waited for", () => {
  const group = `correlationExpression: { constant: a }, aggregationStrategy: "#groupedBodyAggregationStrategy"`;
  const short = "{ delay: { constant: 20 } }";
  const times = {
    "by a group": `- aggregate: { ${group}, completionTimeout: 100d, steps: [{ log: too soon }] }`,
    "by a group whose message says so": `- aggregate: { ${group}, completionTimeoutExpression: { constant: 1e12 }, steps: [{ log: too soon }] }`,
    "by an interval": `- aggregate: { ${group}, completionInterval: 100d, steps: [{ log: too soon }] }`,
    "by a split": `- split: { constant: a, parallelProcessing: true, timeout: 100d, steps: [${short}, { setProperty: { name: done, constant: "true" } }], aggregationStrategy: "#useLatestAggregationStrategy" }\n- filter: { simple: "\${exchangeProperty.done} == null", steps: [{ log: too soon }] }`,
    "by a breaker": `- circuitBreaker: { resilience4jConfiguration: { timeoutEnabled: true, timeoutDuration: "99999999999" }, steps: [${short}], onFallback: { steps: [{ log: too soon }] } }`,
  };
  for (const [name, steps] of Object.entries(times)) {
    test(name, async () => {
      const { outcome, flow, announced } = beginRoute(routeOf(steps), { body: "a" });
      const { error, logs } = await outcome;
      await pause(20);
      flow.life.halt();
      await flow.life.finish();
      await announced.settled();
      assert.equal(error, undefined);
      assert.deepEqual(
        logs.filter(({ message }) => message === "too soon"),
        [],
      );
    });
  }
});

test("a run that has executed all its steps ends what waits beside it", async () => {
  const flow = route(
    `- multicast: { parallelProcessing: true, steps: [${hour}, { loop: { constant: "100", steps: [{ removeHeader: a }] } }] }`,
  );
  const { outcome } = beginRoute(flow, { limits: { stepsPerRun: 50 } });
  const { error, run } = await outcome;
  assert.match(String(error), /at most 50 steps/);
  assert.equal(run.cancelReason, undefined);
});
