/** Ranges of cells, and how keys move and extend a selection. */
export interface Place {
  readonly row: number;
  readonly column: number;
}

/** All four sides belong to it. */
export interface Range {
  readonly top: number;
  readonly bottom: number;
  readonly left: number;
  readonly right: number;
}

export interface Selection {
  /** The cell that is typed into. */
  readonly active: Place;
  /** The corner that stays where it is while the selection grows. */
  readonly anchor: Place;
  /** The corner that moves. */
  readonly head: Place;
  /** It was made as a whole, such as a column: the view stays where it is. */
  readonly isWhole?: boolean;
}

export interface Bounds {
  /** Rows, with the empty one at the end in which a new row begins. */
  readonly rows: number;
  readonly columns: number;
  /** Rows that are visible at once. */
  readonly page: number;
}

export function at(row: number, column: number): Selection {
  const place = { row, column };
  return { active: place, anchor: place, head: place };
}

/** All cells of a range, its first one active. */
export function selecting({ top, bottom, left, right }: Range): Selection {
  const first = { row: top, column: left };
  return { active: first, anchor: first, head: { row: bottom, column: right }, isWhole: true };
}

export function rangeOf({ anchor, head }: Selection): Range {
  return {
    top: Math.min(head.row, anchor.row),
    bottom: Math.max(head.row, anchor.row),
    left: Math.min(head.column, anchor.column),
    right: Math.max(head.column, anchor.column),
  };
}

export function isInside({ top, bottom, left, right }: Range, row: number, column: number): boolean {
  return row >= top && row <= bottom && column >= left && column <= right;
}

export function sizeOf({ top, bottom, left, right }: Range): { readonly rows: number; readonly columns: number } {
  return { rows: bottom - top + 1, columns: right - left + 1 };
}

export function* rowsOf({ top, bottom }: Range): Generator<number> {
  for (let row = top; row <= bottom; row += 1) yield row;
}

export function* columnsOf({ left, right }: Range): Generator<number> {
  for (let column = left; column <= right; column += 1) yield column;
}

/** What of the keyboard counts. */
export interface Move {
  readonly key: string;
  readonly ctrl: boolean;
  readonly shift: boolean;
}

/** Where a key leads; undefined: it is no key of these. */
export function moved(selection: Selection, { key, ctrl, shift }: Move, bounds: Bounds): Selection | undefined {
  const { row, column } = shift ? selection.head : selection.active;
  const [lastRow, lastColumn] = [bounds.rows - 1, bounds.columns - 1];
  const target: Place | undefined = {
    ArrowUp: { row: ctrl ? 0 : row - 1, column },
    ArrowDown: { row: ctrl ? lastRow : row + 1, column },
    ArrowLeft: { row, column: ctrl ? 0 : column - 1 },
    ArrowRight: { row, column: ctrl ? lastColumn : column + 1 },
    Home: { row: ctrl ? 0 : row, column: 0 },
    End: { row: ctrl ? lastRow : row, column: lastColumn },
    PageUp: { row: row - bounds.page, column },
    PageDown: { row: row + bounds.page, column },
  }[key];
  if (target === undefined) return undefined;
  const place = inside(target, bounds);
  return shift ? { ...selection, head: place, isWhole: false } : at(place.row, place.column);
}

/** Enter and Tab walk within a selection of several cells, and over the grid otherwise. */
export function stepped(selection: Selection, key: "Enter" | "Tab", back: boolean, bounds: Bounds): Selection {
  const { top, left, ...range } = rangeOf(selection);
  const { rows, columns } = sizeOf({ top, left, ...range });
  const step = back ? -1 : 1;
  const { row, column } = selection.active;
  const count = rows * columns;
  if (count === 1) {
    if (key === "Enter") return only({ row: row + step, column }, bounds);
    const index = row * bounds.columns + column + step;
    return only({ row: Math.floor(index / bounds.columns), column: index % bounds.columns }, bounds, index < 0);
  }
  const [lines, index] =
    key === "Enter" ? [rows, (column - left) * rows + (row - top)] : [columns, (row - top) * columns + (column - left)];
  const next = (index + step + count) % count;
  const [far, near] = [Math.floor(next / lines), next % lines];
  const active = key === "Enter" ? { row: top + near, column: left + far } : { row: top + far, column: left + near };
  return { ...selection, active, isWhole: false };
}

/** Whether Tab leaves the grid there, so that it is no trap for the keyboard. */
export function leaves(selection: Selection, back: boolean, bounds: Bounds): boolean {
  const { rows, columns } = sizeOf(rangeOf(selection));
  if (rows * columns > 1) return false;
  const { row, column } = selection.active;
  return back ? row === 0 && column === 0 : row === bounds.rows - 1 && column === bounds.columns - 1;
}

function only(place: Place, bounds: Bounds, isBefore = false): Selection {
  const { row, column } = isBefore ? { row: 0, column: 0 } : inside(place, bounds);
  return at(row, column);
}

function inside({ row, column }: Place, { rows, columns }: Bounds): Place {
  return { row: Math.min(Math.max(0, row), rows - 1), column: Math.min(Math.max(0, column), columns - 1) };
}
