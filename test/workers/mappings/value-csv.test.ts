/** Value mappings as CSV: what is read, what is written, and both in turn. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { defaultLimits } from "../../../src/shared/limits.ts";
import { ValueTable } from "../../../src/shared/value-table.ts";
import { checkValueMapping } from "../../../src/workers/mappings/check-value-mapping.ts";
import { valueMappingCsv } from "../../../src/workers/mappings/value-csv.ts";
import { acceptedValueMapping, checkRequest } from "../../support/with-mappings.ts";

const csv = { media: "csv" } as const;

function keptOf(text: string): unknown {
  return JSON.parse(acceptedValueMapping(text, csv).kept ?? "");
}

function problemsOf(text: string, limits = defaultLimits): readonly string[] {
  const result = checkValueMapping(checkRequest(text, { ...csv, limits }));
  assert.ok("problems" in result, JSON.stringify(result));
  return result.problems;
}

test("a table from a spreadsheet: byte order mark, CRLF, quotes, lists, qualifiers, empty fields and lines", () => {
  const text =
    '\ufeffcrm, erp ,when.country\r\nNew,ZNEW,\r\n"Done|Closed","Z""CLS""",DE\r\n\r\n"a,\r\nb","",\r\nx\\|y,Z\\,\r\n,,\r\n';
  assert.deepEqual(keptOf(text), {
    columns: ["crm", "erp"],
    rows: [
      { crm: "New", erp: "ZNEW" },
      { crm: ["Done", "Closed"], erp: 'Z"CLS"', when: { country: "DE" } },
      { crm: "a,\r\nb", erp: "" },
      { crm: "x|y", erp: "Z\\" },
    ],
  });
  const { facts, data } = acceptedValueMapping(text, csv);
  assert.deepEqual([facts.rows, facts.columns], [4, ["crm", "erp"]]);
  assert.equal(new ValueTable(data).lookup("crm", "erp", "Closed", { qualifiers: { country: "DE" } }), 'Z"CLS"');
});

test("a backslash counts only before a bar", () => {
  const cells = ["a\\b", "\\\\server\\share", "a\\|b", "a\\\\|b", "a\\\\\\|b", "c|", "\\", "x|\\\\"];
  const text = ["k,v", ...cells.map((cell, at) => `k${at},${cell}`)].join("\n");
  assert.deepEqual(
    (keptOf(`${text}\n`) as { rows: { v: unknown }[] }).rows.map(({ v }) => v),
    // "c|" has an empty value behind the bar.
    ["a\\b", "\\\\server\\share", "a|b", ["a\\", "b"], "a\\|b", ["c", ""], "\\", ["x", "\\\\"]],
  );
});

test("faults of a text are told with their lines and columns", () => {
  const cases: readonly (readonly [text: string, problem: RegExp])[] = [
    ["", /^line 1: a value mapping has at least two columns/],
    ["a;b\n1;2\n", /^line 1: the only column is "a;b": separate columns by commas$/],
    ["a,a\n", /^line 1: the column "a" is there twice$/],
    ["a,\n1,2\n", /^line 1: "" is no name of a column/],
    ["a,b\n1,2\n\n3\n", /^line 4: 1 fields where the header has 2: quote a value with a comma in it$/],
    ["a,b\n1,2,3\n", /^line 2: 3 fields/],
    ['a,b\n"1\n2",x\n3,"y"z\n', /^line 4, column 6: after a closing quote comes a comma or the end of the line$/],
    ['a,b\n1,2\n3,"4\n5\n', /^line 3, column 1: a quoted value that begins in this record has no closing quote$/],
    ["a,b\n1,2\n3,2\n", /^line 3, column 2 \("b"\): "2" stands in line 2 too/],
    [`a,b\n1,${"x".repeat(8193)}\n`, /^line 2, column 2 \("b"\): a value has at most 8192 characters$/],
    [`when.c,a,b\n${"x".repeat(257)},1,2\n`, /^line 2\/c: a value has at most 256 characters$/],
  ];
  for (const [text, problem] of cases) assert.match(problemsOf(text)[0] ?? "no problem", problem);
  const result = checkValueMapping({ ...checkRequest("", csv), document: new Uint8Array([0x61, 0xff]) });
  assert.deepEqual(result, { problems: ["the body is not UTF-8"] });
  assert.deepEqual(problemsOf("a,b\n1,2\n3,4\n5,6\n", { ...defaultLimits, mappingRows: 2 }), [
    "line 4: a value mapping has at most 2 rows",
  ]);
});

const value = fc.oneof(
  fc.constantFrom("a", "|", "\\", "\\|", "a\\", '"', ",", "\r\n", "\n", " a ", "=1+1", "\ufeff"),
  fc.string({ unit: fc.constantFrom("a", "|", "\\", '"', ",", "\n", " "), maxLength: 6 }),
);
const cell = fc.array(value, { minLength: 1, maxLength: 3 }).map((list) => (list.length === 1 ? list[0] : list));
const row = fc.record(
  {
    "1": cell,
    crm: cell,
    "a,b": cell,
    when: fc.dictionary(fc.constantFrom("country", "p q"), fc.constantFrom("DE", ""), { minKeys: 1 }),
  },
  { requiredKeys: ["crm"] },
);

test("what is exported and imported again has the same rows", () => {
  let accepted = 0;
  fc.assert(
    fc.property(fc.array(row, { maxLength: 4 }), (rows) => {
      const columns = ["crm", "1", "a,b"];
      const text = valueMappingCsv(JSON.stringify({ columns, rows, onAmbiguous: "first" }));
      const imported = checkValueMapping(checkRequest(text, csv));
      // Rows that a lookup could not tell apart are refused when they come back; what is told of them says enough.
      if ("problems" in imported)
        for (const problem of imported.problems) assert.match(problem, / stands in line \d+ too|more of/);
      else {
        assert.ok("kept" in imported);
        assert.deepEqual(JSON.parse(imported.kept ?? ""), { columns, rows: JSON.parse(JSON.stringify(rows)) });
        accepted += 1;
      }
    }),
    { numRuns: 300 },
  );
  assert.ok(accepted > 50, String(accepted));
});

test("numbers and booleans become texts, null no value; a short form has its columns", () => {
  const rows = [{ a: 1, b: true }, { a: "x", b: null }, { a: null }];
  assert.equal(valueMappingCsv(JSON.stringify({ rows })), "a,b\r\n1,true\r\nx,\r\n");
  assert.equal(valueMappingCsv('{"DE": "Germany"}'), "from,to\r\nDE,Germany\r\n");
  assert.throws(() => valueMappingCsv('{"a": {}}'), /it has no 'rows'/);
});
