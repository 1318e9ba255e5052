/** Brings the table of a file into the one that is there. */
import { emptyCell } from "./cell-text.ts";
import { type Sheet, titleOf } from "./sheet.ts";

/** Columns of the same names keep what the document says of them. */
export function replaced(before: Sheet, { columns, rows }: Sheet): Sheet {
  const was = new Map(before.columns.map((column) => [titleOf(column), column.was]));
  return { columns: columns.map((column) => ({ ...column, was: was.get(titleOf(column)) })), rows };
}

/** Rows behind those that there are, by the names of the columns; columns that are missing are added. */
export function appended(before: Sheet, { columns, rows }: Sheet): Sheet {
  const titles = before.columns.map(titleOf);
  const fresh = columns.filter((column) => !titles.includes(titleOf(column)));
  const values = before.columns.filter(({ kind }) => kind === "values").length;
  const all = [
    ...before.columns.slice(0, values),
    ...fresh.filter(({ kind }) => kind === "values"),
    ...before.columns.slice(values),
    ...fresh.filter(({ kind }) => kind === "qualifier"),
  ];
  const from = (source: Sheet) =>
    all.map((column) => source.columns.findIndex((one) => titleOf(one) === titleOf(column)));
  const [old, added] = [from(before), from({ columns, rows })];
  return {
    columns: all,
    rows: [
      ...before.rows.map((row) => ({ ...row, cells: old.map((index) => row.cells[index] ?? emptyCell) })),
      ...rows.map((row) => ({ cells: added.map((index) => row.cells[index] ?? emptyCell) })),
    ],
  };
}
