/** Makes a message mapping: an empty one, or the copy of another. */
import { useState } from "react";
import { flowIdProblem } from "../../../shared/ids.ts";
import { sentenceOf } from "../api/sentence.ts";
import { goTo } from "../app/address.ts";
import { type Home, isOvertaken, type MappingRef, readBase, writeNew } from "../mappings/base.ts";
import { WhereField } from "../mappings/where-field.tsx";
import { applyChanges, slug } from "../model/index.ts";
import { attempt } from "../ui/attempt.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { openDialog } from "../ui/dialogs.tsx";
import { Field } from "../ui/field.tsx";
import { words } from "../words.ts";
import { setValue } from "./model/json-edit.ts";
import { readJson } from "./model/json-text.ts";

export async function createMapping(target: string): Promise<void> {
  const made = await openDialog<string>((close) => (
    <CreateDialog title={words.messageMappings.create} target={target} textFor={newDocument} close={close} />
  ));
  if (made !== undefined) goTo("message-mappings", made);
}

function refOf(target: string, id: string): MappingRef {
  return { kind: "message", id, target };
}

/** The text of a mapping without rules. */
export function newDocument(name: string): string {
  return `${JSON.stringify({ name, rules: [] }, null, 2)}\n`;
}

export async function duplicateMapping(target: string, id: string): Promise<void> {
  const file = await attempt(words.messageMappings.createFailed, () => readBase(refOf(target, id)));
  if (file === undefined) return;
  const json = readJson(file.text);
  const isPlain = json.errors.length === 0;
  const made = await openDialog<string>((close) => (
    <CreateDialog
      title={words.messageMappings.duplicateOf(id)}
      target={target}
      firstHome={file.home}
      textFor={(name) => (isPlain ? applyChanges(file.text, setValue(json, ["name"], name)) : file.text)}
      close={close}
    />
  ));
  if (made !== undefined) goTo("message-mappings", made);
}

interface CreateDialogProps {
  readonly title: string;
  readonly target: string;
  readonly firstHome?: Home;
  /** The document under a name for people. */
  readonly textFor: (name: string) => string;
  readonly close: (id?: string) => void;
}

function CreateDialog({ title, target, firstHome = "runtime", textFor, close }: CreateDialogProps) {
  const [home, setHome] = useState(firstHome);
  const [name, setName] = useState("");
  const [ownId, setOwnId] = useState<string>();
  const [refusal, setRefusal] = useState<string>();
  const id = ownId ?? (name.trim() === "" ? "" : slug(name));
  const problem = id === "" ? undefined : flowIdProblem(id);
  const create = async (): Promise<void> => {
    if (id === "" || problem !== undefined) return;
    try {
      await writeNew(refOf(target, id), home, textFor(name.trim()));
      close(id);
    } catch (error) {
      setRefusal(isOvertaken(error) ? words.messageMappings.taken(id) : sentenceOf(error));
    }
  };
  return (
    <Dialog
      title={title}
      onClose={() => close()}
      onSubmit={() => void create()}
      actions={
        <>
          <Button onClick={() => close()}>{words.ui.cancel}</Button>
          <Button kind="primary" type="submit" disabled={id === "" || problem !== undefined}>
            {words.messageMappings.createAction}
          </Button>
        </>
      }
    >
      <Field label={words.messageMappings.name} help={words.messageMappings.nameHelp}>
        {(input) => (
          <input
            {...input}
            className="input"
            value={name}
            onChange={(event) => {
              setName(event.target.value);
              setRefusal(undefined);
            }}
          />
        )}
      </Field>
      <Field label={words.messageMappings.id} help={words.messageMappings.idHelp} required error={problem ?? refusal}>
        {(input) => (
          <input
            {...input}
            className="input"
            value={id}
            onChange={(event) => {
              setOwnId(event.target.value);
              setRefusal(undefined);
            }}
          />
        )}
      </Field>
      <WhereField value={home} onValue={setHome} />
    </Dialog>
  );
}
