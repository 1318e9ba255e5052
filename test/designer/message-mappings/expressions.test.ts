/** What the mapper reads in expressions and writes of them: JSONata itself says whether it is right. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import jsonata from "jsonata";
import {
  constantExpression,
  kindOf,
  lookupExpression,
} from "../../../designer/web/src/message-mappings/model/expression-kinds.ts";
import {
  pathExpression,
  pathNames,
  quoted,
  targetSteps,
  unquoted,
} from "../../../designer/web/src/message-mappings/model/names.ts";
import { fieldsNamed } from "../../../designer/web/src/message-mappings/model/references.ts";
import { readTarget } from "../../../src/workers/mappings/message-rule-document.ts";

const names = fc.array(
  fc.oneof(fc.string({ minLength: 1 }), fc.constantFrom("and", "true", "in", "function", "a b", "order-no")),
  { minLength: 1, maxLength: 4 },
);

test("the path of any names leads to the field in JSONata, and is read as the same names", async () => {
  await fc.assert(
    fc.asyncProperty(names, async (path) => {
      const message = path.reduceRight<unknown>((inner, name) => ({ [name]: inner }), "found");
      fc.pre(!path.includes("__proto__"));
      const expression = pathExpression(path);
      assert.equal(await jsonata(expression).evaluate(message), "found", expression);
      if (!path.some((name) => name.includes("`"))) assert.deepEqual(pathNames(expression), path);
    }),
  );
});

test("a text is a literal that JSONata reads as that text", async () => {
  await fc.assert(
    fc.asyncProperty(fc.string(), async (text) => {
      assert.equal(await jsonata(quoted(text)).evaluate({}), text);
      assert.equal(unquoted(quoted(text)), text);
      assert.deepEqual(kindOf(constantExpression("text", text)), {
        kind: "constant",
        value: text,
        source: quoted(text),
      });
    }),
  );
});

test("expressions are fields, constants and lookups, or of another kind", () => {
  const kinds: readonly (readonly [string, string])[] = [
    ["orderNo", "copy"],
    ["customer.`first name`", "copy"],
    ["$", "copy"],
    ["'New'", "constant"],
    ["-1.5e3", "constant"],
    ["true", "constant"],
    ["$number(quantity)", "expression"],
    ["items[0].sku", "expression"],
    ["'a' & 'b'", "expression"],
    ["$vmap('codes', 'crm', 'erp', status)", "lookup"],
    ["$vmap('codes', 'crm', 'erp', status) & 'x'", "expression"],
    ["$vmap('a', 'b', 'c', d) & $vmap('a', 'b', 'c', d)", "expression"],
    ["01", "expression"],
  ];
  for (const [expression, kind] of kinds) assert.equal(kindOf(expression).kind, kind, expression);
  const lookup = {
    ...{ mapping: "codes", from: "crm", to: "it's", value: "f(a, [b, 'x,)'])" },
    qualifiers: '{"country": country}',
  };
  assert.deepEqual(kindOf(lookupExpression(lookup)), { kind: "lookup", lookup });
});

test("the fields that an expression names are found from where it stands", () => {
  const named = (expression: string, context: readonly string[] = []) =>
    fieldsNamed(expression, context).map((path) => path.join("."));
  assert.deepEqual(named("orderNo"), ["orderNo"]);
  assert.deepEqual(named("$vmap('codes', 'crm', 'erp', order.status)"), ["order.status"]);
  assert.deepEqual(named("items[type='PO' and price > $root.limit].sku"), [
    "items",
    "items.type",
    "items.price",
    "limit",
    "items.sku",
  ]);
  assert.deepEqual(named("sku & $root.`order no` & $parent.name", ["items"]), ["items.sku", "order no", "name"]);
  assert.deepEqual(named('{"id": id, "n": $uppercase(name)}'), ["id", "name"]);
  assert.deepEqual(named("items.(sku & name)"), ["items", "items.sku", "items.name"]);
  assert.deepEqual(named("/* note */ 'no.field' & 1"), []);
  fc.assert(fc.property(fc.string(), (text) => Array.isArray(fieldsNamed(text, []))));
});

test("targets are read as the runtime reads them", () => {
  const text = fc.oneof(fc.string(), fc.stringMatching(/^[/.a-z0-9~[\]$-]{0,12}$/));
  fc.assert(
    fc.property(text, (target) => {
      let expected: readonly string[] | undefined;
      try {
        expected = readTarget(target);
      } catch {
        expected = undefined;
      }
      if ((expected?.length ?? 0) <= 64) assert.deepEqual(targetSteps(target), expected, target);
    }),
  );
});
