/** The field of an option: what its kind needs. */
import { connectionIn } from "../../connections/connection-use.ts";
import { expressionOf } from "../../model/index.ts";
import { DocsText } from "../../ui/docs-text.tsx";
import { Field as FieldFrame } from "../../ui/field.tsx";
import { words } from "../../words.ts";
import { CompletedInput } from "./completed-input.tsx";
import { ConnectionNote } from "./connection-note.tsx";
import { ExpressionInput } from "./expression-input.tsx";
import { WithValue } from "./expression-value.tsx";
import type { OptionFieldProps } from "./form-context.ts";
import { MapField } from "./map-field.tsx";
import { ObjectField, ObjectsField } from "./object-field.tsx";
import { plainText, readValue, textOf } from "./values.ts";

export function OptionField(props: OptionFieldProps) {
  const { field, value, context } = props;
  const { kind, title, docs, required } = field;
  if (kind === "object") return <ObjectField {...props} Option={OptionField} />;
  if (kind === "objects") return <ObjectsField {...props} Option={OptionField} />;
  if (kind === "map") return <MapField {...props} />;
  const isNothing = kind === "expression" ? expressionOf(value) === undefined : textOf(value) === "";
  const isMissing = required && isNothing;
  const written = kind === "expression" ? (expressionOf(value)?.text ?? "") : textOf(value);
  const problem = isMissing && context.isKnown ? words.form.missing : context.problemOf(written);
  return (
    <FieldFrame
      label={title}
      help={docs === "" ? undefined : <DocsText text={docs} />}
      required={required}
      error={problem}
    >
      {(input) => <OptionInput {...props} input={input} />}
    </FieldFrame>
  );
}

interface InputProps extends OptionFieldProps {
  readonly input: { readonly id: string };
}

function OptionInput({ field, value, onValue, path, context, input }: InputProps) {
  const { kind, default: usual, values = [] } = field;
  const hint = usual === undefined || typeof usual === "object" ? undefined : words.form.default(String(usual));
  const isReadOnly = !context.isEditable;
  if (kind === "expression")
    return (
      <ExpressionInput
        {...{ ...input, path, value, context }}
        isRequired={field.required}
        isCondition={field.isCondition === true}
      />
    );
  if (kind === "boolean" || kind === "enum") {
    const choices = kind === "boolean" ? ["true", "false"] : values;
    return (
      <Select
        {...{ input, hint, choices, isReadOnly }}
        value={value === undefined ? "" : textOf(value)}
        onText={(text) => onValue(text === "" ? undefined : kind === "boolean" ? readBoolean(text) : text)}
      />
    );
  }
  if (typeof value === "object" && value !== null && !(kind === "texts" && isTexts(value))) {
    return <output className="form-raw">{words.form.onlyInYaml(plainText(value))}</output>;
  }
  if (kind === "texts") {
    const text = isTexts(value) ? value.join("\n") : textOf(value);
    return (
      <CompletedInput
        {...input}
        placeholder={hint ?? words.form.onePerLine}
        context={context}
        value={text}
        onText={(typed) => onValue(linesOf(typed))}
      />
    );
  }
  const text = textOf(value);
  const onText = (typed: string): void => onValue(readValue(kind, typed));
  if (kind === "template") {
    return (
      <WithValue {...context} tried={{ language: "simple", text, isCondition: false }}>
        <CompletedInput {...input} placeholder={hint} context={context} isSimple value={text} onText={onText} />
      </WithValue>
    );
  }
  const connection = connectionIn(field, text);
  return (
    <>
      <CompletedInput
        {...input}
        placeholder={hint}
        context={context}
        name={field.name}
        isOneLine={!text.includes("\n")}
        {...(kind === "number" && { inputMode: "numeric" })}
        value={text}
        offers={context.offers(field)}
        onText={onText}
      />
      {connection !== undefined && <ConnectionNote session={context.session} name={connection} />}
    </>
  );
}

interface SelectProps {
  readonly input: { readonly id: string };
  readonly value: string;
  readonly hint: string | undefined;
  readonly choices: readonly string[];
  readonly isReadOnly: boolean;
  readonly onText: (text: string) => void;
}

/** What is written stays a choice, such as `{{flag}}`. */
function Select({ input, value, hint, choices, isReadOnly, onText }: SelectProps) {
  const all = value === "" || choices.includes(value) ? choices : [...choices, value];
  return (
    <select
      className="input"
      {...input}
      disabled={isReadOnly}
      value={value}
      onChange={(event) => onText(event.target.value)}
    >
      <option value="">{hint ?? words.form.notSet}</option>
      {all.map((choice) => (
        <option key={choice} value={choice}>
          {choice}
        </option>
      ))}
    </select>
  );
}

function readBoolean(text: string): boolean | string {
  return text === "true" ? true : text === "false" ? false : text;
}

function linesOf(text: string): readonly string[] | undefined {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  return lines.length === 0 ? undefined : lines;
}

function isTexts(value: unknown): value is readonly unknown[] {
  return Array.isArray(value) && value.every((one) => typeof one !== "object");
}
