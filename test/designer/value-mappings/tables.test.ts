/** Ranges, the clipboard, CSV, undo and the places of problems in the grid of a value mapping. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { Cell } from "../../../designer/web/src/value-mappings/cell-text.ts";
import { copyRange, paste } from "../../../designer/web/src/value-mappings/clipboard.ts";
import { readCsv, writeCsv } from "../../../designer/web/src/value-mappings/csv.ts";
import { readDocument } from "../../../designer/web/src/value-mappings/document.ts";
import { countRows, findCell } from "../../../designer/web/src/value-mappings/find.ts";
import { History } from "../../../designer/web/src/value-mappings/history.ts";
import { appended, replaced } from "../../../designer/web/src/value-mappings/merge.ts";
import { placed } from "../../../designer/web/src/value-mappings/places.ts";
import { at, moved, rangeOf, selecting, stepped } from "../../../designer/web/src/value-mappings/ranges.ts";
import { type Column, type Sheet, titleOf } from "../../../designer/web/src/value-mappings/sheet.ts";

function sheetOf(names: readonly string[], rows: readonly (readonly Cell[])[]): Sheet {
  const columns = names.map((name): Column => ({ name, kind: "values" }));
  return { columns, rows: rows.map((cells) => ({ cells })) };
}

function cellsOf({ rows }: Sheet): readonly (readonly Cell[])[] {
  return rows.map(({ cells }) => cells);
}

const two = sheetOf(
  ["crm", "erp"],
  [
    [["New"], ["ZNEW"]],
    [["Done", "Closed"], ["ZCLS"]],
    [[], [7]],
  ],
);
const all = { top: 0, bottom: 2, left: 0, right: 1 };

test("arrows, Home, End, pages and Ctrl move the active cell, Shift the other corner", () => {
  const bounds = { rows: 100, columns: 3, page: 20 };
  const from = at(10, 1);
  const to = (key: string, ctrl = false, shift = false) => moved(from, { key, ctrl, shift }, bounds);
  assert.deepEqual(to("ArrowDown"), at(11, 1));
  assert.deepEqual(to("ArrowUp", true), at(0, 1));
  assert.deepEqual(to("End"), at(10, 2));
  assert.deepEqual(to("End", true), at(99, 2));
  assert.deepEqual(to("PageDown"), at(30, 1));
  assert.deepEqual(moved(at(95, 0), { key: "PageDown", ctrl: false, shift: false }, bounds), at(99, 0));
  const grown = to("ArrowDown", false, true) ?? assert.fail();
  assert.deepEqual([grown.active, rangeOf(grown)], [from.active, { top: 10, bottom: 11, left: 1, right: 1 }]);
  assert.equal(to("x"), undefined);
});

test("Enter goes down and Tab to the right, over the end of a row, and within a selection in a circle", () => {
  const bounds = { rows: 3, columns: 2, page: 1 };
  assert.deepEqual(stepped(at(0, 0), "Enter", false, bounds), at(1, 0));
  assert.deepEqual(stepped(at(0, 1), "Tab", false, bounds), at(1, 0));
  assert.deepEqual(stepped(at(1, 0), "Tab", true, bounds), at(0, 1));
  assert.deepEqual(stepped(at(0, 0), "Tab", true, bounds), at(0, 0));
  let selection = selecting({ top: 0, bottom: 1, left: 0, right: 1 });
  const walked = ["Enter", "Enter", "Enter", "Enter"].map(() => {
    selection = stepped(selection, "Enter", false, bounds);
    return [selection.active.row, selection.active.column];
  });
  assert.deepEqual(walked, [
    [1, 0],
    [0, 1],
    [1, 1],
    [0, 0],
  ]);
});

test("a range goes to a spreadsheet as fields between tabs, and comes back with its types", () => {
  const text = copyRange(two, all);
  assert.equal(text, "New\tZNEW\nDone|Closed\tZCLS\n\t7");
  const empty = sheetOf(["a", "b"], []);
  const pasted = paste(empty, { top: 0, bottom: 0, left: 0, right: 0 }, text);
  assert.deepEqual(cellsOf(pasted.sheet), cellsOf(two));
  assert.deepEqual(pasted.range, all);
});

test("what spreadsheets quote is read, ends of lines and all, and so are texts with quotes", () => {
  const into = (text: string) =>
    cellsOf(paste(sheetOf(["a", "b"], []), { top: 0, bottom: 0, left: 0, right: 0 }, text).sheet);
  assert.deepEqual(into('"two\nlines"\t"say ""x"""\r\nplain\t\r\n'), [
    [["two\nlines"], ['say "x"']],
    [["plain"], []],
  ]);
  assert.deepEqual(into('5" pipe\t"open'), [[['5" pipe'], ['"open']]]);
  assert.deepEqual(into("00123\t12345678901234567890"), [[["00123"], ["12345678901234567890"]]]);
});

test("one cell fills the selection; rows are added, columns that have no room are counted", () => {
  const filled = paste(two, all, "x");
  assert.deepEqual(cellsOf(filled.sheet).flat(), Array(6).fill(["x"]));
  const wide = paste(two, { top: 2, bottom: 2, left: 1, right: 1 }, "a\tb\tc\nd");
  assert.equal(wide.lost, 2);
  assert.deepEqual(cellsOf(wide.sheet).slice(2), [
    [[], ["a"]],
    [[], ["d"]],
  ]);
});

const text = fc.oneof(
  fc.string(),
  fc.constantFrom("", "|", "a|b", "\\", "\\|", '"', "a;b", "a,b", "a\tb", "x\r\ny", "\ufeffx", " s "),
);
const values = fc.array(text, { maxLength: 3 });
const rows = fc.array(fc.tuple(values, values, values), { maxLength: 8 });

test("a table as CSV is read as the same table, with each delimiter", () => {
  fc.assert(
    fc.property(rows, fc.constantFrom(",", ";", "\t" as const), (cells, delimiter) => {
      const filled = cells.filter((row) => row.some((cell) => cell.length > 0));
      const sheet = sheetOf(["a", "b c", "ü"], filled);
      const again = readCsv(writeCsv(sheet, delimiter as ","), delimiter as ",");
      assert.equal(again.kind, "read");
      if (again.kind === "read") assert.deepEqual(cellsOf(again.sheet), filled);
    }),
  );
});

test("the delimiter is recognised, a mark at the beginning is not read, and qualifiers are", () => {
  for (const [delimiter, csv] of [
    [",", 'crm,erp,when.country\r\n"a;b",c,DE\r\n'],
    [";", '\ufeffcrm;erp;when.country\n"a;b";c;DE\n'],
    ["\t", "crm\terp\twhen.country\na;b\tc\tDE\n\n"],
  ] as const) {
    const read = readCsv(csv);
    assert.equal(read.kind === "read" && read.delimiter, delimiter);
    if (read.kind !== "read") continue;
    assert.deepEqual(read.sheet.columns.map(titleOf), ["crm", "erp", "when.country"]);
    assert.deepEqual(cellsOf(read.sheet), [[["a;b"], ["c"], ["DE"]]]);
  }
  const empties = readCsv('a,b\n"",x\n,y\n');
  assert.deepEqual(empties.kind === "read" && cellsOf(empties.sheet), [
    [[""], ["x"]],
    [[], ["y"]],
  ]);
});

test("a file with a fault is refused with its line", () => {
  const odd = readCsv("a,b\n1,2\n3\n");
  assert.deepEqual([odd.kind, odd.kind === "refused" && odd.line], ["refused", 3]);
  assert.equal(readCsv('a,b\n"open,2\n').kind, "refused");
  assert.equal(readCsv("").kind, "refused");
});

test("an import replaces the rows, or adds to them by the names of the columns", () => {
  const more = sheetOf(["erp", "web"], [[["Z"], ["w"]]]);
  assert.deepEqual(replaced(two, more).rows, more.rows);
  const both = appended(two, more);
  assert.deepEqual(both.columns.map(titleOf), ["crm", "erp", "web"]);
  assert.deepEqual(cellsOf(both).at(-1), [[], ["Z"], ["w"]]);
  assert.deepEqual(cellsOf(both)[0], [["New"], ["ZNEW"], []]);
});

test("edits are taken back one by one, and those of one kind that follow closely together", () => {
  const history = new History<number>();
  history.record(0, "first");
  history.record(1, "typing", "t");
  history.record(2, "typing", "t");
  assert.equal(history.undoLabel, "typing");
  assert.equal(history.undo(3)?.state, 1);
  assert.equal(history.redo(1)?.state, 3);
  assert.equal(history.undo(3)?.state, 1);
  assert.equal(history.undo(1)?.state, 0);
  assert.equal(history.undo(0), undefined);
  history.record(0, "other");
  assert.equal(history.redoLabel, undefined);
});

test("problems are at the cells that the runtime names, whatever the names", () => {
  const document = (value: unknown) => {
    const read = readDocument(JSON.stringify(value));
    return read.kind === "table" ? read.document : assert.fail();
  };
  const odd = document({
    columns: ["a", "a: b", "x/y"],
    rows: [
      { a: "1", "a: b": "2" },
      { "x/y": "3", when: { country: "DE" } },
    ],
  });
  const warning = (message: string) => ({ code: "w", message });
  const found = placed(
    {
      problems: [
        { pointer: "/rows/1/x~1y", message: "one" },
        { pointer: "/rows/0/a: b", message: "two" },
        { pointer: "/rows/1/when/country", message: "three" },
        { pointer: "/rows/1", message: "four" },
        { pointer: "/tests/0", message: "five" },
        { pointer: "", message: "six" },
      ],
      warnings: [
        warning("/rows/0/a: b: seven: x"),
        warning("/rows/1: eight"),
        warning("/colour: nine"),
        warning("ten"),
      ],
    },
    odd,
  );
  assert.deepEqual(
    found.map(({ row, column, message }) => [row, column, message]),
    [
      [1, 2, "one"],
      [0, 1, "two"],
      [1, 3, "three"],
      [1, undefined, "four"],
      [undefined, undefined, "five"],
      [undefined, undefined, "six"],
      [0, 1, "seven: x"],
      [1, undefined, "eight"],
      [undefined, undefined, "nine"],
      [undefined, undefined, "ten"],
    ],
  );
  const map = document({ entries: { DE: "Germany", "a/b": "x" } });
  assert.deepEqual(placed({ problems: [{ pointer: "/entries/a~1b", message: "m" }], warnings: [] }, map)[0]?.row, 1);
});

test("a text is found in the next cell, in a circle, and counted by rows", () => {
  assert.deepEqual(findCell(two, "z", { row: 0, column: 1 }, false), { row: 1, column: 1 });
  assert.deepEqual(findCell(two, "z", { row: 1, column: 1 }, false), { row: 0, column: 1 });
  assert.deepEqual(findCell(two, "clos", { row: 3, column: 0 }, true), { row: 1, column: 0 });
  assert.equal(findCell(two, "nothing", { row: 0, column: 0 }, false), undefined);
  assert.equal(countRows(two, "Z"), 2);
});
