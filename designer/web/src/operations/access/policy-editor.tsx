/** Edits the policy document of a flow: installs, replaces or removes it on the runtime. */
import { useState } from "react";
import { orThrow } from "../../../../../src/client/client.ts";
import { runtimeOf } from "../../api/runtime.ts";
import { mayDo } from "../../api/session.ts";
import { attempt } from "../../ui/attempt.ts";
import { Button } from "../../ui/button.tsx";
import { confirm } from "../../ui/confirm.tsx";
import { Field } from "../../ui/field.tsx";
import { Note } from "../../ui/note.tsx";
import { notify } from "../../ui/toast.tsx";
import { words } from "../../words.ts";
import type { ReadPolicy } from "./policy-section.tsx";
import { readPolicy } from "./policy-text.ts";

const { access: texts } = words.operations;

interface PolicyEditorProps {
  readonly target: string;
  readonly flowId: string;
  readonly read: ReadPolicy;
  readonly onChanged: () => void;
}

export function PolicyEditor({ target, flowId, read, onChanged }: PolicyEditorProps) {
  /** What the draft began with. */
  const [base, setBase] = useState(read);
  const [draft, setDraft] = useState(read.text);
  const [isSaved, setSaved] = useState(false);
  const takeRead = (): void => {
    setBase(read);
    setDraft(read.text);
    setSaved(false);
  };
  const isOther = read !== base;
  if (isOther && (isSaved || draft === base.text)) takeRead();
  const { text, etag } = base;
  const isOperator = mayDo("operator");
  const result = readPolicy(draft);
  const isChanged = draft !== text;
  const problem = isChanged && draft !== "" && "problem" in result ? result.problem : undefined;
  const params = { path: { flowId } };
  const save = async (): Promise<void> => {
    if (!("document" in result)) return;
    const { document } = result;
    await attempt(texts.notSaved(flowId), async () => {
      const headers = etag === undefined ? { "If-None-Match": "*" } : { "If-Match": etag };
      const { warnings } = await orThrow(
        runtimeOf(target).PUT("/_api/auth/{flowId}", { params, headers, body: document }),
      );
      setSaved(true);
      notify({ kind: warnings.length === 0 ? "done" : "warn", text: texts.saved(flowId, warnings.length) });
      onChanged();
    });
  };
  const remove = async (): Promise<void> => {
    const goesOn = await confirm({
      title: texts.removeTitle(flowId),
      text: texts.removeText,
      action: texts.remove,
      danger: true,
    });
    if (!goesOn) return;
    await attempt(texts.notRemoved(flowId), async () => {
      const headers = etag === undefined ? {} : { "If-Match": etag };
      await orThrow(runtimeOf(target).DELETE("/_api/auth/{flowId}", { params, headers }));
      setSaved(true);
      notify({ kind: "done", text: texts.removed(flowId) });
      onChanged();
    });
  };
  if (!isOperator && text === "") return null;
  return (
    <>
      {isOther && (
        <Note kind="warn" title={texts.other}>
          <p>{texts.otherText}</p>
          <Button onClick={takeRead}>{texts.takeOther}</Button>
        </Note>
      )}
      <Field label={texts.document} help={isOperator ? texts.documentHelp : undefined} error={problem}>
        {(input) => (
          <textarea
            {...input}
            className="input"
            spellCheck={false}
            readOnly={!isOperator}
            rows={Math.min(24, Math.max(8, draft.split("\n").length + 1))}
            placeholder={texts.example}
            value={draft}
            onChange={(event) => setDraft(event.target.value)}
          />
        )}
      </Field>
      {isOperator && (
        <div className="filters">
          <Button
            kind="primary"
            icon="lock"
            disabled={!isChanged || !("document" in result)}
            onClick={() => void save()}
          >
            {etag === undefined ? texts.install : texts.replace}
          </Button>
          {isChanged && <Button onClick={() => setDraft(text)}>{words.ui.cancel}</Button>}
          {etag !== undefined && (
            <Button kind="danger" icon="trash" onClick={() => void remove()}>
              {texts.remove}
            </Button>
          )}
        </div>
      )}
    </>
  );
}
