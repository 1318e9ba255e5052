/** Reads a CSV file and shows what it makes of it before anything is taken over. */
import { useState } from "react";
import { Button } from "../ui/button.tsx";
import { chooseFiles } from "../ui/choose-files.ts";
import { Dialog } from "../ui/dialog.tsx";
import { openDialog } from "../ui/dialogs.tsx";
import { Field } from "../ui/field.tsx";
import { Note } from "../ui/note.tsx";
import { words } from "../words.ts";
import { cellText } from "./cell-text.ts";
import { createOf } from "./create.tsx";
import { type Delimiter, delimiters, type ReadCsv, readCsv } from "./csv.ts";
import { appended, replaced } from "./merge.ts";
import { at } from "./ranges.ts";
import type { MappingSession } from "./session.ts";
import { columnProblem, type Sheet, titleOf } from "./sheet.ts";

const { csv } = words.valueMappings;
const accepted = ".csv,.tsv,.txt,text/csv,text/tab-separated-values";

interface CsvFile {
  readonly name: string;
  readonly text: string;
  /** It is not UTF-8 and was read as what Windows writes in western Europe. */
  readonly isLegacy: boolean;
}

/** Makes a new mapping of a file. */
export async function importNew(target: string): Promise<void> {
  const file = await readFile();
  if (file === undefined) return;
  const taken = await askHow(file, undefined);
  if (taken !== undefined) await createOf(target, taken.sheet, idOf(file.name));
}

/** Takes a file into an open mapping: in place of its rows, or behind them. */
export async function importCsv(session: MappingSession): Promise<void> {
  const file = await readFile();
  if (file === undefined) return;
  const { draft } = session.get();
  if (draft.kind === "text") return;
  const taken = await askHow(file, draft.document.sheet);
  if (taken === undefined) return;
  const { sheet, mode } = taken;
  session.editSheet(words.valueMappings.did.importCsv, (before) =>
    mode === "append" ? appended(before, sheet) : replaced(before, sheet),
  );
  session.select(at(0, 0));
}

async function readFile(): Promise<CsvFile | undefined> {
  const [file] = await chooseFiles(accepted);
  if (file === undefined) return undefined;
  const bytes = await file.arrayBuffer();
  try {
    return { name: file.name, text: new TextDecoder("utf-8", { fatal: true }).decode(bytes), isLegacy: false };
  } catch {
    return { name: file.name, text: new TextDecoder("windows-1252").decode(bytes), isLegacy: true };
  }
}

interface Taken {
  readonly sheet: Sheet;
  readonly mode: "replace" | "append";
}

function askHow(file: CsvFile, present: Sheet | undefined): Promise<Taken | undefined> {
  return openDialog<Taken>((close) => <ImportDialog file={file} present={present} close={close} />);
}

interface ImportDialogProps {
  readonly file: CsvFile;
  /** What is there; undefined: a new mapping is made. */
  readonly present: Sheet | undefined;
  readonly close: (taken?: Taken) => void;
}

function ImportDialog({ file: { name, text, isLegacy }, present, close }: ImportDialogProps) {
  const [read, setRead] = useState<ReadCsv>(() => readCsv(text));
  const [chosen, setChosen] = useState<Delimiter>(read.kind === "read" ? read.delimiter : ",");
  const problem = read.kind === "read" ? problemOf(read.sheet) : csv.refused(read.message);
  const take = (mode: Taken["mode"]): void => {
    if (read.kind === "read" && problem === undefined) close({ sheet: read.sheet, mode });
  };
  return (
    <Dialog
      wide
      title={csv.title(name)}
      onClose={() => close()}
      onSubmit={() => take("replace")}
      actions={
        <>
          <Button onClick={() => close()}>{words.ui.cancel}</Button>
          {present !== undefined && (
            <Button disabled={problem !== undefined} onClick={() => take("append")}>
              {csv.append}
            </Button>
          )}
          <Button kind="primary" type="submit" disabled={problem !== undefined}>
            {present === undefined ? csv.goOn : csv.replace(present.rows.length)}
          </Button>
        </>
      }
    >
      <Field label={csv.delimiter}>
        {(input) => (
          <select
            {...input}
            className="input"
            value={chosen}
            onChange={(event) => {
              const delimiter = delimiters.find((one) => one === event.target.value) ?? ",";
              setChosen(delimiter);
              setRead(readCsv(text, delimiter));
            }}
          >
            {delimiters.map((one) => (
              <option key={one} value={one}>
                {csv.delimiters[one]}
              </option>
            ))}
          </select>
        )}
      </Field>
      {isLegacy && <Note kind="warn">{csv.legacy}</Note>}
      {problem !== undefined && <Note kind="error">{problem}</Note>}
      {read.kind === "read" && <Preview sheet={read.sheet} />}
    </Dialog>
  );
}

const shownRows = 6;

function Preview({ sheet: { columns, rows } }: { readonly sheet: Sheet }) {
  return (
    <>
      <p className="faint">{csv.size(rows.length, columns.length)}</p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard */}
      <section className="table-scroll" tabIndex={0} aria-label={csv.preview}>
        <table className="table">
          <thead>
            <tr>
              {columns.map((column, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: names may stand twice here
                <th key={index} scope="col">
                  {titleOf(column)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.slice(0, shownRows).map(({ cells }, row) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the rows have no other name
              <tr key={row}>
                {cells.map((cell, index) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: as above
                  <td key={index}>{cellText(cell)}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </>
  );
}

function problemOf(sheet: Sheet): string | undefined {
  if (sheet.columns.filter(({ kind }) => kind === "values").length < 2) return csv.fewColumns;
  for (const [index, column] of sheet.columns.entries()) {
    const problem = columnProblem(sheet, column, index);
    if (problem !== undefined) return csv.badColumn(titleOf(column), words.valueMappings.nameProblems[problem]);
  }
  return undefined;
}

/** `Order status.csv` -> `order-status` */
function idOf(name: string): string {
  return name
    .replace(/\.[^.]*$/, "")
    .toLowerCase()
    .replace(/[^a-z0-9._-]+/g, "-")
    .replace(/^[^a-z0-9]+|[^a-z0-9]+$/g, "");
}
