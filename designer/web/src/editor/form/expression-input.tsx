/** An expression: its language and its text, in whatever spelling it is written. */
import { useState } from "react";
import { expressionOf, type Path, removeOption, setExpression } from "../../model/index.ts";
import { words } from "../../words.ts";
import { CompletedInput } from "./completed-input.tsx";
import { WithValue } from "./expression-value.tsx";
import { type FormContext, languagesOf } from "./form-context.ts";

interface ExpressionInputProps {
  readonly id: string;
  /** The definition that the expression belongs to. */
  readonly path: Path;
  /** What is written there. */
  readonly value: unknown;
  readonly context: FormContext;
  /** Without it an empty text removes the expression. */
  readonly isRequired: boolean;
  /** Whether it is read as true or false. */
  readonly isCondition: boolean;
}

export function ExpressionInput({ path, value, context, isRequired, isCondition, ...input }: ExpressionInputProps) {
  const found = expressionOf(value);
  // Chosen before anything is written.
  const [chosen, setChosen] = useState("simple");
  const language = found?.language ?? chosen;
  const text = found?.text ?? "";
  const languages = languagesOf(context.catalog);
  const all = languages.includes(language) ? languages : [...languages, language];
  const set = (next: { readonly language: string; readonly text: string }): void =>
    context.change(words.form.expression, path.join("/"), (flow) =>
      next.text === "" && !isRequired ? removeOption(flow, path) : setExpression(flow, path, next),
    );
  return (
    <div className="expression">
      <select
        className="input"
        aria-label={words.form.language}
        disabled={!context.isEditable}
        value={language}
        onChange={({ target }) => {
          setChosen(target.value);
          if (found !== undefined || isRequired) set({ language: target.value, text });
        }}
      >
        {all.map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </select>
      <WithValue {...context} tried={{ language, text, isCondition }}>
        <CompletedInput
          {...input}
          key={language}
          context={context}
          isSimple={language === "simple" || language === "csimple"}
          value={text}
          onText={(typed) => set({ language, text: typed })}
        />
      </WithValue>
    </div>
  );
}
