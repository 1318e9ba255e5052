/** What the log says of runs that fail, and of failures that a flow handles: a line each, within a bound. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { LogEvent } from "../../src/shared/trace-event.ts";
import { eventually } from "../support/clock.ts";
import { direct, webhook } from "../support/flows.ts";
import { startTestApp, type TestApp } from "../support/start-app.ts";

const fail = '{ throwException: { id: post, exceptionType: java.net.ConnectException, message: "refused" } }';
const caught = "at step 'post' (FLOW.yaml:LINE) handled by";

/** Each handles the failure of its step `post`; `LINE` is the step's, `by` what is announced. */
const handlers: Readonly<Record<string, { readonly yaml: string; readonly line: number; readonly by: string }>> = {
  onException: {
    yaml: `- onException:
    exception: [java.lang.Exception]
    handled: { constant: "true" }
    steps: [{ setBody: { constant: sorry } }]
${webhook("onException", fail)}`,
    line: 10,
    by: "onException at line 1",
  },
  continued: {
    yaml: `- onException:
    exception: [java.io.IOException]
    continued: { constant: "true" }
${webhook("continued", fail, "log: on")}`,
    line: 9,
    by: "onException at line 1",
  },
  deadLetter: {
    yaml: `- errorHandler:
    deadLetterChannel: { deadLetterUri: "log:dead" }
${webhook("deadLetter", fail)}`,
    line: 8,
    by: "deadLetterChannel at line 1",
  },
  doTry: {
    yaml: webhook(
      "doTry",
      `{ doTry: { steps: [${fail}], doCatch: [{ exception: [java.io.IOException], steps: [{ delay: { constant: 1 } }] }] } }`,
    ),
    line: 6,
    by: "doTry at line 6",
  },
  circuitBreaker: {
    yaml: webhook(
      "circuitBreaker",
      `{ circuitBreaker: { steps: [${fail}], onFallback: { steps: [{ setBody: { constant: fallback } }] } } }`,
    ),
    line: 6,
    by: "circuitBreaker at line 6",
  },
  failover: {
    yaml: webhook(
      "failover",
      `{ loadBalance: { failoverLoadBalancer: {}, steps: [${fail}, { delay: { constant: 1 } }] } }`,
    ),
    line: 6,
    by: "loadBalance at line 6",
  },
  multicast: {
    yaml: webhook(
      "multicast",
      `{ multicast: { aggregationStrategy: GroupedBodyAggregationStrategy, steps: [log: a, ${fail}] } }`,
    ),
    line: 6,
    by: "multicast at line 6",
  },
};

const about = (app: TestApp, flowId: string): LogEvent[] =>
  app.logs.filter((line) => line.flowId === flowId && /^(run|failure) /.test(line.message));

test("the log has a line for each run that fails and for each failure that is handled", async (t) => {
  const app = await startTestApp(t);
  const call = async (path: string, headers = {}): Promise<string> => {
    const answer = await app.post(path, "", headers);
    await answer.arrayBuffer();
    return answer.headers.get("x-run-id") ?? "";
  };

  await t.test("a failed run: where, what, and whose it is", async () => {
    await app.put("orders", webhook("orders", fail));
    const runId = await call("/api/orders", { traceparent: `00-${"a".repeat(32)}-${"b".repeat(16)}-01` });
    const [line, ...more] = about(app, "orders");
    assert.deepEqual(more, []);
    const { ts, ...fields } = line as LogEvent & { seq: number };
    assert.deepEqual(JSON.parse(JSON.stringify({ ...fields, seq: 0 })), {
      seq: 0,
      level: "ERROR",
      message: "run failed at step 'post' (orders.yaml:6): java.net.ConnectException: refused",
      logger: "runtime",
      ...{ flowId: "orders", routeId: "orders", stepId: "post", runId, traceId: "a".repeat(32) },
    });
    assert.ok(ts > "");
  });

  await t.test("a run that another one has called names its caller", async () => {
    await app.put("callee", direct("callee", "callee", fail));
    await app.put("caller", webhook("caller", "to: direct:callee"));
    const runId = await call("/api/caller");
    assert.deepEqual(
      about(app, "callee").map(({ parentRunId, stepId }) => ({ parentRunId, stepId })),
      [{ parentRunId: runId, stepId: "post" }],
    );
    assert.match(about(app, "caller")[0]?.message ?? "", /^run failed at step 'to1' \(caller.yaml:6\): java.net.Conn/);
  });

  await t.test("a run of a timer that nobody asks for", async () => {
    const yaml = webhook("ticking", fail).replace("webhook", "timer:tick?period=20&repeatCount=1");
    await app.put("ticking", yaml);
    const [line] = await eventually(() => about(app, "ticking")[0] && about(app, "ticking"), "the tick fails");
    assert.equal(line?.message, "run failed at step 'post' (ticking.yaml:6): java.net.ConnectException: refused");
  });

  await t.test("a body that is not what it says", async () => {
    await app.put("json", webhook("json", "log: never"));
    const answer = await app.post("/api/json", "{", { "Content-Type": "application/json" });
    assert.equal(answer.status, 400);
    assert.deepEqual(
      about(app, "json").map(({ level, message }) => ({ level, message })),
      [
        {
          level: "ERROR",
          message: "run failed: MessageRefusedException: the body is not the JSON that its Content-Type says",
        },
      ],
    );
  });

  for (const [name, { yaml, line, by }] of Object.entries(handlers)) {
    await t.test(`a failure that ${name} handles is a warning, and the run none`, async () => {
      await app.put(name, yaml);
      const runId = await call(`/api/${name}`);
      const where = caught.replace("FLOW", name).replace("LINE", String(line));
      assert.deepEqual(
        about(app, name).map(({ level, message, stepId, runId: of }) => ({ level, message, stepId, runId: of })),
        [
          {
            level: "WARN",
            message: `failure ${where} ${by}: java.net.ConnectException: refused`,
            stepId: "post",
            runId,
          },
        ],
      );
    });
  }

  await t.test("logHandled: false keeps handled failures out of the log, and those of runs in it", async () => {
    const handles = webhook(
      "quiet",
      `{ doTry: { steps: [${fail}], doCatch: [{ exception: [java.io.IOException] }] } }`,
    );
    await app.put("quiet", handles + webhook("loud", fail.replace("post", "loud")), { limits: { logHandled: false } });
    await call("/api/quiet");
    await call("/api/loud");
    assert.deepEqual(
      about(app, "quiet").map(({ level, routeId }) => `${level} ${routeId}`),
      ["ERROR loud"],
    );
  });

  await t.test("what a handler fails with itself is the run's failure, and nothing was handled", async () => {
    const again = '{ throwException: { exceptionType: java.lang.IllegalStateException, message: "again" } }';
    const yaml = webhook(
      "rethrown",
      `{ doTry: { steps: [${fail}], doCatch: [{ exception: [java.io.IOException], steps: [${again}] }] } }`,
    );
    await app.put("rethrown", yaml);
    await call("/api/rethrown");
    assert.deepEqual(
      about(app, "rethrown").map(({ level, message }) => `${level} ${message.split(":")[0]}`),
      ["ERROR run failed at step 'throwException1' (rethrown.yaml"],
    );
  });

  await t.test("of one run ten handled failures are announced", async () => {
    const inner = `{ doTry: { steps: [${fail}], doCatch: [{ exception: [java.io.IOException] }] } }`;
    await app.put("often", webhook("often", `{ loop: { constant: 30, steps: [${inner}] } }`));
    await call("/api/often");
    assert.equal(about(app, "often").length, 10);
  });
});

test("ten lines a second of a route are written; one line says how many were left out, at the end of the process, too", async (t) => {
  const app = await startTestApp(t);
  await app.put("a", webhook("a", fail));
  await app.put("b", webhook("b", fail));
  await Promise.all(Array.from({ length: 25 }, () => app.post("/api/a")));
  await Promise.all(Array.from({ length: 13 }, () => app.post("/api/b")));
  await app.close();
  const omitted = app.logs.filter(({ message }) => message.includes("were left out"));
  const counted = omitted.flatMap(({ message }) => [...message.matchAll(/(\d+) of route '(\w)'/g)]);
  for (const [flow, calls] of [
    ["a", 25],
    ["b", 13],
  ] as const) {
    const left = counted.reduce((sum, [, count, route]) => sum + (route === flow ? Number(count) : 0), 0);
    const seconds = Math.ceil(about(app, flow).length / 10);
    assert.equal(about(app, flow).length + left, calls);
    assert.ok(left > 0 && seconds <= omitted.length + 1, `${about(app, flow).length} lines`);
  }
});
