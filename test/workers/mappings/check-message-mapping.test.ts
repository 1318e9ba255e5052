/** What a check says of a message mapping's document: problems, warnings, tests, coverage. */
import assert from "node:assert/strict";
import { before, test } from "node:test";
import fc from "fast-check";
import type { MappingCheckRequest, MappingCheckResult } from "../../../src/shared/mapping.ts";
import { readModel } from "../../../src/shared/mapping-models.ts";
import { checkMessageMapping } from "../../../src/workers/mappings/check-message-mapping.ts";
import { messageModules } from "../../../src/workers/mappings/registry.ts";
import { type Accepted, acceptedMessageMapping, checkRequest, tablesOf } from "../../support/with-mappings.ts";

before(() => messageModules.load());

function check(document: unknown, more: Partial<MappingCheckRequest> = {}): MappingCheckResult {
  return checkMessageMapping(checkRequest(document, { kind: "message", ...more }));
}

function problems(document: unknown, more: Partial<MappingCheckRequest> = {}): readonly string[] {
  const result = check(document, more);
  return "problems" in result ? result.problems : [];
}

function warnings({ warnings: told }: Accepted): readonly string[] {
  return told.map(({ code, message }) => `${code}: ${message}`);
}

/** With a test that reaches all of its rules. */
const sound = { mappings: { "/a": "x" }, tests: [{ input: { x: 1 }, expect: { a: 1 } }] };

test("a sound mapping has its facts", () => {
  const document = {
    ...sound,
    name: "Sound",
    mappings: undefined,
    rules: [
      { target: "/a", expr: "x" },
      { id: "l", target: "/l", forEach: "l", rules: [{ target: "/s", expr: "$map(t, function($t) { $t })" }] },
    ],
    tests: [{ input: { x: 1, l: [{ t: [1] }] }, expect: { a: 1, l: [{ s: 1 }] } }],
  };
  const { facts, warnings: told } = acceptedMessageMapping(document);
  assert.deepEqual(told, []);
  assert.deepEqual(facts, {
    name: "Sound",
    rules: 3,
    compiledRules: 2,
    untestedRules: [],
    tests: { passed: 1, failed: 0 },
    shared: false,
    uses: [],
  });
});

test("what is wrong is told with the rule, the target and the column", () => {
  const cases: readonly (readonly [document: object, problem: RegExp])[] = [
    [
      { rules: [{ id: "r9", target: "/order/id", expr: "a +" }] },
      /^\/rules\/0\/expr: rule r9 -> \/order\/id: Unexpected end of expression \(column 3\)$/,
    ],
    [{ rules: [{ target: "/a", expr: "a", when: "(" }] }, /^\/rules\/0\/when: rule r1 -> \/a: /],
    [{ rules: [{ target: "/a", forEach: "[", expr: "a" }] }, /^\/rules\/0\/forEach: rule r1 -> \/a: /],
    [
      { rules: [{ target: "/a", forEach: "a", rules: [{ target: "/b", expr: "\n a ]" }] }] },
      /^\/rules\/0\/rules\/0\/expr: rule r1.1 -> \/b: .* \(line 2, column 4\)$/,
    ],
    [{ mappings: { "/a/b": "x y" } }, /^\/mappings\/~1a~1b\/expr: rule r1 -> \/a\/b: Syntax error: "y" \(column 3\)$/],
    [{ expression: "{" }, /^\/expression: rule r1 -> \/: /],
    [{ mappings: { a: "$contains(x, /(?=y)/)" } }, /rule r1 -> \/a: bad regular expression/],
    [{ mappings: { "/a": "x", "/a/b": "y" } }, /rule r2 -> \/a\/b: rule r1 sets the whole of \/a/],
    [{ mappings: { "/a/b": "x", "/a": "y" } }, /rule r2 -> \/a: rule r1 sets a part of \/a too/],
    [
      {
        rules: [
          { target: "/a", expr: "x" },
          { target: "a", expr: "y" },
        ],
      },
      /rule r2 -> \/a: rule r1 sets \/a too/,
    ],
    [{ mappings: { "/l/0": "x", "/l/name": "y" } }, /rule r2 -> \/l\/name: \/l would be a list and an object/],
    [
      {
        rules: [
          { target: "", expr: "x" },
          { target: "/a", expr: "y" },
        ],
      },
      /rule r2 -> \/a: rule r1 sets the whole of the result/,
    ],
    [
      {
        rules: [
          {
            target: "/l",
            forEach: "l",
            rules: [
              { target: "/a", expr: "x" },
              { target: "/a", expr: "y" },
            ],
          },
        ],
      },
      /rule r1.2 -> \/a: rule r1.1 sets \/a too/,
    ],
    [
      {
        rules: [
          { id: "one", target: "/a", expr: "x" },
          { id: "one", target: "/b", expr: "y" },
        ],
      },
      /^\/rules\/1\/id: rule one: another rule has this id$/,
    ],
    [{ mappings: { "lines[].a": "x" } }, /rule r1 -> "lines\[\]\.a": a target names one place: use forEach/],
    [{ mappings: { "a..b": "x" } }, /write a JSON pointer such as/],
    [{ mappings: { "/a~2": "x" } }, /in a JSON pointer ~ is written ~0/],
    [{ rules: [{ target: "/a" }] }, /^\/rules\/0: rule r1 -> \/a: it has no expr/],
    [{ rules: [{ target: "/a", forEach: "x" }] }, /a forEach has either rules, or an expr/],
    [{ rules: [{ target: "/a", forEach: "x", expr: "y", rules: [] }] }, /a forEach has either rules, or an expr/],
    [{ rules: [{ target: "/a", rules: [{ target: "/b", expr: "y" }] }] }, /rules inside a rule need a forEach/],
    [{ rules: [], mappings: {} }, /it has rules and mappings: write one of them/],
    [{ ...sound, limits: { timeoutMs: 0 } }, /^\/limits\/timeoutMs: it is a whole number above 0$/],
    [
      { mappings: { a: "$vmap(x, 'a', 'b', y)" } },
      /rule r1 -> \/a: the id of the value mapping must be a text literal/,
    ],
    [{ mappings: { a: "$vmap('m', x, 'b', y)" } }, /the column to look in must be a text literal/],
    [{ mappings: { a: "$vmap('m', 'a', x, y)" } }, /the column to answer from must be a text literal/],
    [{ mappings: { a: "$vmap('m', 'a', 'b')" } }, /\$vmap takes four or five arguments/],
    [{ mappings: { a: "$map(x, $vmap)" } }, /\$vmap can only be called/],
    [{ mappings: { a: "x ~> $vmap('m', 'a', 'b', 'c')" } }, /\$vmap takes nothing from ~>/],
    [{ mappings: { a: "($v := $vmap; $v('m', 'a', 'b', x))" } }, /\$vmap can only be called/],
  ];
  for (const [document, problem] of cases) {
    const told = problems(document, { absent: ["m"] });
    assert.ok(
      told.some((one) => problem.test(one)),
      `${JSON.stringify(document)}: ${told.join(" | ") || "no problem"}`,
    );
  }
  assert.equal(problems({ mappings: { a: "(", b: "[", c: "x" } }).length, 2);
  assert.match(problems("{ no json")[0] ?? "", /not JSON/);
  assert.match(problems("a,b", { media: "csv" })[0] ?? "", /JSON document/);
});

test("a schema is refused for what it would fetch, or cannot match", () => {
  const schemas: readonly (readonly [schema: unknown, problem: RegExp])[] = [
    [{ $ref: "https://example.org/order.json" }, /^\/target\/schema\/\$ref: .* nothing is fetched/],
    [
      { properties: { a: { $ref: "#/$defs/none" } } },
      /^\/target\/schema\/properties\/a\/\$ref: '#\/\$defs\/none' does not exist/,
    ],
    [{ properties: { a: { pattern: "(?=x)" } } }, /^\/target\/schema\/properties\/a\/pattern: bad regular expression/],
    [{ patternProperties: { "(": {} } }, /^\/target\/schema\/patternProperties: bad regular expression/],
    [{ $dynamicRef: "#x" }, /\$dynamicRef is not known here/],
    [{ $ref: "#" }, /go round in a circle/],
  ];
  for (const [schema, problem] of schemas) assert.match(problems({ ...sound, target: { schema } })[0] ?? "", problem);
  for (const schema of [
    true,
    { $ref: "#/$defs/o", $defs: { o: { type: "object" } } },
    { properties: { pattern: { const: "(" } } },
  ]) {
    assert.deepEqual(problems({ ...sound, target: { schema } }), [], JSON.stringify(schema));
  }
});

test("a document of another shape is kept with a warning", () => {
  for (const document of [
    {},
    { steps: [] },
    { rules: "no" },
    { rules: [{ from: 1 }] },
    { rules: [1] },
    { mappings: "x" },
    { expression: 1 },
    { mappings: {}, language: "xslt" },
    { mappings: { a: 1 } },
    { ...sound, target: { schema: 1 } },
    { ...sound, tests: {} },
  ]) {
    const accepted = acceptedMessageMapping(JSON.stringify(document));
    assert.equal(accepted.warnings[0]?.code, "not_understood", JSON.stringify(document));
    assert.ok(readModel(accepted.data).notUnderstood);
  }
});

test("fields and words that are not known are warned of", () => {
  const document = {
    ...sound,
    onEror: "fail",
    version: 2,
    onMissing: "explode",
    source: { formt: "json" },
    tests: [{ ...sound.tests[0], note: "x" }],
    target: { validate: "warn" },
  };
  const told = warnings(acceptedMessageMapping(document)).join("\n");
  for (const expected of [
    /unknown_field: \/onEror/,
    /unknown_version/,
    /unknown_value: \/onMissing/,
    /unknown_field: \/source\/formt/,
    /unknown_field: \/tests\/0\/note/,
    /no_schema: /,
  ]) {
    assert.match(told, expected);
  }
});

test("value mappings are asked for, and those that are not there are warned of", () => {
  const document = {
    mappings: { a: "$vmap('s', 'a', 'b', x)", b: "y" },
    uses: ["other"],
    tests: [
      { name: "looks up", input: { x: "1", y: 2 }, expect: { a: "x", b: 2 } },
      { input: { y: 2 }, expect: { b: 2 } },
    ],
  };
  assert.deepEqual(check(document), { needs: ["s", "other"] });
  assert.deepEqual(check(document, { absent: ["other"] }), { needs: ["s"] });
  const absent = acceptedMessageMapping(document, { absent: ["s", "other"] });
  assert.match(
    warnings(absent).join("\n"),
    /unknown_value_mapping: there is no value mapping 's'[\s\S]*'other'[\s\S]*test_not_run: \/tests\/0: it needs the value mapping 's'/,
  );
  assert.deepEqual(absent.facts.tests, { passed: 1, failed: 0 });
  const tables = tablesOf({ s: { columns: { a: {}, b: {} }, rows: [{ a: "1", b: "x" }] }, other: { entries: {} } });
  const present = acceptedMessageMapping(document, { tables });
  assert.deepEqual([present.facts.tests, present.facts.uses, present.warnings], [{ passed: 2, failed: 0 }, ["s"], []]);
});

test("a test that fails is a problem that shows what was expected and what came", () => {
  const failing = (own: object, more: object = {}) =>
    problems({ mappings: { "/a": "$number(x)" }, ...more, tests: [{ name: "t", input: { x: "1" }, ...own }] })[0] ?? "";
  assert.equal(failing({ expect: { a: 1 } }), "");
  assert.equal(
    failing({ expect: { a: 2 } }),
    `/tests/0: the test 't' failed: expected {"a":2}, but the mapping gives {"a":1}`,
  );
  assert.match(
    failing({ input: { x: "?" }, expect: {} }),
    /^\/tests\/0: the test 't' failed: it fails: mapping 'm' rule r1 -> \/a: Unable to cast/,
  );
  assert.match(
    failing({ expectError: { target: "/a" } }),
    /expected a failure with target "\/a", but the mapping gives {"a":1}/,
  );
  for (const expectError of [true, "Unable to cast", { target: "/a" }, { rule: "r1", message: "cast" }]) {
    assert.equal(failing({ input: { x: "?" }, expectError }), "", JSON.stringify(expectError));
    assert.equal(failing({ input: { x: "?" }, expectError }, { onError: "collect" }), "");
  }
  assert.match(
    failing({ input: { x: "?" }, expectError: { target: "/b" } }),
    /expected a failure with target "\/b", but it fails so: /,
  );
  assert.match(failing({}), /say what is expected/);
  assert.match(problems({ ...sound, tests: [{ expect: {} }] })[0] ?? "", /the test has no input/);
  const schema = { target: { schema: { properties: { a: { minimum: 5 } } } } };
  assert.match(failing({ expect: { a: 1 } }, schema), /it fails: mapping 'm': the result does not fit the schema: \/a/);
  const stored = acceptedMessageMapping({ ...sound, tests: [{ input: {}, expect: { a: 1 } }] }, { stored: true });
  assert.match(warnings(stored)[0] ?? "", /^failing_test: \/tests\/0: /);
  assert.deepEqual(stored.facts.tests, { passed: 0, failed: 1 });
});

test("in tests the clock and chance stand still, and the surroundings are the test's", () => {
  const document = {
    mappings: {
      n: "$now()",
      y: "$now('[Y]')",
      m: "$millis()",
      r: "$random()",
      u: "$uuid()",
      h: "$headers.h & $params.p & $properties.q & $variables.v",
    },
    tests: [
      {
        input: {},
        headers: { h: "a" },
        params: { p: "b" },
        properties: { q: "c" },
        variables: { v: "d" },
        expect: {
          n: "2026-01-01T00:00:00.000Z",
          y: "2026",
          m: 1767225600000,
          r: 0.5,
          u: "00000000-0000-4000-8000-000000000000",
          h: "abcd",
        },
      },
    ],
  };
  assert.deepEqual(acceptedMessageMapping(document).facts.tests, { passed: 1, failed: 0 });
});

test("rules that no test reaches are told", () => {
  const document = {
    rules: [
      { target: "/a", expr: "x" },
      { target: "/b", expr: "y", when: "y" },
      { target: "/l", forEach: "l", rules: [{ target: "/z", expr: "z" }] },
    ],
    tests: [{ input: { x: 1, l: [] }, expect: { a: 1, l: [] } }],
  };
  const accepted = acceptedMessageMapping(document);
  assert.deepEqual(accepted.facts.untestedRules, ["r2", "r3.1"]);
  assert.deepEqual(warnings(accepted), ["untested_rules: no test reaches the rules r2, r3.1"]);
});

test("any document is accepted, with or without warnings, or refused with what is wrong", () => {
  const word = fc.constantFrom(
    "/a",
    "a.b",
    "-",
    "$vmap('m','a','b',x)",
    "x",
    "(",
    "json",
    "xml",
    "fail",
    "null",
    "collect",
    "",
  );
  const key = fc.constantFrom(
    ...[
      "rules",
      "expression",
      "mappings",
      "fields",
      "target",
      "source",
      "expr",
      "forEach",
      "when",
      "default",
      "required",
    ],
    ...[
      "id",
      "schema",
      "validate",
      "format",
      "tests",
      "input",
      "expect",
      "expectError",
      "limits",
      "timeoutMs",
      "onError",
    ],
    ...["$ref", "type", "items", "properties", "__proto__", "uses", "language", "name"],
  );
  const { document } = fc.letrec((tie) => ({
    document: fc.oneof(
      { maxDepth: 5, depthSize: "medium" },
      fc.oneof(word, fc.integer(), fc.boolean(), fc.constant(null)),
      fc.array(tie("document"), { maxLength: 3 }),
      fc.dictionary(key, tie("document"), { maxKeys: 5 }),
    ),
  }));
  const rule = fc.record(
    { target: word, expr: word, forEach: word, rules: document, when: word, default: document },
    { requiredKeys: [] },
  );
  const near = fc.record(
    {
      rules: fc.array(rule, { maxLength: 4 }),
      tests: fc.array(fc.record({ input: document, expect: document })),
      target: document,
      onError: word,
    },
    { requiredKeys: ["rules"] },
  );
  const shapes = { accepted: 0, refused: 0 };
  fc.assert(
    fc.property(fc.oneof(document, near, near), (any) => {
      const result = check(JSON.stringify(any), { absent: ["m"] });
      if ("problems" in result) {
        assert.ok(result.problems.length > 0 && result.problems.every((one) => one.length > 10));
        shapes.refused += 1;
      } else {
        assert.ok("data" in result || result.needs.length > 0);
        shapes.accepted += 1;
      }
    }),
    { seed: 5, numRuns: 500 },
  );
  assert.ok(shapes.accepted > 50 && shapes.refused > 50, JSON.stringify(shapes));
});
