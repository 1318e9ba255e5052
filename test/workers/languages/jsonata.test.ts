/** jsonata: the language, the message around it, and the bounds of an evaluation. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { JsonText } from "../../../src/workers/engine/message.ts";
import { exchangeAfter, failureOf, holds, refusalOf, resultOf } from "./in-flow.ts";

const body = JSON.stringify({
  a: [3, 1, 2],
  o: [
    { n: 1, t: "x" },
    { n: 2, t: "y" },
  ],
  s: "foo1bar22",
});

test("an expression leaves the message as it was", async () => {
  const { message } = await exchangeAfter("jsonata", "$.{ 'a': 1 }", { body: new JsonText("[[]]", [[]]) });
  assert.deepEqual(message.value, [[]]);
});

test("an expression has its value at once, whatever it is made of", async () => {
  const cases: readonly (readonly [text: string, value: unknown])[] = [
    ["$sum(a)", 6],
    ["o[n = 2].t", "y"],
    ["o{t: n}", { x: 1, y: 2 }],
    ["a^(>$)", [3, 2, 1]],
    ["$sort(o, function($l, $r) { $l.n < $r.n }).t", ["y", "x"]],
    ["($f := function($x) { $x <= 1 ? 1 : $x * $f($x - 1) }; $f(5))", 120],
    ["$map(a, function($v, $i) { $v + $i })", [3, 2, 4]],
    ["$reduce(a, function($x, $y) { $x & $y })", "312"],
    ["$match(s, /([a-z]+)(\\d+)/).groups[0]", ["foo", "bar"]],
    ['$replace(s, /\\d+/, function($m) { "<" & $m.match & ">" })', "foo<1>bar<22>"],
    ["$ ~> | o | { 'n': n * 10 }, 't' | ~> $lookup('o')", [{ n: 10 }, { n: 20 }]],
    ["[1..3].($ * $)", [1, 4, 9]],
    ['$toMillis("2015-03-05", "[Y]-[M]-[D]")', 1425513600000],
    ["nothing", null],
    ["$sum", null],
  ];
  for (const [text, value] of cases) assert.deepEqual(await resultOf("jsonata", text, { body }), value, text);
});

test("the message around the body is bound, and source takes another input", async () => {
  const route = { body, headers: { Foo: "bar", j: '{"x": 1}' }, properties: { p: [2] }, variables: { v: { w: 3 } } };
  assert.deepEqual(await resultOf("jsonata", "[$headers.Foo, $properties.p, $variables.v.w]", route), ["bar", 2, 3]);
  assert.equal(await resultOf("jsonata", "x", { ...route, options: { source: "header:j" } }), 1);
  assert.equal(await holds("jsonata", "$count(a) > 2", route), true);
  assert.equal(await holds("jsonata", "o[n > 5]", route), false);
});

test("a list of the library is a plain list of the message", async () => {
  const value = await resultOf("jsonata", '{"x": a.{"y": $}, "__proto__": 1}', { body });
  assert.equal(JSON.stringify(value), '{"x":[{"y":3},{"y":1},{"y":2}],"__proto__":1}');
  assert.deepEqual(Object.keys((value as { x: object }).x), ["0", "1", "2"]);
});

test("a long list is sorted without a deep stack", async () => {
  assert.equal(
    await resultOf("jsonata", "$sort([1..20000], function($l, $r) { $l < $r })[0]", {
      body: "{}",
      limits: { scriptMs: 30_000 },
    }),
    20_000,
  );
  assert.deepEqual(
    await resultOf("jsonata", "[1..5000]^(>$)[[0..1]]", { body: "{}", limits: { scriptMs: 30_000 } }),
    [5000, 4999],
  );
});

test("every evaluation ends: in time, in memory, in depth, and with patterns in linear time", async () => {
  const limits = { scriptMs: 100, messageBodyBytes: 1_000_000 };
  const endless = [
    "($f := function($x) { $f($x) }; $f(1))",
    "($f := function($x) { $f($x) + 1 }; $f(1))",
    "$count([1..100000000])",
    '$reduce([1..60], function($x, $i) { $x & $x }, "x")',
    "$string($reduce([1..60], function($x, $i) { [[$x], [$x]] }, 1))",
    '$join([1..1000].$pad("x", 10000))',
    '$replace($pad("a", 10000, "a"), "a", $pad("b", 10000, "b"))',
    "$map([1..100000], function($v) { $map([1..100000], function($w) { $w }) })",
  ];
  for (const text of endless)
    assert.match((await failureOf("jsonata", text, { body: "{}", limits })) ?? "", /^LimitExceededException/, text);
  assert.equal(await resultOf("jsonata", '$contains($pad("a", 50, "a") & "!", /^(a+)+$/)', { body: "{}" }), false);
  // The library makes a pattern of a function's signature, to be matched against the kinds of the arguments.
  const signature = `<${"n+".repeat(15)}:n>`;
  const call = `($f := function($a)${signature} { 1 }; $f(${"1, ".repeat(40)}"x"))`;
  assert.match((await failureOf("jsonata", call, { body: "{}" })) ?? "", /JException.*T0410/);
  assert.match((await failureOf("jsonata", '$pad("x", 1000000000)', { body: "{}" })) ?? "", /builds values of at most/);
});

test("no expression reaches a prototype, the library or its own text", async () => {
  const texts = [
    "$.constructor",
    "$.__proto__",
    '$lookup($, "__proto__")',
    "$sum.implementation",
    "($f := function() { 1 }; $f.environment)",
  ];
  for (const text of texts) assert.equal(await resultOf("jsonata", text, { body: "{}" }), null, text);
  assert.match((await failureOf("jsonata", '$eval("1 + 1")', { body: "{}" })) ?? "", /\$eval is not available/);
  assert.match((await failureOf("jsonata", "$error('my own')", { body: "{}" })) ?? "", /JException: my own \(D3137\)/);
});

test("a text that is no expression is refused where it stands", async () => {
  assert.match(await refusalOf("jsonata", "a +"), /Unexpected end of expression/);
});

test("an expression that nests too deep is refused, whatever reads it first", async () => {
  for (const depth of [1500, 2000, 3000, 4000, 8000]) {
    const said = await refusalOf("jsonata", `1${" + 1".repeat(depth)}`);
    assert.ok(said === "" || said.endsWith("the expression nests too deep"), said);
  }
  assert.match(await refusalOf("jsonata", "[".repeat(8000) + "]".repeat(8000)), /the expression nests too deep$/);
});
