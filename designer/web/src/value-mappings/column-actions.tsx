/** What can be done with a column. */
import { useState } from "react";
import { Button } from "../ui/button.tsx";
import { confirm } from "../ui/confirm.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { openDialog } from "../ui/dialogs.tsx";
import { Field } from "../ui/field.tsx";
import type { MenuItem } from "../ui/menu.tsx";
import { words } from "../words.ts";
import { renameInOptions } from "./options.ts";
import type { MappingSession } from "./session.ts";
import {
  type Column,
  columnProblem,
  insertColumn,
  moveColumn,
  removeColumn,
  renameColumn,
  type Sheet,
  titleOf,
} from "./sheet.ts";

export function columnMenu(session: MappingSession, sheet: Sheet, at: number): readonly MenuItem[] {
  const column = sheet.columns[at];
  if (column === undefined) return [];
  const { menu, did } = words.valueMappings;
  const move = (to: number): void => session.editSheet(did.moveColumn, (before) => moveColumn(before, at, to));
  const isBeside = (to: number): boolean => sheet.columns[to]?.kind === column.kind;
  const items: (MenuItem | false)[] = [
    { label: menu.rename, run: () => void rename(session, sheet, at) },
    { label: menu.left, icon: "plus", run: () => void addColumn(session, sheet, { at, kind: column.kind }) },
    { label: menu.right, icon: "plus", run: () => void addColumn(session, sheet, { at: at + 1, kind: column.kind }) },
    isBeside(at - 1) && { label: menu.moveLeft, run: () => move(at - 1) },
    isBeside(at + 1) && { label: menu.moveRight, run: () => move(at + 1) },
    { label: menu.remove, icon: "trash", danger: true, run: () => void remove(session, column, at) },
  ];
  return items.filter((item) => item !== false);
}

interface NewColumn {
  readonly at: number;
  readonly kind: Column["kind"];
}

/** Asks for a name and adds a column; columns of values stand before qualifiers. */
export async function addColumn(session: MappingSession, sheet: Sheet, { at, kind }: NewColumn): Promise<void> {
  const name = await askName({ title: words.valueMappings.newColumn[kind], first: "", sheet, kind });
  if (name === undefined) return;
  session.editSheet(words.valueMappings.did.addColumn(titleOf({ name, kind })), (before) =>
    insertColumn(before, at, { name, kind }),
  );
}

async function rename(session: MappingSession, sheet: Sheet, at: number): Promise<void> {
  const column = sheet.columns[at];
  if (column === undefined) return;
  const { kind, name: before } = column;
  const name = await askName({ title: words.valueMappings.renameTitle(before), first: before, sheet, kind, at });
  if (name === undefined || name === before) return;
  session.edit(words.valueMappings.did.renameColumn(before, name), (document) => {
    const renamed = { ...document, sheet: renameColumn(document.sheet, at, name) };
    return kind === "qualifier" ? renamed : { ...renamed, fields: renameInOptions(document.fields, before, name) };
  });
}

async function remove(session: MappingSession, column: Column, at: number): Promise<void> {
  const title = titleOf(column);
  const { draft } = session.get();
  const isFilled =
    draft.kind === "table" && draft.document.sheet.rows.some(({ cells }) => (cells[at] ?? []).length > 0);
  const goesOn =
    !isFilled ||
    (await confirm({
      title: words.valueMappings.removeColumnTitle(title),
      text: words.valueMappings.removeColumnText,
      action: words.valueMappings.menu.remove,
      danger: true,
    }));
  if (goesOn) session.editSheet(words.valueMappings.did.removeColumn(title), (before) => removeColumn(before, at));
}

interface NameQuestion {
  readonly title: string;
  readonly first: string;
  readonly sheet: Sheet;
  readonly kind: Column["kind"];
  /** The column that gets the name; undefined: a new one. */
  readonly at?: number;
}

function askName(question: NameQuestion): Promise<string | undefined> {
  return openDialog<string>((close) => <NameDialog {...question} close={close} />);
}

function NameDialog({ title, first, sheet, kind, at, close }: NameQuestion & { close: (name?: string) => void }) {
  const [name, setName] = useState(first);
  const problem = columnProblem(sheet, { name, kind }, at);
  const isTouched = name !== first;
  return (
    <Dialog
      title={title}
      onClose={() => close()}
      onSubmit={() => problem === undefined && close(name)}
      actions={
        <>
          <Button onClick={() => close()}>{words.ui.cancel}</Button>
          <Button kind="primary" type="submit" disabled={problem !== undefined}>
            {words.valueMappings.takeName}
          </Button>
        </>
      }
    >
      <Field
        label={words.valueMappings.columnName}
        help={words.valueMappings.columnHelp[kind]}
        error={isTouched && problem !== undefined ? words.valueMappings.nameProblems[problem] : undefined}
      >
        {(input) => (
          <input
            {...input}
            className="input"
            spellCheck={false}
            value={name}
            onChange={(event) => setName(event.target.value)}
          />
        )}
      </Field>
    </Dialog>
  );
}
