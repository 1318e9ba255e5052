/**
 * A table whose columns sort. Rows are walked with the arrow keys from link to link: the first link or button of a row
 * stands for it.
 */
import { type KeyboardEvent, type ReactNode, useState } from "react";
import "./table.css";
import { words } from "../words.ts";
import { Button } from "./button.tsx";
import { Icon } from "./icon.tsx";
import { type Sort, type SortValue, sorted } from "./sorting.ts";

export interface Column<Row> {
  readonly id: string;
  readonly title: string;
  readonly cell: (row: Row) => ReactNode;
  /** What the rows are sorted by; absent: the column does not sort. */
  readonly sortBy?: ((row: Row) => SortValue) | undefined;
  readonly numeric?: boolean | undefined;
  /** Left out on narrow screens. */
  readonly wideOnly?: boolean | undefined;
  /** Its title is for screen readers only. */
  readonly untitled?: boolean | undefined;
}

interface TableProps<Row> {
  /** What the table has, for screen readers. */
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  readonly firstSort?: Sort | undefined;
}

/** Rows that are drawn at first, and more at each request: thousands at once would make the page slow. */
const page = 200;

export function Table<Row>({ label, columns, rows, keyOf, firstSort }: TableProps<Row>) {
  const [sort, setSort] = useState(firstSort);
  const [most, setMost] = useState(page);
  const column = columns.find(({ id }) => id === sort?.column);
  const shown = sorted(rows, column?.sortBy, sort?.descending ?? false).slice(0, most);
  const sortBy = ({ id, numeric = false }: Column<Row>): void =>
    setSort(sort?.column === id ? { column: id, descending: !sort.descending } : { column: id, descending: numeric });
  return (
    <div className="table-scroll">
      <table className="table" aria-label={label}>
        <thead>
          <tr>
            {columns.map((one) => (
              <th key={one.id} scope="col" className={classOf(one)} aria-sort={ariaSort(one, sort)}>
                {one.untitled === true ? (
                  <span className="hidden">{one.title}</span>
                ) : one.sortBy === undefined ? (
                  one.title
                ) : (
                  <button type="button" className="table-sort" onClick={() => sortBy(one)}>
                    {one.title}
                    {sort?.column === one.id && <Icon name={sort.descending ? "sortDown" : "sortUp"} />}
                  </button>
                )}
              </th>
            ))}
          </tr>
        </thead>
        <tbody onKeyDown={walk}>
          {shown.map((row) => (
            <tr key={keyOf(row)}>
              {columns.map((one) => (
                <td key={one.id} className={classOf(one)}>
                  {one.cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length > most && (
        <Button className="table-more" onClick={() => setMost(most + page)}>
          {words.ui.showMore(rows.length - most)}
        </Button>
      )}
    </div>
  );
}

function classOf({ numeric = false, wideOnly = false }: Pick<Column<never>, "numeric" | "wideOnly">): string {
  return `${numeric ? "numeric" : ""} ${wideOnly ? "wide-only" : ""}`.trim();
}

function ariaSort<Row>({ id, sortBy }: Column<Row>, sort: Sort | undefined) {
  if (sortBy === undefined) return undefined;
  if (sort?.column !== id) return "none";
  return sort.descending ? "descending" : "ascending";
}

/** Arrow up and down, Home and End go to the link of another row. */
function walk(event: KeyboardEvent<HTMLTableSectionElement>): void {
  const target = event.target as HTMLElement;
  if (target.closest("[role=menu]") !== null || /^(?:INPUT|SELECT|TEXTAREA)$/.test(target.tagName)) return;
  const rows = [...event.currentTarget.rows];
  const at = rows.findIndex((row) => row.contains(target));
  const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: rows.length - 1 }[event.key];
  const link = next === undefined ? undefined : rows[next]?.querySelector<HTMLElement>("a, button");
  if (link === undefined || link === null) return;
  event.preventDefault();
  link.focus();
}
