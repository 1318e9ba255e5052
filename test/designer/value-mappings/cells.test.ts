/** Cells as texts: what is typed, pasted and shown is what the runtime has. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import {
  type Cell,
  cellText,
  parseCell,
  parseScalar,
  sameCell,
  scalarText,
} from "../../../designer/web/src/value-mappings/cell-text.ts";

const scalar = fc.oneof(
  fc.string(),
  fc.constantFrom("", "=", "=5", "|", "\\|", "a|b", "\\", "true", "5", "007", "=null", "=[1]"),
  fc.integer(),
  fc.bigInt({ min: 2n ** 53n, max: 10n ** 30n }),
  // Whole numbers beyond 2^53 are bigints.
  fc.double({ noNaN: true, noDefaultInfinity: true }).filter((value) => !Number.isInteger(value)),
  fc.boolean(),
);
const cell: fc.Arbitrary<Cell> = fc.oneof(fc.array(scalar, { maxLength: 4 }), fc.constant([null]));

test("the text of a cell, typed over it, is the same cell, whatever its values", () => {
  fc.assert(fc.property(cell, (values) => assert.ok(sameCell(parseCell(cellText(values), values), values))));
  fc.assert(fc.property(scalar, (value) => assert.ok(Object.is(parseScalar(scalarText(value), value), value))));
});

test("what is typed into an empty cell is a text, unless an equals sign says otherwise", () => {
  const typed: readonly (readonly [string, Cell])[] = [
    ["New", ["New"]],
    ["007", ["007"]],
    ["12345678901234567890", ["12345678901234567890"]],
    ["true", ["true"]],
    ["Done|Closed", ["Done", "Closed"]],
    ["a\\|b", ["a|b"]],
    ["", []],
    ['=""', [""]],
    ["=5", [5]],
    ["=12345678901234567890", [12345678901234567890n]],
    ["=null", [null]],
    ['=["a",1]', ["a", 1]],
    ["=SUM(A1)", ["=SUM(A1)"]],
    ["=", ["="]],
  ];
  for (const [text, values] of typed) assert.deepEqual(parseCell(text), values, text);
});

test("over a number a number stays one, but for digits that a number would lose", () => {
  assert.deepEqual(parseCell("6", [5]), [6]);
  assert.deepEqual(parseCell("9007199254740993", [5]), [9007199254740993n]);
  assert.deepEqual(parseCell("1|2", [5]), [1, 2]);
  assert.deepEqual(parseCell("007", [5]), ["007"]);
  assert.deepEqual(parseCell("1.50", [5]), ["1.50"]);
  assert.deepEqual(parseCell("six", [5]), ["six"]);
  assert.deepEqual(parseCell("false", [true]), [false]);
  assert.deepEqual(parseCell("6", ["5"]), ["6"]);
});
