/** What values are as expected, and what is said of those that are not. */
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  bodyMismatches,
  type How,
  headerMismatches,
  makeLiteral,
  mismatches,
  mismatchText,
} from "../../../src/shared/matchers.ts";
import { matcherRegex } from "../../../src/workers/testing/judge-call.ts";

const how: How = { regex: matcherRegex, path: "body" };

/** What is said, in one text; "" when it matches. */
const told = (matcher: unknown, actual: unknown, more: Partial<How> = {}): string =>
  mismatches(matcher, actual, { ...how, ...more })
    .map(mismatchText)
    .join("; ");

const missing = undefined;

const fitting: readonly (readonly [matcher: unknown, actual: unknown])[] = [
  [17, 17],
  [1, 1.0],
  [null, null],
  [
    { b: [1, { c: null }], a: "x" },
    { a: "x", b: [1, { c: null }] },
  ],
  [{ $eq: { $gt: 1 } }, { $gt: 1 }],
  [{ $ne: 17 }, "17"],
  [{ $ne: 17 }, missing],
  [{ $ne: { $gt: 1 } }, 5],
  [{ $contains: "el" }, "hello"],
  [{ $contains: { id: 17 } }, { id: 17, more: true }],
  [{ $contains: { a: { b: 1 }, l: [{ x: 2 }] } }, { a: { b: 1, c: 2 }, l: [1, { x: 2, y: 3 }], z: 0 }],
  [{ $contains: [2, { id: { $gt: 5 } }] }, [{ id: 6, n: "x" }, 1, 2]],
  [{ $contains: { sku: "A" } }, [{ sku: "B" }, { sku: "A", qty: 1 }]],
  [{ $contains: 2 }, [1, 2]],
  [{ $regex: "^a.c$" }, "abc"],
  [{ $regex: "b" }, "abc"],
  [{ $gt: 1, $lte: 2 }, 2],
  [{ $gt: "2026-01-01" }, "2026-05-05"],
  [{ $in: [1, { a: 1 }] }, { a: 1 }],
  [{ $exists: true }, null],
  [{ $exists: false }, missing],
  [{ id: { $exists: false }, n: 1 }, { n: 1 }],
  [{ n: { $not: { $exists: true } } }, {}],
  [{ $type: "integer" }, 2],
  [{ $type: "number" }, 2],
  [{ $type: "array" }, []],
  [{ $type: "object" }, {}],
  [{ $type: "null" }, null],
  [{ $type: "string", $regex: "^$" }, ""],
  [{ $type: "boolean" }, false],
  [{ $not: { $contains: { id: 17 } } }, { id: 18 }],
  [{}, {}],
  [JSON.parse('{"__proto__": {"$gt": 0}}'), JSON.parse('{"__proto__": 1}')],
];

for (const [matcher, actual] of fitting) {
  test(`${JSON.stringify(matcher)} fits ${JSON.stringify(actual)}`, () => {
    assert.equal(told(matcher, actual), "");
    assert.notEqual(told({ $not: matcher }, actual), "");
  });
}

const differing: readonly (readonly [matcher: unknown, actual: unknown, message: string])[] = [
  [17, "17", 'body: expected 17, got "17"'],
  [null, missing, "body: expected null, missing"],
  [0, null, "body: expected 0, got null"],
  [Number.NaN, Number.NaN, "body: expected NaN, got NaN"],
  [{ id: 17 }, { id: 17, x: [1] }, "body.x: expected nothing, got [1]"],
  [{}, JSON.parse('{"__proto__": 1}'), "body.__proto__: expected nothing, got 1"],
  [JSON.parse('{"toString": {"$exists": true}}'), {}, "body.toString: expected something to be there, missing"],
  [{ items: [{ id: 17 }] }, { items: [{ id: "18" }] }, 'body.items[0].id: expected 17, got "18"'],
  [[1, 2], [1], "body[1]: expected 2, missing"],
  [[1], [1, 2], "body[1]: expected nothing, got 2"],
  [{ "a b": 1 }, { "a b": 2 }, 'body["a b"]: expected 1, got 2'],
  [{ $contains: { a: { b: 1 } } }, { a: { b: 2, c: 3 } }, "body.a.b: expected 1, got 2"],
  [{ $contains: [{ id: 1 }] }, [{ id: 2 }], 'body: expected an item {"id":1}, got [{"id":2}]'],
  [{ $contains: 17 }, 17, "body: expected something that contains 17, got 17"],
  [{ $regex: "^a" }, 5, "body: expected a text that matches /^a/, got 5"],
  [{ $gt: 1, $lt: 3 }, 3, "body: expected less than 3, got 3"],
  [{ $gte: 1 }, "1", 'body: expected at least 1, got "1"'],
  [{ $in: [1, 2] }, 3, "body: expected one of [1,2], got 3"],
  [{ $in: [{ $gt: 1 }] }, 3, 'body: expected one of [{"$gt":1}], got 3'],
  [{ $exists: false }, 0, "body: expected nothing, got 0"],
  [{ $type: "integer" }, 1.5, "body: expected a value of type integer, got 1.5"],
  [{ $type: "object" }, missing, "body: expected a value of type object, missing"],
  [{ $not: { $gt: 1, $lt: 3 } }, 2, "body: expected not more than 1 and less than 3, got 2"],
  [{ $ne: "x" }, "x", 'body: expected anything but "x", got "x"'],
];

for (const [matcher, actual, message] of differing) {
  test(`${JSON.stringify(matcher)} differs from ${JSON.stringify(actual)}`, () =>
    assert.equal(told(matcher, actual), message));
}

test("what cannot be compared never matches, also where it is negated", () => {
  const faulty = [{ $regex: "(" }, { $foo: 1 }, { $not: { $not: { $regex: "(" } } }, { $regex: { toString: 1 } }];
  for (const matcher of faulty) {
    assert.notEqual(told(matcher, "x"), "");
    assert.notEqual(told({ $contains: [matcher] }, ["x"]), "");
    if (matcher !== faulty[3]) assert.notEqual(told({ $not: matcher }, "x"), "");
  }
  let deep: unknown = 1;
  for (let i = 0; i < 10_000; i++) deep = [deep];
  assert.match(told(deep, deep), /at most 256 levels/);
});

test("mismatches are bounded in number and length", () => {
  const many = Array.from({ length: 5000 }, (_, i) => ({ [`key ${i} ${"x".repeat(1000)}`]: "y".repeat(1000) }));
  const found = mismatches(many, [], how);
  assert.equal(found.length, 20);
  assert.ok(JSON.stringify(found).length < 20 * 1000);
  assert.equal(mismatches(many, [], { ...how, most: 1 }).length, 1);
});

test("lists that may hold each other are compared up to a bound, and then do not match", () => {
  const numbers = Array.from({ length: 3000 }, (_, i) => i);
  const shifted = numbers.map((n) => n + 0.5);
  assert.match(told({ $contains: [...numbers.toReversed(), ...shifted] }, numbers), /fewer values to compare/);
  assert.match(
    told({ $not: { $contains: [...numbers.toReversed(), ...shifted] } }, numbers),
    /fewer values to compare/,
  );
});

test("headers are named without case and compared as texts; those that nobody names may be there", () => {
  const actual = { OrderId: 17, "X-Many": ["a", "b"], flag: true, other: 1, empty: null };
  const check = (expected: Record<string, unknown>): string =>
    headerMismatches(expected, actual, { regex: matcherRegex }).map(mismatchText).join("; ");
  assert.equal(check({ orderid: "17", FLAG: "true", "x-many": "b", gone: null, empty: null }), "");
  assert.equal(check({ orderId: { $gt: 16 }, "x-many": ["a", "b"], other: { $regex: "^1$", $in: ["1"] } }), "");
  assert.equal(check({ "x-many": { $contains: "b" }, gone: { $exists: false } }), "");
  assert.equal(check({ orderId: 18 }), "header orderId: expected 18, got 17");
  assert.equal(check({ orderId: null }), "header orderId: expected null, got 17");
  assert.equal(check({ gone: "x" }), 'header gone: expected "x", missing');
  assert.equal(check({ "x-many": { $ne: "b" } }), 'header x-many: expected anything but "b", got ["a","b"]');
  assert.equal(
    check({ "x-many": { $not: { $regex: "b" } } }),
    'header x-many: expected not a text that matches /b/, got ["a","b"]',
  );
  assert.equal(check({ "x-many": "c" }), 'header x-many: expected "c", got ["a","b"]');
  // One value is both, not one this and another that.
  assert.notEqual(check({ "x-many": { $gt: "a", $lt: "b" } }), "");
});

test("a number is not beyond a header's text that is none", () => {
  const at = (value: string): string => told({ $gt: 5 }, value, { headers: true });
  assert.deepEqual([at("7"), at("5.5e0"), at(" 9 ")], ["", "", ""]);
  for (const text of ["4", "x", "0x10", "", "7 apples"]) assert.notEqual(at(text), "");
});

test("a text of JSON is compared as what it is, unless a text is expected", () => {
  const text = '{"id": 17, "name": "x"}';
  const check = (expected: unknown, body: unknown = text): string =>
    bodyMismatches(expected, body, how).map(mismatchText).join("; ");
  assert.equal(check({ $contains: { id: 17 } }), "");
  assert.equal(check({ id: 17, name: "x" }), "");
  assert.equal(check({ $type: "object" }), "");
  assert.equal(check(text), "");
  assert.equal(check({ $regex: '"id": 17' }), "");
  assert.equal(check({ $contains: "17" }), "");
  assert.equal(check({ $type: "string" }), "");
  assert.equal(check({ $not: { $contains: { id: 18 } } }), "");
  assert.equal(check({ id: 18, name: "x" }), "body.id: expected 18, got 17");
  assert.notEqual(check({ $not: { $contains: { id: 17 } } }), "");
  assert.notEqual(check({ $not: { $regex: '"id": 17' } }), "");
  assert.equal(check(17, "17"), 'body: expected 17, got "17"');
  assert.match(check({ id: 1 }, "{broken"), /got "\{broken"/);
});

test("a value that holds keys like operators can be expected as it is", () => {
  const value = { a: [{ $ref: "#/x", b: 1 }] };
  assert.equal(told(makeLiteral(value), value), "");
  assert.deepEqual(makeLiteral({ a: 1 }), { a: 1 });
});
