/** The trial of a message mapping: the result, and the value of each rule. */
import assert from "node:assert/strict";
import { before, test } from "node:test";
import { defaultLimits } from "../../../src/shared/limits.ts";
import { messageModules } from "../../../src/workers/mappings/registry.ts";
import { tryMessageMapping } from "../../../src/workers/mappings/try-message-mapping.ts";
import { acceptedMessageMapping, tablesOf } from "../../support/with-mappings.ts";

before(() => messageModules.load());

const tables = tablesOf({ s: { entries: { a: "A" } } });

function trial(document: unknown, body: unknown) {
  const { data } = acceptedMessageMapping(document, { tables });
  const mapping = { kind: "message", id: "m", revision: 1, hash: "", data } as const;
  const bytes = new TextEncoder().encode(typeof body === "string" ? body : JSON.stringify(body));
  return tryMessageMapping({ id: "m", mapping, tables, absent: [], body: bytes, limits: defaultLimits });
}

/** The trial of a document that is not installed. */
function draft(document: unknown, more: object = {}, absent: readonly string[] = []) {
  const body = new TextEncoder().encode(JSON.stringify({ input: {}, document, ...more }));
  return tryMessageMapping({ id: "m", mapping: undefined, tables, absent, body, limits: defaultLimits });
}

function drafted(document: unknown, more: object = {}, absent: readonly string[] = []): unknown {
  const result = draft(document, more, absent);
  return "answer" in result ? JSON.parse(result.answer) : result;
}

function answer(document: unknown, body: unknown): unknown {
  const result = trial(document, body);
  return "answer" in result ? JSON.parse(result.answer) : "problem" in result ? result.problem : result;
}

const document = {
  rules: [
    { target: "/v", expr: "$vmap('s', 'from', 'to', v)" },
    { target: "/w", expr: "w", when: "w" },
    { target: "/l", forEach: "l", rules: [{ id: "n", target: "/n", expr: "$number($)" }] },
    { target: "/x", expr: "x" },
  ],
};

test("each rule is told, a nested one for each item", () => {
  assert.deepEqual(answer(document, { input: { v: "a", l: ["1", "2"] } }), {
    output: { v: "A", l: [{ n: 1 }, { n: 2 }] },
    rules: [
      { id: "r1", target: "/v", matched: true, value: "A" },
      { id: "r2", target: "/w", matched: false },
      { id: "n", target: "/l/0/n", matched: true, value: 1 },
      { id: "n", target: "/l/1/n", matched: true, value: 2 },
      { id: "r3", target: "/l", matched: true, value: [{ n: 1 }, { n: 2 }] },
      { id: "r4", target: "/x", matched: true, missing: true },
    ],
    errors: [],
  });
  assert.deepEqual(
    (
      answer({ mappings: { h: "$headers.h & $params.p" } }, { input: 1, headers: { h: "x" }, params: { p: "y" } }) as {
        output: unknown;
      }
    ).output,
    { h: "xy" },
  );
});

test("when the mapping fails, all rules are told all the same", () => {
  const failed = answer(document, { input: { v: "a", l: ["1", "?"], x: 3 } });
  assert.deepEqual(failed, {
    output: null,
    rules: [
      { id: "r1", target: "/v", matched: true, value: "A" },
      { id: "r2", target: "/w", matched: false },
      { id: "n", target: "/l/0/n", matched: true, value: 1 },
      { id: "n", target: "/l/1/n", matched: true, error: 'Unable to cast value to a number: "?" (column 1)' },
      { id: "r3", target: "/l", matched: true, value: [{ n: 1 }, {}] },
      { id: "r4", target: "/x", matched: true, value: 3 },
    ],
    errors: [{ rule: "n", target: "/l/1/n", message: 'Unable to cast value to a number: "?" (column 1)' }],
  });
  const misfit = answer({ mappings: { a: "a" }, target: { schema: { required: ["b"] } } }, { input: { a: 1 } }) as {
    output: unknown;
    errors: { message: string }[];
  };
  assert.equal(misfit.output, null);
  assert.match(misfit.errors[0]?.message ?? "", /"b"/);
  const limit = answer({ mappings: { a: "$count([1..10000000])", b: "1" } }, { input: {} }) as {
    output: unknown;
    errors: { rule: string }[];
  };
  assert.deepEqual([limit.output, limit.errors[0]?.rule], [null, "r1"]);
  assert.match(JSON.stringify(answer({ steps: [] }, { input: {} })), /was not understood/);
});

test("values are told as far as they are short", () => {
  const { rules } = answer({ mappings: { a: "a" } }, { input: { a: "x".repeat(10_000) } }) as {
    rules: { value: string; truncated: boolean }[];
  };
  assert.deepEqual([rules[0]?.value.length, rules[0]?.truncated], [4096, true]);
  const many = answer(
    { rules: [{ target: "/l", forEach: "l", rules: [{ target: "/a", expr: "a" }] }] },
    { input: { l: Array(3000).fill({ a: 1 }) } },
  ) as { rules: unknown[] };
  assert.equal(many.rules.length, 1000);
});

test("a request of another form is refused", () => {
  assert.match(String(answer(document, "no json")), /not JSON/);
  assert.match(String(answer(document, { inputs: {} })), /a trial is {"input": ...}/);
  assert.match(String(answer(document, { input: {}, headers: 1 })), /headers must be an object/);
  assert.match(String(answer(document, { input: {}, frozn: true })), /unknown field 'frozn': .*tests and frozen/);
});

test("a document of the trial's own is tried without being installed, with its warnings and its tests", () => {
  const rules = [{ target: "/v", expr: "$vmap('s', 'from', 'to', v)", note: "?" }];
  const tests = [
    { name: "good", input: { v: "a" }, expect: { v: "A" } },
    { name: "bad", input: { v: "a" }, expect: { v: "B" } },
  ];
  assert.deepEqual(drafted({ rules, tests }, { input: { v: "a" }, tests: true }), {
    output: { v: "A" },
    rules: [{ id: "r1", target: "/v", matched: true, value: "A" }],
    errors: [],
    problems: [],
    warnings: [{ code: "unknown_field", message: (warningsOf(drafted({ rules }))[0] ?? assert.fail()).message }],
    tests: [
      { pointer: "/tests/0", name: "good", passed: true },
      {
        pointer: "/tests/1",
        name: "bad",
        passed: false,
        problem: 'expected {"v":"B"}, but the mapping gives {"v":"A"}',
      },
    ],
  });
  assert.match(warningsOf(drafted({ rules }))[0]?.message ?? "", /^\/rules\/0.*note/);
});

test("value mappings of a trial's document are asked for, and warned of when they do not exist", () => {
  const document = { mappings: { "/v": "$vmap('other', 'from', 'to', v)" } };
  assert.deepEqual(drafted(document), { needs: ["other"] });
  const answered = drafted(document, { input: { v: "a" } }, ["other"]) as { errors: { message: string }[] };
  assert.deepEqual(
    warningsOf(answered).map(({ code }) => code),
    ["unknown_value_mapping"],
  );
  assert.match(answered.errors[0]?.message ?? "", /other/);
});

test("the problems of a trial's document have their places, and nothing is mapped", () => {
  const syntax = {
    rules: [
      { target: "/a", expr: "a" },
      { target: "/b", expr: "1 +" },
    ],
  };
  const refused = drafted(syntax) as { output: null; rules: []; problems: { pointer: string; message: string }[] };
  assert.deepEqual([refused.output, refused.rules], [null, []]);
  assert.deepEqual(
    refused.problems.map(({ pointer }) => pointer),
    ["/rules/1/expr"],
  );
  assert.match(refused.problems[0]?.message ?? "", /^rule r2 -> \/b: .*column \d/);
  const odd = drafted({ rules: [{ expr: "a" }] }) as typeof refused;
  assert.deepEqual(
    odd.problems.map(({ pointer }) => pointer),
    ["/rules/0"],
  );
  assert.match((drafted([]) as typeof refused).problems[0]?.message ?? "", /object/);
});

test("a frozen trial has the clock, the random numbers and the UUIDs of tests", () => {
  const { output } = drafted({ expression: "[$now(), $random(), $uuid()]" }, { frozen: true }) as { output: unknown };
  assert.deepEqual(output, ["2026-01-01T00:00:00.000Z", 0.5, "00000000-0000-4000-8000-000000000000"]);
  assert.match(JSON.stringify(drafted({ expression: "1" }, { frozen: 1 })), /frozen is true or false/);
});

test("without a mapping and without a document there is nothing to try, whatever else is wrong", () => {
  const attempt = (body: string) =>
    tryMessageMapping({
      ...{ id: "m", mapping: undefined, tables, absent: [], limits: defaultLimits },
      body: new TextEncoder().encode(body),
    });
  for (const body of ['{"input": 1}', "{", "{}"]) assert.deepEqual(attempt(body), { unknown: true });
});

function warningsOf(answered: unknown): readonly { readonly code: string; readonly message: string }[] {
  return (answered as { warnings: { code: string; message: string }[] }).warnings;
}
