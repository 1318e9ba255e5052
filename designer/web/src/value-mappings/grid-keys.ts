/** What the keys of the grid do, but for those of a cell that is being edited. */
import { words } from "../words.ts";
import { emptyCell } from "./cell-text.ts";
import { at, leaves, moved, rangeOf, selecting, sizeOf, stepped } from "./ranges.ts";
import { boundsOf, type MappingSession } from "./session.ts";
import { cellAt, insertRows, removeRows, type Sheet, setRange } from "./sheet.ts";

export interface GridKeys {
  readonly session: MappingSession;
  readonly sheet: Sheet;
  readonly isEditable: boolean;
  /** Rows that are visible at once. */
  readonly page: number;
  /** Opens the editor of the active cell; with `text` in place of what stands there. */
  readonly edit: (text?: string) => void;
}

interface PressedKey {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
  readonly shiftKey: boolean;
}

/** @returns whether the key did something; the browser does what it would otherwise */
export function gridKey(pressed: PressedKey, grid: GridKeys): boolean {
  const { session, sheet, isEditable, page } = grid;
  const { key, altKey, shiftKey: shift } = pressed;
  const ctrl = pressed.ctrlKey || pressed.metaKey;
  const bounds = boundsOf(sheet, page);
  const { selection } = session.get();
  if (altKey) return isEditable && !ctrl && insertBeside(key, grid);
  if (key === "Enter" || key === "Tab") {
    if (ctrl || (key === "Tab" && leaves(selection, shift, bounds))) return false;
    session.select(stepped(selection, key, shift, bounds));
    return true;
  }
  const next = moved(selection, { key, ctrl, shift }, bounds);
  if (next !== undefined) {
    session.select(next);
    return true;
  }
  if (ctrl && key.toLowerCase() === "a") {
    session.select(selecting({ top: 0, left: 0, bottom: sheet.rows.length, right: bounds.columns - 1 }));
    return true;
  }
  if (key === " " && (ctrl || shift)) {
    const range = rangeOf(selection);
    session.select(
      selecting(
        ctrl ? { ...range, top: 0, bottom: sheet.rows.length } : { ...range, left: 0, right: bounds.columns - 1 },
      ),
    );
    return true;
  }
  if (!isEditable) return false;
  if (ctrl && (key === "Delete" || key === "Backspace")) {
    removeSelectedRows(session, sheet);
    return true;
  }
  if (ctrl && key.toLowerCase() === "d") {
    fillDown(session, sheet);
    return true;
  }
  if (ctrl) return false;
  if (key === "Delete" || key === "Backspace") {
    clearSelected(session, sheet);
    return true;
  }
  if (key === "F2") {
    grid.edit();
    return true;
  }
  // The key itself goes to the editor, which has the focus by then; so do those of input methods.
  if (key.length === 1 || key === "Process" || key === "Dead") grid.edit("");
  return false;
}

export function clearSelected(session: MappingSession, sheet: Sheet): void {
  const range = withinRows(session, sheet);
  if (range === undefined) return;
  const { rows, columns } = sizeOf(range);
  session.editSheet(words.valueMappings.did.clear(rows * columns), (before) =>
    setRange(before, range, () => emptyCell),
  );
}

export function removeSelectedRows(session: MappingSession, sheet: Sheet): void {
  const range = withinRows(session, sheet);
  if (range === undefined) return;
  const { rows } = sizeOf(range);
  session.editSheet(words.valueMappings.did.removeRows(rows), (before) => removeRows(before, range.top, rows));
  const { active } = session.get().selection;
  session.select(at(Math.min(range.top, sheet.rows.length - rows), active.column));
}

/** Adds as many rows as are selected, before or behind them. */
export function insertBesideSelected(session: MappingSession, sheet: Sheet, where: "above" | "below"): void {
  const { selection } = session.get();
  const { top, bottom, left } = rangeOf(selection);
  const count = bottom - top + 1;
  const row = Math.min(where === "above" ? top : bottom + 1, sheet.rows.length);
  session.editSheet(words.valueMappings.did.addRows(count), (before) => insertRows(before, row, count));
  session.select(at(row, left));
}

function insertBeside(key: string, { session, sheet }: GridKeys): boolean {
  if (key !== "ArrowUp" && key !== "ArrowDown") return false;
  insertBesideSelected(session, sheet, key === "ArrowUp" ? "above" : "below");
  return true;
}

/** The upper row of the selection fills those below. */
function fillDown(session: MappingSession, sheet: Sheet): void {
  const range = withinRows(session, sheet);
  if (range === undefined || range.top === range.bottom) return;
  session.editSheet(words.valueMappings.did.fill, (before) =>
    setRange(before, range, (_row, column) => cellAt(before, range.top, column)),
  );
}

/** The selected range without the empty row at the end; undefined: there is nothing else in it. */
function withinRows(session: MappingSession, { rows }: Sheet) {
  const range = rangeOf(session.get().selection);
  if (range.top >= rows.length) return undefined;
  return { ...range, bottom: Math.min(range.bottom, rows.length - 1) };
}
