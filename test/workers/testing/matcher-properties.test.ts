/** What holds of matchers whatever they and the values are. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { operators } from "../../../src/shared/matcher-operators.ts";
import { type How, makeLiteral, mismatches } from "../../../src/shared/matchers.ts";
import { matcherRegex } from "../../../src/workers/testing/judge-call.ts";

const how: How = { regex: matcherRegex };
const json = fc.jsonValue({ maxDepth: 4 });
const fits = (matcher: unknown, actual: unknown): boolean => mismatches(matcher, actual, how).length === 0;

const { matcher } = fc.letrec<{ matcher: unknown }>((tie) => ({
  matcher: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    json,
    fc.dictionary(fc.constantFrom("a", "b", "__proto__", "$x"), tie("matcher"), { maxKeys: 3 }),
    fc.array(tie("matcher"), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom(...operators.keys()), tie("matcher"), { minKeys: 1, maxKeys: 3 }),
  ),
}));

test("a value is itself, and nothing else is told of it", () => {
  fc.assert(
    fc.property(json, (value) => {
      assert.ok(fits(makeLiteral(value), value));
      assert.ok(fits({ $eq: value }, value));
      assert.ok(!fits({ $ne: value }, value));
      assert.ok(fits({ $in: [0, value] }, value));
    }),
  );
});

/** The value with members and items left out; the numbers say which. */
function partOf(value: unknown, choices: number[]): unknown {
  const keeps = (): boolean => (choices.push(choices.shift() ?? 0), (choices.at(-1) ?? 0) % 2 === 0);
  if (Array.isArray(value)) return value.filter(keeps).map((item) => partOf(item, choices));
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).filter(keeps);
  return Object.fromEntries(members.map(([key, inner]) => [key, partOf(inner, choices)]));
}

test("an object or list contains each part of it", () => {
  const whole = fc
    .oneof(fc.dictionary(fc.string({ maxLength: 3 }), json), fc.array(json))
    .filter((value) => makeLiteral(value) === value);
  fc.assert(
    fc.property(whole, fc.array(fc.nat(), { minLength: 7, maxLength: 20 }), (value, choices) => {
      assert.deepEqual(mismatches({ $contains: partOf(value, [...choices]) }, value, how), []);
    }),
  );
});

test("whatever is asked of whatever, it is answered: $not is the contrary, and what is told has a place", () => {
  fc.assert(
    fc.property(matcher, json, fc.boolean(), (asked, actual, headers) => {
      const found = mismatches(asked, actual, { ...how, headers });
      assert.ok(found.length <= 21);
      const contrary = mismatches({ $not: asked }, actual, { ...how, headers });
      // What cannot be compared matches neither way.
      const doubtful = [...found, ...contrary].some((one) => one.doubtful);
      assert.ok(found.length > 0 || contrary.length > 0);
      assert.ok(doubtful || found.length === 0 || contrary.length === 0);
      for (const { path } of found) assert.ok(isIn(path, asked) || isIn(path, actual), path);
    }),
    { numRuns: 300 },
  );
});

/** Whether every key of the path stands somewhere in the value. */
function isIn(path: string, value: unknown): boolean {
  const text = JSON.stringify(value);
  const keys = path.match(/\["(?:[^"\\]|\\.)*"\]|\[\d+\]|[\w$-]+/g) ?? [];
  return keys.every((key) => {
    if (/^\[\d+\]$/.test(key)) return text.includes("[");
    return text.includes(key.startsWith("[") ? key.slice(1, -1) : JSON.stringify(key));
  });
}
