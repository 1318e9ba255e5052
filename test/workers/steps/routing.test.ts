/** Steps that decide where an exchange goes: choice, filter, stop, throwException, step, pipeline. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Interest } from "../../../src/shared/protocol.ts";
import { FlowException } from "../../../src/workers/engine/exception.ts";
import { compileYaml, routeOf, runRoute, runSteps } from "../../support/run-route.ts";

const messages = (outcome: Awaited<ReturnType<typeof runSteps>>): string[] =>
  outcome.logs.map(({ message }) => message);

const choice = `- choice:
    when:
      - simple: "\${body} > 100"
        steps: [{ log: big }]
      - simple: "\${body} > 10"
        steps: [{ log: middling }]
    otherwise:
      steps: [{ log: small }]
- log: after`;

for (const [body, branch, taken] of [
  ["200", 0, "big"],
  ["50", 1, "middling"],
  ["1", -1, "small"],
] as const) {
  test(`choice takes only the first branch that matches: ${body}`, async () => {
    const outcome = await runSteps(choice, { body, interest: Interest.trace });
    assert.deepEqual(messages(outcome), [taken, "after"]);
    const [event] = outcome.traces.filter(({ type }) => type === "branch.taken");
    assert.deepEqual(event, { type: "branch.taken", stepId: "choice1", durationMs: 0, extra: { branch } });
  });
}

test("without a match and without otherwise the route goes on", async () => {
  const steps = `- choice: { when: [{ simple: "\${body} == 1", steps: [{ log: no }] }] }
- log: after`;
  assert.deepEqual(messages(await runSteps(steps, { body: "2" })), ["after"]);
});

test("a branch may be empty, and choices may be nested", async () => {
  const steps = `- choice:
    when:
      - simple: "\${body} == 1"
        steps: []
      - simple: "\${body} > 1"
        steps:
          - choice:
              when: [{ simple: "\${body} == 3", steps: [{ log: inner }] }]
- log: after`;
  assert.deepEqual(messages(await runSteps(steps, { body: "1" })), ["after"]);
  assert.deepEqual(messages(await runSteps(steps, { body: "3" })), ["inner", "after"]);
});

test("a predicate that fails, fails the choice", async () => {
  const steps = `- choice: { when: [{ simple: "\${bodyAs(int)} > 1", steps: [{ log: no }] }] }
- log: after`;
  const outcome = await runSteps(steps, { body: "abc" });
  assert.equal(outcome.failedStep, "choice1");
  assert.deepEqual(messages(outcome), []);
});

test("with precondition a choice is decided when the flow is built", async () => {
  const steps = (value: string): string => `- choice:
    precondition: true
    when: [{ simple: "${value}", steps: [{ log: chosen }] }]
    otherwise: { steps: [{ log: other }] }`;
  assert.deepEqual(messages(await runSteps(steps("true"))), ["chosen"]);
  assert.deepEqual(messages(await runSteps(steps("${body} == 'x'"), { body: "x" })), ["other"]);
});

test("filter runs its steps for a match only, goes on in any case and tells in a property", async () => {
  const steps = `- filter: { simple: "\${body} == 1", statusPropertyName: matched, steps: [{ log: in }] }
- log: after`;
  const yes = await runSteps(steps, { body: "1" });
  assert.deepEqual(messages(yes), ["in", "after"]);
  assert.equal(yes.exchange.properties.get("matched"), true);
  const no = await runSteps(steps, { body: "2" });
  assert.deepEqual(messages(no), ["after"]);
  assert.equal(no.exchange.properties.get("matched"), false);
});

test("stop ends the route from inside of filter, choice, step, pipeline and a called route", async () => {
  const inner = "steps: [{ log: in }, { stop: {} }, { log: never }]";
  for (const step of [
    `filter: { simple: "\${body} == 1", ${inner} }`,
    `choice: { otherwise: { ${inner} } }`,
    `step: { ${inner} }`,
    `pipeline: { ${inner} }`,
  ]) {
    const outcome = await runSteps(`- ${step}\n- log: after`, { body: "1" });
    assert.deepEqual(messages(outcome), ["in"], step);
    assert.equal(outcome.error, undefined);
    assert.equal(outcome.exchange.stopped, true);
  }
  const called = await runRoute(`
- from: { uri: "direct:start", steps: [{ to: "direct:sub" }, { log: never }] }
- from: { uri: "direct:sub", steps: [{ setBody: { constant: reply } }, { stop: {} }, { log: never }] }`);
  assert.deepEqual(called.logs, []);
  assert.equal(called.exchange.message.body, "reply");
});

test("throwException fails with its Java type and a rendered message", async () => {
  const outcome = await runSteps(
    `- throwException: { exceptionType: java.io.IOException, message: "bad \${body}" }
- log: after`,
    { body: "order" },
  );
  assert.ok(outcome.error instanceof FlowException);
  assert.equal(outcome.error.type, "java.io.IOException");
  assert.equal(outcome.error.message, "bad order");
  assert.equal(outcome.failedStep, "throwException1");
  assert.deepEqual(outcome.logs, []);
});

test("throwException works without a message and refuses beans and names that are no class", async () => {
  const { error } = await runSteps("- throwException: { exceptionType: my.Problem }");
  assert.equal(error instanceof FlowException && error.message, "");
  assert.throws(() => compileYaml(routeOf('- throwException: { exceptionType: "not a class" }')), /Java class name/);
  assert.throws(
    () => compileYaml(routeOf('- throwException: { exceptionType: a.B, ref: "#x" }')),
    /no exception beans/,
  );
});

test("steps of a step find its id in CamelStepId, which is gone after it", async () => {
  const outcome = await runSteps(`- step:
    id: outer
    steps:
      - step: { id: inner, steps: [{ log: "\${exchangeProperty.CamelStepId}" }] }
      - log: "\${exchangeProperty.CamelStepId}"`);
  assert.deepEqual(messages(outcome), ["inner", "outer"]);
  assert.equal(outcome.exchange.properties.has("CamelStepId"), false);
});
