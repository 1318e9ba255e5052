/** New connections: one of a kind, or the copy of another. They are kept by the runtime when they are saved. */
import { useState } from "react";
import type { ConnectionDocument } from "../../../shared/connection-document.ts";
import { flowIdProblem } from "../../../shared/ids.ts";
import { goTo } from "../app/address.ts";
import { attempt } from "../ui/attempt.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { openDialog } from "../ui/dialogs.tsx";
import { Field } from "../ui/field.tsx";
import { Note } from "../ui/note.tsx";
import { useStore } from "../ui/use-store.ts";
import { words } from "../words.ts";
import { connectionsOf, kindsOf, readConnection, workspaceConnections } from "./connections-api.ts";
import { type Document, withField } from "./document.ts";
import { beginConnection } from "./open-connections.ts";
import "./connections.css";

const { create } = words.connections;

interface Made {
  readonly name: string;
  readonly kind: string;
  /** Of the workspace, to begin with. */
  readonly document?: Document | undefined;
}

/**
 * Asks for a name and a kind, and opens the new connection: with the document of this name, if the workspace has one. `first`: the name
 * that is proposed.
 */
export async function createConnection(target: string, first = ""): Promise<void> {
  const made = await openDialog<Made>((close) => (
    <CreateDialog target={target} title={create.title} firstName={first} asksKind close={close} />
  ));
  if (made !== undefined) begin(target, made.name, made.document ?? { kind: made.kind });
}

export async function duplicateConnection(target: string, name: string): Promise<void> {
  const read = await attempt(words.connections.notOpened(name), () => readConnection(target, name));
  if (read === undefined) return;
  const made = await openDialog<Made>((close) => (
    <CreateDialog target={target} title={create.duplicateTitle(name)} firstName={`${name}-copy`} close={close} />
  ));
  // There is one default of a kind and group.
  if (made !== undefined) begin(target, made.name, withField(read.document, "default", undefined));
}

function begin(target: string, name: string, draft: Document): void {
  beginConnection(target, name, draft);
  goTo("connections", name);
}

interface CreateDialogProps {
  readonly target: string;
  readonly title: string;
  readonly firstName: string;
  readonly asksKind?: boolean;
  readonly close: (made?: Made) => void;
}

function CreateDialog({ target, title, firstName, asksKind = false, close }: CreateDialogProps) {
  const { value: known } = useStore(kindsOf(target));
  const { value: list = [] } = useStore(connectionsOf(target));
  const { value: documents = [] } = useStore(workspaceConnections);
  const [name, setName] = useState(firstName);
  const [chosen, setChosen] = useState("");
  const kinds = known?.kinds ?? [];
  const kind = kinds.find((one) => one.name === chosen) ?? kinds[0];
  const isTaken = list.some((entry) => entry.name === name);
  const problem = name === "" ? undefined : (flowIdProblem(name) ?? (isTaken ? create.taken(name) : undefined));
  const isReady = name !== "" && problem === undefined && kind !== undefined;
  const offered = asksKind ? documents.filter((one) => list.every((entry) => entry.name !== one.name)) : [];
  const found = offered.find((one) => one.name === name);
  return (
    <Dialog
      title={title}
      onClose={() => close()}
      onSubmit={() => {
        if (isReady) close({ name, kind: kind.name, document: found?.document ?? undefined });
      }}
      actions={
        <>
          <Button onClick={() => close()}>{words.ui.cancel}</Button>
          <Button kind="primary" type="submit" disabled={!isReady}>
            {create.action}
          </Button>
        </>
      }
    >
      <Field label={create.name} help={create.nameHelp} error={problem} required>
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
      {offered.length > 0 && (
        <fieldset className="connection-documents">
          <legend>{create.documents}</legend>
          {offered.map((one) => (
            <Button key={one.name} aria-pressed={one.name === name} onClick={() => setName(one.name)}>
              {one.name}
            </Button>
          ))}
        </fieldset>
      )}
      {found !== undefined && <DocumentNote found={found} />}
      {asksKind && (found?.document ?? null) === null && (
        <Field label={words.connections.kind} help={kind?.docs} required>
          {(input) => (
            <select
              {...input}
              className="input"
              value={kind?.name ?? ""}
              onChange={(event) => setChosen(event.target.value)}
            >
              {kinds.map((one) => (
                <option key={one.name} value={one.name}>
                  {one.title}
                </option>
              ))}
            </select>
          )}
        </Field>
      )}
    </Dialog>
  );
}

/** What the workspace has under the name. */
function DocumentNote({ found: { name, document, problem } }: { readonly found: ConnectionDocument }) {
  if (problem !== undefined) return <Note kind="warn">{create.badDocument(problem)}</Note>;
  return <Note kind="info">{create.document(name, String(document?.["kind"] ?? ""))}</Note>;
}
