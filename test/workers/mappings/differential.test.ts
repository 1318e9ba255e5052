/** JSONata as it comes, under our guards, and in mappings with and without closures: the same results, the same errors. */
import assert from "node:assert/strict";
import { before, test } from "node:test";
import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import jsonata from "jsonata";
import { defaultLimits } from "../../../src/shared/limits.ts";
import type { MessageMappingModel } from "../../../src/shared/mapping-models.ts";
import { ExpressionSyntaxError } from "../../../src/workers/engine/exception.ts";
import { missing } from "../../../src/workers/engine/mappings.ts";
import { Budget } from "../../../src/workers/languages/budget.ts";
import { compileJsonata, JsonataError } from "../../../src/workers/languages/jsonata/evaluator.ts";
import { compileExpression } from "../../../src/workers/languages/jsonata/expression.ts";
import { plainResult } from "../../../src/workers/languages/jsonata/plain-result.ts";
import { compileMessageMapping } from "../../../src/workers/mappings/compile-message-mapping.ts";
import { messageModules } from "../../../src/workers/mappings/registry.ts";
import { expressionGroups } from "./expressions.ts";

before(() => messageModules.load());

const limits = { ...defaultLimits, scriptMs: 30_000 };
const values = (id: string) => missing("value", id);

/** JSON of the result, `nothing`, or the error's code. */
async function outcome(evaluate: () => unknown): Promise<string> {
  try {
    const result = await evaluate();
    return result === undefined || typeof result === "function" || isFunction(result)
      ? "nothing"
      : JSON.stringify(result);
  } catch (error) {
    if (error instanceof ExpressionSyntaxError) return "error of syntax";
    const { cause = error } = error as { readonly cause?: unknown };
    const { code } = cause as { readonly code?: string };
    return code?.startsWith("S") === true ? "error of syntax" : `error ${code ?? String(error)}`;
  }
}

function isFunction(result: unknown): boolean {
  return (
    typeof result === "object" && result !== null && ("_jsonata_lambda" in result || "_jsonata_function" in result)
  );
}

function guarded(text: string, input: unknown): unknown {
  const expression = compileJsonata(text, { depth: 400, sequence: 1_000_000 });
  const result = expression.evaluate(input, {}, { budget: new Budget(limits, "jsonata", 16), values });
  return result === undefined || isFunction(result) ? undefined : plainResult(result);
}

const found = Symbol("found");

/** The rule's own value: the mapping makes null of none. */
function mapped(text: string, input: unknown, interpret: boolean): unknown {
  const model: MessageMappingModel = {
    source: { format: "json" },
    target: { format: "json", validate: "off" },
    rules: [{ id: "r1", name: "r1", target: [], expr: text }],
    onMissing: "omit",
    onError: "fail",
    limits: {},
  };
  const mapping = compileMessageMapping("m", model, limits, interpret);
  let value: unknown = found;
  mapping.run({
    body: structuredClone(input),
    around: {},
    session: { values },
    observe: (_rule, _target, result) => {
      value = "value" in result ? result.value : undefined;
    },
  });
  return value;
}

for (const [index, { input, expressions }] of expressionGroups.entries()) {
  test(`expressions of our own, group ${index}: ${expressions.length} of them`, async () => {
    for (const text of expressions) {
      const stock = await outcome(() => jsonata(text).evaluate(structuredClone(input)));
      assert.equal(await outcome(() => guarded(text, structuredClone(input))), stock, `guarded: ${text}`);
      const orNull = stock === "nothing" && isFunctionText(text) ? "null" : stock;
      // A text as the message is JSON of it: a text by itself is not.
      const body = typeof input === "string" ? JSON.stringify(input) : input;
      assert.equal(await outcome(() => mapped(text, body, true)), orNull, `mapping, interpreted: ${text}`);
      assert.equal(await outcome(() => mapped(text, body, false)), orNull, `mapping: ${text}`);
    }
  });
}

/** A function as a result is null in a message. */
function isFunctionText(text: string): boolean {
  return text === "$sum";
}

test("there are more than 300 of them", () => {
  assert.ok(expressionGroups.reduce((sum, { expressions }) => sum + new Set(expressions).size, 0) >= 300);
});

const names = ["a", "b", "items"];
const name = fc.constantFrom(...names);
const leaf = fc.oneof(
  fc.integer({ min: -3, max: 3 }),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.constantFrom("", "x", "12", "-0.5", "0x1F", "ä😀", "  s  "),
  fc.boolean(),
  fc.constant(null),
);
const { json } = fc.letrec((tie) => ({
  json: fc.oneof(
    { maxDepth: 4, depthSize: "small" },
    leaf,
    fc.array(tie("json"), { maxLength: 3 }),
    fc.dictionary(name, tie("json"), { maxKeys: 4 }),
  ),
}));
const filter = fc.oneof(
  fc
    .tuple(name, fc.constantFrom("=", "!=", "<", ">"), fc.constantFrom("'x'", "1", "'12'", "true", "null"))
    .map((test) => test.join(" ")),
  name,
  name.map((n) => `$exists(${n})`),
  name.map((n) => `${n} = $$.${n}`),
);
const step = fc.oneof(
  { weight: 4, arbitrary: name },
  fc.tuple(name, fc.integer({ min: -2, max: 2 })).map(([n, i]) => `${n}[${i}]`),
  name.map((n) => `${n}[]`),
  fc.tuple(name, filter).map(([n, test]) => `${n}[${test}]`),
  name.map((n) => `(${n})`),
  fc.tuple(name, name).map(([n, other]) => `{'a': ${n}, 'b': ${other}.items}`),
);
const path = fc
  .tuple(fc.constantFrom("", "", "", "$.", "$$.", "$body."), fc.array(step, { minLength: 1, maxLength: 4 }))
  .map(([start, steps]) => start + steps.join("."));
const { expression } = fc.letrec<{ expression: string }>((tie) => ({
  expression: fc.oneof(
    { maxDepth: 3, depthSize: "small" },
    path,
    fc.constantFrom("'x'", "'12'", "1", "-2", "0.1", "true", "null", "''", "$", "[1, 'x']", "[]"),
    fc
      .tuple(
        tie("expression"),
        fc.constantFrom("&", "&", "=", "!=", "<", ">=", "+", "*", "/", "%", "and", "or", "in"),
        tie("expression"),
      )
      .map(([a, op, b]) => `(${a} ${op} ${b})`),
    fc
      .tuple(
        fc.constantFrom(
          "number",
          "string",
          "uppercase",
          "lowercase",
          "exists",
          "trim",
          "length",
          "not",
          "boolean",
          "count",
          "sum",
          "join",
          "type",
          "abs",
          "round",
          "floor",
        ),
        tie("expression"),
      )
      .map(([f, a]) => `$${f}(${a})`),
    tie("expression").map((a) => `$replace(${a}, 'x', 'yy')`),
    tie("expression").map((a) => `$fromMillis(${a}, '[Y]')`),
    fc.tuple(tie("expression"), fc.integer({ min: -3, max: 3 })).map(([a, n]) => `$substring(${a}, ${n}, 2)`),
    fc
      .tuple(tie("expression"), fc.constantFrom("substringBefore", "contains", "join"))
      .map(([a, f]) => `$${f}(${a}, 'x')`),
    fc.tuple(tie("expression"), tie("expression"), tie("expression")).map(([a, b, c]) => `(${a} ? ${b} : ${c})`),
    fc.array(tie("expression"), { minLength: 1, maxLength: 3 }).map((list) => `[${list.join(", ")}]`),
    tie("expression").map((a) => `-(${a})`),
    fc.tuple(tie("expression"), tie("expression")).map(([a, b]) => `{'a': ${a}, 'items': ${b}}`),
    fc.tuple(path, tie("expression")).map(([a, b]) => `${a}.{'b': ${b}}`),
    fc.tuple(path, tie("expression")).map(([a, b]) => `${a}.(${b})`),
  ),
}));

test("any simple expression on any JSON: closures give what the library gives", async () => {
  let compiled = 0;
  await fc.assert(
    fc.asyncProperty(expression, json, async (text, input) => {
      fc.pre(typeof input !== "string");
      const [given, body] = [structuredClone(input), structuredClone(input)];
      const stock = await outcome(() => jsonata(text).evaluate(given, { body }));
      // The library as it comes lengthens an empty list of its input, and goes on with that.
      fc.pre(isDeepStrictEqual([given, body], [input, input]));
      const own = await outcome(() => mapped(text, input, false));
      // The library evaluates the elements of a list side by side: which of two failures comes first is chance.
      const same = stock.startsWith("error ") && text.includes(", ") ? own.startsWith("error ") : own === stock;
      assert.ok(same, `${text} on ${JSON.stringify(input)} gives ${own}, the library ${stock}`);
      compiled += 1;
    }),
    { seed: 17, numRuns: 400 },
  );
  assert.ok(compiled > 300);
});

test("an error of an expression has its code, and the column where it happened", () => {
  assert.throws(
    () => guarded("'n: ' &\n $number(quantity)", { quantity: "x" }),
    (error) => error instanceof JsonataError && error.code === "D3030" && error.index === 9,
  );
});

test("everyday expressions are closures", () => {
  const texts = [
    "a.b.c",
    "items.sku",
    "a[0].b",
    "rows[id = 'x' and n > 1].name",
    "$headers.h & '-' & $number(a) + 1",
    "$vmap('m', 'a', 'b', x.y)",
    "a = 'x' ? $uppercase(b) : $substring(c, 0, 3)",
    "$join([a, b], ' ')",
    "status in ['A', 'B'] or $not($exists(c))",
    "$sum(items.price)",
    "$fromMillis(at, '[Y]')",
    "{'id': orderNo, 'customer': {'name': c.name}, 'skus': items.sku}",
    "items[price > 100].{'id': sku, 'n': name & '!'}",
    "[items.{'id': sku}]",
    "$sum(items.(price * quantity))",
    "(a)[]",
  ];
  const compiled = (text: string) => compileExpression(text, { depth: 400, sequence: 1000 }).compiled;
  assert.deepEqual(
    texts.filter((text) => !compiled(text)),
    ["(a)[]"],
  );
});
