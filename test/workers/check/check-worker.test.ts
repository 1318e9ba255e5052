/** The check thread's tasks with everything that the runtime has. */
import assert from "node:assert/strict";
import { describe as suite, test } from "node:test";
import type { CheckResult, Params } from "../../../src/shared/check.ts";
import { defaultLimits } from "../../../src/shared/limits.ts";
import { check, describe } from "../../../src/workers/check-tasks.ts";
import { indent, said } from "./small-catalog.ts";

function checkReal(yaml: string, params: Params = {}): Promise<CheckResult> {
  return check({ flowId: "orders", yaml, params, limits: defaultLimits });
}

test("a flow becomes a model and a manifest", async () => {
  const { flow, diagnostics } = await checkReal(
    `
- route:
    id: order-in
    from:
      uri: webhook
      steps:
        - choice:
            when:
              - simple: "\${body[total]} > {{limit:100}}"
                steps: [{ to: "direct:big" }]
            otherwise:
              steps: [{ log: "small" }]
        - setBody: { constant: done }
- route:
    id: big
    autoStartup: false
    from: { uri: "direct:big", steps: [{ log: { id: big-log, message: "big \${body}" } }] }
- route:
    id: tick
    from: { uri: "timer://t?period=5s", steps: [{ to: "direct:elsewhere" }] }
`,
    { limit: 50 },
  );
  assert.deepEqual(
    diagnostics.map(({ code }) => code),
    ["external_direct"],
  );
  assert.deepEqual(
    flow?.manifest.routes.map(({ id, uri, trigger, autoStartup }) => [id, uri, trigger.kind, autoStartup]),
    [
      ["order-in", "webhook", "webhook", true],
      ["big", "direct:big", "direct", false],
      ["tick", "timer:t?period=5s", "timer", true],
    ],
  );
  assert.deepEqual(
    flow?.manifest.steps.map(({ id }) => id),
    ["choice1", "to1", "log1", "setBody1", "big-log", "to2"],
  );
  assert.deepEqual(flow?.manifest.externalDirects, ["elsewhere"]);
  assert.deepEqual(structuredClone(flow), flow);
});

test("what only the compiler sees is a diagnostic too", async () => {
  const { flow, diagnostics } = await checkReal(
    "- route:\n    id: a\n    from:\n      uri: direct:a\n      variableReceive: 'foo:x'\n      steps: [{ stop: {} }]",
  );
  assert.equal(flow, undefined);
  assert.match(said(diagnostics).join(), /^4:12 error bad_option/);
  assert.equal(diagnostics[0]?.routeId, "a");
});

test("an expression's syntax error has its place", async () => {
  const { diagnostics } = await checkReal(
    '- route:\n    id: a\n    from:\n      uri: direct:a\n      steps:\n        - log: "hey ${foo"',
  );
  assert.match(said(diagnostics).join(), /^6:\d+ error expression_syntax simple: /);
  assert.ok((diagnostics[0]?.column ?? 0) >= 17);
});

suite("each example of the catalogue is accepted", () => {
  const { steps, components } = describe().catalog;
  for (const { name, example } of steps) {
    test(`step ${name}`, async () => {
      const yaml = `- route:\n    id: a\n    from:\n      uri: timer:a\n      steps:\n        - ${indent(example, 10).trim()}`;
      assert.deepEqual(
        said((await checkReal(yaml)).diagnostics).filter((line) => line.includes(" error ")),
        [],
      );
    });
  }
  for (const { name, example } of components) {
    test(`component ${name}`, async () => {
      const inRoute = `- route:\n    id: a\n    from:\n      uri: timer:a\n      steps:\n        - ${indent(example, 10).trim()}`;
      const yaml = example.startsWith("from") ? `- ${indent(example, 2).trim()}` : inRoute;
      assert.deepEqual(
        said((await checkReal(yaml)).diagnostics).filter((line) => line.includes(" error ")),
        [],
      );
    });
  }
});
