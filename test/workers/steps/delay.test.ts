/** The delay step: waiting, and waking when the run is cancelled. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { wait } from "../../../src/workers/engine/waiting.ts";
import { beginRoute, compileYaml, routeOf, runSteps } from "../../support/run-route.ts";

test("a delay waits, then the route goes on", async (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  const begun = beginRoute(routeOf('- delay: { simple: "${header.ms}" }\n- log: after'), { headers: { ms: "500" } });
  assert.equal(begun.synchronous, false);
  context.mock.timers.tick(499);
  await Promise.resolve();
  assert.equal(begun.run.executed, 1);
  context.mock.timers.tick(1);
  const { logs } = await begun.outcome;
  assert.equal(logs[0]?.message, "after");
});

test("no delay and a negative one do not wait", () => {
  for (const value of ["0", "-5"])
    assert.equal(beginRoute(routeOf(`- delay: { constant: "${value}" }`)).synchronous, true);
  assert.equal(beginRoute(routeOf("- delay: { header: missing }")).synchronous, true);
});

test("a delay that is no number fails the step", async () => {
  const { failedStep, error } = await runSteps("- delay: { constant: soon }");
  assert.equal(failedStep, "delay1");
  assert.match(String(error), /soon/);
});

test("cancelling wakes a delay and no further step runs", async () => {
  const begun = beginRoute(routeOf('- delay: { constant: "3600000" }\n- log: never'));
  begun.run.cancel("redeploy");
  const { error, logs, failedStep, run } = await begun.outcome;
  assert.match(String(error), /cancelled: redeploy/);
  assert.equal(failedStep, "delay1");
  assert.equal(run.cancelled, true);
  assert.deepEqual(logs, []);
});

test("a wait beyond the longest timer is chained", async (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  let done = false;
  const waiting = wait(2 ** 31 + 1000, new AbortController().signal).then(() => {
    done = true;
  });
  context.mock.timers.tick(2 ** 31 - 1);
  await Promise.resolve();
  assert.equal(done, false);
  context.mock.timers.tick(1001);
  await waiting;
});

test("options of thread pools are refused", () => {
  for (const option of ["callerRunsWhenRejected: false", "executorService: x"]) {
    assert.throws(() => compileYaml(routeOf(`- delay: { constant: "1", ${option} }`)), /leave the option out/);
  }
  for (const option of ["asyncDelayed: true", "asyncDelayed: false", "callerRunsWhenRejected: true"]) {
    compileYaml(routeOf(`- delay: { constant: "1", ${option} }`));
  }
});
