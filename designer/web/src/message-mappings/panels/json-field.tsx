/** A part of the document as JSON. What is no JSON yet is not taken; an empty field leaves the part out. */
import { useState } from "react";
import type { Path } from "../../model/types.ts";
import { indented } from "../../runs/messages.ts";
import { Field } from "../../ui/field.tsx";
import { words } from "../../words.ts";
import { useMapper, useMapping } from "../mapper.ts";
import { isJson } from "../message.ts";
import { removeValue, setValue } from "../model/json-edit.ts";
import { JsonSource } from "../model/json-style.ts";
import { sourceAt } from "../model/json-text.ts";

interface JsonFieldProps {
  readonly label: string;
  readonly help?: string;
  readonly path: Path;
}

export function JsonField({ label, help, path }: JsonFieldProps) {
  const { session, isEditable } = useMapper();
  const json = useMapping(session, (state) => state.json);
  const written = sourceAt(json, path) ?? "";
  const [draft, setDraft] = useState<{ readonly text: string; readonly of: string }>();
  const isOwn = draft?.of === written;
  const text = isOwn ? draft.text : indented(written);
  const onText = (next: string): void => {
    const isWrong = next.trim() !== "" && !isJson(next);
    if (!isWrong) {
      const source = next.trim();
      session.edit((now) => (source === "" ? removeValue(now, path) : setValue(now, path, new JsonSource(source))), {
        label: words.messageMappings.did.change(label),
        join: `json ${JSON.stringify(path)}`,
      });
    }
    setDraft({ text: next, of: isWrong ? written : (sourceAt(session.get().json, path) ?? "") });
  };
  const isWrong = text.trim() !== "" && !isJson(text);
  return (
    <Field label={label} help={help} error={isWrong ? words.messageMappings.tests.notJson : undefined}>
      {(input) => (
        <textarea
          {...input}
          className="input"
          spellCheck={false}
          rows={Math.min(14, text.split("\n").length + 1)}
          value={text}
          readOnly={!isEditable}
          onChange={(event) => onText(event.target.value)}
        />
      )}
    </Field>
  );
}
