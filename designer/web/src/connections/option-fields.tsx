/** The options of a connection's kind. */
import { DocsText } from "../ui/docs-text.tsx";
import { Field } from "../ui/field.tsx";
import { words } from "../words.ts";
import type { ConnectionKind } from "./connections-api.ts";
import { type Document, numberOf, partOf } from "./document.ts";

type Option = ConnectionKind["options"][number];

interface OptionFieldsProps {
  readonly options: readonly Option[];
  readonly draft: Document;
  readonly onOption: (name: string, value: unknown) => void;
}

export function OptionFields({ options, draft, onOption }: OptionFieldsProps) {
  const set = partOf(draft, "options");
  return (
    <fieldset className="connection-part">
      <legend>{words.connections.options}</legend>
      {options.map((option) => (
        <OptionField
          key={option.name}
          option={option}
          value={set[option.name]}
          onValue={(value) => onOption(option.name, value)}
        />
      ))}
    </fieldset>
  );
}

interface OptionFieldProps {
  readonly option: Option;
  readonly value: unknown;
  readonly onValue: (value: unknown) => void;
}

function OptionField({ option, value, onValue }: OptionFieldProps) {
  const { name, words: docs, type, expected, values, default: usual } = option;
  const hint = usual === null ? expected : words.form.default(String(usual));
  const choices = type === "flag" ? ["true", "false"] : values;
  const text = value === undefined ? "" : String(value);
  const read = (typed: string): unknown => {
    if (typed === "") return undefined;
    if (type === "flag") return typed === "true";
    return type === "whole" ? numberOf(typed) : typed;
  };
  return (
    <Field label={name} help={<DocsText text={docs} />}>
      {(input) =>
        choices === null ? (
          <input
            {...input}
            className="input"
            spellCheck={false}
            placeholder={hint}
            value={text}
            onChange={(event) => onValue(read(event.target.value))}
          />
        ) : (
          <select {...input} className="input" value={text} onChange={(event) => onValue(read(event.target.value))}>
            <option value="">{hint}</option>
            {choices.map((choice) => (
              <option key={choice}>{choice}</option>
            ))}
          </select>
        )
      }
    </Field>
  );
}
