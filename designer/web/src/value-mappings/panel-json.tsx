/** The document as JSON, as it is sent; edits of it are taken over as a whole. */
import { useState } from "react";
import { parse } from "../../../../src/client/json.ts";
import { Button } from "../ui/button.tsx";
import { Field } from "../ui/field.tsx";
import { Note } from "../ui/note.tsx";
import { useStore } from "../ui/use-store.ts";
import { words } from "../words.ts";
import type { PanelProps } from "./panels.ts";
import { textOf } from "./session.ts";

export function JsonPanel({ session, isEditable }: PanelProps) {
  const { draft } = useStore(session);
  const text = textOf(draft);
  const [edited, setEdited] = useState<{ readonly text: string; readonly of: string }>();
  // What was typed is about the document that it began with.
  const isStale = edited !== undefined && edited.of !== text;
  const shown = edited?.text ?? text;
  const problem = edited === undefined ? undefined : problemOf(shown);
  return (
    <div className="mapping-panel">
      {draft.kind === "text" && (
        <Note kind="warn" title={words.valueMappings.noTable}>
          <p>{draft.why}</p>
        </Note>
      )}
      {isStale && <Note kind="warn">{words.valueMappings.staleJson}</Note>}
      <Field label={words.valueMappings.json} help={words.valueMappings.jsonHelp} error={problem}>
        {(input) => (
          <textarea
            {...input}
            className="input"
            rows={24}
            wrap="off"
            spellCheck={false}
            readOnly={!isEditable}
            value={shown}
            onChange={(event) => setEdited({ text: event.target.value, of: edited?.of ?? text })}
          />
        )}
      </Field>
      {edited !== undefined && (
        <div className="mapping-buttons">
          <Button
            kind="primary"
            disabled={problem !== undefined}
            onClick={() => {
              session.replaceText(edited.text, words.valueMappings.did.json);
              setEdited(undefined);
            }}
          >
            {words.valueMappings.takeJson}
          </Button>
          <Button onClick={() => setEdited(undefined)}>{words.ui.cancel}</Button>
        </div>
      )}
    </div>
  );
}

function problemOf(text: string): string | undefined {
  try {
    parse(text);
    return undefined;
  } catch (error) {
    return words.valueMappings.notJson(error instanceof Error ? error.message : String(error));
  }
}
