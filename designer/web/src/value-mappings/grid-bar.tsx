/** Above the grid: rows, columns, and a text to find. */
import { useState } from "react";
import { Button, IconButton } from "../ui/button.tsx";
import { words } from "../words.ts";
import { addColumn } from "./column-actions.tsx";
import { countRows, findCell } from "./find.ts";
import { insertBesideSelected, removeSelectedRows } from "./grid-keys.ts";
import { at } from "./ranges.ts";
import type { MappingSession } from "./session.ts";
import type { Sheet } from "./sheet.ts";

interface GridBarProps {
  readonly session: MappingSession;
  readonly sheet: Sheet;
  readonly isEditable: boolean;
}

export function GridBar({ session, sheet, isEditable }: GridBarProps) {
  const [text, setText] = useState("");
  const { bar } = words.valueMappings;
  const find = (back: boolean): void => {
    const place = findCell(sheet, text, session.get().selection.active, back);
    if (place !== undefined) session.select(at(place.row, place.column));
  };
  const values = sheet.columns.filter(({ kind }) => kind === "values").length;
  return (
    <div className="mapping-tools">
      <search className="mapping-find">
        <input
          type="search"
          className="input"
          aria-label={bar.find}
          placeholder={bar.find}
          value={text}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={(event) => {
            if (event.key !== "Enter") return;
            event.preventDefault();
            find(event.shiftKey);
          }}
        />
        <IconButton icon="sortUp" label={bar.findBack} disabled={text === ""} onClick={() => find(true)} />
        <IconButton icon="sortDown" label={bar.findNext} disabled={text === ""} onClick={() => find(false)} />
        <span className="faint" role="status">
          {text !== "" && bar.found(countRows(sheet, text))}
        </span>
      </search>
      {isEditable && (
        <>
          <Button icon="plus" onClick={() => insertBesideSelected(session, sheet, "below")}>
            {bar.addRow}
          </Button>
          <Button icon="trash" onClick={() => removeSelectedRows(session, sheet)}>
            {bar.removeRows}
          </Button>
          <Button icon="plus" onClick={() => void addColumn(session, sheet, { at: values, kind: "values" })}>
            {bar.addColumn}
          </Button>
          <Button
            icon="plus"
            title={words.valueMappings.columnHelp.qualifier}
            onClick={() => void addColumn(session, sheet, { at: sheet.columns.length, kind: "qualifier" })}
          >
            {bar.addQualifier}
          </Button>
        </>
      )}
    </div>
  );
}
