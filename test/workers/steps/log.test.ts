/** The log step. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { eventually } from "../../support/clock.ts";
import { webhook } from "../../support/flows.ts";
import { compileYaml, routeOf, runSteps } from "../../support/run-route.ts";
import { startTestApp } from "../../support/start-app.ts";

test("the message is a template, logged at INFO under the route's id", async () => {
  const { logs } = await runSteps('- log: "got ${body} of ${header.missing}!"', { body: "x" });
  assert.deepEqual(logs, [{ level: "INFO", logger: "main", message: "got x of !", stepId: "log1" }]);
});

test("level and logger name are as given; the name is a template", async () => {
  const { logs } = await runSteps('- log: { message: m, loggingLevel: WARN, logName: "orders.${header.kind}" }', {
    headers: { kind: "new" },
  });
  assert.deepEqual(logs, [{ level: "WARN", logger: "orders.new", message: "m", stepId: "log1" }]);
});

test("a level that is off evaluates nothing", async () => {
  const failing = 'message: "${bodyAs(int)}"';
  assert.equal(
    (await runSteps(`- log: { ${failing}, loggingLevel: DEBUG }`, { body: "x", logLevel: "INFO" })).error,
    undefined,
  );
  assert.equal((await runSteps(`- log: { ${failing}, loggingLevel: "OFF" }`, { body: "x" })).error, undefined);
  assert.equal(
    (await runSteps(`- log: { ${failing}, loggingLevel: INFO }`, { body: "x", logLevel: "INFO" })).failedStep,
    "log1",
  );
});

test("secrets do not reach the log", async () => {
  const { logs } = await runSteps('- log: "${body}"', { body: '{"password": "hunter2"}' });
  assert.equal(logs[0]?.message, '{"password": "***"}');
});

test("what a log step cannot do is refused with what to do instead", () => {
  for (const [option, hint] of [
    ["logger: x", /logName/],
    ["logLanguage: header", /variable/],
  ] as const) {
    assert.throws(() => compileYaml(routeOf(`- log: { message: m, ${option} }`)), hint);
  }
});

test("a marker of the step and of the component is a field of the entry", async (t) => {
  const app = await startTestApp(t);
  const steps = ["log: { message: step, marker: AUDIT }", 'to: "log:pay?marker=PAY&showBodyType=false"', "log: plain"];
  await app.put("marked", webhook("marked", ...steps));
  await app.post("/api/marked", "x");
  const entries = await eventually(() => {
    const found = app.logs.filter(({ stepId }) => stepId !== undefined && stepId !== "");
    return found.length === 3 ? found : undefined;
  }, "three entries");
  assert.deepEqual(
    entries.map(({ message, marker }) => [message, marker]),
    [
      ["step", "AUDIT"],
      ["Exchange[Body: x]", "PAY"],
      ["plain", undefined],
    ],
  );
});
