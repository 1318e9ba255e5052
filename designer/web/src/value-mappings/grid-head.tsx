/** The titles of the columns: a press selects a column, the menu beside changes it. */
// biome-ignore-all lint/a11y/useSemanticElements: cells of a table cannot be left out
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid has the focus, and names the active cell
import { Icon } from "../ui/icon.tsx";
import { Menu } from "../ui/menu.tsx";
import { words } from "../words.ts";
import { columnMenu } from "./column-actions.tsx";
import { headHeight, numberWidth } from "./grid-layout.ts";
import { rangeOf, type Selection, selecting } from "./ranges.ts";
import type { MappingSession } from "./session.ts";
import { type Sheet, titleOf } from "./sheet.ts";

interface GridHeadProps {
  readonly session: MappingSession;
  readonly sheet: Sheet;
  readonly selection: Selection;
  readonly widths: readonly number[];
  readonly isEditable: boolean;
}

export function GridHead({ session, sheet, selection, widths, isEditable }: GridHeadProps) {
  const { left, right } = rangeOf(selection);
  return (
    <div className="grid-head" role="rowgroup" style={{ height: headHeight }}>
      <div className="grid-head-row" role="row" aria-rowindex={1}>
        <div className="grid-corner" role="columnheader" aria-colindex={1} style={{ width: numberWidth }}>
          <span className="hidden">{words.valueMappings.rowNumber}</span>
        </div>
        {sheet.columns.map((column, at) => (
          <div
            key={`${column.kind} ${column.name}`}
            className={at >= left && at <= right ? "grid-title here" : "grid-title"}
            role="columnheader"
            aria-colindex={at + 2}
            style={{ width: widths[at] }}
          >
            {/* biome-ignore lint/a11y/useKeyWithClickEvents: Ctrl and the space bar select the column of the active cell */}
            {/* biome-ignore lint/a11y/noStaticElementInteractions: as above */}
            <span
              className="grid-title-text"
              title={titleOf(column)}
              onClick={() => session.select(selecting({ top: 0, bottom: sheet.rows.length, left: at, right: at }))}
            >
              {titleOf(column)}
            </span>
            {isEditable && (
              <Menu
                label={words.valueMappings.columnMenu(titleOf(column))}
                items={columnMenu(session, sheet, at)}
                className="button quiet bare grid-menu"
              >
                <Icon name="more" />
              </Menu>
            )}
          </div>
        ))}
      </div>
    </div>
  );
}
