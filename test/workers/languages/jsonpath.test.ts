/** jsonpath: RFC 9535 by its compliance suite, and what Camel adds to it. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { isDeepStrictEqual } from "node:util";
import { defaultLimits } from "../../../src/shared/limits.ts";
import { pathLibrary } from "../../../src/workers/languages/jsonpath/library.ts";
import { parsePath } from "../../../src/workers/languages/jsonpath/path.ts";
import { failureOf, holds, refusalOf, resultOf } from "./in-flow.ts";

/** jsonpath-standard/jsonpath-compliance-test-suite, BSD-2-Clause, as the package jsonpath-rfc9535 brings it. */
const suite = import.meta.resolve("jsonpath-rfc9535/package.json");
const file = new URL("src/__tests__/jsonpath-compliance-test-suite/cts.json", suite);

interface Case {
  readonly name: string;
  readonly selector: string;
  readonly document?: unknown;
  readonly result?: unknown;
  readonly results?: readonly unknown[];
  readonly invalid_selector?: boolean;
}

/** Cases whose filter meets an object: Jayway tests the object itself, the RFC the values inside. */
const ofObjects = new Set([
  "filter, absolute existence, without segments",
  "filter, name segment on primitive, selects nothing",
  "filter, existence, without segments",
  "filter, object data",
]);

test("the compliance suite of RFC 9535 passes, but for filters of objects", async () => {
  await pathLibrary.load();
  const { tests } = JSON.parse(readFileSync(file, "utf8")) as { tests: readonly Case[] };
  const failed = tests.filter((one) => !passes(one)).map(({ name }) => name);
  const other = failed.filter((name) => !ofObjects.has(name) && !/in an absolute singular selector$/.test(name));
  assert.deepEqual(other, []);
  assert.ok(tests.length > 600);
});

function passes({ selector, document, result, results, invalid_selector }: Case): boolean {
  try {
    const found = parsePath(selector).values(document, defaultLimits);
    return invalid_selector !== true && (results ?? [result]).some((expected) => isDeepStrictEqual(found, expected));
  } catch {
    return invalid_selector === true;
  }
}

const store = JSON.stringify({
  store: {
    book: [
      { title: "A", price: 8 },
      { title: "Bc", price: 12 },
    ],
    open: true,
    empty: [],
  },
  foo: { bar: 1 },
});

test("a definite path gives the value, any other a list", async () => {
  const cases: readonly (readonly [path: string, value: unknown])[] = [
    ["$.store.book[0].title", "A"],
    ["$.store.book[-1].price", 12],
    ["$.store.book[*].title", ["A", "Bc"]],
    ["$..price", [8, 12]],
    ["$.store.book[?(@.price < 10)].title", ["A"]],
    ["store.open", true],
    ["$..nowhere[*]", []],
  ];
  for (const [path, value] of cases) assert.deepEqual(await resultOf("jsonpath", path, { body: store }), value, path);
});

test("of Jayway's dialect, functions at the end and operators in filters are understood", async () => {
  const cases: readonly (readonly [path: string, value: unknown])[] = [
    ["$.store.book.length()", 2],
    ["$..price.sum()", 20],
    ["$..price.max()", 12],
    ["$.foo.keys()", ["bar"]],
    ["$.store.book[?(@.title =~ /B.*/)].price", [12]],
    ["$.store.book[?(@.title =~ /b.*/i)].price", [12]],
    ["$.store.book[?(@.title =~ /B/)].price", []],
    ["$.store.book[?(@.title in ['A', 'Z'])].price", [8]],
    ["$.store.book[?(@.title nin ['A'])].price", [12]],
    ["$.store.book[?(@.title contains 'c' && @.price > 1)].price", [12]],
    ["$.store.book[?(@.title size 2)].price", [12]],
  ];
  for (const [path, value] of cases) assert.deepEqual(await resultOf("jsonpath", path, { body: store }), value, path);
  assert.match(await refusalOf("jsonpath", "$.a[?(@.b subsetof ['c'])]"), /subsetof.*not known here/);
});

test("a call that cannot be meant is refused where it stands", async () => {
  for (const [path, why] of [
    ["$.a.nix()", /there is no function 'nix\(\)': there are .*sum.*at character 4|there is no function 'nix\(\)'/],
    ["$.a[?(@.b.nix() > 1)]", /there is no function 'nix\(\)'/],
    ["$.a[?(@.b.index(1) > 1)]", /a call in a filter takes no arguments: index\(\)/],
    ["$.sum($.a", /'sum\(' is not closed by '\)'/],
    ["$.sum($.a,)", /sum\(\) lacks an argument/],
    ["$.sum(,1)", /sum\(\) lacks an argument/],
    ["$.concat('a')", /in double quotation marks or an object; found 'a'/],
    ["$.sum(1.2.3)", /the argument 1\.2\.3 is not JSON/],
    ["$.index()", /takes one argument, such as index\(0\)/],
    ["$.length(1)", /takes a path/],
    ["$.length($.a.b)", /write \$\['a'\]\['b'\]\.length\(\)/],
    ["$..a.append(1)", /takes no arguments: Jayway would ignore them/],
    [`$.${"sum(1).".repeat(60)}a`, /at most 50 calls/],
    [`${"$.sum(".repeat(12)}1${")".repeat(12)}`, /nest at most 10 deep/],
  ] as const) {
    assert.match(await refusalOf("jsonpath", path), why, path);
  }
});

test("a path goes on behind a call, and a call never changes the document", async () => {
  const body = { list: [{ tags: ["x", "y"] }, { tags: ["z"] }], open: "a)b,c" };
  const before = JSON.stringify(body);
  for (const [path, value] of [
    ["$.list.first().tags.last()", "y"],
    ['$.list.append({"tags": ["w"]})[2].tags[0]', "w"],
    ["$.list.append(1).append(2).length()", 4],
    ["$.list.index( -1 ).tags", ["z"]],
    ['$.concat($.open, "(,]")', "a)b,c(,]"],
    ["$['open'].concat(\"x\")", "x"],
    ["$.list[*].tags.append($.open)[-1]", ["a)b,c", "a)b,c"]],
    ["$.sum($.list.length(), $.list[0].tags.length())", 4],
  ] as const) {
    assert.deepEqual(await resultOf("jsonpath", path, { body }), value, path);
  }
  assert.equal(JSON.stringify(body), before);
});

test("what calls build is bounded", async () => {
  const long = `$.list${".append($.list)".repeat(40)}.length()`;
  const limits = { messageBodyBytes: 1024 };
  assert.match(
    (await failureOf("jsonpath", long, { body: { list: Array(60).fill(1) }, limits })) ?? "",
    /LimitExceededException/,
  );
  const text = `$.concat(${Array(20).fill("$.list").join(", ")})`;
  assert.match(
    (await failureOf("jsonpath", text, { body: { list: ["x".repeat(100)] }, limits })) ?? "",
    /LimitExceededException/,
  );
});

test("a missing path fails with Jayway's exception inside of Camel's, unless it is suppressed", async () => {
  assert.equal(
    await failureOf("jsonpath", "$.foo.zz", { body: store }),
    "org.apache.camel.ExpressionEvaluationException: com.jayway.jsonpath.PathNotFoundException: No results for path: $['foo']['zz']",
  );
  const suppressed = { body: store, options: { suppressExceptions: true } };
  assert.equal(await resultOf("jsonpath", "$.foo.zz", suppressed), null);
  assert.match(
    (await failureOf("jsonpath", "$.a", { body: "hello" })) ?? "",
    /InvalidJsonException: the input is not JSON/,
  );
  assert.match((await failureOf("jsonpath", "$.a")) ?? "", /CamelExchangeException.*null/);
});

test("options: source, option, writeAsString, unpackArray, allowSimple", async () => {
  const value = (path: string, options: Record<string, unknown>) =>
    resultOf("jsonpath", path, {
      body: store,
      headers: { h: '{"a": 7}', max: 10 },
      variables: { v: { a: [8] } },
      options,
    });
  assert.equal(await value("$.a", { source: "header:h" }), 7);
  assert.deepEqual(await value("$.a", { source: "variable:v" }), [8]);
  assert.deepEqual(await value("$.a", { source: "v" }), [8]);
  assert.deepEqual(await value("$.foo", { option: "ALWAYS_RETURN_LIST" }), [{ bar: 1 }]);
  assert.deepEqual(await value("$..bar", { option: "AS_PATH_LIST" }), ["$['foo']['bar']"]);
  assert.deepEqual(await value("$.store.book", { writeAsString: true }), [
    '{"title":"A","price":8}',
    '{"title":"Bc","price":12}',
  ]);
  assert.equal(await value("$..bar", { unpackArray: true, resultType: "Integer" }), 1);
  assert.deepEqual(await value("$.store.book[?(@.price < ${header.max})].title", {}), ["A"]);
  assert.match(await refusalOf("jsonpath", "$.a", { source: "cookie:x" }), /source is header:name/);
  assert.match(await refusalOf("jsonpath", "$.a", { option: "REQUIRE_PROPERTIES" }), /option is a list of/);
});

test("conditions: an empty list is false, and easy predicates test an object as well as a list", async () => {
  const tests: readonly (readonly [text: string, holds: boolean])[] = [
    ["$.store.open", true],
    ["$.store.empty", false],
    ["$.store.book[?(@.price > 100)]", false],
    ["foo.bar == 1", true],
    ["foo.bar == 2", false],
    ["store.book.price < 10", true],
    ["price < ${header.max}", true],
    ["price > 100", false],
  ];
  for (const [text, expected] of tests) {
    assert.equal(await holds("jsonpath", text, { body: store, headers: { max: 9 } }), expected, text);
  }
});

test("a text that is no path is refused where it stands", async () => {
  assert.match(await refusalOf("jsonpath", "$.a["), /flow.*jsonpath/s);
  assert.match(await refusalOf("jsonpath", "$..a".repeat(5000)), /at most/);
});

test("patterns take linear time, and a path that multiplies nodes ends", async () => {
  const text = `${"a".repeat(40)}!`;
  assert.deepEqual(await resultOf("jsonpath", "$[?search(@.t, '^(a+)+$')]", { body: [{ t: text }] }), []);
  const wide = Array.from({ length: 300 }, () => Array.from({ length: 100 }, () => [[[1]]]));
  const failure = await failureOf("jsonpath", "$[?count($..*..*..*) > 1]", {
    body: wide,
    limits: { messageBodyBytes: 100_000 },
  });
  assert.match(failure ?? "", /^LimitExceededException/);
});
