/** New value mappings: an empty one, the copy of another, or the table of a CSV file. */
import { useState } from "react";
import { flowIdProblem } from "../../../shared/ids.ts";
import { sentenceOf } from "../api/sentence.ts";
import { goTo } from "../app/address.ts";
import { type Home, isOvertaken, type MappingRef, readBase, writeNew } from "../mappings/base.ts";
import { WhereField } from "../mappings/where-field.tsx";
import { attempt } from "../ui/attempt.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { openDialog } from "../ui/dialogs.tsx";
import { Field } from "../ui/field.tsx";
import { words } from "../words.ts";
import { columnProblem, type Sheet } from "./sheet.ts";
import { jsonText, writeDocument } from "./write-document.ts";

const { create } = words.valueMappings;

/** Asks for id, name and columns, and opens the new mapping. */
export async function createMapping(target: string): Promise<void> {
  const id = await openDialog<string>((close) => (
    <CreateDialog
      title={create.title}
      action={create.action}
      hasTable
      write={(made, home, name, columns) => writeNew(refOf(target, made), home, newDocument(name, columns))}
      close={close}
    />
  ));
  if (id !== undefined) goTo("value-mappings", id);
}

function refOf(target: string, id: string): MappingRef {
  return { kind: "value", id, target };
}

/** The text of a table without rows; `name` "": none. */
export function newDocument(name: string, columns: readonly string[]): string {
  return jsonText({ ...(name !== "" && { name }), columns, rows: [] });
}

/** Copies a mapping, to the letter, under another id. */
export async function duplicateMapping(target: string, id: string): Promise<void> {
  const read = await attempt(words.mappings.notOpened(id), () => readBase(refOf(target, id)));
  if (read === undefined) return;
  const made = await openDialog<string>((close) => (
    <CreateDialog
      title={create.duplicateTitle(id)}
      action={words.valueMappings.duplicate}
      firstId={`${id}-copy`}
      firstHome={read.home}
      write={(copy, home) => writeNew(refOf(target, copy), home, read.text)}
      close={close}
    />
  ));
  if (made !== undefined) goTo("value-mappings", made);
}

/** Makes a mapping of a table that was read. */
export async function createOf(target: string, sheet: Sheet, firstId: string): Promise<void> {
  const text = jsonText(writeDocument({ fields: { columns: [], rows: [] }, content: "rows", sheet }));
  const made = await openDialog<string>((close) => (
    <CreateDialog
      title={create.importTitle}
      action={create.action}
      firstId={firstId}
      write={(id, home) => writeNew(refOf(target, id), home, text)}
      close={close}
    />
  ));
  if (made !== undefined) goTo("value-mappings", made);
}

interface CreateDialogProps {
  readonly title: string;
  readonly action: string;
  readonly firstId?: string;
  /** Asks for a name and for columns, too. */
  readonly hasTable?: boolean;
  readonly firstHome?: Home;
  /** Rejects with an error that `isOvertaken` knows when there is a mapping of the id. */
  readonly write: (id: string, home: Home, name: string, columns: readonly string[]) => Promise<unknown>;
  readonly close: (id?: string) => void;
}

function CreateDialog({ title, action, firstId = "", hasTable = false, write, close, ...first }: CreateDialogProps) {
  const [home, setHome] = useState<Home>(first.firstHome ?? "runtime");
  const [id, setId] = useState(firstId);
  const [name, setName] = useState("");
  const [columnText, setColumnText] = useState("from, to");
  const [refused, setRefused] = useState<string>();
  const columns = columnText.split(",").map((column) => column.trim());
  const idProblem = id === "" ? undefined : flowIdProblem(id);
  const columnsProblem = hasTable ? problemOf(columns) : undefined;
  const isReady = id !== "" && idProblem === undefined && columnsProblem === undefined;
  const submit = async (): Promise<void> => {
    if (!isReady) return;
    try {
      await write(id, home, name.trim(), columns);
      close(id);
    } catch (error) {
      setRefused(isOvertaken(error) ? create.taken(id) : sentenceOf(error));
    }
  };
  return (
    <Dialog
      title={title}
      onClose={() => close()}
      onSubmit={() => void submit()}
      actions={
        <>
          <Button onClick={() => close()}>{words.ui.cancel}</Button>
          <Button kind="primary" type="submit" disabled={!isReady}>
            {action}
          </Button>
        </>
      }
    >
      <Field label={create.id} help={create.idHelp} error={idProblem ?? refused} required>
        {(input) => (
          <input
            {...input}
            className="input"
            spellCheck={false}
            value={id}
            onChange={(event) => {
              setId(event.target.value);
              setRefused(undefined);
            }}
          />
        )}
      </Field>
      {hasTable && (
        <>
          <Field label={create.name} help={create.nameHelp}>
            {(input) => (
              <input {...input} className="input" value={name} onChange={(event) => setName(event.target.value)} />
            )}
          </Field>
          <Field label={create.columns} help={create.columnsHelp} error={columnsProblem} required>
            {(input) => (
              <input
                {...input}
                className="input"
                spellCheck={false}
                value={columnText}
                onChange={(event) => setColumnText(event.target.value)}
              />
            )}
          </Field>
        </>
      )}
      <WhereField value={home} onValue={setHome} />
    </Dialog>
  );
}

function problemOf(names: readonly string[]): string | undefined {
  if (names.length < 2) return create.fewColumns;
  const columns = names.map((name) => ({ name, kind: "values" }) as const);
  for (const [at, column] of columns.entries()) {
    const problem = columnProblem({ columns, rows: [] }, column, at);
    if (problem !== undefined) return words.valueMappings.nameProblems[problem];
  }
  return undefined;
}
