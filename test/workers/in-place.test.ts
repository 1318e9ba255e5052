/** Lists and maps that a run changes in place: what its names share, and that no other run ever sees it. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { runRoute, runSteps } from "../support/run-route.ts";

/** A route behind an address, with steps in YAML's flow style. */
function route(from: string, ...steps: readonly string[]): string {
  return `- route:\n    from:\n      uri: "${from}"\n      steps:\n${steps.map((step) => `        - ${step}\n`).join("")}`;
}

const makes = 'setVariable: { name: acc, simple: "${list(x)}" }';
const adds = (value: string): string =>
  `setHeader: { name: ignored, simple: "\${listAdd(\${variable.acc},${value})}" }`;
const logs = (name: string): string => `log: "${name} \${variable.acc}"`;

async function logged(...routes: readonly string[]): Promise<readonly string[]> {
  const outcome = await runRoute(routes.join(""), { body: "a" });
  await outcome.announced.settled();
  return outcome.logs.map(({ message }) => message).toSorted();
}

const names = ["a", "b", "c"] as const;
type Name = (typeof names)[number];
type Operation =
  | { readonly kind: "new" | "remove"; readonly name: Name }
  | { readonly kind: "copy"; readonly name: Name; readonly from: Name }
  | { readonly kind: "add"; readonly name: Name; readonly value: number };

const name = fc.constantFrom(...names);
const operation: fc.Arbitrary<Operation> = fc.oneof(
  fc.record({ kind: fc.constant("new" as const), name }),
  fc.record({ kind: fc.constant("copy" as const), name, from: name }),
  fc.record({ kind: fc.constant("add" as const), name, value: fc.nat(9) }),
  fc.record({ kind: fc.constant("remove" as const), name }),
);

function stepOf(operation: Operation): string {
  const value = `\${variable.${operation.name}}`;
  const set = (simple: string): string => `- setVariable: { name: ${operation.name}, simple: "${simple}" }`;
  if (operation.kind === "new") return set("${list(0)}");
  if (operation.kind === "copy") return set(`\${variable.${operation.from}}`);
  const change =
    operation.kind === "add" ? `\${listAdd(${value},${operation.value})}` : `\${listRemove(${value},last)}`;
  return `- setHeader: { name: ignored, simple: "${change}" }`;
}

test("names that hold one list see each other's changes, as references do", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(operation, { maxLength: 12 }), async (operations) => {
      const model = new Map<Name, string[]>(names.map((one) => [one, ["0"]]));
      const first = names.map((one) => stepOf({ kind: "new", name: one }));
      for (const one of operations) {
        const list = model.get(one.name) as string[];
        if (one.kind === "new") model.set(one.name, ["0"]);
        else if (one.kind === "copy") model.set(one.name, model.get(one.from) as string[]);
        else if (one.kind === "add") list.push(String(one.value));
        else list.pop();
      }
      const { exchange } = await runSteps([...first, ...operations.map(stepOf)].join("\n"));
      const found = names.map((one) => exchange.variables.get(one));
      assert.deepEqual(
        found,
        names.map((one) => model.get(one)),
      );
    }),
    { numRuns: 60 },
  );
});

test("a message that a wire tap, a queue or a completion takes has lists of its own", async () => {
  const end = [adds("y"), "delay: { constant: 20 }", logs("route")];
  const other = [adds("t"), logs("other")];
  const expected = ["other [x, t]", "route [x, y]"];
  const tap = route("direct:start", makes, "wireTap: { uri: direct:o }", ...end);
  assert.deepEqual(await logged(tap, route("direct:o", ...other)), expected);
  const queue = route("direct:start", makes, 'to: "seda:o?waitForTaskToComplete=Never"', ...end);
  assert.deepEqual(await logged(queue, route("seda:o", ...other)), expected);
  const after = route(
    "direct:start",
    `onCompletion: { steps: [ { ${adds("t")} }, { ${logs("other")} } ] }`,
    makes,
    logs("route"),
  );
  assert.deepEqual(await logged(after), ["other [x, t]", "route [x]"]);
});

test("what an aggregate has taken does not change with the run that sent it", async () => {
  const sends = route(
    "direct:start",
    makes,
    'setBody: { simple: "${variable.acc}" }',
    "to: direct:group",
    adds("y"),
    adds("z"),
    "to: direct:group",
  );
  const group = route(
    "direct:group",
    'aggregate: { correlationExpression: { constant: "1" }, completionSize: 2, aggregationStrategy: "#list", steps: [ { log: "group ${body}" } ] }',
  );
  const bean =
    '- beans:\n    - { name: list, type: "org.apache.camel.processor.aggregate.GroupedBodyAggregationStrategy" }\n';
  assert.deepEqual(await logged(bean, sends, group), ["group [[x], [x, y, z]]"]);
});

test("a message that is tried again after its run has failed is as it was before the run", async () => {
  const sends = route("direct:start", makes, 'to: "seda:o?waitForTaskToComplete=Never"');
  const fails = route(
    "seda:o",
    adds("t"),
    logs("first"),
    "throwException: { exceptionType: java.lang.Exception, message: no }",
  );
  const { announced } = await runRoute(sends + fails, { body: "a" });
  const [ended] = await announced.settled();
  assert.deepEqual(ended?.again().variables.get("acc"), ["x"]);
});

test("JSON keeps its text when a list that was taken out of it changes", async () => {
  const { exchange } = await runSteps(
    [
      '- setVariable: { name: text, simple: "${body}" }',
      '- setVariable: { name: inner, jsonpath: "$.l" }',
      "- unmarshal: { json: {} }",
      '- setHeader: { name: h, simple: "${listAdd(${variable.inner},1)} ${listAdd(${body[l]},2)}" }',
      '- setHeader: { name: read, jsonpath: { expression: "$.l", source: "variable:text" } }',
      '- setHeader: { name: both, simple: "${variable.text} ${header.read} ${body}" }',
    ].join("\n"),
    { body: '{"l":[0]}' },
  );
  assert.equal(exchange.message.headers.get("both"), '{"l":[0]} [0] {l=[0, 2]}');
});

test("a shared variable changes by what is written to it, and not with a list that a run holds", async () => {
  const { exchange } = await runSteps(
    [
      '- setVariable: { name: own, simple: "${list(x)}" }',
      '- setVariable: { name: "global:l", simple: "${variable.own}" }',
      '- setHeader: { name: a, simple: "${listAdd(${variable.own},y)}" }',
      '- setHeader: { name: b, simple: "${listAdd(${variable.global:l},z)}" }',
      '- setHeader: { name: all, simple: "${variable.own} ${variable.global:l}" }',
    ].join("\n"),
  );
  assert.equal(exchange.message.headers.get("all"), "[x, y] [x, z]");
});

test("a list and a map cannot be put into themselves, however deep", async () => {
  for (const steps of [
    '- setBody: { simple: "${list(x)}" }\n- setBody: { simple: "${listAdd(${body},${body})}" }',
    '- setBody: { simple: "${list(x)}" }\n- setVariable: { name: m, simple: "${map(k,${body})}" }\n- setBody: { simple: "${listAdd(${body},${variable.m})}" }',
    '- setBody: { simple: "${map(a,1)}" }\n- setBody: { simple: "${mapAdd(${body},k,${body})}" }',
  ]) {
    const { error } = await runSteps(steps);
    assert.match(String(error), /cannot be added to itself/);
  }
});
