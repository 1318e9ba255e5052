/** The message that the mapping is tried with: typed, pasted, loaded, or of a recorded run. */
import { useRef } from "react";
import { Button } from "../../ui/button.tsx";
import { Field } from "../../ui/field.tsx";
import { useStore } from "../../ui/use-store.ts";
import { words } from "../../words.ts";
import { useMapper, useMapping } from "../mapper.ts";
import { aroundMembers, inputOf, type TrialMessage } from "../message.ts";
import { setValue } from "../model/json-edit.ts";
import { JsonSource } from "../model/json-style.ts";
import { pickRunMessage } from "../run-message.tsx";
import { formatOf } from "../trial.ts";
import { MessageChoice } from "./message-choice.tsx";

export function MessagePanel() {
  const { session, message, isEditable } = useMapper();
  const sent = useStore(message);
  const document = useMapping(session, (state) => state.document);
  const file = useRef<HTMLInputElement>(null);
  const format = formatOf(document);
  const input = inputOf(sent, format);
  const change = (part: Partial<TrialMessage>): void => message.set({ ...sent, origin: "own", ...part });
  const keep = (): void => {
    if (input === undefined) return;
    const isKept = session.edit((json) => setValue(json, ["source", "sample"], new JsonSource(input)), {
      label: words.messageMappings.did.sample,
    });
    if (isKept) message.set({ ...sent, origin: "sample" });
  };
  return (
    <div className="side message-fields">
      <MessageChoice />
      <Field
        label={words.messageMappings.body}
        help={words.messageMappings.bodyHelp[format]}
        error={input === undefined ? words.messageMappings.wrongBody[format] : undefined}
      >
        {(field) => (
          <textarea
            {...field}
            className="input"
            spellCheck={false}
            rows={16}
            value={sent.text}
            onChange={(event) => change({ text: event.target.value })}
          />
        )}
      </Field>
      <Field
        label={words.messageMappings.around}
        help={words.messageMappings.aroundHelp}
        error={aroundMembers(sent) === undefined ? words.messageMappings.wrongAround : undefined}
      >
        {(field) => (
          <textarea
            {...field}
            className="input"
            spellCheck={false}
            rows={sent.around === "" ? 2 : 5}
            value={sent.around}
            onChange={(event) => change({ around: event.target.value })}
          />
        )}
      </Field>
      <div className="side-actions">
        <input
          ref={file}
          type="file"
          hidden
          accept=".json,.xml,.txt,application/json,text/xml"
          onChange={(event) => {
            const [chosen] = event.target.files ?? [];
            void chosen?.text().then((text) => change({ text }));
            event.target.value = "";
          }}
        />
        <Button icon="upload" onClick={() => file.current?.click()}>
          {words.messageMappings.loadFile}
        </Button>
        <Button
          icon="runs"
          onClick={() =>
            void pickRunMessage(session.target, session.id).then((found) => {
              if (found !== undefined) message.set(found);
            })
          }
        >
          {words.messageMappings.loadRun}
        </Button>
        {isEditable && (
          <Button icon="save" disabled={input === undefined || sent.origin === "sample"} onClick={keep}>
            {words.messageMappings.keepSample}
          </Button>
        )}
      </div>
    </div>
  );
}
