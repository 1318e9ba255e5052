/** The step `valueMapping`: where its value comes from, where the result goes, what happens to values that are not mapped. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { exceptionMessage, exceptionType } from "../../../src/workers/engine/exception.ts";
import { JsonText } from "../../../src/workers/engine/message.ts";
import { compileYaml, type RouteOptions, type RouteOutcome, routeOf, runSteps } from "../../support/run-route.ts";
import { mappingsOf } from "../../support/with-mappings.ts";

const mappings = mappingsOf({
  "order-status": {
    rows: [
      { crm: "New", erp: "ZNEW" },
      { crm: ["Done", "Closed"], erp: "ZCLS" },
      { crm: "Hold", erp: "ZHLD" },
      { crm: "Hold", erp: "DHLD", when: { country: "DE" } },
      { crm: 7, erp: null },
    ],
    onAmbiguous: "first",
  },
  three: { rows: [{ crm: "New", erp: "ZNEW", shop: 1 }], default: "?" },
});

async function mapped(step: string, options: RouteOptions = {}): Promise<RouteOutcome> {
  const outcome = await runSteps(`- valueMapping: ${step}`, { mappings, ...options });
  if (outcome.error !== undefined) throw outcome.error;
  return outcome;
}

async function bodyAfter(step: string, options: RouteOptions = {}): Promise<unknown> {
  return (await mapped(step, options)).exchange.message.value;
}

async function failureOf(step: string, options: RouteOptions = {}): Promise<string> {
  const { error } = await runSteps(`- valueMapping: ${step}`, { mappings, ...options });
  return `${exceptionType(error)}: ${exceptionMessage(error)}`;
}

test("the body becomes what it is mapped to; columns may be left out where there are two", async () => {
  assert.equal(await bodyAfter("order-status", { body: "Closed" }), "ZCLS");
  assert.equal(await bodyAfter("{ id: order-status, from: erp }", { body: "ZCLS" }), "Done");
  assert.equal(await bodyAfter("{ id: order-status, to: crm }", { body: "ZCLS" }), "Done");
  assert.equal(await bodyAfter("{ id: three, from: crm, to: shop }", { body: new JsonText('"New"', "New") }), 1);
  assert.equal(await bodyAfter("order-status", { body: "7" }), null);
  assert.match(
    await failureOf("three", { body: "New" }),
    /say from which column to which: there are "crm", "erp", "shop"/,
  );
});

test("input is a template, and keeps the type of a single function", async () => {
  const body = new JsonText('{"status": "New", "n": 7}', { status: "New", n: 7 });
  assert.equal(await bodyAfter('{ id: order-status, input: "${body[status]}" }', { body }), "ZNEW");
  assert.equal(await bodyAfter('{ id: order-status, input: "N${header.rest}" }', { headers: { rest: "ew" } }), "ZNEW");
  assert.equal(
    await bodyAfter('{ id: three, from: shop, to: erp, input: "${header.n}" }', { headers: { n: 1 } }),
    "ZNEW",
  );
});

test("output is a header, a variable or a property; the body then stays as it was", async () => {
  for (const output of ["header.status", "headers.status"]) {
    const { exchange } = await mapped(`{ id: order-status, output: ${output} }`, { body: "New" });
    assert.equal(exchange.message.headers.get("status"), "ZNEW");
    assert.equal(exchange.message.body, "New");
    assert.equal(exchange.message.written, false);
  }
  for (const output of ["variable.a.b", "variables.a.b"]) {
    const { exchange } = await mapped(`{ id: order-status, output: ${output} }`, { body: "New" });
    assert.equal(exchange.variables.get("a.b"), "ZNEW");
  }
  for (const output of ["exchangeProperty.p", "property.p"]) {
    const { exchange } = await mapped(`{ id: order-status, output: ${output} }`, { body: "New" });
    assert.equal(exchange.properties.get("p"), "ZNEW");
  }
});

test("output is a place in a JSON body, of which nothing else changes", async () => {
  const value = { status: "New", lines: [{ s: "New" }, { s: "Done" }], keep: { a: 1 } };
  const body = new JsonText(JSON.stringify(value), value);
  const to = (place: string) => bodyAfter(`{ id: order-status, input: New, output: ${place} }`, { body });
  assert.deepEqual(await to("body.status"), { ...value, status: "ZNEW" });
  assert.deepEqual(await to("body.lines.1.s"), { ...value, lines: [{ s: "New" }, { s: "ZNEW" }] });
  assert.deepEqual(await to("body.new.deep"), { ...value, new: { deep: "ZNEW" } });
  assert.deepEqual(value, { status: "New", lines: [{ s: "New" }, { s: "Done" }], keep: { a: 1 } });
  assert.deepEqual(await bodyAfter("{ id: order-status, input: New, output: body.a }", { body: '{"b": 1}' }), {
    b: 1,
    a: "ZNEW",
  });
  assert.deepEqual(await bodyAfter("{ id: order-status, input: New, output: body.a }"), { a: "ZNEW" });
});

test("a key that objects have by nature is one like any other", async () => {
  const body = await bodyAfter("{ id: order-status, input: New, output: body.__proto__.polluted }");
  assert.equal(JSON.stringify(body), '{"__proto__":{"polluted":"ZNEW"}}');
  assert.equal(Object.getPrototypeOf(body), Object.prototype);
  assert.equal(({} as { polluted?: unknown }).polluted, undefined);
});

test("what nothing can be put into is a TypeConversionException", async () => {
  const into = (place: string, body: unknown) =>
    failureOf(`{ id: order-status, input: New, output: ${place} }`, { body });
  const type = "org.apache.camel.TypeConversionException: ";
  assert.equal(
    await into("body.a", "text"),
    `${type}the body is a text that is not JSON, so nothing can be put into it`,
  );
  assert.equal(
    await into("body.a.b", { a: 1 }),
    `${type}body.a is a java.lang.Integer, not an object, so nothing can be put into it`,
  );
  assert.equal(
    await into("body.5", [1]),
    `${type}body is a list of 1 elements and has no element '5', so nothing can be put into it`,
  );
});

test("a value that is not mapped fails with its names, or is what onMissing and default say", async () => {
  assert.equal(
    await failureOf("order-status", { body: "Lost" }),
    `ValueMappingNotFoundException: value mapping 'order-status': "Lost" is not mapped from "crm" to "erp"`,
  );
  assert.equal(await bodyAfter("{ id: order-status, onMissing: passthrough }", { body: "Lost" }), "Lost");
  assert.equal(await bodyAfter('{ id: order-status, onMissing: "null" }', { body: "Lost" }), null);
  assert.equal(await bodyAfter("{ id: order-status, default: ZUNK }", { body: "Lost" }), "ZUNK");
  assert.equal(
    await bodyAfter('{ id: order-status, onMissing: default, default: "<${body}>" }', { body: "Lost" }),
    "<Lost>",
  );
  assert.equal(await bodyAfter("{ id: order-status, default: ZUNK }", { body: null }), "ZUNK");
  assert.equal(await bodyAfter("{ id: three, from: crm, to: erp }", { body: "Lost" }), "?");
  assert.match(
    await failureOf("{ id: three, from: crm, to: erp, onMissing: error }", { body: "Lost" }),
    /"Lost" is not mapped/,
  );
  assert.match(await failureOf("order-status", { body: [1] }), /a list cannot be looked up/);
  assert.match(
    await failureOf("gone"),
    /there is no value mapping 'gone': PUT \/_api\/value-mappings\/gone installs it/,
  );
});

test("qualifiers choose the row", async () => {
  const step = '{ id: order-status, qualifiers: { country: "${header.country}" } }';
  assert.equal(await bodyAfter(step, { body: "Hold", headers: { country: "DE" } }), "DHLD");
  assert.equal(await bodyAfter(step, { body: "Hold", headers: { country: "FR" } }), "ZHLD");
  assert.equal(await bodyAfter(step, { body: "Hold" }), "ZHLD");
});

test("the flow's manifest names the mappings, each with the step that uses it", () => {
  const steps =
    '- valueMapping: { id: a, stepId: first, output: "header.x" }\n- setBody: { id: s, simple: "${vmap:b:New}" }\n- valueMapping: a';
  const { mappings: uses } = compileYaml(routeOf(steps)).manifest;
  assert.deepEqual(
    uses.map(({ kind, id, routeId, stepId }) => [kind, id, routeId, stepId]),
    [
      ["value", "a", "main", "first"],
      ["value", "b", "main", "s"],
      ["value", "a", "main", "valueMapping1"],
    ],
  );
});

const refused: readonly (readonly [step: string, problem: RegExp])[] = [
  ["{ from: a }", /^flow:6:11: .*'id'/],
  ['{ id: "a/b" }', /^flow:6:31: option 'id' of step 'valueMapping': an id has 1 to 128 characters/],
  [
    '{ id: "${body}" }',
    /^flow:6:31: option 'id' .*: the id is fixed, without functions: a flow is given the mappings it names$/,
  ],
  ['{ id: a, from: "${body}" }', /^flow:6:40: option 'from' .*: a column is fixed, without functions$/],
  [
    "{ id: a, output: status }",
    /^flow:6:42: option 'output' .*: 'status' is no place for a result: write body, body\.key, header\.name/,
  ],
  ["{ id: a, output: toString }", /'toString' is no place for a result/],
  ['{ id: a, output: "header.${body}" }', /a place is fixed, without functions/],
  ["{ id: a, output: header }", /a name is missing: write header\.name$/],
  ["{ id: a, output: body.a..b }", /a key is missing: write body\.key/],
  ["{ id: a, output: variable.foo:x }", /no variable repository 'foo'/],
  ["{ id: a, onMissing: explode }", /^flow:6:45: option 'onMissing' .* is one of error, default, passthrough, null/],
  [
    '{ id: a, onMissing: "null", default: x }',
    /^flow:6:11: 'default' has no effect with onMissing null: leave one of them out$/,
  ],
  ['{ id: a, input: "${bodi}" }', /^flow:6:\d+: simple: Unknown function: bodi/],
];

for (const [step, problem] of refused) {
  test(`refused with its place: ${step}`, () => {
    assert.throws(
      () => compileYaml(routeOf(`- valueMapping: ${step}`)),
      (error) => problem.test(exceptionMessage(error)) || assert.fail(exceptionMessage(error)),
    );
  });
}
