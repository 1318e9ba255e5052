/** Gives the table to the user as CSV, unsaved edits included. */
import { giveFile } from "../ui/give-file.ts";
import { type Delimiter, writeCsv } from "./csv.ts";
import type { MappingSession } from "./session.ts";

/** Spreadsheets know by the mark at the beginning that a file is in UTF-8. */
const mark = "\ufeff";

export function exportMapping(session: MappingSession, delimiter: Delimiter): void {
  const { draft } = session.get();
  if (draft.kind !== "table") return;
  const text = writeCsv(draft.document.sheet, delimiter);
  giveFile(`${session.id}.csv`, delimiter === "," ? text : mark + text, "text/csv");
}
