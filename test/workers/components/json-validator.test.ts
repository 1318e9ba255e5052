/** json-validator: its diagnostics, its bounds, and what is refused; test/conformance has what Camel does. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { exceptionMessage, exceptionType, FlowException } from "../../../src/workers/engine/exception.ts";
import { type RouteOptions, runRoute } from "../../support/run-route.ts";

/** A flow with the schema as its bean `s`. */
function flowOf(schema: unknown, options = "", catching?: string): string {
  const script = typeof schema === "string" ? schema : JSON.stringify(schema);
  const to = { to: `json-validator:ref:s${options}` };
  const caught = { exception: ["org.apache.camel.ValidationException"], steps: [{ setBody: { simple: catching } }] };
  return JSON.stringify([
    { beans: [{ name: "s", type: "java.lang.String", scriptLanguage: "constant", script }] },
    {
      route: {
        id: "r",
        from: { uri: "direct:r", steps: [catching === undefined ? to : { doTry: { steps: [to], doCatch: [caught] } }] },
      },
    },
  ]);
}

async function failureOf(schema: unknown, body: unknown, route: RouteOptions = {}): Promise<FlowException> {
  const { error } = await runRoute(flowOf(schema), { body, ...route });
  assert.ok(error instanceof FlowException, `it failed with ${String(error)}`);
  return error;
}

/** The lines of the message, without its head and its end. */
async function faultsOf(schema: unknown, body: unknown): Promise<readonly string[]> {
  const { type, message } = await failureOf(schema, body);
  assert.equal(type, "org.apache.camel.component.jsonvalidator.JsonValidationException");
  const [head = "", ...lines] = message.replace(/\. Exchange\[[^\]]+\]$/, "").split("\n");
  assert.equal(head, `JSON validation error with ${lines.length} errors:`);
  return lines;
}

const order = {
  type: "object",
  required: ["id", "name"],
  properties: {
    id: { type: "integer", minimum: 1 },
    name: { type: "string", pattern: "^[A-Z]" },
    tags: { type: "array", items: { type: "string" } },
    "a/b~c": { enum: ["x", 1] },
    sub: { type: "object", additionalProperties: false },
  },
};

test("each fault has its place as a JSON pointer, what was expected, and the keyword", async () => {
  for (const [body, ...faults] of [
    [
      {},
      '$: Instance does not have required property "id" (required)',
      '$: Instance does not have required property "name" (required)',
    ],
    [{ id: "x", name: "A" }, '/id: Instance type "string" is invalid. Expected "integer" (type)'],
    [{ id: 0, name: "A" }, "/id: 0 is less than 1 (minimum)"],
    [{ id: 1, name: "a" }, "/name: String does not match pattern (pattern)"],
    [
      { id: 1, name: "A", tags: ["x", 2, null] },
      '/tags/1: Instance type "number" is invalid. Expected "string" (type)',
      '/tags/2: Instance type "null" is invalid. Expected "string" (type)',
    ],
    [{ id: 1, name: "A", "a/b~c": "y" }, '/a~1b~0c: Instance does not match any of ["x",1] (enum)'],
    [{ id: 1, name: "A", sub: { more: 1 } }, "/sub/more: The schema allows no value here (additionalProperties)"],
    [[], '$: Instance type "array" is invalid. Expected "object" (type)'],
  ] as const) {
    assert.deepEqual(await faultsOf(order, JSON.stringify(body)), faults, JSON.stringify(body));
    assert.deepEqual(await faultsOf(order, body), faults, "as data");
  }
});

test("a route reads the faults of the exception", async () => {
  const { exchange } = await runRoute(
    flowOf(
      order,
      "",
      "${exception.numberOfErrors} ${exception.errors[0][keyword]} ${exception.errors[0][instanceLocation]}",
    ),
    {
      body: '{"id": "x", "name": 1}',
    },
  );
  assert.equal(exchange.message.body, "2 type /id");
});

test("a body of many faults is looked at up to the first hundred", async () => {
  const list = Array.from({ length: 300_000 }, () => "x");
  const faults = await faultsOf({ items: { items: { type: "integer" } } }, [list]);
  assert.equal(faults.length, 100);
  assert.equal(faults[99], '/0/99: Instance type "string" is invalid. Expected "integer" (type)');
});

test("a validation ends in time, and at a depth", async () => {
  const limits = { scriptMs: 50 };
  const slow = await failureOf(
    { uniqueItems: true },
    Array.from({ length: 50_000 }, (_, at) => at),
    { limits },
  );
  assert.match(slow.message, /runs for at most 50 ms/);
  const nested = `${"[".repeat(5000)}${"]".repeat(5000)}`;
  const deep = await failureOf({ $ref: "#/$defs/a", $defs: { a: { items: { $ref: "#/$defs/a" } } } }, nested);
  assert.match(`${exceptionType(deep)}: ${exceptionMessage(deep)}`, /LimitExceeded|nest/);
});

test("what is no schema, and options without a meaning here, are refused", async () => {
  for (const [schema, why] of [
    ["{", /the schema is not JSON/],
    ["[]", /the schema is an object of JSON Schema, true or false/],
    [{ type: "strin" }, /the schema is wrong: \/type: it is one of array, boolean/],
    [{ properties: { a: { pattern: "(" } } }, /\/properties\/a\/pattern: /],
    [{ $ref: "https://a.example/schema.json" }, /\/\$ref: .*nothing is fetched/],
  ] as const) {
    await assert.rejects(runRoute(flowOf(schema)), why, String(schema));
  }
  for (const [option, why] of [
    ["errorHandler=#mine", /handle JsonValidationException by onException or doTry/],
    ["uriSchemaLoader=#mine", /no such beans/],
    ["allowContextMapAll=true", /a schema sees the value/],
  ] as const) {
    await assert.rejects(runRoute(flowOf({}, `?${option}`)), why, option);
  }
  await assert.rejects(
    runRoute('- from: { uri: direct:r, steps: [{ to: "json-validator:schemas/order.json" }] }'),
    /reads no files, classpath or servers for a schema: put the schema into the flow/,
  );
});
