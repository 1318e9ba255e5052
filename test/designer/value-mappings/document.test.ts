/** Documents of value mappings in the grid and back: what was not edited stays as it is, in every form. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { type MappingDocument, readDocument } from "../../../designer/web/src/value-mappings/document.ts";
import {
  renameInOptions,
  setColumnFact,
  setField,
  setMatch,
  setOneWay,
} from "../../../designer/web/src/value-mappings/options.ts";
import {
  insertColumn,
  insertRows,
  moveColumn,
  removeColumn,
  removeRows,
  renameColumn,
  type Sheet,
  setCell,
} from "../../../designer/web/src/value-mappings/sheet.ts";
import { documentText, isOneWay, writeDocument } from "../../../designer/web/src/value-mappings/write-document.ts";
import { parse, stringify } from "../../../src/client/json.ts";

function read(document: unknown): MappingDocument {
  const result = readDocument(typeof document === "string" ? document : stringify(document));
  return result.kind === "table" ? result.document : assert.fail(result.why);
}

function edited(document: unknown, edit: (sheet: Sheet) => Sheet): unknown {
  const before = read(document);
  return parse(documentText({ ...before, sheet: edit(before.sheet) }));
}

const long = {
  version: 1,
  name: "Order status",
  columns: { crm: { agency: "SALESFORCE", extra: 1 }, erp: {} },
  match: { caseSensitive: false },
  rows: [
    { crm: "New", erp: "ZNEW" },
    { erp: "ZCLS", crm: ["Done", "Closed"] },
    { crm: ["Hold"], erp: null, when: { country: "DE", level: 3 } },
    { when: {}, crm: 12345678901234567890n },
  ],
  lookups: [{ from: "crm", to: "erp", onMissing: "default", default: "ZUNK" }],
  tests: [{ from: "crm", to: "erp", in: "New", out: "ZNEW" }],
  labels: { team: "a" },
};
const forms: readonly unknown[] = [
  long,
  { entries: { DE: "Germany", FR: ["France", "Frankreich"] }, default: "?" },
  { entries: [{ from: "DE", to: "Germany" }] },
  { mappings: { a: 1, b: true }, columns: ["x", "y"] },
  { rows: { a: "b" } },
  {
    rows: [
      { crm: "New", erp: "ZNEW" },
      { erp: "x", crm: "y", web: "z" },
    ],
  },
  { columns: ["2", "1"], rows: [{ "1": "a", "2": "b" }] },
  { columns: ["a", "b"], rows: [] },
  '{"entries": {"__proto__": "x", "constructor": "y"}}',
];

test("a document that is not edited is written as it was read, in every form", () => {
  for (const form of forms) {
    const text = typeof form === "string" ? form : stringify(form);
    assert.equal(stringify(writeDocument(read(text))), stringify(parse(text)));
    assert.equal(stringify(parse(documentText(read(text)))), stringify(parse(text)));
  }
});

test("a flat map becomes entries, which mean the same", () => {
  assert.deepEqual(writeDocument(read({ DE: "Germany", count: 5 })), { entries: { DE: "Germany", count: 5 } });
});

test("documents that are no table are edited as JSON", () => {
  for (const odd of [
    "{",
    "[]",
    "{}",
    '{"rows": 5}',
    '{"rows": [1]}',
    '{"rows": [{"a": {}}]}',
    '{"columns": 5, "rows": []}',
  ])
    assert.equal(readDocument(odd).kind, "text", odd);
});

test("an edit changes the cell alone, and what the row has beside it stays in its order", () => {
  const after = edited(long, (sheet) => setCell(sheet, 1, 1, ["ZNEW2"])) as typeof long;
  assert.deepEqual(after.rows[1], { erp: "ZNEW2", crm: ["Done", "Closed"] });
  assert.equal(stringify({ ...after, rows: long.rows }), stringify(long));
  assert.equal(stringify(after.rows.toSpliced(1, 1)), stringify(long.rows.toSpliced(1, 1)));
  const qualified = edited(long, (sheet) => setCell(sheet, 0, 2, ["AT"])) as typeof long;
  assert.deepEqual(qualified.rows[0], { crm: "New", erp: "ZNEW", when: { country: "AT" } });
});

test("a map stays a map as long as it can be one", () => {
  const map = { entries: { DE: "Germany", FR: "France" } };
  assert.deepEqual(
    edited(map, (sheet) => setCell(sheet, 0, 1, ["Deutschland"])),
    {
      entries: { DE: "Deutschland", FR: "France" },
    },
  );
  const twice = edited(map, (sheet) => setCell(sheet, 1, 0, ["DE"])) as { entries: unknown };
  assert.deepEqual(twice.entries, [
    { from: "DE", to: "Germany" },
    { from: "DE", to: "France" },
  ]);
  const digits = edited(map, (sheet) => setCell(sheet, 1, 0, ["1"])) as { entries: unknown };
  assert.ok(Array.isArray(digits.entries), "a map would not keep the order");
});

test("columns are added, renamed, moved and deleted, with their facts, and lookups keep their direction", () => {
  const renamed = edited(long, (sheet) => renameColumn(sheet, 0, "sales")) as Record<string, unknown>;
  assert.deepEqual(renamed["columns"], { sales: { agency: "SALESFORCE", extra: 1 }, erp: {} });
  assert.deepEqual((renamed["rows"] as unknown[])[1], { erp: "ZCLS", sales: ["Done", "Closed"] });
  const fields = renameInOptions(read(long).fields, "crm", "sales");
  assert.deepEqual(fields["lookups"], [{ from: "sales", to: "erp", onMissing: "default", default: "ZUNK" }]);

  const short = { entries: { DE: "Germany" } };
  assert.deepEqual(
    edited(short, (sheet) => insertColumn(sheet, 2, { name: "web", kind: "values" })),
    {
      columns: ["from", "to", "web"],
      bidirectional: false,
      entries: [{ from: "DE", to: "Germany" }],
    },
  );
  assert.deepEqual(
    edited(short, (sheet) => renameColumn(sheet, 0, "code")),
    {
      columns: ["code", "to"],
      bidirectional: false,
      entries: { DE: "Germany" },
    },
  );
  assert.deepEqual(
    edited({ rows: [{ a: "1", b: "2" }] }, (sheet) => moveColumn(sheet, 1, 0)),
    {
      columns: ["b", "a"],
      rows: [{ a: "1", b: "2" }],
    },
  );
  assert.deepEqual(
    edited({ columns: { a: {}, b: {}, c: {} }, rows: [{ a: "1", b: "2" }] }, (sheet) => removeColumn(sheet, 1)),
    {
      columns: { a: {}, c: {} },
      rows: [{ a: "1" }],
    },
  );
});

test("options are set and taken away where the document has them", () => {
  const document = read({ entries: { DE: "Germany" } });
  assert.deepEqual(setMatch(document, "trim", true).fields, { match: { trim: true }, entries: { DE: "Germany" } });
  assert.deepEqual(setMatch(setMatch(document, "trim", true), "trim", undefined).fields, document.fields);
  assert.deepEqual(setOneWay(document, true).fields, document.fields, "short forms are one way");
  assert.deepEqual(setOneWay(document, false).fields["bidirectional"], true);
  assert.deepEqual(setField(setField(document, "name", "x"), "name", undefined).fields, document.fields);
  const [column] = document.sheet.columns;
  const { fields } = setColumnFact(document, column ?? assert.fail(), "agency", "ISO");
  assert.deepEqual(fields["columns"], { from: { agency: "ISO" }, to: {} });
  assert.equal(isOneWay(fields, "entries"), true, "naming the columns does not turn lookups round");
});

test("any edits of rows come to the same rows in the document", () => {
  const value = fc.oneof(fc.string(), fc.constantFrom("", "a|b"), fc.integer(), fc.boolean());
  const one = fc.record({ row: fc.nat(6), column: fc.nat(1), values: fc.array(value, { maxLength: 3 }) });
  const step = fc.oneof(
    one.map(
      ({ row, column, values }) =>
        (sheet: Sheet) =>
          setCell(sheet, Math.min(row, sheet.rows.length), column, values),
    ),
    fc.nat(4).map((at) => (sheet: Sheet) => insertRows(sheet, Math.min(at, sheet.rows.length), 1)),
    fc.nat(4).map((at) => (sheet: Sheet) => removeRows(sheet, at, 1)),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
      const before = read({
        columns: ["a", "b"],
        rows: [
          { a: "1", b: ["2"] },
          { b: "4", a: "3" },
        ],
      });
      const sheet = steps.reduce((now, step) => step(now), before.sheet);
      const again = read(documentText({ ...before, sheet }));
      assert.deepEqual(
        again.sheet.rows.map(({ cells }) => cells),
        sheet.rows.map(({ cells }) => cells),
      );
    }),
  );
});
