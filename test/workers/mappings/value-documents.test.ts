/** Documents of value mappings: the documented form, the short forms, warnings and problems with their places. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { defaultLimits } from "../../../src/shared/limits.ts";
import { ValueTable } from "../../../src/shared/value-table.ts";
import { checkValueMapping } from "../../../src/workers/mappings/check-value-mapping.ts";
import { acceptedValueMapping, checkRequest } from "../../support/with-mappings.ts";

/** The mapping of docs/api.md 7. */
const orderStatus = {
  version: 1,
  name: "Order status",
  columns: { crm: { agency: "SALESFORCE", scheme: "OrderStatus" }, erp: { agency: "SAP_S4", scheme: "AUART" } },
  match: { caseSensitive: true, trim: false },
  rows: [
    { crm: "New", erp: "ZNEW" },
    { crm: ["Done", "Closed"], erp: "ZCLS" },
    { crm: "Hold", erp: "ZHLD", when: { country: "DE" } },
  ],
  lookups: [
    { from: "crm", to: "erp", onMissing: "default", default: "ZUNK" },
    { from: "erp", to: "crm", onMissing: "error" },
  ],
  tests: [
    { from: "crm", to: "erp", in: "New", out: "ZNEW" },
    { from: "crm", to: "erp", in: "??", out: "ZUNK" },
    { from: "crm", to: "erp", in: "Hold", out: "ZHLD", when: { country: "DE" } },
    { from: "erp", to: "crm", in: "ZCLS", out: "Done" },
    { from: "erp", to: "crm", in: "NOPE", error: "not_found" },
  ],
  labels: { owner: "sales" },
};

function tableOf(document: unknown): ValueTable {
  return new ValueTable(acceptedValueMapping(document).data);
}

function problemsOf(document: unknown, more = {}): readonly string[] {
  const result = checkValueMapping(checkRequest(document, more));
  assert.ok("problems" in result, JSON.stringify(result));
  return result.problems;
}

function warningsOf(document: unknown): readonly string[] {
  return acceptedValueMapping(document).warnings.map(({ code, message }) => `${code} ${message}`);
}

test("the documented form is understood whole", () => {
  const { facts, warnings } = acceptedValueMapping(orderStatus);
  assert.deepEqual(warnings, []);
  assert.deepEqual(facts, {
    name: "Order status",
    rows: 3,
    columns: ["crm", "erp"],
    tests: { passed: 5, failed: 0 },
    shared: false,
    uses: [],
  });
});

test("short forms have the columns from and to, and one way", () => {
  const forms: readonly (readonly [name: string, document: unknown, missing: unknown])[] = [
    ["a map of entries", { entries: { DE: "Germany", FR: "France" }, default: "?" }, "?"],
    [
      "a list of entries",
      {
        entries: [
          { from: "DE", to: "Germany" },
          { from: "FR", to: "France" },
        ],
        onMissing: "null",
      },
      null,
    ],
    ["mappings", { name: "Countries", mappings: { DE: "Germany" }, onMissing: "passthrough" }, "XX"],
    ["a list of mappings", { mappings: [{ from: "DE", to: "Germany" }], default: 0 }, 0],
    ["a flat map", { DE: "Germany", FR: "France" }, undefined],
  ];
  for (const [name, document, missing] of forms) {
    const { facts, warnings, data } = acceptedValueMapping(document);
    assert.deepEqual(warnings, [], name);
    assert.deepEqual(facts.columns, ["from", "to"], name);
    const table = new ValueTable(data);
    assert.equal(table.lookup("from", "to", "DE"), "Germany", name);
    if (missing === undefined) assert.throws(() => table.lookup("from", "to", "XX"), /"XX" is not mapped/);
    else assert.equal(table.lookup("from", "to", "XX"), missing, name);
    assert.throws(
      () => table.lookup("to", "from", "Germany"),
      /"from" only: "bidirectional": true allows others/,
      name,
    );
  }
});

test("what is one way may have a target twice; with bidirectional it is looked up both ways, and may not", () => {
  assert.equal(tableOf({ DE: "Europe", FR: "Europe" }).lookup("from", "to", "FR"), "Europe");
  const both = tableOf({ entries: { DE: ["Germany", "Deutschland"] }, bidirectional: true });
  assert.equal(both.lookup("to", "from", "Deutschland"), "DE");
  assert.equal(both.lookup("from", "to", "DE"), "Germany");
  assert.deepEqual(problemsOf({ entries: { DE: "Europe", FR: "Europe" }, bidirectional: true }), [
    '/entries/FR: "Europe" stands in /entries/DE too, so a lookup from "to" has no one answer: write one row with lists, tell the rows apart by \'when\', or set "onAmbiguous": "first"',
  ]);
});

test("rows without columns name them; columns may be a list", () => {
  assert.deepEqual(acceptedValueMapping({ rows: [{ b: 1 }, { a: 2, b: 3 }] }).facts.columns, ["b", "a"]);
  assert.deepEqual(acceptedValueMapping({ columns: ["2", "1"], rows: [{ 1: "a", 2: "b" }] }).facts.columns, ["2", "1"]);
  assert.deepEqual(acceptedValueMapping({ columns: ["crm", "erp"], entries: { New: "ZNEW" } }).facts.columns, [
    "crm",
    "erp",
  ]);
});

test("names that objects have by nature are names like any other", () => {
  const document = '{"columns": ["__proto__", "toString"], "rows": [{"__proto__": "a", "toString": "b"}]}';
  assert.equal(tableOf(document).lookup("__proto__", "toString", "a"), "b");
  assert.equal(tableOf('{"__proto__": "x", "constructor": "y"}').lookup("from", "to", "__proto__"), "x");
});

test("null in a cell is an answer and never a question", () => {
  const table = tableOf({ rows: [{ a: "x", b: null }], lookups: [{ from: "b", to: "a", default: "none" }] });
  assert.equal(table.lookup("a", "b", "x"), null);
  assert.equal(table.lookup("b", "a", null), "none");
});

test("what is not known is warned of, and has no effect", () => {
  assert.deepEqual(
    warningsOf({
      rows: [{ a: 1, b: 2 }, { a: 3 }],
      entries: {},
      columns: { a: { color: "red" }, b: {} },
      match: { fuzzy: true },
      lookups: [{ from: "a", to: "b", onMissing: "explode" }],
      tests: [{ from: "a", to: "b", in: 1, out: 2, weight: 1 }],
      version: 2,
      extra: 1,
      onAmbiguous: "last",
    }).map((text) => text.replace(/:.*/, "")),
    [
      "unknown_field /entries",
      "unknown_field /extra",
      "unknown_field /columns/a/color",
      "incomplete_row /rows/1",
      "unknown_field /match/fuzzy",
      "unknown_value /version",
      "unknown_value /lookups/0/onMissing",
      "unknown_field /tests/0/weight",
      "unknown_value /onAmbiguous",
    ],
  );
  assert.deepEqual(warningsOf({ entries: { DE: "Germany" }, onMising: "null" }), [
    "unknown_field /onMising: unknown field (did you mean 'onMissing'?): it has no effect",
  ]);
  assert.match(
    warningsOf({ name: "n", DE: "Germany" }).join(),
    /^flat_map \/name: all fields are entries here, "name" too/,
  );
});

test("a document of another shape is accepted with a warning, and lookups in it fail", () => {
  const shapes: readonly (readonly [document: unknown, why: RegExp])[] = [
    [{}, /it has no 'rows', 'entries' or 'mappings'/],
    [{ name: "only a name" }, /it has no 'rows'/],
    [{ a: { b: 1 } }, /and \/a is an object, so it is no map of values/],
    [{ rows: [[1, 2]] }, /\/rows\/0 is a list, not an object/],
    [{ rows: [{ a: { b: 1 }, c: 1 }] }, /\/rows\/0\/a is an object, not a value or a list of values/],
    [{ rows: [{ a: [[1]], c: 1 }] }, /\/rows\/0\/a has a list in its list/],
    [{ rows: [{ a: 1 }] }, /\/rows: the rows have fewer than two columns/],
    [{ rows: [], name: "empty" }, /fewer than two columns/],
    [{ rows: [{ a: 1, b: 2, when: "DE" }] }, /\/rows\/0\/when is a string, not an object/],
    [{ rows: [{ a: 1, b: 2, when: { c: ["DE"] } }] }, /\/rows\/0\/when\/c is a list, not a value/],
    [{ rows: [{ a: 1, b: 2 }], columns: "a,b" }, /\/columns is a string/],
    [{ rows: [{ a: 1, b: 2 }], columns: ["a", 1] }, /\/columns\/1 is a number, not a name/],
    [{ rows: [{ a: 1, b: 2 }], tests: {} }, /\/tests is an object, not a list/],
    [{ rows: [{ a: 1, b: 2 }], tests: [{ input: 1 }] }, /\/tests\/0 has no 'in' that is a value/],
    [{ rows: [{ a: 1, b: 2 }], lookups: {} }, /\/lookups is an object, not a list/],
    [{ rows: [{ a: 1, b: 2 }], lookups: [{ from: 1 }] }, /\/lookups\/0\/from is a number, not a text/],
    [{ rows: [{ a: 1, b: 2 }], default: {} }, /\/default is an object, not a value/],
    [{ rows: [{ a: 1, b: 2 }], typed: "yes" }, /\/typed is a string, not true or false/],
    [{ rows: [{ a: 1, b: 2 }], match: { trim: 1 } }, /\/match\/trim is a number, not true or false/],
  ];
  for (const [document, why] of shapes) {
    const { facts, warnings, data } = acceptedValueMapping(document);
    assert.equal(facts.rows, 0);
    const [warning, ...more] = warnings;
    assert.deepEqual([warning?.code, more], ["not_understood", []], JSON.stringify(document));
    assert.match(warning?.message ?? "", why);
    assert.throws(() => new ValueTable(data).lookup("a", "b", 1), /its document was not understood/);
  }
});

const row = { a: "x", b: "y" };
const contradictions: readonly (readonly [name: string, document: unknown, problem: RegExp])[] = [
  ["no JSON", "{", /^the body is not JSON/],
  ["a name twice", '{"a": "1", "a": "2"}', /^the body has a name twice in one object/],
  ["no object", [1], /^a value mapping is a JSON object/],
  ["one column", { columns: ["a"], rows: [] }, /^\/columns: a value mapping has at least two columns/],
  ["a column twice", { columns: ["a", "a"], rows: [] }, /^\/columns: the column "a" is there twice/],
  ["a column called when", { columns: ["a", "when"], rows: [] }, /^\/columns: no column is called "when"/],
  ["a column with blanks", { columns: ["a", " b"], rows: [] }, /^\/columns: " b" is no name of a column/],
  [
    "65 columns",
    { columns: Array.from({ length: 65 }, (_, i) => `c${i}`), rows: [] },
    /^\/columns: .* at most 64 columns/,
  ],
  [
    "an unknown column",
    { columns: ["a", "b"], rows: [row, { a: 1, "c/d~": 1 }] },
    /^\/rows\/1\/c~1d~0: there is no such column \(there are "a", "b"\)/,
  ],
  ["a long value", { rows: [{ a: "x".repeat(8193), b: 1 }] }, /^\/rows\/0\/a: a value has at most 8192 characters$/],
  ["half a character", '{"rows": [{"a": "\\ud800", "b": 1}]}', /^\/rows\/0\/a: the text has half a character$/],
  ["a large number", '{"rows": [{"a": 9.1e15, "b": 1}]}', /^\/rows\/0\/a: a number beyond 2\^53 is exact when it is/],
  ["an infinite number", '{"rows": [{"a": 1e999, "b": 1}]}', /^\/rows\/0\/a: a number beyond 2\^53/],
  ["an empty list", { rows: [{ a: [], b: 1 }] }, /^\/rows\/0\/a: the list is empty: leave the cell out$/],
  ["null in a list", { rows: [{ a: ["x", null], b: 1 }] }, /^\/rows\/0\/a: null stands in a list/],
  [
    "a long list",
    { rows: [{ a: Array.from({ length: 1001 }, (_, i) => i), b: 1 }] },
    /^\/rows\/0\/a: a cell has at most 1000 values$/,
  ],
  [
    "null as a qualifier",
    { rows: [{ ...row, when: { c: null } }] },
    /^\/rows\/0\/when\/c: null is no value of a qualifier/,
  ],
  [
    "nine qualifiers",
    { rows: [{ ...row, when: Object.fromEntries([..."abcdefghi"].map((q) => [q, 1])) }] },
    /^\/rows\/0\/when: a row has at most 8/,
  ],
  [
    "many sets of qualifiers",
    { rows: Array.from({ length: 17 }, (_, i) => ({ a: i, b: i, when: { [`q${i}`]: 1 } })) },
    /^the rows have more than 16 different sets of qualifiers$/,
  ],
  [
    "the same value twice",
    { rows: [row, { a: "x", b: "z" }] },
    /^\/rows\/1\/a: "x" stands in \/rows\/0 too, so a lookup from "a" has no one answer/,
  ],
  [
    "the same text twice",
    {
      rows: [
        { a: 1, b: "p" },
        { a: "1", b: "q" },
      ],
    },
    /^\/rows\/1\/a: "1" stands in \/rows\/0 too/,
  ],
  [
    "the same without case",
    { match: { caseSensitive: false }, rows: [row, { a: "X", b: "z" }] },
    /^\/rows\/1\/a: "X" stands/,
  ],
  [
    "the same qualifiers",
    {
      rows: [
        { ...row, when: { c: 1, d: 2 } },
        { a: "x", b: "z", when: { d: 2, c: 1 } },
      ],
    },
    /^\/rows\/1\/a: "x" stands in \/rows\/0 too/,
  ],
  [
    "qualifiers that fit together",
    {
      rows: [
        { ...row, when: { country: "DE" } },
        { a: "x", b: "z", when: { plant: 1 } },
      ],
    },
    /^\/rows\/1\/a: "x" stands in \/rows\/0 too/,
  ],
  [
    "an unknown column in lookups",
    { rows: [row], lookups: [{ from: "a", to: "c" }] },
    /^\/lookups\/0\/to: there is no column "c": there are "a", "b"$/,
  ],
  [
    "a lookup twice",
    { rows: [row], lookups: [{ from: "a", to: "b" }, { from: "a" }] },
    /^\/lookups\/1: the lookup from "a" to "b" is there twice$/,
  ],
  [
    "a default without a value",
    { rows: [row], lookups: [{ from: "a", to: "b", onMissing: "default" }] },
    /^\/lookups\/0\/onMissing: 'default' needs a value/,
  ],
  [
    "a default without a value for all",
    { entries: { a: "b" }, onMissing: "default" },
    /^\/onMissing: 'default' needs a value/,
  ],
  [
    "the wrong way",
    { entries: { a: "b" }, lookups: [{ from: "to", to: "from" }] },
    /^\/lookups\/0\/from: lookups begin in "from" only/,
  ],
  [
    "columns not said",
    { rows: [{ ...row, c: 1 }], lookups: [{ from: "a" }] },
    /^\/lookups\/0: say 'from' and 'to': there are the columns "a", "b", "c"$/,
  ],
  [
    "an unknown column in tests",
    { rows: [row], tests: [{ from: "z", to: "b", in: "x", out: "y" }] },
    /^\/tests\/0\/from: there is no column "z"/,
  ],
  [
    "a test without an outcome",
    { rows: [row], tests: [{ in: "x" }] },
    /^\/tests\/0: say what is expected: 'out' or 'error'$/,
  ],
  [
    "a test with another error",
    { rows: [row], tests: [{ in: "x", error: "boom" }] },
    /^\/tests\/0\/error: a lookup fails with "not_found"/,
  ],
  [
    "a failing test",
    { rows: [row], tests: [{ in: "x", out: "z" }] },
    /^\/tests\/0: the test failed: the lookup of "x" from "a" to "b" gives "y", not "z": change the row or the test$/,
  ],
  [
    "a test that finds nothing",
    { rows: [row], tests: [{ in: "q", out: "z" }] },
    /^\/tests\/0: .* gives an error, not "z"/,
  ],
  [
    "a test that finds something",
    { rows: [row], tests: [{ in: "x", error: "not_found" }] },
    /^\/tests\/0: .* gives "y", not an error/,
  ],
  [
    "a test of another type",
    { rows: [{ a: "x", b: 1 }], tests: [{ in: "x", out: "1" }] },
    /^\/tests\/0: .* gives 1, not "1"/,
  ],
];

for (const [name, document, problem] of contradictions) {
  test(`${name} is a problem with its place`, () => {
    const [first, ...more] = problemsOf(document);
    assert.match(first ?? "", problem);
    assert.deepEqual(more.slice(1), []);
  });
}

test("onAmbiguous first takes the first row, with a warning", () => {
  const document = { rows: [row, { a: "x", b: "z" }], onAmbiguous: "first" };
  assert.deepEqual(warningsOf(document), ['ambiguous /rows/1/a: "x" stands in /rows/0 too: that row counts']);
  assert.equal(tableOf(document).lookup("a", "b", "x"), "y");
});

test("what is told of many faults is bounded", () => {
  const rows = Array.from({ length: 500 }, () => ({ a: "x", b: "y" }));
  const problems = problemsOf({ rows });
  assert.equal(problems.length, 21);
  assert.equal(problems.at(-1), "and 978 more of the kind");
});

test("more rows than the limit are a problem, unless the mapping is there already", () => {
  const limits = { ...defaultLimits, mappingRows: 2 };
  const entries = { a: 1, b: 2, c: 3 };
  assert.deepEqual(problemsOf({ entries }, { limits }), ["/entries: 3 rows: a value mapping has at most 2"]);
  assert.deepEqual(problemsOf({ rows: [row, row, row] }, { limits }), ["/rows: 3 rows: a value mapping has at most 2"]);
  assert.equal(acceptedValueMapping({ entries }, { limits, stored: true }).facts.rows, 3);
});

test("what would be a large table from few rows is a problem", () => {
  const limits = { ...defaultLimits, mappingRows: 3 };
  const list = Array.from({ length: 20 }, (_, i) => i);
  assert.deepEqual(problemsOf({ rows: [{ a: list, b: list }] }, { limits }), [
    "40 values in all cells: a value mapping has at most 30",
  ]);
  const columns = list.map((n) => `c${n}`);
  assert.deepEqual(
    problemsOf(
      {
        columns,
        rows: [
          { c0: 1, c1: 1 },
          { c0: 2, c1: 2 },
        ],
      },
      { limits },
    ),
    ["2 rows of 20 columns are 40 cells: a value mapping has at most 30"],
  );
});

test("a mapping of 100 000 rows is checked, and found in", () => {
  const rows = Array.from({ length: 100_000 }, (_, i) => ({ crm: `status ${i}`, erp: `Z${i}` }));
  const { data, facts } = acceptedValueMapping({ rows });
  assert.equal(facts.rows, 100_000);
  const table = new ValueTable(data);
  for (let i = 0; i < 100_000; i += 997) {
    assert.equal(table.lookup("crm", "erp", `status ${i}`), `Z${i}`);
    assert.equal(table.lookup("erp", "crm", `Z${i}`), `status ${i}`);
  }
});
