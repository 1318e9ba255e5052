/** Which flows may use a connection: those of its group, all, or ids and patterns. */
import { DocsText } from "../ui/docs-text.tsx";
import { Field } from "../ui/field.tsx";
import { words } from "../words.ts";
import {
  type Document,
  type FlowChoice,
  flowChoiceOf,
  flowChoices,
  listOf,
  withField,
  withFlowChoice,
} from "./document.ts";

const { connections: texts } = words;

interface FlowsFieldProps {
  /** Of the connection. */
  readonly name: string;
  readonly draft: Document;
  /** Of the runtime. */
  readonly words: string;
  readonly onDraft: (draft: Document) => void;
}

export function FlowsField({ name, draft, words: docs, onDraft }: FlowsFieldProps) {
  const choice = flowChoiceOf(draft);
  const lines = listOf(draft["flows"]);
  return (
    <>
      <Field label={texts.flows} help={<DocsText text={docs} />}>
        {(input) => (
          <select
            {...input}
            className="input"
            value={choice}
            onChange={(event) => onDraft(withFlowChoice(draft, event.target.value as FlowChoice, name))}
          >
            {flowChoices.map((one) => (
              <option key={one} value={one}>
                {texts.flowChoices[one]}
              </option>
            ))}
          </select>
        )}
      </Field>
      {choice === "some" && (
        <Field
          label={texts.patterns}
          required
          error={lines.some((line) => line !== "") ? undefined : words.form.missing}
        >
          {(input) => (
            <textarea
              {...input}
              className="input"
              spellCheck={false}
              rows={Math.min(8, lines.length + 1)}
              placeholder={texts.patternsHint}
              value={lines.join("\n")}
              onChange={(event) =>
                onDraft(
                  withField(
                    draft,
                    "flows",
                    event.target.value.split("\n").map((line) => line.trim()),
                  ),
                )
              }
            />
          )}
        </Field>
      )}
    </>
  );
}
