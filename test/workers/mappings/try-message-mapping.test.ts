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
  return tryMessageMapping({ mapping, tables, body: bytes, limits: defaultLimits });
}

function answer(document: unknown, body: unknown): unknown {
  const result = trial(document, body);
  return "answer" in result ? JSON.parse(result.answer) : result.problem;
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
  assert.match(String(answer(document, { input: {}, headers: 1 })), /headers is no object/);
});
