/** The rows of the grid that can be seen. */
// biome-ignore-all lint/a11y/useSemanticElements: cells of a table cannot be left out
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid has the focus, and names the active cell
import type { ReactNode } from "react";
import { words } from "../words.ts";
import { type Cell, cellText, kindOf } from "./cell-text.ts";
import { numberWidth, rowHeight } from "./grid-layout.ts";
import type { Problem } from "./places.ts";
import { isInside, rangeOf, type Selection } from "./ranges.ts";
import type { Sheet } from "./sheet.ts";

interface GridRowsProps {
  readonly sheet: Sheet;
  readonly selection: Selection;
  readonly problems: ReadonlyMap<string, Problem>;
  readonly widths: readonly number[];
  readonly first: number;
  readonly end: number;
  /** Names the cells for aria-activedescendant. */
  readonly idOf: (row: number, column: number) => string;
  /** What stands in the active cell while it is edited. */
  readonly editor: ReactNode;
}

/** The key of a problem of a cell, and of a row as a whole. */
export function problemKey(row: number, column?: number): string {
  return `${row} ${column ?? ""}`;
}

export function GridRows({ sheet, first, end, ...rest }: GridRowsProps) {
  const rows: ReactNode[] = [];
  for (let row = first; row < end; row += 1) rows.push(<GridRow key={row} sheet={sheet} row={row} {...rest} />);
  // The active row stays when it is scrolled away: it is named to screen readers, and may be in the middle of an edit.
  const { row } = rest.selection.active;
  if (row < first || row >= end) rows.push(<GridRow key={row} sheet={sheet} row={row} {...rest} />);
  return rows;
}

interface GridRowProps extends Omit<GridRowsProps, "first" | "end"> {
  readonly row: number;
}

function GridRow({ sheet, row, selection, problems, widths, idOf, editor }: GridRowProps) {
  const { columns, rows } = sheet;
  const { active } = selection;
  const range = rangeOf(selection);
  const isNew = row === rows.length;
  const ofRow = problems.get(problemKey(row));
  return (
    <div className="grid-row" role="row" aria-rowindex={row + 2} style={{ top: row * rowHeight }}>
      <div
        className={`grid-number ${row >= range.top && row <= range.bottom ? "here" : ""} ${ofRow?.severity ?? ""}`}
        role="rowheader"
        aria-colindex={1}
        data-row={row}
        title={ofRow?.message}
        style={{ width: numberWidth }}
      >
        {isNew ? <NewRow /> : row + 1}
      </div>
      {columns.map((column, at) => {
        const cell = rows[row]?.cells[at] ?? [];
        const problem = problems.get(problemKey(row, at));
        const isActive = active.row === row && active.column === at;
        const names = [
          "grid-cell",
          kindOf(cell) ?? "",
          column.kind,
          isActive ? "active" : "",
          isInside(range, row, at) ? "selected" : "",
          problem?.severity ?? "",
        ];
        return (
          <div
            key={`${column.kind} ${column.name}`}
            id={idOf(row, at)}
            className={names.filter(Boolean).join(" ")}
            role="gridcell"
            aria-colindex={at + 2}
            aria-selected={isInside(range, row, at)}
            aria-invalid={problem?.severity === "error" ? true : undefined}
            data-row={row}
            data-column={at}
            title={problem?.message}
            style={{ width: widths[at] }}
          >
            {isActive && editor !== undefined ? editor : <CellText cell={cell} />}
          </div>
        );
      })}
    </div>
  );
}

function CellText({ cell }: { readonly cell: Cell }) {
  if (cell.length === 0) return null;
  if (cell.length === 1 && cell[0] === null) return <span className="grid-null">{words.valueMappings.nullCell}</span>;
  if (cell.length === 1 && cell[0] === "") return <span className="grid-null">{words.valueMappings.emptyText}</span>;
  const text = cellText(cell);
  return text.includes("\n") ? text.replaceAll("\n", "↵") : text;
}

function NewRow() {
  return (
    <>
      <span aria-hidden>+</span>
      <span className="hidden">{words.valueMappings.newRow}</span>
    </>
  );
}
