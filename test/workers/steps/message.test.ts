/** Steps that change the message: bodies, headers, properties, variables. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { compileYaml, modelOf, routeOf, runSteps } from "../../support/run-route.ts";

const headersOf = (outcome: Awaited<ReturnType<typeof runSteps>>) =>
  Object.fromEntries(outcome.exchange.message.headers.entries());

test("setBody and transform replace the body and keep the headers", async () => {
  for (const step of ["setBody", "transform"]) {
    const outcome = await runSteps(`- ${step}: { simple: "Hello \${body}" }`, { body: "World", headers: { a: "1" } });
    assert.equal(outcome.exchange.message.body, "Hello World");
    assert.equal(outcome.exchange.message.written, true);
    assert.deepEqual(headersOf(outcome), { a: "1" });
  }
});

test("an expression without a value makes the body null", async () => {
  const { exchange } = await runSteps("- setBody: { header: missing }", { body: "x" });
  assert.equal(exchange.message.body, null);
});

test("a result type converts the value, a failing conversion fails the step", async () => {
  const ok = await runSteps('- setBody: { simple: { expression: "${body}", resultType: int } }', { body: "42" });
  assert.equal(ok.exchange.message.body, 42);
  const bad = await runSteps('- setBody: { simple: { expression: "${body}", resultType: int } }', { body: "x" });
  assert.equal(bad.failedStep, "setBody1");
  const asked = await runSteps('- setBody: { simple: { expression: "${body} > 5", resultType: Boolean } }', {
    body: "7",
  });
  assert.equal(asked.exchange.message.body, true);
});

test("headers are found whatever their case and keep the case of their first writer", async () => {
  const outcome = await runSteps(
    `- setHeader: { name: CONTENT-TYPE, constant: text/plain }
- setBody: { simple: "\${header.content-type}" }`,
    { headers: { "Content-Type": "application/json" } },
  );
  assert.equal(outcome.exchange.message.body, "text/plain");
  assert.equal(outcome.exchange.message.headers.size, 1);
});

test("a header's name is a template, and null is a value that stays", async () => {
  const outcome = await runSteps(
    `- setHeader: { name: "x-\${body}", constant: "1" }
- setHeader: { name: empty, header: missing }`,
    { body: "id" },
  );
  assert.deepEqual(headersOf(outcome), { "x-id": "1", empty: null });
});

test("setHeaders and setVariables go in order: later ones see earlier ones", async () => {
  const { exchange } = await runSteps(
    `- setHeaders:
    headers:
      - { name: a, constant: "1" }
      - { name: b, simple: "\${header.a}2" }
- setVariables:
    variables:
      - { name: v, simple: "\${header.b}3" }
      - { name: w, simple: "\${variable.v}4" }`,
  );
  assert.equal(exchange.message.headers.get("b"), "12");
  assert.equal(exchange.variables.get("w"), "1234");
});

test("properties and variables keep their case; null removes them", async () => {
  const { exchange } = await runSteps(
    `- setProperty: { name: P, constant: "1" }
- setProperty: { name: "p\${body}", constant: "2" }
- setVariable: { name: V, constant: "3" }
- setProperty: { name: gone, header: missing }
- setVariable: { name: gone, header: missing }`,
    { body: "x", properties: { gone: "1" }, variables: { gone: "1" } },
  );
  assert.deepEqual(Object.fromEntries(exchange.properties), { P: "1", px: "2" });
  assert.deepEqual(Object.fromEntries(exchange.variables), { V: "3" });
});

test("names that no variable has are refused with what to do", async () => {
  for (const name of ["header:x.y", "other:x"]) {
    for (const step of [`setVariable: { name: "${name}", constant: "1" }`, `removeVariable: "${name}"`]) {
      assert.throws(() => compileYaml(routeOf(`- ${step}`)), /without|read-only/, step);
    }
  }
  const { error } = await runSteps('- setVariable: { name: "${body}", constant: "1" }', { body: "global:x" });
  assert.match(String(error), /may have several threads.*write the name of one there/);
});

test("single headers, properties and variables are removed", async () => {
  const outcome = await runSteps(
    `- removeHeader: A
- removeProperty: p
- removeVariable: v`,
    { headers: { a: "1", b: "2" }, properties: { p: "1", P: "2" }, variables: { v: "1", V: "2" } },
  );
  assert.deepEqual(headersOf(outcome), { b: "2" });
  assert.deepEqual([...outcome.exchange.properties.keys()], ["P"]);
  assert.deepEqual([...outcome.exchange.variables.keys()], ["V"]);
  const all = await runSteps('- removeVariable: "*"', { variables: { a: 1, b: 2 } });
  assert.equal(all.exchange.variables.size, 0);
});

const removals: readonly (readonly [step: string, left: readonly string[]])[] = [
  ['removeHeaders: "*"', []],
  ['removeHeaders: "camel*"', ["Order-Id", "order-no", "b.c"]],
  ["removeHeaders: ORDER-ID", ["CamelHttpPath", "CamelHttpMethod", "order-no", "b.c"]],
  ['removeHeaders: "order-(id|no)"', ["CamelHttpPath", "CamelHttpMethod", "b.c"]],
  ['removeHeaders: "order"', ["CamelHttpPath", "CamelHttpMethod", "Order-Id", "order-no", "b.c"]],
  ['removeHeaders: "b.c"', ["CamelHttpPath", "CamelHttpMethod", "Order-Id", "order-no"]],
  ['removeHeaders: ".*-.*"', ["CamelHttpPath", "CamelHttpMethod", "b.c"]],
  ['removeHeaders: { pattern: "*", excludePattern: "Camel*" }', ["CamelHttpPath", "CamelHttpMethod"]],
  [
    'removeHeaders: { pattern: "Camel*", excludePattern: "camelhttppath" }',
    ["CamelHttpPath", "Order-Id", "order-no", "b.c"],
  ],
];

for (const [step, left] of removals) {
  test(`${step} leaves ${left.join(", ") || "nothing"}`, async () => {
    const headers = { CamelHttpPath: "/", CamelHttpMethod: "POST", "Order-Id": "1", "order-no": "2", "b.c": "3" };
    const outcome = await runSteps(`- ${step}`, { headers });
    assert.deepEqual(Object.keys(headersOf(outcome)), left);
  });
}

test("removeProperties takes the same patterns", async () => {
  const properties = { orderId: 1, orderNo: 2, other: 3 };
  const { exchange } = await runSteps('- removeProperties: { pattern: "order*", excludePattern: orderId }', {
    properties,
  });
  assert.deepEqual([...exchange.properties.keys()], ["orderId", "other"]);
});

test("a pattern that is no regular expression is refused when the flow is deployed", () => {
  assert.throws(() => compileYaml(routeOf('- removeHeaders: "a(b"')), /regular expression/);
});

test("more headers than the limit fail the run with the place", async () => {
  const { error, failedStep } = await runSteps(
    `- setHeader: { name: a, constant: "1" }
- setHeader: { name: b, constant: "1" }`,
    { limits: { headerCount: 1 } },
  );
  assert.match(String(error), /at most 1 headers/);
  assert.equal(failedStep, "setHeader2");
});

test("one finding names all options that a step lacks", () => {
  assert.throws(() => modelOf(routeOf("- convertVariableTo: {}")), /step 'convertVariableTo' needs 'name' and 'type'/);
});
