/** The rows and columns of a value mapping as a grid, and the edits of it. Nothing is changed in place. */
import { type Cell, emptyCell, sameCell } from "./cell-text.ts";
import { columnsOf, type Range, rowsOf } from "./ranges.ts";

export interface Column {
  readonly name: string;
  /** A qualifier is a name in `when` of the rows. */
  readonly kind: "values" | "qualifier";
  /** Its name in the document that was read; undefined: it is new. */
  readonly was?: string | undefined;
}

export interface Row {
  /** One for each column. */
  readonly cells: readonly Cell[];
  /** The row as the document has it. */
  readonly source?: Readonly<Record<string, unknown>> | undefined;
}

export interface Sheet {
  readonly columns: readonly Column[];
  readonly rows: readonly Row[];
}

/** The title of a column in the grid and in CSV. */
export function titleOf({ name, kind }: Pick<Column, "name" | "kind">): string {
  return kind === "qualifier" ? `when.${name}` : name;
}

export function cellAt({ rows }: Sheet, row: number, column: number): Cell {
  return rows[row]?.cells[column] ?? emptyCell;
}

/** Sets the cells of a range, rows behind the last one included, which are added. */
export function setRange(sheet: Sheet, range: Range, cellFor: (row: number, column: number) => Cell): Sheet {
  const rows = [...sheet.rows];
  for (const at of rowsOf(range)) {
    const before = rows[at];
    const cells = before === undefined ? sheet.columns.map(() => emptyCell) : [...before.cells];
    let changed = before === undefined;
    for (const column of columnsOf(range)) {
      const value = cellFor(at, column);
      if (sameCell(cells[column] ?? emptyCell, value)) continue;
      cells[column] = value;
      changed = true;
    }
    if (changed) rows[at] = { ...before, cells };
  }
  return rows.some((row, at) => row !== sheet.rows[at]) ? { ...sheet, rows } : sheet;
}

export function setCell(sheet: Sheet, row: number, column: number, cell: Cell): Sheet {
  return setRange(sheet, { top: row, bottom: row, left: column, right: column }, () => cell);
}

export function insertRows(sheet: Sheet, at: number, count: number): Sheet {
  const cells = sheet.columns.map(() => emptyCell);
  return { ...sheet, rows: sheet.rows.toSpliced(at, 0, ...Array.from({ length: count }, (): Row => ({ cells }))) };
}

export function removeRows(sheet: Sheet, from: number, count: number): Sheet {
  return { ...sheet, rows: sheet.rows.toSpliced(from, count) };
}

export function insertColumn(sheet: Sheet, at: number, column: Column): Sheet {
  return {
    columns: sheet.columns.toSpliced(at, 0, column),
    rows: sheet.rows.map((row) => ({ ...row, cells: row.cells.toSpliced(at, 0, emptyCell) })),
  };
}

export function removeColumn(sheet: Sheet, at: number): Sheet {
  return {
    columns: sheet.columns.toSpliced(at, 1),
    rows: sheet.rows.map((row) => ({ ...row, cells: row.cells.toSpliced(at, 1) })),
  };
}

export function renameColumn(sheet: Sheet, at: number, name: string): Sheet {
  return { ...sheet, columns: sheet.columns.map((column, index) => (index === at ? { ...column, name } : column)) };
}

export function moveColumn(sheet: Sheet, from: number, to: number): Sheet {
  const moved = <T>(list: readonly T[]): T[] => list.toSpliced(from, 1).toSpliced(to, 0, list[from] as T);
  return { columns: moved(sheet.columns), rows: sheet.rows.map((row) => ({ ...row, cells: moved(row.cells) })) };
}

/** Why a column cannot have this name; undefined: it can. The runtime's rules, so that it is seen before it is refused. */
export function columnProblem(
  { columns }: Sheet,
  { name, kind }: Pick<Column, "name" | "kind">,
  at?: number,
): "empty" | "blanks" | "long" | "when" | "twice" | undefined {
  if (name === "") return "empty";
  if (name.trim() !== name) return "blanks";
  if (name.length > 128) return "long";
  if (kind === "values" && (name === "when" || name.startsWith("when."))) return "when";
  const isTwice = columns.some((column, index) => index !== at && column.kind === kind && column.name === name);
  return isTwice ? "twice" : undefined;
}
