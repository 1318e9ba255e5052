/** An expression: its language and its text, in whatever spelling it is written. */
import { expressionOf, type Path, setExpression } from "../../model/index.ts";
import { words } from "../../words.ts";
import { type FormContext, languagesOf } from "./form-context.ts";
import { SimpleInput } from "./simple-input.tsx";
import { TextArea } from "./text-input.tsx";

interface ExpressionInputProps {
  readonly id: string;
  /** The definition that the expression belongs to. */
  readonly path: Path;
  /** What is written there. */
  readonly value: unknown;
  readonly context: FormContext;
}

export function ExpressionInput({ path, value, context, ...input }: ExpressionInputProps) {
  const found = expressionOf(value);
  const language = found?.language ?? "simple";
  const text = found?.text ?? "";
  const languages = languagesOf(context.catalog);
  const all = languages.includes(language) ? languages : [...languages, language];
  const set = (next: { readonly language: string; readonly text: string }): void =>
    context.change(words.form.expression, path.join("/"), (flow) => setExpression(flow, path, next));
  return (
    <div className="expression">
      <select
        className="input"
        aria-label={words.form.language}
        disabled={!context.isEditable}
        value={language}
        onChange={(event) => set({ language: event.target.value, text })}
      >
        {all.map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </select>
      {language === "simple" || language === "csimple" ? (
        <SimpleInput {...input} context={context} value={text} onText={(typed) => set({ language, text: typed })} />
      ) : (
        <TextArea
          {...input}
          readOnly={!context.isEditable}
          value={text}
          onText={(typed) => set({ language, text: typed })}
        />
      )}
    </div>
  );
}
