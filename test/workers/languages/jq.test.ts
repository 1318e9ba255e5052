/** jq: what its manual says of each construct, Camel's functions, and the bounds of an evaluation. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { failureOf, holds, refusalOf, resultOf } from "./in-flow.ts";

type Cases = readonly (readonly [program: string, input: unknown, output: unknown])[];

function agree(name: string, cases: Cases): void {
  test(name, async () => {
    for (const [program, input, output] of cases) {
      assert.deepEqual(await resultOf("jq", program, { body: JSON.stringify(input) }), output, program);
    }
  });
}

agree("paths, slices, iterators and construction", [
  [".", { a: 1 }, { a: 1 }],
  [".a.b", { a: { b: 2 } }, 2],
  ['.["a b"]."c"', { "a b": { c: 3 } }, 3],
  [".[1:]", [1, 2, 3], [2, 3]],
  [".[-2]", [1, 2, 3], 2],
  [".[:2]", "äöü", "äö"],
  [".[]", [1, 2], [1, 2]],
  [".a?", [1], null],
  ["[..]", [[1]], [[[1]], [1], 1]],
  ["[.[] | {(.k): .v, w: 1}]", [{ k: "x", v: 2 }], [{ x: 2, w: 1 }]],
  ['{a, $__loc__, "b\\(1 + 1)": 3} | .b2', { a: 1 }, 3],
  ['{("a", "b"): 1}', null, [{ a: 1 }, { b: 1 }]],
]);

agree("operators, in jq's order of binding and of outputs", [
  ["1 + 2 * 3 - 4 / 2", 0, 5],
  ["[(1, 2) + (10, 20)]", 0, [11, 12, 21, 22]],
  ['[.[] // "d"]', [null, false], ["d"]],
  [".a.b // 5", {}, 5],
  ['"abc" / "b" + ["x"] - ["a"]', 0, ["c", "x"]],
  ["{a: {b: 1}} * {a: {c: 2}}", 0, { a: { b: 1, c: 2 } }],
  ["5 % 3, -5 % 3", 0, [2, -2]],
  ['[1, "a", null, true, {}, []] | sort', 0, [null, true, 1, "a", [], {}]],
  ['1 == 1.0 and ([1] < [1, 0]) and ("a" < "b" | not | not)', 0, true],
]);

agree("bindings, conditions, functions, folds, labels, errors", [
  [". as [$a, {b: $c}] | $a + $c", [1, { b: 2 }], 3],
  [".[] as [$a] ?// $a | $a", [[3], 4], [3, 4]],
  ['if . > 1 then "big" elif . == 1 then "one" else "small" end', 1, "one"],
  ["def f(g; $x): g + $x; def h: f(. * 2; 1); h", 5, 11],
  ["def fac: if . <= 1 then 1 else . * (. - 1 | fac) end; fac", 5, 120],
  ["reduce .[] as $x (0; . + $x)", [1, 2, 3], 6],
  [
    "[foreach .[] as $x (0; . + $x; [$x, .])]",
    [1, 2],
    [
      [1, 1],
      [2, 3],
    ],
  ],
  ["[label $out | .[] | if . > 2 then break $out else . end]", [1, 2, 3, 1], [1, 2]],
  ['[.[] | try error catch "caught \\(.)"]', ["x"], ["caught x"]],
  ["[.[] | (1 / .)?]", [1, 0, 2], [1, 0.5]],
  ["[limit(3; repeat(1))]", null, [1, 1, 1]],
  ["[recurse(if . < 3 then . + 1 else empty end)]", 1, [1, 2, 3]],
]);

agree("assignments change what is at paths and nothing else", [
  [".a |= . + 1", { a: 1, b: 2 }, { a: 2, b: 2 }],
  ["(.a, .b) = 0", { a: 1 }, { a: 0, b: 0 }],
  [".[] += 1", [1, 2], [2, 3]],
  [".a //= 3", {}, { a: 3 }],
  ["del(.[1], .[0])", [1, 2, 3], [3]],
  ["(.[] | select(. > 1)) |= empty", [1, 2, 3], [1]],
  ["[paths]", { a: [1] }, [["a"], ["a", 0]]],
  ["path(..) | select(length == 2) | tojson", { a: { b: 1 } }, '["a","b"]'],
  ["to_entries", { a: 1 }, [{ key: "a", value: 1 }]],
  ["with_entries(.value += 1)", { a: 1 }, { a: 2 }],
  ['setpath(["a", 1]; 5)', null, { a: [null, 5] }],
  ['.[1:2] = ["x", "y"]', [1, 2, 3], [1, "x", "y", 3]],
]);

agree("builtins of lists, texts, dates and formats", [
  ["group_by(.a) | map(length)", [{ a: 1 }, { a: 2 }, { a: 1 }], [2, 1]],
  ["[unique_by(.)[], (min, max)]", [2, 1, 2], [1, 2, 1, 2]],
  ['flatten, add, (map(tostring) | join("-"))', [1, 2], [[1, 2], 3, "1-2"]],
  ['[.[] | tonumber? // "no"]', ["1", "x"], [1, "no"]],
  ['[match("(?<x>a)(b)?"; "g") | .captures[0].name, .offset]', "xaab", ["x", 1, "x", 2]],
  ['gsub("(?<c>[a-z])"; "\\(.c | ascii_upcase)!")', "ab", "A!B!"],
  [
    '[splits(", *")], [scan("\\\\d")]',
    "1, 2,3",
    [
      ["1", "2", "3"],
      ["1", "2", "3"],
    ],
  ],
  ['capture("(?<y>\\\\d+)-(?<m>\\\\d+)")', "2015-03", { y: "2015", m: "03" }],
  ["@csv, @tsv, @json", [1, 'a"b'], ['1,"a""b"', '1\ta"b', '[1,"a\\"b"]']],
  ['@base64 "x\\(.)", (@base64 | @base64d), @uri', "ü", ["xw7w=", "ü", "%C3%BC"]],
  [
    'fromdate, (fromdate | todate), (strptime("%Y-%m-%dT%H:%M:%SZ") | mktime)',
    "2015-03-05T23:51:47Z",
    [1425599507, "2015-03-05T23:51:47Z", 1425599507],
  ],
  ['strftime("%A, %B %d, %Y")', 1425599621, "Thursday, March 05, 2015"],
  ['[match("a*"; "gn").string]', "bab", ["a"]],
  ['[getpath(["a", "b"])], [tostream]', { a: null }, [[null], [[["a"], null], [["a"]]]]],
  [
    'ltrimstr("a"), test("B"; "i"), ascii_upcase, explode[0], (indices("b") | tojson)',
    "abb",
    ["bb", true, "ABB", 97, "[1,2]"],
  ],
]);

agree("builtins of numbers", [
  [
    "[.[] | rint], [.[] | nearbyint], [.[] | round]",
    [0.5, 1.5, 2.5],
    [
      [0, 2, 2],
      [0, 2, 2],
      [1, 2, 3],
    ],
  ],
  [
    "[.[] | significand], [.[] | logb]",
    [10, 0.25],
    [
      [1.25, 1],
      [3, -2],
    ],
  ],
  ["[pow(2; 10), fmin(1; .), fmax(1; .), fmod(7; 3), ldexp(3; .), exp10, exp2]", 2, [1024, 1, 2, 1, 12, 100, 4]],
]);

agree("builtins that look into texts, lists and objects", [
  ["[.[] | length]", ["äö", "😀x", -3, null, [1], { a: 1 }], [2, 2, 3, 0, 1, 1]],
  ["utf8bytelength", "äö😀", 8],
  ["keys", { b: 1, a: 2 }, ["a", "b"]],
  ["keys", [5, 6], [0, 1]],
  ["[has(0), has(2)]", [1, 2], [true, false]],
  [
    'split(", "), split("")',
    "a, b",
    [
      ["a", "b"],
      ["a", ",", " ", "b"],
    ],
  ],
  ['split(",")', "", []],
  ['indices("x")', "😀x😀x", [1, 3]],
  ["[indices(1), indices([1, 2])]", [0, 1, 2, 1], [[1, 3], [1]]],
  [
    "[flatten, flatten(1)]",
    [1, [2, [3, [4]]]],
    [
      [1, 2, 3, 4],
      [1, 2, [3, [4]]],
    ],
  ],
  ["[.[] | reverse]", [[1, 2], "äb", null], [[2, 1], "bä", []]],
  ["[bsearch(1), bsearch(2), bsearch(9), bsearch(-1)]", [0, 1, 3, 4], [1, -3, -5, -1]],
  ["[trim, ltrim, rtrim]", " a b ", ["a b", "a b ", " a b"]],
  ['contains({a: ["x"], b: {c: 1}}), contains({a: ["y", "z"]})', { a: ["xyz", 2], b: { c: 1 } }, [true, true]],
  ['contains("bar"), contains("z"), inside("a foobar")', "foobar", [true, false, true]],
]);

test("a builtin names the value that it cannot take", async () => {
  const failures: readonly (readonly [program: string, input: unknown, why: RegExp])[] = [
    ["length", true, /boolean \(true\) has no length/],
    ["utf8bytelength", 1, /number \(1\) only strings have UTF-8 byte length/],
    ["keys", 1, /number \(1\) has no keys/],
    ["has(1)", {}, /Cannot check whether object has a number key/],
    ["fromjson", "{a", /while parsing '\{a'/],
    ["split(1)", "a", /split input and separator must be strings/],
    ["flatten(-1)", [1], /flatten depth must not be negative/],
    ["floor", "a", /string \("a"\) number required/],
    ["startswith(1)", "a", /startswith\(\) requires string inputs/],
    ["trim", 1, /trim input must be a string/],
    ["contains(1)", "a", /string \("a"\) and number \(1\) cannot have their containment checked/],
  ];
  for (const [program, input, why] of failures)
    assert.match((await failureOf("jq", program, { body: JSON.stringify(input) })) ?? "", why, program);
});

test("Camel's functions, source, several outputs and none", async () => {
  const route = { body: "{}", headers: { h: "1" }, properties: { p: [2] }, variables: { v: { w: 3 } } };
  assert.deepEqual(
    await resultOf("jq", '[header("H"), property("p")[0], variable("v").w, constant("c"), header("none")]', route),
    ["1", 2, 3, "c", null],
  );
  assert.equal(await resultOf("jq", ".w", { ...route, options: { source: "variable:v" } }), 3);
  assert.equal(await resultOf("jq", "empty", route), null);
  assert.deepEqual(await resultOf("jq", "1, 2", route), [1, 2]);
  assert.equal(await resultOf("jq", ".a", { body: '{"a": "7"}', options: { resultType: "Integer" } }), 7);
  assert.match((await failureOf("jq", ".")) ?? "", /InvalidPayloadException/);
  assert.match(
    (await failureOf("jq", ".a.b", { body: '{"a": 1}' })) ?? "",
    /JsonQueryException: Cannot index number with "b"/,
  );
});

test("as a condition only true and a list with elements hold, as in Camel", async () => {
  const body = '{"t": true, "n": 1, "l": [1], "e": []}';
  for (const [program, expected] of [
    [".t", true],
    [".n", false],
    [".l", true],
    [".e", false],
    [".n == 1", true],
  ] as const) {
    assert.equal(await holds("jq", program, { body }), expected, program);
  }
});

test("what is not jq is refused, with its place", async () => {
  const refusals: readonly (readonly [program: string, why: RegExp])[] = [
    [".a[", /unexpected end of the expression/],
    ["foo", /foo\/0 is not defined/],
    ["$x", /\$x is not defined/],
    ["break $out", /label-out is not defined/],
    ["@nope", /nope is not a valid format/],
    ['import "a" as a; .', /no modules/],
    ["(".repeat(1000), /nests more than 200 deep/],
  ];
  for (const [program, why] of refusals) assert.match(await refusalOf("jq", program), why, program);
});

test("every evaluation ends: in time, in memory, in depth, and with patterns in linear time", async () => {
  const limits = { scriptMs: 50, messageBodyBytes: 1_000_000 };
  const endless = [
    "range(1e18)",
    "[range(1e18)]",
    "last(repeat(.))",
    "until(false; .)",
    "reduce range(1e18) as $i (0; . + 1)",
    "def f: f; f",
    "[recurse(.)]",
    '"x" * 1e9',
    'reduce range(60) as $i ("x"; . + .)',
    "reduce range(60) as $i ([1]; [., .]) | tojson",
    "[foreach range(1e9) as $i ([]; . + [$i])]",
    "null | setpath([1e8]; 1)",
    "[range(1e4)] | combinations(1e4)",
  ];
  for (const program of endless) {
    assert.match((await failureOf("jq", program, { body: "{}", limits })) ?? "", /^LimitExceededException/, program);
  }
  assert.equal(await resultOf("jq", 'test("^(a+)+$")', { body: JSON.stringify(`${"a".repeat(50)}!`) }), false);
  assert.match((await failureOf("jq", 'test("(?=a)")', { body: '"a"' })) ?? "", /not a valid regex.*no look-around/);
});

test("no program reaches a prototype", async () => {
  const body = '{"a": 1}';
  assert.deepEqual(await resultOf("jq", '[.__proto__, .constructor, .toString, has("constructor")]', { body }), [
    null,
    null,
    null,
    false,
  ]);
  assert.equal(await resultOf("jq", 'setpath(["__proto__", "polluted"]; 1) | {} | .polluted', { body }), null);
  assert.equal(({} as Record<string, unknown>)["polluted"], undefined);
});
