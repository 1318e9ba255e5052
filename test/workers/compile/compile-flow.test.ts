/** The manifest that compiling gives, and where a fault is said to be. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { FlowModel, StepModel } from "../../../src/shared/flow-model.ts";
import { defaultLimits } from "../../../src/shared/limits.ts";
import { compileFlow } from "../../../src/workers/compile/compile-flow.ts";
import { CompileError } from "../../../src/workers/engine/compile-error.ts";
import { compileYaml } from "../../support/run-route.ts";

const at = { line: 3, column: 5, endLine: 3, endColumn: 40 };
const simple = (text: string) => ({ language: "simple", text, options: {}, at });

function model(steps: readonly StepModel[], uri = "direct:a"): FlowModel {
  const [scheme = "", name] = uri.split(":");
  const endpoint = { scheme, uri, options: { name }, at };
  return {
    flowId: "flow",
    params: {},
    routes: [{ id: "r", at, autoStartup: true, from: { id: "from1", endpoint }, steps }],
  };
}

const faults: readonly (readonly [code: string, flow: FlowModel, stepId: string | null])[] = [
  ["unknown_step", model([{ type: "nothing", id: "s", options: {}, at }]), "s"],
  ["unknown_component", model([], "nowhere:a"), null],
  ["no_consumer", model([], "log:a"), null],
  [
    "no_producer",
    model([{ type: "to", id: "s", options: { endpoint: { scheme: "timer", uri: "timer:t", options: {}, at } }, at }]),
    "s",
  ],
  ["bad_expression", model([{ type: "setBody", id: "s", options: { expression: simple("${nonsense") }, at }]), "s"],
  [
    "bad_expression",
    model([{ type: "setBody", id: "s", options: { expression: { ...simple("x"), resultType: "my.Type" } }, at }]),
    "s",
  ],
  ["bad_option", model([{ type: "removeHeaders", id: "s", options: { pattern: "a(b" }, at }]), "s"],
];

for (const [code, flow, stepId] of faults) {
  test(`${code} is a CompileError with its place`, () => {
    assert.throws(
      () => compileFlow(flow, defaultLimits),
      (error) =>
        error instanceof CompileError &&
        error.code === code &&
        error.stepId === stepId &&
        error.routeId === "r" &&
        error.at.line === 3,
    );
  });
}

test("two consumers of one name are refused", () => {
  const routes = [...model([]).routes, { ...model([]).routes[0], id: "r2" } as FlowModel["routes"][number]];
  assert.throws(
    () => compileFlow({ flowId: "flow", params: {}, routes }, defaultLimits),
    /already consumed by route 'r'/,
  );
});

test("the manifest lists routes, and all steps with outer before inner", () => {
  const { manifest } = compileYaml(`
- route:
    id: first
    autoStartup: false
    from:
      uri: timer:tick?period=5s
      steps:
        - filter: { simple: "1 == 1", steps: [{ log: { id: in, message: a } }] }
        - to: direct:second
        - to: direct:other
- route: { id: second, from: { uri: "direct:second", steps: [{ log: b }] } }`);
  assert.deepEqual(
    manifest.routes.map(({ id, uri, autoStartup }) => [id, uri, autoStartup]),
    [
      ["first", "timer:tick?period=5s", false],
      ["second", "direct:second", true],
    ],
  );
  assert.deepEqual(
    manifest.steps.map(({ id, type, routeId }) => `${routeId}/${type}/${id}`),
    ["first/filter/filter1", "first/log/in", "first/to/to1", "first/to/to2", "second/log/log1"],
  );
  assert.deepEqual(manifest.externalDirects, ["other"]);
  assert.equal(manifest.stateful, false);
  assert.deepEqual(structuredClone(manifest), manifest);
});

test("a route without steps runs and does nothing", async () => {
  const flow = compileFlow(model([]), defaultLimits);
  assert.equal(flow.route(0).id, "r");
  assert.equal(flow.direct("a"), flow.route(0));
  assert.throws(() => flow.route(1), RangeError);
});
