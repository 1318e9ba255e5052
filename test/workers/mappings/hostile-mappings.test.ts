/** Documents and messages that look for a fault: each is refused with a reason, or ends with a limit. */
import assert from "node:assert/strict";
import { before, test } from "node:test";
import { checkMessageMapping } from "../../../src/workers/mappings/check-message-mapping.ts";
import { messageModules } from "../../../src/workers/mappings/registry.ts";
import { checkRequest } from "../../support/with-mappings.ts";
import { failureOf, mapped } from "./map-message.ts";

before(() => messageModules.load());

/** The first problem; "" when the document is accepted, or asks for value mappings. */
function problem(document: unknown): string {
  const result = checkMessageMapping(checkRequest(document, { kind: "message" }));
  return "problems" in result ? (result.problems[0] ?? "") : "";
}

const withSchema = (schema: unknown) => ({ mappings: { "/a": "a" }, target: { schema } });

test("each keyword of a schema has a value of its kind", () => {
  const cases: readonly (readonly [schema: unknown, problem: RegExp])[] = [
    [{ $schema: { toString: 1 } }, /^\/target\/schema\/\$schema: it is a text$/],
    [{ $id: 5 }, /\/\$id: it is a text$/],
    [{ type: "text" }, /\/type: it is one of array, boolean, /],
    [{ required: 5 }, /\/required: it is a list of names$/],
    [{ properties: null }, /\/properties: it is an object of schemas$/],
    [{ properties: { a: null } }, /\/properties: it is an object of schemas$/],
    [{ properties: { a: { enum: 5 } } }, /^\/target\/schema\/properties\/a\/enum: it is a list of values$/],
    [{ properties: { pattern: { pattern: 5 } } }, /\/properties\/pattern\/pattern: it is a text$/],
    [{ items: [{ minLength: -1 }] }, /\/items\/0\/minLength: it is a whole number from 0$/],
    [{ allOf: { a: true } }, /\/allOf: it is a list of schemas$/],
    [{ dependencies: { a: { maximum: "1" } } }, /\/dependencies\/a\/maximum: it is a number$/],
    [{ $defs: { a: [] } }, /\/\$defs: it is an object of schemas$/],
    [{ $ref: "#/x-own/a", "x-own": { a: { not: 1 } } }, /\/\$ref\/not: it is a schema/],
    [{ $ref: "#/x-own", "x-own": [] }, /\/\$ref: '#\/x-own' is no schema/],
  ];
  for (const [schema, expected] of cases) assert.match(problem(withSchema(schema)), expected, JSON.stringify(schema));
  const fine = {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    type: ["object", "null"],
    properties: { type: { type: "integer", exclusiveMinimum: 0 }, required: { enum: [null, 1] }, items: true },
    required: ["type"],
    items: [{ const: { required: 5 } }, false],
    dependencies: { a: ["b"], c: { uniqueItems: true } },
    "x-own": { required: 5 },
    $defs: { self: { $ref: "#" } },
  };
  assert.equal(problem(withSchema(fine)), "");
});

test("a document that is no object is refused", () => {
  for (const document of ["[]", "null", '"x"', "1"])
    assert.match(problem(document), /^a message mapping is a JSON object/);
});

test("ids of value mappings that cannot be are problems of the document", () => {
  const rule = (id: string) => ({ mappings: { "/a": `$vmap('${id}', 'from', 'to', a)` } });
  for (const id of ["../x", "__proto__", "x".repeat(5000)]) {
    assert.match(problem(rule(id)), /^\/mappings\/~1a\/expr: rule r1 -> \/a: .*: an id has 1 to 128 characters/, id);
    assert.match(problem({ mappings: { "/a": "a" }, uses: ["fine", id] }), /^\/uses\/1: .*an id has 1 to 128 char/, id);
  }
});

test("an expression may be as long as it likes", () => {
  assert.equal(problem({ expression: `[${"1,".repeat(150_000)}1]` }), "");
});

test("names of any characters are told of when a value does not fit", async () => {
  const schema = { properties: { a: { additionalProperties: { type: "string" } } } };
  const names = { "\ud800": "\\ud800", "100%25#/~": "100%25#~1~0" };
  for (const [name, shown] of Object.entries(names)) {
    const failure = await failureOf(withSchema(schema), { a: { [name]: 1 } });
    const wanted = `/a/${shown.startsWith("\\") ? name : shown}: Instance type "number" is invalid`;
    assert.ok(failure.includes(wanted), failure);
  }
});

test("a message is held against a schema for so long and no longer", async () => {
  const limits = { scriptMs: 200 };
  const inner = (depth: number) => ({ allOf: [{ $ref: `#/$defs/d${depth}` }, { $ref: `#/$defs/d${depth}` }] });
  const defs = Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`d${at}`, inner(at + 1)]));
  const twofold = { $defs: { ...defs, d40: {} }, properties: { a: inner(0) } };
  const distinct = { properties: { a: { uniqueItems: true } } };
  const over = /^LimitExceededException: mapping 'm': .* runs for at most 200 ms/;
  assert.match(await failureOf(withSchema(twofold), { a: 1 }, { limits }), over);
  const numbers = Array.from({ length: 300_000 }, (_, n) => n);
  assert.match(await failureOf(withSchema(distinct), { a: numbers }, { limits }), over);
  assert.match(
    await failureOf(withSchema(distinct), { a: [{ n: 1 }, { n: 1 }] }),
    /Duplicate items at indexes 0 and 1/,
  );
});

test("what a message may bring does not make a function slow", async () => {
  const limits = { scriptMs: 200 };
  const objects = Array.from({ length: 50_000 }, (_, n) => ({ n }));
  const distinct = { mappings: { "/a": "$distinct(list)" } };
  assert.match(await failureOf(distinct, { list: objects }, { limits }), /^LimitExceededException: .* 200 ms/);
  const list = [1, "1", { n: 1 }, [1], { n: 1 }, 1, null, true, [1], null, { n: 2 }];
  assert.deepEqual(await mapped(distinct, { list }), { a: [1, "1", { n: 1 }, [1], null, true, { n: 2 }] });
  const picture = "[Y]".repeat(400);
  for (const call of [
    "$fromMillis(0, p)",
    "$toMillis('1', p)",
    "$now(p)",
    "$formatNumber(1, p)",
    "$formatInteger(1, p)",
  ]) {
    const failure = await failureOf({ mappings: { "/a": call } }, { p: picture });
    assert.match(failure, /^LimitExceededException: .* takes pictures of at most 1000 characters/, call);
  }
});

test("a result that nests too deep is a limit, whatever the mapping says of failures", async () => {
  const document = { mappings: { "/a": "$reduce([1..60000], function($a, $b) { [[$a]] }, [])" }, onError: "null" };
  assert.match(await failureOf(document, {}, { limits: { scriptMs: 60_000 } }), /^LimitExceededException: .*too deep/);
});

test("an expression that makes a long message for its error does not make a long failure", async () => {
  const failure = await failureOf({ mappings: { "/a": "$error($pad('x', 1000000, 'x'))" } }, {});
  assert.match(failure, /rule r1 -> \/a: x{4000}\.\.\./);
  assert.ok(failure.length < 5000);
});
