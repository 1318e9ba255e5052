/** Below the grid: where one is, and what the runtime finds there. */
import { words } from "../words.ts";
import type { Problem } from "./places.ts";
import { rangeOf, type Selection, sizeOf } from "./ranges.ts";
import { type Sheet, titleOf } from "./sheet.ts";

interface GridStatusProps {
  readonly sheet: Sheet;
  readonly selection: Selection;
  readonly problems: readonly Problem[];
}

export function GridStatus({ sheet, selection, problems }: GridStatusProps) {
  const { active } = selection;
  const { rows, columns } = sizeOf(rangeOf(selection));
  const column = sheet.columns[active.column];
  const here = problems.find(({ row, column: at }) => row === active.row && (at === undefined || at === active.column));
  return (
    <div className="mapping-status">
      <span className="faint">{words.valueMappings.rowCount(sheet.rows.length)}</span>
      {column !== undefined && (
        <span className="faint">{words.valueMappings.place(active.row + 1, titleOf(column))}</span>
      )}
      {rows * columns > 1 && <span className="faint">{words.valueMappings.selected(rows, columns)}</span>}
      <span className={`mapping-here ${here?.severity ?? ""}`} role="status">
        {here?.message}
      </span>
    </div>
  );
}
