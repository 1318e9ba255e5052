/** The data format `yaml`; what is expected is what SnakeYAML 2.5 does. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { failureOf, marshalled, refusalOf, unmarshalled } from "./translate.ts";

const reading: readonly (readonly [text: string, value: unknown])[] = [
  [
    "a: 1\nb: [1, 2]\nc: yes\nd: No\ne: on\nf: ~\ng:",
    { a: 1, b: [1, 2], c: true, d: false, e: true, f: null, g: null },
  ],
  ["a: 010\nb: 0x1F\nc: 1_000\nd: 12:30\ne: 0b11\nf: 190:20:30", { a: 8, b: 31, c: 1000, d: 750, e: 3, f: 685230 }],
  ["a: 1e3\nb: .5\nc: 1.\nd: 12e03", { a: 1000, b: 0.5, c: 1, d: 12000 }],
  [
    "a: y\nb: 0o17\nc: 09\nd: 2020-1-1\ne: '1'\nf: =\ng: 09:30",
    { a: "y", b: "0o17", c: "09", d: "2020-1-1", e: "1", f: "=", g: "09:30" },
  ],
  ["a: 2020-01-01\nb: 2020-01-01T10:00:00Z", { a: "2020-01-01T00:00:00.000Z", b: "2020-01-01T10:00:00.000Z" }],
  ["x: &a {b: 1}\ny: *a\nz:\n  <<: *a\n  c: 2", { x: { b: 1 }, y: { b: 1 }, z: { b: 1, c: 2 } }],
  ["a: 1\na: 2", { a: 2 }],
  ["a: !!str 1\nb: !!int '3'", { a: "1", b: 3 }],
  ["a: |\n  x\n  y\n", { a: "x\ny\n" }],
  ["- 1\n- x", [1, "x"]],
  ["{1: a, true: b}", { 1: "a", true: "b" }],
  ["", null],
];

for (const [text, value] of reading) {
  test(`reads ${JSON.stringify(text)}`, async () => {
    assert.deepEqual(await unmarshalled("yaml: {}", text), value);
  });
}

const failing: readonly (readonly [text: string, failure: RegExp])[] = [
  ["a: b: c", /^org\.yaml\.snakeyaml\.scanner\.ScannerException: /],
  ["\tx: 1", /^org\.yaml\.snakeyaml\.scanner\.ScannerException: /],
  ["--- 1\n--- 2", /ScannerException: .*multiple documents/],
  ['!!java.net.URL ["http://x"]', /^org\.yaml\.snakeyaml\.constructor\.ConstructorException: .*java\.net\.URL/],
  ["a: [x, hunter2-hunter2 }: y", /ScannerException: [^\n]* at line 1, column 24$/],
  ["!foo x", /^org\.yaml\.snakeyaml\.constructor\.ConstructorException: /],
  ["a: *u", /Exception: .*(alias|u)/],
  ["&a [*a]", /^org\.yaml\.snakeyaml\./],
  [`${"[".repeat(60)}${"]".repeat(60)}`, /YAMLException: Nesting Depth exceeded max 50$/],
  [`${"[".repeat(100_000)}`, /^org\.yaml\.snakeyaml\./],
  [`a: &a {}\nb: [${"*a,".repeat(51)}]`, /Number of aliases for non-scalar nodes exceeds the specified max=50$/],
  [`# ${"x".repeat(3 * 1024 * 1024)}`, /exceeds the limit: 3145728 code points/],
];

for (const [text, failure] of failing) {
  test(`does not read ${JSON.stringify(text.slice(0, 40))}`, async () => {
    assert.match(await failureOf("- unmarshal: {yaml: {}}", text), failure);
  });
}

test("aliases of aliases are bounded by what they stand for", async () => {
  const lines = ["a: &a0 [x, x, x, x, x, x, x, x, x, x]"];
  for (let at = 1; at < 6; at++) lines.push(`b${at}: &a${at} [${`*a${at - 1},`.repeat(8)}]`);
  const failure = await failureOf("- unmarshal: {yaml: {}}", lines.join("\n"), {
    limits: { messageBodyBytes: 10_000 },
  });
  assert.match(failure, /^LimitExceededException: the aliases of a YAML document/);
});

const writing: readonly (readonly [value: unknown, text: string])[] = [
  [{ a: 1, b: null }, "{a: 1, b: null}\n"],
  [
    { a: 1, b: [1, 2], d: "", e: {}, f: [], i: { j: "x: y", k: [1] } },
    "a: 1\nb: [1, 2]\nd: ''\ne: {}\nf: []\ni:\n  j: 'x: y'\n  k: [1]\n",
  ],
  [{ a: { b: { c: 1 }, d: 2 } }, "a:\n  b: {c: 1}\n  d: 2\n"],
  [[1, { a: 1, b: 2 }], "- 1\n- {a: 1, b: 2}\n"],
  [
    [
      [1, 2],
      [3, [4]],
    ],
    "- [1, 2]\n- - 3\n  - [4]\n",
  ],
  [
    { a: "yes", b: "1", c: "010", d: "12:30", e: "y", f: "a\nb" },
    "a: 'yes'\nb: '1'\nc: '010'\nd: '12:30'\ne: y\nf: |-\n  a\n  b\n",
  ],
  [{ "<<": "<<" }, "{'<<': '<<'}\n"],
  ["s", "s\n"],
  [null, "null\n"],
];

for (const [value, text] of writing) {
  test(`writes ${JSON.stringify(value)}`, async () => {
    assert.equal(await marshalled("yaml: {}", value), text);
    assert.deepEqual(await unmarshalled("yaml: {}", text), value);
  });
}

test("what is written is bounded as a body is", async () => {
  const shared = ["x".repeat(30)];
  const limits = { messageBodyBytes: 100 };
  assert.match(
    await failureOf("- marshal: {yaml: {}}", [shared, shared, shared, shared], { limits }),
    /^LimitExceeded/,
  );
});

test("a document of too many values is neither read nor written", async () => {
  const many = Array.from({ length: 150_001 }, () => 0);
  const failure = /^LimitExceededException: a YAML document has at most 150000 values/;
  assert.match(await failureOf("- unmarshal: {yaml: {}}", JSON.stringify(many)), failure);
  assert.match(await failureOf("- marshal: {yaml: {}}", many), failure);
});

test("classes and beans are refused", async () => {
  assert.match(
    await refusalOf("- unmarshal: {yaml: {constructor: mine}}"),
    /'constructor' of data format 'yaml' is refused/,
  );
  assert.match(await refusalOf("- unmarshal: {yaml: {allowAnyType: true}}"), /no Java classes/);
  assert.equal(
    await refusalOf("- unmarshal: {yaml: {library: SnakeYAML, allowAnyType: false}, allowNullBody: true}"),
    "accepted",
  );
});
