/** The table as an editable grid: the keyboard works as in a spreadsheet, ranges are copied from and to one. */
// biome-ignore-all lint/a11y/useSemanticElements: cells of a table cannot be left out
import {
  type ClipboardEvent,
  type KeyboardEvent,
  type PointerEvent,
  useEffect,
  useId,
  useMemo,
  useRef,
  useState,
} from "react";
import { flushSync } from "react-dom";
import { notify } from "../ui/toast.tsx";
import { words } from "../words.ts";
import { CellEditor } from "./cell-editor.tsx";
import { copyRange, paste, readCell, textOfCell } from "./clipboard.ts";
import { GridHead } from "./grid-head.tsx";
import { clearSelected, gridKey } from "./grid-keys.ts";
import { columnWidths, drawnRows, headHeight, numberWidth, reveal, rowHeight, type View } from "./grid-layout.ts";
import { GridRows, problemKey } from "./grid-rows.tsx";
import type { Problem } from "./places.ts";
import { at, type Place, rangeOf, type Selection, selecting, sizeOf, stepped } from "./ranges.ts";
import { boundsOf, type MappingSession } from "./session.ts";
import { cellAt, type Sheet, setCell, titleOf } from "./sheet.ts";
import { useView } from "./use-view.ts";
import "./grid.css";

interface GridProps {
  readonly session: MappingSession;
  readonly sheet: Sheet;
  readonly selection: Selection;
  readonly problems: readonly Problem[];
  readonly isEditable: boolean;
}

export function Grid({ session, sheet, selection, problems, isEditable }: GridProps) {
  const id = useId();
  const element = useRef<HTMLDivElement>(null);
  const view: View = useView(element);
  const [edited, setEdited] = useState<string>();
  const mayLeave = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: columns keep their widths while cells are edited
  const widths = useMemo(() => columnWidths(sheet), [sheet.columns]);
  const byPlace = useMemo(() => indexOf(problems), [problems]);
  const { active, head } = selection;
  const bounds = boundsOf(sheet, Math.max(1, Math.floor((view.height - headHeight) / rowHeight) - 1));
  const { first, end } = drawnRows(view, bounds.rows);
  const idOf = (row: number, column: number): string => `${id}-${row}-${column}`;
  const column = sheet.columns[active.column];
  const shown = useRef(selection);
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is about a new place only
  useEffect(() => {
    // Enter walks within a selection: the active cell moves, and its corners stay.
    const place = head === shown.current.head ? active : head;
    shown.current = selection;
    if (element.current !== null && selection.isWhole !== true) reveal(element.current, place, widths);
  }, [selection]);

  const edit = (text = textOfCell(cellAt(sheet, active.row, active.column), column)): void => {
    // At once: the key that was pressed goes to the field.
    flushSync(() => setEdited(text));
  };
  const endEdit = (): void => {
    setEdited(undefined);
    element.current?.focus({ preventScroll: true });
  };
  const commit = (text: string, key?: "Enter" | "Tab", back = false): void => {
    const before = cellAt(sheet, active.row, active.column);
    // Nothing came behind the key of an input method.
    const isUntouched = text === "" && edited === "";
    if (text !== textOfCell(before, column) && !isUntouched) {
      const cell = readCell(text, before, column);
      session.editSheet(words.valueMappings.did.cells(1), (now) => setCell(now, active.row, active.column, cell));
    }
    if (key === undefined) setEdited(undefined);
    else endEdit();
    if (key !== undefined) {
      const state = session.get();
      if (state.draft.kind === "table")
        session.select(stepped(state.selection, key, back, boundsOf(state.draft.document.sheet, bounds.page)));
    }
  };
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>): void => {
    if (event.target !== event.currentTarget) return;
    // Escape, and then Tab, leaves the grid.
    const leaving = mayLeave.current && event.key === "Tab";
    mayLeave.current = event.key === "Escape" || (mayLeave.current && event.key === "Shift");
    if (leaving || columnless(sheet)) return;
    if (gridKey(event, { session, sheet, isEditable, page: bounds.page, edit })) event.preventDefault();
    // What is typed into a cell is no shortcut of the page.
    else if (isEditable && event.key.length === 1 && !event.ctrlKey && !event.metaKey) event.stopPropagation();
  };
  const onCopy = (event: ClipboardEvent): void => {
    if (event.target !== event.currentTarget || columnless(sheet)) return;
    event.preventDefault();
    event.clipboardData.setData("text/plain", copyRange(sheet, rangeOf(selection)));
    if (event.type === "cut" && isEditable) clearSelected(session, sheet);
  };
  const onPaste = (event: ClipboardEvent): void => {
    if (event.target !== event.currentTarget || !isEditable || columnless(sheet)) return;
    event.preventDefault();
    pasteText(session, event.clipboardData.getData("text/plain"));
  };
  const drag = useDrag(session, sheet, () => element.current?.focus({ preventScroll: true }));
  return (
    <div
      ref={element}
      className="grid"
      role="grid"
      tabIndex={0}
      aria-label={words.valueMappings.grid}
      aria-description={words.valueMappings.gridHelp}
      aria-rowcount={bounds.rows + 1}
      aria-colcount={bounds.columns + 1}
      aria-multiselectable
      aria-readonly={!isEditable}
      aria-activedescendant={edited === undefined ? idOf(active.row, active.column) : undefined}
      onKeyDown={onKeyDown}
      onCopy={onCopy}
      onCut={onCopy}
      onPaste={onPaste}
      onDoubleClick={(event) => {
        // The press was captured: the event has no cell of its own.
        const place = placeOf(document.elementFromPoint(event.clientX, event.clientY));
        if (isEditable && edited === undefined && place?.column !== undefined) edit();
      }}
      {...drag}
    >
      <GridHead {...{ session, sheet, widths, isEditable, selection }} />
      <div
        className="grid-body"
        role="rowgroup"
        style={{ height: bounds.rows * rowHeight, width: numberWidth + widths.reduce((sum, one) => sum + one, 0) }}
      >
        <GridRows
          {...{ sheet, selection, widths, first, end, idOf }}
          problems={byPlace}
          editor={
            edited === undefined || column === undefined ? undefined : (
              <CellEditor
                label={words.valueMappings.cell(titleOf(column), active.row + 1)}
                text={edited}
                onCommit={commit}
                onCancel={endEdit}
              />
            )
          }
        />
      </div>
    </div>
  );
}

/** Pastes at the selection, and says what there was no room for. */
export function pasteText(session: MappingSession, text: string): void {
  const { draft, selection } = session.get();
  if (draft.kind !== "table" || text === "") return;
  const { sheet, range, lost } = paste(draft.document.sheet, rangeOf(selection), text);
  const { rows, columns } = sizeOf(range);
  session.editSheet(words.valueMappings.did.paste(rows * columns), () => sheet);
  session.select(selecting(range));
  if (lost > 0) notify({ kind: "warn", text: words.valueMappings.lostColumns(lost) });
}

/** A press selects a cell, a row by its number; with Shift, or dragged on, the selection grows. */
function useDrag(session: MappingSession, sheet: Sheet, focus: () => void) {
  const from = useRef<"cell" | "row" | undefined>(undefined);
  const lastColumn = sheet.columns.length - 1;
  return {
    onPointerDown(event: PointerEvent<HTMLElement>): void {
      const place = placeOf(event.target);
      if (event.button !== 0 || place === undefined) return;
      event.preventDefault();
      focus();
      const { row, column } = place;
      from.current = column === undefined ? "row" : "cell";
      // Touch scrolls.
      if (event.pointerType === "mouse") event.currentTarget.setPointerCapture(event.pointerId);
      const { selection } = session.get();
      if (event.shiftKey) session.select({ ...selection, head: { row, column: column ?? lastColumn } });
      else if (column === undefined) session.select(selecting({ top: row, bottom: row, left: 0, right: lastColumn }));
      else session.select(at(row, column));
    },
    onPointerMove(event: PointerEvent<HTMLElement>): void {
      if (from.current === undefined || event.buttons === 0 || event.pointerType !== "mouse") return;
      const place = placeOf(document.elementFromPoint(event.clientX, event.clientY));
      if (place === undefined) return;
      const column = from.current === "row" ? lastColumn : (place.column ?? 0);
      const { selection } = session.get();
      if (selection.head.row === place.row && selection.head.column === column) return;
      session.select({ ...selection, head: { row: place.row, column } });
    },
    onPointerUp(event: PointerEvent<HTMLElement>): void {
      from.current = undefined;
      if (event.currentTarget.hasPointerCapture(event.pointerId))
        event.currentTarget.releasePointerCapture(event.pointerId);
    },
  };
}

/** The cell of an element, or the row whose number it is. */
function placeOf(
  target: EventTarget | null,
): (Pick<Place, "row"> & { readonly column: number | undefined }) | undefined {
  const { row, column } =
    target instanceof Element ? ((target.closest("[data-row]") as HTMLElement | null)?.dataset ?? {}) : {};
  if (row === undefined) return undefined;
  return { row: Number(row), column: column === undefined ? undefined : Number(column) };
}

/** The first problem of each cell and row; errors come before warnings. */
function indexOf(problems: readonly Problem[]): ReadonlyMap<string, Problem> {
  const index = new Map<string, Problem>();
  for (const problem of problems) {
    if (problem.row === undefined) continue;
    const key = problemKey(problem.row, problem.column);
    if (!index.has(key)) index.set(key, problem);
  }
  return index;
}

function columnless({ columns }: Sheet): boolean {
  return columns.length === 0;
}
