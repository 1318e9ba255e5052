/** threads: another run's turn, and the options that a pool would have. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { defaultLimits } from "../../../src/shared/limits.ts";
import { catalog } from "../../../src/workers/catalog.ts";
import { check } from "../../../src/workers/check/check.ts";
import { compileFlow } from "../../../src/workers/compile/compile-flow.ts";
import { onNextTurn } from "../../support/clock.ts";
import { beginRoute, routeOf } from "../../support/run-route.ts";

test("the run goes on in another turn of the thread", async () => {
  let turned = false;
  onNextTurn(() => {
    turned = true;
  });
  const begun = beginRoute(routeOf('- threads: {}\n- log: "after"'));
  assert.equal(begun.synchronous, false);
  const { logs, error } = await begun.outcome;
  assert.equal(error, undefined);
  assert.ok(turned, "what had been waiting has had its turn");
  assert.deepEqual(
    logs.map(({ message }) => message),
    ["after"],
  );
});

function diagnostics(options: string): string[] {
  const request = {
    flowId: "flow",
    yaml: routeOf(`- threads: { ${options} }\n- log: x`),
    params: {},
    limits: defaultLimits,
  };
  return check(request, catalog, compileFlow).diagnostics.map(({ severity, message }) => `${severity} ${message}`);
}

test("options of a pool are warned of, those that reject messages are refused", () => {
  for (const option of [
    "poolSize: 5",
    "maxPoolSize: 9",
    "keepAliveTime: 60",
    "timeUnit: SECONDS",
    "allowCoreThreadTimeOut: true",
  ]) {
    assert.match(diagnostics(option).join("\n"), /^warning .* has no effect: a flow has threads of its own/, option);
  }
  assert.match(diagnostics("threadName: mine").join("\n"), /^warning .*worker/);
  assert.match(diagnostics("maxQueueSize: 10").join("\n"), /^warning .*bounded/);
  assert.match(diagnostics("rejectedPolicy: CallerRuns").join("\n"), /^warning .* has no effect/);
  for (const option of ["rejectedPolicy: Abort", "callerRunsWhenRejected: false"]) {
    assert.match(diagnostics(option).join("\n"), /error .*use `throttle` with `rejectExecution`/, option);
  }
  assert.match(diagnostics("executorService: mine").join("\n"), /^error .*has threads of its own/);
});
